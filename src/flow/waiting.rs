//! Polling a payment until the server decides it.

use super::code::{CodeEntry, CodeNotice};
use super::effect::{Effect, Request};
use super::facts::{Session, Transaction};
use super::form::Form;
use super::msg::ApiResponse;
use super::state::{Screen, State};
use std::rc::Rc;
use tua_contract::{State as TransactionState, Step};

/// The pause after the first failed request. Each further failure doubles it.
const BACKOFF_MIN_MS: u32 = 1_000;
/// The longest pause after a failed request.
const BACKOFF_MAX_MS: u32 = 30_000;
/// The first pause between polls if the server ignores `Prefer: wait`. Each further poll doubles
/// it.
const POLL_INTERVAL_MIN_MS: u32 = 2_000;
/// The longest pause between such polls.
const POLL_INTERVAL_MAX_MS: u32 = 10_000;

/// For how many seconds the server may hold a poll. Shorter than the usual time limit of proxies,
/// which is 30 s.
const HOLD_MAX_S: u32 = 25;
/// The shortest such time, however early a proxy ends requests.
const HOLD_MIN_S: u32 = 3;

/// A charge whose outcome is not known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// What the charge needs next.
    pub awaited: Awaited,
    /// The state of the polling.
    pub poll: Poll,
    /// The number of consecutive failed requests.
    pub failures: u32,
    pub(super) form: Form,
    etag: Option<String>,
    /// The number of consecutive polls that the server answered at once, without a change.
    immediate_responses: u32,
    /// For how many seconds the server may hold the next poll.
    hold_s: u32,
    /// The number of held polls that broke since one was answered. The answer to an immediate
    /// request does not end them.
    broken_polls: u32,
}

/// What a charge without an outcome needs next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Awaited {
    /// The payer's approval on the phone.
    Approval,
    /// Nothing from the payer: the outcome is not known yet.
    Outcome,
    /// A passcode or voucher from the payer.
    Code(CodeEntry),
}

/// The state of the polling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Poll {
    /// A request that the server answers at once is in progress.
    Immediate,
    /// A request that the server may delay until there is a change is in progress.
    LongPoll,
    /// The next request follows after a pause.
    Pausing,
    /// No request follows while the page is hidden.
    Stopped,
    /// A code is being sent. The response also contains the transaction.
    SendingCode,
}

impl State {
    /// Shows the waiting screen for this transaction, and begins to poll.
    pub(super) fn wait(
        &mut self,
        session: Rc<Session>,
        transaction: Transaction,
        step: Step,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        let form = Form { sending: super::FormRequestState::Idle, notice: None, ..form };
        let awaited = Awaited::after(step, Awaited::Outcome);
        let waiting = Waiting {
            awaited,
            poll: Poll::Stopped,
            failures: 0,
            form,
            etag: None,
            immediate_responses: 0,
            hold_s: HOLD_MAX_S,
            broken_polls: 0,
        };
        self.screen = Screen::Waiting(session, transaction, waiting);
        if !self.is_hidden {
            self.request_status_now(effects);
        }
    }

    /// Requests the status at once, for a payer who looks at the page again.
    pub(super) fn request_status_now(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &self.screen else { return };
        if !matches!(waiting.poll, Poll::Immediate | Poll::SendingCode) {
            self.request_status(true, effects);
        }
    }

    fn request_status(&mut self, at_once: bool, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, transaction, waiting) = &mut self.screen else { return };
        waiting.poll = if at_once { Poll::Immediate } else { Poll::LongPoll };
        let transaction_id = transaction.id.clone();
        let etag = waiting.etag.clone();
        let hold_s = waiting.hold_s;
        effects.push(self.send_request(Request::Status { transaction_id, etag, at_once, hold_s }));
    }

    /// Stops polling while the page is hidden. A code that is being sent is not aborted.
    pub(super) fn pause(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        if waiting.poll != Poll::SendingCode {
            waiting.poll = Poll::Stopped;
            effects.push(self.stop());
        }
    }

    /// Polls after a pause: at once, after a held poll broke.
    pub(super) fn poll_again(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &self.screen else { return };
        let at_once = waiting.failures == 0 && waiting.broken_polls > 0;
        if !self.is_hidden {
            self.request_status(at_once, effects);
        }
    }

    /// Handles the answer to a poll or to a code.
    pub(super) fn waiting_response_received(
        &mut self,
        answer: ApiResponse,
        effects: &mut Vec<Effect>,
    ) {
        let Screen::Waiting(_, known, waiting) = &mut self.screen else { return };
        let was = std::mem::replace(&mut waiting.poll, Poll::Pausing);
        match answer {
            ApiResponse::Transaction { transaction, etag, was_held }
                if transaction.id == known.id =>
            {
                self.update_transaction(was, transaction, etag, was_held, effects);
            }
            ApiResponse::Unchanged { was_held } => {
                waiting.failures = 0;
                self.schedule_poll(was, was_held, effects);
            }
            ApiResponse::Refused(problem) => {
                if self.end_if_refused(&problem, effects) {
                    return;
                }
                if was == Poll::SendingCode && problem.status < 500 {
                    self.code_refused(&problem, effects);
                } else {
                    self.poll_failed(was, &ApiResponse::Refused(problem), effects);
                }
            }
            answer => self.poll_failed(was, &answer, effects),
        }
    }

    /// Polls again after a backoff, because the answer does not show the transaction's state.
    fn poll_failed(&mut self, was: Poll, answer: &ApiResponse, effects: &mut Vec<Effect>) {
        if was == Poll::SendingCode {
            self.set_code_notice(CodeNotice::NotSent, effects);
            return self.recheck_status(effects);
        }
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        if was == Poll::LongPoll && waiting.failures == 0 {
            return self.long_poll_failed(answer, effects);
        }
        waiting.failures = waiting.failures.saturating_add(1);
        let failures = waiting.failures;
        effects.push(self.backoff(failures, answer));
    }

    /// A proxy may end a request that the server still holds (504 after 15 s). That is no failure
    /// that the payer must know of: the next request is answered at once, or counts as one. The
    /// next held poll is shorter.
    fn long_poll_failed(&mut self, answer: &ApiResponse, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        let is_rate_limit =
            matches!(answer, ApiResponse::Refused(problem) if problem.status == 429);
        if !is_rate_limit {
            waiting.hold_s = (waiting.hold_s / 2).max(HOLD_MIN_S);
        }
        waiting.broken_polls = waiting.broken_polls.saturating_add(1);
        // No more often than polls of a server that holds none.
        let broken_polls = waiting.broken_polls.min(4);
        effects.push(self.backoff(broken_polls, answer));
    }

    fn update_transaction(
        &mut self,
        was: Poll,
        new: Transaction,
        etag: Option<String>,
        was_held: bool,
        effects: &mut Vec<Effect>,
    ) {
        let Screen::Waiting(session, known, waiting) = &mut self.screen else { return };
        waiting.failures = 0;
        let TransactionState::Pending(step) = new.state else {
            let session = Rc::clone(session);
            let form = std::mem::take(&mut waiting.form);
            return self.show_transaction(session, new, form, effects);
        };
        waiting.awaited =
            Awaited::after(step, std::mem::replace(&mut waiting.awaited, Awaited::Outcome));
        let left = new.code_attempts_left;
        // A newer server may name a network that is unknown here. Then the known one stays.
        *known = Transaction { network: new.network.or(known.network), ..new };
        if was == Poll::SendingCode {
            // The transaction still requires a code, so the code was wrong.
            waiting.etag = None;
            self.set_code_notice(CodeNotice::Wrong(left), effects);
            return self.recheck_status(effects);
        }
        waiting.etag = etag;
        self.schedule_poll(was, was_held, effects);
    }

    /// Sends the next poll: at once if the server delays its response until a change, otherwise
    /// after a pause.
    fn schedule_poll(&mut self, was: Poll, was_held: bool, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        // An immediate request does not show whether the server supports `Prefer: wait`.
        if was == Poll::LongPoll {
            waiting.broken_polls = 0;
        }
        waiting.immediate_responses = match was {
            Poll::LongPoll if !was_held => waiting.immediate_responses.saturating_add(1),
            Poll::LongPoll => 0,
            _ => waiting.immediate_responses,
        };
        if self.is_hidden {
            waiting.poll = Poll::Stopped;
        } else if waiting.immediate_responses > 1 {
            let gap = doubled(
                POLL_INTERVAL_MIN_MS,
                waiting.immediate_responses - 1,
                POLL_INTERVAL_MAX_MS,
            );
            effects.push(self.sleep(gap));
        } else {
            self.request_status(false, effects);
        }
    }

    /// Requests the status at once, after a code.
    pub(super) fn recheck_status(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        waiting.poll = Poll::Stopped;
        if !self.is_hidden {
            self.request_status(true, effects);
        }
    }

    /// The pause before a repeated request: longer after each failure, or as long as `Retry-After`
    /// requires.
    pub(super) fn backoff(&mut self, failures: u32, answer: &ApiResponse) -> Effect {
        let retry_after_ms = match answer {
            ApiResponse::Refused(problem) => {
                problem.retry_after_s.map(|seconds| seconds.min(120) * 1_000)
            }
            _ => None,
        };
        self.sleep(
            retry_after_ms.unwrap_or_else(|| doubled(BACKOFF_MIN_MS, failures, BACKOFF_MAX_MS)),
        )
    }
}

impl Awaited {
    /// What the charge needs at this step. A partly typed code is kept.
    fn after(step: Step, before: Self) -> Self {
        let is_voucher = step == Step::EnterVoucher;
        match (step, before) {
            (Step::ApproveOnPhone, _) => Self::Approval,
            // A payer never waits for a merchant's approval: only payouts do.
            (Step::Wait | Step::ApproveInDashboard, _) => Self::Outcome,
            (Step::EnterOtp | Step::EnterVoucher, Self::Code(entry)) => {
                Self::Code(CodeEntry { is_voucher, ..entry })
            }
            (Step::EnterOtp | Step::EnterVoucher, _) => {
                Self::Code(CodeEntry { is_voucher, ..CodeEntry::default() })
            }
        }
    }
}

/// `first` doubled `times - 1` times, but at most `longest`.
fn doubled(first: u32, times: u32, longest: u32) -> u32 {
    first.saturating_mul(1 << times.saturating_sub(1).min(16)).min(longest)
}
