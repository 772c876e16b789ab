//! Finds a charge by the operator's id of it, which the payer has from the network's SMS.

use super::operator_gateway::OPERATOR_TIMEOUT;
use futures_util::future::join_all;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tracing::warn;
use tua_domain::{
    Kind, Scope, Transaction, TransactionId,
    listing::{Filter, PageRequest},
    operator_transaction_id::OperatorTransactionId,
    ports::{CallbackHint, Clock, ReadError, Reports, StoreError, Transactions},
    routing::{OperatorEntry, Operators},
};

/// Finds charges by the operator's id, in the store and then at the operators.
#[derive(Clone, Debug)]
pub struct PaymentSearch {
    /// Finds a charge by the operator's id, where the operator reported it.
    pub reports: Arc<dyn Reports>,
    /// Reads the charge that an operator names by its reference.
    pub transactions: Arc<dyn Transactions>,
    /// Who may look them up.
    pub operators: Operators,
    /// Limits how long an operator is waited for.
    pub clock: Arc<dyn Clock>,
}

/// What a search has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FoundPayment {
    /// A charge of the account and mode.
    Charge(Box<Transaction>),
    /// None. That is no proof that nothing was paid.
    None(LookupCoverage),
}

/// Which operators took part in a search that found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LookupCoverage {
    /// None of the account's operators can look a charge up by its own id.
    NoneCan,
    /// Those that can have no charge of this account with the id.
    AllAnswered,
    /// One of them did not respond.
    SomeUnanswered,
}

impl PaymentSearch {
    /// Finds a charge of this account and mode. The work is one read of the store, and where it
    /// finds nothing one question to each operator that can be asked.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &OperatorTransactionId,
    ) -> Result<FoundPayment, StoreError> {
        let operator_transaction_id = Some(id.as_str().to_owned());
        let filter =
            Filter { kind: Some(Kind::Charge), operator_transaction_id, ..Filter::default() };
        let found =
            self.reports.transactions(scope, filter, PageRequest { limit: 1, after: None }).await?;
        match found.into_iter().next() {
            Some(charge) => Ok(FoundPayment::Charge(Box::new(charge))),
            None => self.query_operators(scope, id).await,
        }
    }

    /// Whether one of the account's operators can look a charge up by its own id.
    #[must_use]
    pub fn can_ask(&self, scope: &Scope) -> bool {
        !self.able(scope).is_empty()
    }

    async fn query_operators(
        &self,
        scope: &Scope,
        id: &OperatorTransactionId,
    ) -> Result<FoundPayment, StoreError> {
        let able = self.able(scope);
        let answers = join_all(able.iter().map(|entry| self.look_up(entry, id))).await;
        let mut asked =
            if answers.is_empty() { LookupCoverage::NoneCan } else { LookupCoverage::AllAnswered };
        for answer in answers {
            match answer {
                Ok(Some(reference)) => {
                    if let Some(charge) = self.with_reference(scope, &reference).await? {
                        return Ok(FoundPayment::Charge(Box::new(charge)));
                    }
                }
                Ok(None) => {}
                Err(_) => asked = LookupCoverage::SomeUnanswered,
            }
        }
        Ok(FoundPayment::None(asked))
    }

    fn able(&self, scope: &Scope) -> Vec<Arc<OperatorEntry>> {
        let mut able = self.operators.of_account(scope.mode, &scope.account);
        able.retain(|entry| entry.operator.capabilities().finds_charges_by_own_id);
        able
    }

    async fn look_up(
        &self,
        entry: &OperatorEntry,
        id: &OperatorTransactionId,
    ) -> Result<Option<String>, ReadError> {
        let found = tokio::select! {
            found = entry.operator.find_charge(id) => found,
            () = self.clock.sleep_until(self.clock.now() + OPERATOR_TIMEOUT) => {
                Err(ReadError::Unanswered("timeout".to_owned()))
            }
        };
        found.inspect_err(
            |error| warn!(operator = %entry.pin.name, %error, "a charge could not be looked up"),
        )
    }

    /// The charge with this reference at its operator. An operator's account may serve several
    /// accounts of this service, so another one's is not found.
    async fn with_reference(
        &self,
        scope: &Scope,
        reference: &str,
    ) -> Result<Option<Transaction>, StoreError> {
        let Some(id) = TransactionId::of_operator_reference(reference) else { return Ok(None) };
        let found = self.transactions.transaction(&id).await?;
        Ok(found.filter(|one| one.order.scope == *scope && one.order.transfer.kind == Kind::Charge))
    }
}

/// Finds charges for their payers.
#[derive(Clone, Debug)]
pub struct PayersSearch {
    /// Finds the charge in the store or at the operators.
    pub search: PaymentSearch,
    /// Takes the hint to ask about a charge now, as a callback's.
    pub hints: UnboundedSender<CallbackHint>,
}

impl PayersSearch {
    /// Finds a charge of this account and mode, as it stands before its operator is asked. The
    /// operator is then asked about one that is not `SUCCESSFUL`: the payer has a proof of the
    /// payment. `own` is the latest charge of the payer's session. While it is pending its operator
    /// is asked too, because most operators report their id only at the end.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &OperatorTransactionId,
        own: Option<&Transaction>,
    ) -> Result<FoundPayment, StoreError> {
        let found = self.search.find(scope, id).await?;
        let found_charge = match &found {
            FoundPayment::Charge(charge) => {
                Some(charge.as_ref()).filter(|charge| !charge.is_paid())
            }
            FoundPayment::None(_) => None,
        };
        for charge in own.into_iter().filter(|charge| !charge.state.is_final()).chain(found_charge)
        {
            // Fails only while the service stops; then the worker asks later.
            let _ =
                self.hints.send(CallbackHint { reference: charge.order.id.operator_reference() });
        }
        Ok(found)
    }
}
