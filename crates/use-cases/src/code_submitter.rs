//! Who submits a passcode or voucher.

use super::{
    requester::dashboard_holder,
    transactions::{TransactionResource, find_visible},
};
use tua_domain::{
    Caller, CheckoutId, Kind, Scope, Transaction, TransactionId,
    ports::{StoreError, Transactions},
};

/// Who submits a code of a payer.
#[derive(Clone, Debug)]
pub enum CodeSubmitter {
    /// The holder of a credential.
    Caller(Box<Caller>),
    /// A person of the dashboard, for a charge of this account and mode.
    Person(Scope),
}

impl CodeSubmitter {
    /// Whose idempotency keys are used.
    pub(super) fn holder(&self) -> String {
        match self {
            Self::Caller(caller) => caller.holder(),
            Self::Person(scope) => dashboard_holder(scope),
        }
    }

    /// The session whose guesses are counted; `None` where those of the transaction are.
    pub(super) fn session(&self) -> Option<&CheckoutId> {
        match self {
            Self::Caller(caller) => match &**caller {
                Caller::Token(checkout) => Some(&checkout.id),
                Caller::Key(_) => None,
            },
            Self::Person(_) => None,
        }
    }

    /// The transaction with this id, if the submitter may see it.
    pub(super) async fn find(
        &self,
        transactions: &dyn Transactions,
        id: &TransactionId,
    ) -> Result<Option<Transaction>, StoreError> {
        match self {
            Self::Caller(caller) => {
                find_visible(transactions, caller, TransactionResource::Payment, id).await
            }
            Self::Person(scope) => {
                let found = transactions.transaction(id).await?;
                Ok(found.filter(|one| {
                    one.order.scope == *scope && one.order.transfer.kind == Kind::Charge
                }))
            }
        }
    }
}

impl From<Caller> for CodeSubmitter {
    fn from(caller: Caller) -> Self {
        Self::Caller(Box::new(caller))
    }
}
