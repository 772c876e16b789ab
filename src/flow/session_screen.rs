//! The screen that a session or a transaction is shown on.

use super::effect::{Effect, Focus};
use super::facts::{Session, Transaction};
use super::form::{Form, FormRequestState};
use super::notice::FormNotice;
use super::state::{Screen, State};
use std::rc::Rc;
use tua_contract::State as TransactionState;

impl State {
    /// Shows the session after its first reading, and sends the queued charge.
    pub(super) fn show_first_session(
        &mut self,
        session: Session,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        let is_queued = matches!(form.sending, FormRequestState::Queued);
        self.show_session(session, Form { sending: FormRequestState::Idle, ..form }, effects);
        // Any other screen shows a charge that exists already, so the queued one is dropped.
        let Screen::Form(session, form) = &mut self.screen else { return };
        if !is_queued {
            return;
        }
        // The payer has not seen a fee yet.
        if form.network.network().is_some_and(|network| session.fee(network).is_some()) {
            form.notice = Some(FormNotice::PriceChanged);
            return effects.push(Effect::Focus(Focus::Screen));
        }
        self.pay(true, effects);
    }

    /// Shows the screen for the session's status.
    pub(super) fn show_session(&mut self, session: Session, form: Form, effects: &mut Vec<Effect>) {
        let transaction = session.transaction.clone();
        let session = Rc::new(session);
        match transaction {
            _ if session.is_paid => {
                let paid = transaction
                    .filter(|transaction| transaction.state == TransactionState::Successful);
                self.screen = Screen::Paid(session, paid);
            }
            Some(transaction) => self.show_transaction(session, transaction, form, effects),
            None => self.screen = Screen::Form(session, form),
        }
    }

    /// As [`State::show_session`], but an earlier failed charge does not replace the form that the
    /// payer is filling in.
    pub(super) fn refresh_session(
        &mut self,
        session: Session,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        match &session.transaction {
            Some(Transaction { state: TransactionState::Failed(_), .. }) if !session.is_paid => {
                self.screen = Screen::Form(Rc::new(session), form);
            }
            _ => self.show_session(session, form, effects),
        }
    }

    /// Shows the screen for the transaction's state.
    pub(super) fn show_transaction(
        &mut self,
        session: Rc<Session>,
        transaction: Transaction,
        form: Form,
        effects: &mut Vec<Effect>,
    ) {
        // The attempt in doubt has become this transaction.
        let form = Form { unconfirmed: None, ..form };
        match transaction.state {
            TransactionState::Successful => self.screen = Screen::Paid(session, Some(transaction)),
            TransactionState::Failed(code) => {
                self.screen = Screen::Failed(session, transaction, code, form)
            }
            TransactionState::Pending(step) => self.wait(session, transaction, step, form, effects),
        }
    }
}
