//! What a caller asks for when it begins a payment.

use super::{Caller, Kind, NewTransaction, TransactionId, idempotency::canonical};
use tua_contract::{Amount, Network, Phone};

/// A parsed request for a charge or payout.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// The direction of the money.
    pub kind: Kind,
    /// The amount.
    pub amount: Amount,
    /// The mobile-money network.
    pub network: Network,
    /// The payer's or recipient's number.
    pub phone: Phone,
    /// The merchant's reference; generated where there is none.
    pub reference: Option<String>,
    /// The recipient's e-mail address (payouts).
    pub email: Option<String>,
    /// The merchant's JSON object, as text (payouts).
    pub metadata: Option<String>,
    /// Shown to the payer (charge), or kept for the merchant (payout).
    pub payer_message: Option<String>,
    /// Kept for the merchant (charge), or shown to the recipient (payout).
    pub payee_note: Option<String>,
}

impl Instruction {
    /// The charge of a payer with a token: everything but number and network comes from the session.
    #[must_use]
    pub const fn for_checkout(due: Amount, phone: Phone, network: Network) -> Self {
        Self {
            kind: Kind::Charge,
            amount: due,
            network,
            phone,
            reference: None,
            email: None,
            metadata: None,
            payer_message: None,
            payee_note: None,
        }
    }

    /// A transaction with a new id, for this caller. A session's charge takes everything but number and network from
    /// the session.
    #[must_use]
    pub fn into_transaction(self, caller: &Caller) -> NewTransaction {
        let id = TransactionId::mint();
        let new = NewTransaction {
            reference: self.reference.unwrap_or_else(|| id.as_str().to_owned()),
            id,
            scope: caller.scope().clone(),
            kind: self.kind,
            amount: self.amount,
            network: self.network,
            phone: self.phone,
            checkout: None,
            email: self.email,
            metadata: self.metadata,
            payer_message: self.payer_message,
            payee_note: self.payee_note,
        };
        match caller {
            Caller::Key(_) => new,
            Caller::Token(checkout) => NewTransaction {
                amount: checkout.amount,
                reference: checkout.reference.clone(),
                checkout: Some(checkout.id.clone()),
                email: Some(checkout.email.clone()),
                metadata: checkout.metadata.clone(),
                ..new
            },
        }
    }

    /// The fields that tell two instructions apart, as [`super::idempotency::Fingerprint::of`] takes them.
    #[must_use]
    pub fn fingerprint_fields(&self) -> [Option<String>; 8] {
        [
            Some(self.amount.to_string()),
            Some(self.network.as_str().to_owned()),
            Some(self.phone.as_str().to_owned()),
            self.reference.clone(),
            self.email.clone(),
            self.metadata.as_deref().map(canonical),
            self.payer_message.clone(),
            self.payee_note.clone(),
        ]
    }
}
