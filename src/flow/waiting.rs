//! Asking after a payment until the server decides it, and the code that it may want.

use super::effect::{Effect, Focus, Request};
use super::facts::{Problem, Session, Transaction, Typed};
use super::form::Form;
use super::msg::Answer;
use super::state::{Screen, State};
use std::rc::Rc;
use tua_contract::code::CodeError;
use tua_contract::{Code, ErrorCode, State as Standing, Step};

/// The first pause after a question that was not answered; it doubles from there.
const BACK_OFF_FIRST_MS: u32 = 1_000;
/// The longest such pause.
const BACK_OFF_LONGEST_MS: u32 = 30_000;
/// The pause between questions to a server that does not hold them back; it doubles as well.
const GAP_FIRST_MS: u32 = 2_000;
/// The longest of those.
const GAP_LONGEST_MS: u32 = 10_000;

/// A charge that is not decided yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// What it waits for.
    pub on: On,
    /// Where the asking is.
    pub poll: Poll,
    /// How many questions in a row went unanswered.
    pub failures: u32,
    pub(super) form: Form,
    etag: Option<String>,
    /// Answers in a row that the server did not hold back.
    unheld: u32,
}

/// What an undecided charge waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum On {
    /// The payer's approval on the phone.
    Approval,
    /// The outcome: it was sent, and more is not known.
    Outcome,
    /// A passcode or voucher.
    Code(CodeEntry),
}

/// Where the asking is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Poll {
    /// The server was asked to answer at once.
    AskedNow,
    /// The server was asked to answer when there is news.
    Asked,
    /// The next question comes after a pause.
    Pausing,
    /// Nobody looks, so nobody asks.
    Hidden,
    /// A code is on its way, whose answer tells as much.
    SendingCode,
}

/// A passcode or voucher, while it is entered.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CodeEntry {
    /// Whether it is a voucher that the payer makes on the phone.
    pub is_voucher: bool,
    /// The text, as typed.
    pub text: Typed,
    /// What is wrong with it.
    pub fault: Option<CodeError>,
    /// What became of the last one.
    pub notice: Option<CodeNotice>,
    /// The last code that was sent and its attempt's number; the same code again reuses the key.
    sent: Option<(Typed, u32)>,
}

/// What became of the last code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeNotice {
    /// It was not right; so many more may be entered, where the server says it.
    Wrong(Option<u32>),
    /// Whether it arrived is not known.
    NotSent,
    /// Too many requests.
    TooMany,
    /// The server did not take it.
    Refused,
}

impl State {
    /// Begins to wait for this transaction.
    pub(super) fn wait(
        &mut self,
        session: Rc<Session>,
        transaction: Transaction,
        step: Step,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        let form = Form { sending: super::Sending::No, notice: None, ..form };
        let on = On::after(step, On::Outcome);
        let waiting = Waiting { on, poll: Poll::Hidden, failures: 0, form, etag: None, unheld: 0 };
        self.screen = Screen::Waiting(session, transaction, waiting);
        if !self.is_hidden {
            self.ask_now(effects);
        }
    }

    /// Requests the status at once, because the payer looks at the page again.
    pub(super) fn ask_now(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &self.screen else { return };
        if !matches!(waiting.poll, Poll::AskedNow | Poll::SendingCode) {
            self.ask_status(true, effects);
        }
    }

    fn ask_status(&mut self, at_once: bool, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, transaction, waiting) = &mut self.screen else { return };
        waiting.poll = if at_once { Poll::AskedNow } else { Poll::Asked };
        let (transaction_id, etag) = (transaction.id.clone(), waiting.etag.clone());
        effects.push(self.ask(Request::Status { transaction_id, etag, at_once }));
    }

    /// Stops to ask while nobody looks. A code that is on its way is let through.
    pub(super) fn pause(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        if waiting.poll != Poll::SendingCode {
            waiting.poll = Poll::Hidden;
            effects.push(self.stop());
        }
    }

    /// The pause is over.
    pub(super) fn poll_again(&mut self, effects: &mut Vec<Effect>) {
        if !self.is_hidden {
            self.ask_status(false, effects);
        }
    }

    /// Takes the text of the code field.
    pub(super) fn type_code(&mut self, text: String) {
        if let Screen::Waiting(_, _, Waiting { on: On::Code(entry), .. }) = &mut self.screen {
            entry.text = Typed(text);
            entry.fault = None;
        }
    }

    /// Sends the code, unless one is on its way.
    pub(super) fn send_code(&mut self, effects: &mut Vec<Effect>) {
        let next = self.attempts + 1;
        let Screen::Waiting(_, transaction, Waiting { on: On::Code(entry), poll, .. }) = &mut self.screen else {
            return;
        };
        if *poll == Poll::SendingCode {
            return;
        }
        let code = match Code::parse(&entry.text.0) {
            Ok(code) => Typed(code.expose().to_owned()),
            Err(fault) => {
                entry.fault = Some(fault);
                return effects.push(Effect::Focus(Focus::Code));
            }
        };
        let attempt = match &entry.sent {
            Some((sent, attempt)) if *sent == code => *attempt,
            _ => next,
        };
        entry.sent = Some((code.clone(), attempt));
        entry.notice = None;
        *poll = Poll::SendingCode;
        self.attempts = self.attempts.max(attempt);
        let transaction_id = transaction.id.clone();
        effects.push(self.ask(Request::Code { attempt, transaction_id, code }));
    }

    /// What the server said of the transaction, or of the code.
    pub(super) fn answer_waiting(&mut self, answer: Answer, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, known, waiting) = &mut self.screen else { return };
        let was = std::mem::replace(&mut waiting.poll, Poll::Pausing);
        match answer {
            Answer::Transaction { transaction, etag, held } if transaction.id == known.id => {
                self.update_transaction(was, transaction, etag, held, effects);
            }
            Answer::Unchanged { held } => {
                waiting.failures = 0;
                self.next_question(was, held, effects);
            }
            Answer::Refused(problem) => {
                if self.end_if_refused(&problem, effects) {
                    return;
                }
                if was == Poll::SendingCode && problem.status < 500 {
                    self.code_refused(&problem, effects);
                } else {
                    self.unanswered(was, &Answer::Refused(problem), effects);
                }
            }
            answer => self.unanswered(was, &answer, effects),
        }
    }

    /// Nothing was learnt: the payment goes its way, and the question is put again.
    fn unanswered(&mut self, was: Poll, answer: &Answer, effects: &mut Vec<Effect>) {
        if was == Poll::SendingCode {
            self.note_code(CodeNotice::NotSent, effects);
            return self.look_again(effects);
        }
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        waiting.failures = waiting.failures.saturating_add(1);
        let failures = waiting.failures;
        effects.push(self.back_off(failures, answer));
    }

    fn update_transaction(
        &mut self,
        was: Poll,
        new: Transaction,
        etag: Option<String>,
        held: bool,
        effects: &mut Vec<Effect>,
    ) {
        let Screen::Waiting(session, known, waiting) = &mut self.screen else { return };
        waiting.failures = 0;
        let Standing::Pending(step) = new.state else {
            let (session, form) = (Rc::clone(session), std::mem::take(&mut waiting.form));
            return self.land_transaction(session, new, form, effects);
        };
        waiting.on = On::after(step, std::mem::replace(&mut waiting.on, On::Outcome));
        let left = new.code_attempts_left;
        // Masked numbers and names do not come with every answer; what is known is kept.
        *known = Transaction { network: new.network.or(known.network), ..new };
        if was == Poll::SendingCode {
            // A code that leaves the transaction asking for a code was not the right one.
            waiting.etag = None;
            self.note_code(CodeNotice::Wrong(left), effects);
            return self.look_again(effects);
        }
        waiting.etag = etag;
        self.next_question(was, held, effects);
    }

    /// The next question: at once to a server that holds it back, later to one that does not.
    fn next_question(&mut self, was: Poll, held: bool, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        // An answer that was wanted at once says nothing about holding back.
        waiting.unheld = match was {
            Poll::Asked if !held => waiting.unheld.saturating_add(1),
            Poll::Asked => 0,
            _ => waiting.unheld,
        };
        if self.is_hidden {
            waiting.poll = Poll::Hidden;
        } else if waiting.unheld > 1 {
            let gap = doubled(GAP_FIRST_MS, waiting.unheld - 1, GAP_LONGEST_MS);
            effects.push(self.sleep(gap));
        } else {
            self.ask_status(false, effects);
        }
    }

    fn look_again(&mut self, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, waiting) = &mut self.screen else { return };
        waiting.poll = Poll::Hidden;
        if !self.is_hidden {
            self.ask_status(true, effects);
        }
    }

    fn note_code(&mut self, notice: CodeNotice, effects: &mut Vec<Effect>) {
        let Screen::Waiting(_, _, Waiting { on: On::Code(entry), .. }) = &mut self.screen else { return };
        entry.notice = Some(notice);
        if let CodeNotice::Wrong(_) = notice {
            entry.text = Typed::default();
            // The same code again would be a new try, not the same one sent twice.
            entry.sent = None;
        }
        effects.push(Effect::Focus(Focus::Code));
    }

    fn code_refused(&mut self, problem: &Problem, effects: &mut Vec<Effect>) {
        match (problem.code, problem.status) {
            // It was decided, or taken, in the meantime: the status says which.
            (Some(ErrorCode::VerificationNotExpected), _) => {}
            (_, 409) => self.note_code(CodeNotice::NotSent, effects),
            (_, 429) => self.note_code(CodeNotice::TooMany, effects),
            _ => self.note_code(CodeNotice::Refused, effects),
        }
        self.look_again(effects);
    }

    /// The pause before a question is put again, longer each time, or as long as the server asks for.
    pub(super) fn back_off(&mut self, failures: u32, answer: &Answer) -> Effect {
        let asked = match answer {
            Answer::Refused(problem) => problem.retry_after_s.map(|seconds| seconds.min(120) * 1_000),
            _ => None,
        };
        self.sleep(asked.unwrap_or_else(|| doubled(BACK_OFF_FIRST_MS, failures, BACK_OFF_LONGEST_MS)))
    }
}

impl On {
    /// What is waited for at this step; a code that is half typed is kept.
    fn after(step: Step, before: Self) -> Self {
        let is_voucher = step == Step::EnterVoucher;
        match (step, before) {
            (Step::ApproveOnPhone, _) => Self::Approval,
            (Step::Wait, _) => Self::Outcome,
            (Step::EnterOtp | Step::EnterVoucher, Self::Code(entry)) => Self::Code(CodeEntry { is_voucher, ..entry }),
            (Step::EnterOtp | Step::EnterVoucher, _) => Self::Code(CodeEntry { is_voucher, ..CodeEntry::default() }),
        }
    }
}

/// `first` doubled `times - 1` times, up to `longest`.
fn doubled(first: u32, times: u32, longest: u32) -> u32 {
    first.saturating_mul(1 << times.saturating_sub(1).min(16)).min(longest)
}
