//! An hour of waiting, second by second: how often the server is asked, and what is shown meanwhile.

use super::*;

const MINUTE: u32 = 60;

/// A payer who waits for an approval, and everything that happens by itself.
struct Hour {
    walk: Walk,
    second: u32,
    /// When the pause that is under way ends.
    sleep_ends_at: Option<u32>,
    requests: u32,
}

impl Hour {
    fn begin() -> Self {
        let mut hour = Self { walk: Walk::waiting(Step::ApproveOnPhone), second: 0, sleep_ends_at: None, requests: 0 };
        hour.note();
        hour
    }

    /// Lets an hour pass; every question gets this answer within its second.
    fn pass(mut self, answer: &Answer) -> Self {
        while self.second < 60 * MINUTE {
            while self.walk.asked().is_some() {
                self.walk = self.walk.answer(answer.clone());
                self.note();
            }
            self.second += 1;
            let is_over = self.sleep_ends_at.is_some_and(|at| self.second >= at);
            let tick = Msg::Tick(i64::from(self.second) * 1_000);
            // Only one of the two happens in a second; what it orders is carried out in the next round.
            self.walk = if is_over { self.walk.slept() } else { self.walk.say(tick) };
            self.note();
        }
        self
    }

    fn note(&mut self) {
        self.requests += u32::from(self.walk.asked().is_some());
        if let Some(millis) = self.walk.slept_for() {
            self.sleep_ends_at = Some(self.second + millis / 1_000);
        } else if self.walk.asked().is_some() || self.walk.effects.contains(&Effect::Stop) {
            self.sleep_ends_at = None;
        }
    }
}

#[test]
fn an_hour_without_a_connection_costs_124_questions_and_fails_nothing() {
    let hour = Hour::begin().pass(&Answer::Lost);
    assert!(matches!(&hour.walk.state.screen, Screen::Waiting(_, _, waiting) if waiting.failures > 100));
    assert_eq!(hour.requests, 124);
    let walk = hour.walk.say(Msg::Awake);
    assert!(matches!(walk.asked(), Some(Request::Status { at_once: true, .. })), "back online, asked at once");
    let walk = walk.answer(news(Standing::Successful));
    assert!(matches!(walk.state.screen, Screen::Paid(..)));
}

#[test]
fn an_hour_of_breakdowns_is_waited_out_like_an_hour_without_a_connection() {
    let hour = Hour::begin().pass(&refused(500, ErrorCode::InternalError));
    assert!(matches!(hour.walk.state.screen, Screen::Waiting(..)));
    assert_eq!(hour.requests, 124);
}

#[test]
fn a_server_that_names_a_pause_is_asked_no_sooner() {
    let busy = Answer::Refused(Problem { status: 503, retry_after_s: Some(90), ..Problem::default() });
    assert_eq!(Hour::begin().pass(&busy).requests, 41);
}

#[test]
fn a_token_that_is_refused_ends_the_asking_and_says_that_money_may_be_moving() {
    let hour = Hour::begin().pass(&refused(401, ErrorCode::InvalidCredentials));
    assert!(matches!(&hour.walk.state.screen, Screen::Expired(expiry) if expiry.standing == SessionStanding::Pending));
    assert_eq!(hour.requests, 1);
}

#[test]
fn an_hour_in_a_hidden_tab_costs_no_question_at_all() {
    let mut hour = Hour::begin();
    hour.walk = hour.walk.say(Msg::Hidden);
    hour.note();
    let before = hour.requests;
    let hour = hour.pass(&Answer::Lost);
    assert_eq!(hour.requests, before);
}
