//! How far an account is from its name to its first real payment.

use std::sync::Arc;
use tua_domain::{
    Account, Mode,
    ports::{Clock, Reports, StoreError},
    reporting::FirstStep,
    routing::Operators,
};

/// Reads the first steps of accounts.
#[derive(Clone, Debug)]
pub struct FirstSteps {
    /// Has what accounts have done.
    pub reports: Arc<dyn Reports>,
    /// The operators of the settings, with what they answered last.
    pub operators: Operators,
    /// Decides which keys are valid.
    pub clock: Arc<dyn Clock>,
}

/// How far an account is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstStepsProgress {
    /// The steps that are done, in their order.
    pub done: Vec<FirstStep>,
    /// Whether no step is left to show: all are done, or the account takes real money already.
    pub is_over: bool,
}

impl FirstSteps {
    /// How far an account is.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn progress(&self, account: &Account) -> Result<FirstStepsProgress, StoreError> {
        let facts = self.reports.first_steps(&account.id, self.clock.now()).await?;
        let entries = self.operators.entries();
        let mut live = entries.iter().filter(|entry| entry.is_of(Mode::Live, &account.id));
        // Balances are read with the credentials of payments.
        let answers = live.any(|entry| entry.float.last().is_some());
        let is_done = |step: &FirstStep| step.is_done(&account.name, facts, answers);
        let done: Vec<FirstStep> = FirstStep::ALL.iter().copied().filter(is_done).collect();
        let is_over = facts.has_live_payment || done.len() == FirstStep::ALL.len();
        Ok(FirstStepsProgress { done, is_over })
    }
}
