//! An hour of waiting in steps of a second: how many requests the component sends, and what it
//! shows.

use super::*;

const MINUTE: u32 = 60;

/// A payer who waits for an approval, with the timers and responses of each second.
struct Hour {
    flow: TestFlow,
    second: u32,
    /// The second in which the current pause ends.
    sleep_ends_at: Option<u32>,
    requests: u32,
}

impl Hour {
    fn begin() -> Self {
        let mut hour = Self {
            flow: TestFlow::waiting(Step::ApproveOnPhone),
            second: 0,
            sleep_ends_at: None,
            requests: 0,
        };
        hour.note();
        hour
    }

    /// Runs an hour in which every request gets this answer within its second.
    fn pass(mut self, answer: &ApiResponse) -> Self {
        while self.second < 60 * MINUTE {
            while self.flow.request().is_some() {
                self.flow = self.flow.answer(answer.clone());
                self.note();
            }
            self.second += 1;
            let is_over = self.sleep_ends_at.is_some_and(|at| self.second >= at);
            let tick = Msg::Tick(i64::from(self.second) * 1_000);
            // One message per second. Its effects are handled in the next round.
            self.flow = if is_over { self.flow.end_pause() } else { self.flow.send(tick) };
            self.note();
        }
        self
    }

    fn note(&mut self) {
        self.requests += u32::from(self.flow.request().is_some());
        if let Some(millis) = self.flow.pause_ms() {
            self.sleep_ends_at = Some(self.second + millis / 1_000);
        } else if self.flow.request().is_some() || self.flow.effects.contains(&Effect::Stop) {
            self.sleep_ends_at = None;
        }
    }
}

#[test]
fn an_hour_without_a_connection_takes_124_requests_and_fails_nothing() {
    let hour = Hour::begin().pass(&ApiResponse::Lost);
    assert!(
        matches!(&hour.flow.state.screen, Screen::Waiting(_, _, waiting) if waiting.failures > 100)
    );
    assert_eq!(hour.requests, 124);
    let flow = hour.flow.send(Msg::Resumed);
    assert!(
        matches!(flow.request(), Some(Request::Status { at_once: true, .. })),
        "back online: an immediate request"
    );
    let flow = flow.answer(charge_answer(TransactionState::Successful));
    assert!(matches!(flow.state.screen, Screen::Paid(..)));
}

#[test]
fn an_hour_of_server_errors_takes_as_many_requests_as_one_without_a_connection() {
    let hour = Hour::begin().pass(&refused(500, ErrorCode::InternalError));
    assert!(matches!(hour.flow.state.screen, Screen::Waiting(..)));
    assert_eq!(hour.requests, 124);
}

#[test]
fn no_request_is_sent_before_retry_after_has_passed() {
    let busy = ApiResponse::Refused(Problem {
        status: 503,
        retry_after_s: Some(90),
        ..Problem::default()
    });
    assert_eq!(Hour::begin().pass(&busy).requests, 41);
}

#[test]
fn a_refused_token_stops_polling_and_warns_that_money_may_be_moving() {
    let hour = Hour::begin().pass(&refused(401, ErrorCode::InvalidCredentials));
    assert!(matches!(
        &hour.flow.state.screen,
        Screen::Expired(expiry) if expiry.status == SessionStatus::Pending
    ));
    assert_eq!(hour.requests, 1);
}

#[test]
fn an_hour_in_a_hidden_tab_takes_no_request() {
    let mut hour = Hour::begin();
    hour.flow = hour.flow.send(Msg::Hidden);
    hour.note();
    let before = hour.requests;
    let hour = hour.pass(&ApiResponse::Lost);
    assert_eq!(hour.requests, before);
}
