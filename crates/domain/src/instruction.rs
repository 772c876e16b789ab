//! What is asked for when a payment begins: in a request, a form, a line of a file, or a command.

use super::language::LanguageTag;
use super::{
    BatchId, Caller, Details, KeyId, Kind, Scope, TransactionId, TransactionOrder, Transfer,
    idempotency::canonical, readable_code::generated_reference, tariff::Price,
};
use tua_contract::{Amount, Network, Phone};

/// A charge or payout that somebody asks for, parsed.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Direction, amount, network and number, as the request names them.
    pub transfer: Transfer,
    /// The merchant's reference. `None`: one is generated with the transaction.
    pub reference: Option<String>,
    /// What the merchant adds, and the language that the payer reads.
    pub details: Details,
    /// The amount that the caller expects the payer to pay, if the request contains it. Only for a
    /// charge.
    pub payer_pays: Option<Amount>,
}

impl Instruction {
    /// A charge that a payer begins with a checkout token. `due` is the session's amount.
    #[must_use]
    pub fn for_checkout(due: Amount, phone: Phone, network: Network) -> Self {
        let transfer = Transfer { kind: Kind::Charge, amount: due, network, phone };
        Self { transfer, reference: None, details: Details::default(), payer_pays: None }
    }

    /// The same, with the language that the payer reads.
    #[must_use]
    pub fn with_language(self, language: Option<LanguageTag>) -> Self {
        Self { details: Details { language, ..self.details }, ..self }
    }

    /// The same, with the sum that the payer was shown.
    #[must_use]
    pub fn with_payer_pays(self, payer_pays: Option<Amount>) -> Self {
        Self { payer_pays, ..self }
    }

    /// A transaction with a new id, for this caller. Its price has no fee yet: the route that is
    /// chosen later sets the real one. A session's charge takes everything but number and network
    /// from the session.
    #[must_use]
    pub fn into_transaction(self, caller: &Caller) -> TransactionOrder {
        let scope = caller.scope();
        match caller {
            Caller::Key(key) => self.into_order(scope, Some(&key.id), None),
            Caller::Token(checkout) => {
                let order = self.into_order(scope, None, None);
                TransactionOrder {
                    reference: checkout.reference.clone(),
                    checkout: Some(checkout.id.clone()),
                    link: checkout.link.clone(),
                    price: Price::without_tariff(checkout.terms.amount),
                    transfer: Transfer { amount: checkout.terms.amount, ..order.transfer },
                    details: Details {
                        email: checkout.terms.email.clone(),
                        metadata: checkout.terms.metadata.clone(),
                        answer: checkout.terms.answer.clone(),
                        ..order.details
                    },
                    ..order
                }
            }
        }
    }

    /// A transaction of this account and mode with a new id: of a key, or of a person where `key`
    /// is `None`. Ids are made in ascending order, so the lines of a batch keep their order.
    #[must_use]
    pub fn into_order(
        self,
        scope: &Scope,
        key: Option<&KeyId>,
        batch: Option<&BatchId>,
    ) -> TransactionOrder {
        TransactionOrder {
            id: TransactionId::mint(),
            scope: scope.clone(),
            reference: self.reference.unwrap_or_else(generated_reference),
            checkout: None,
            link: None,
            refund: None,
            key: key.cloned(),
            batch: batch.cloned(),
            needs_approval: false,
            price: Price::without_tariff(self.transfer.amount),
            transfer: self.transfer,
            details: self.details,
        }
    }

    /// The fields that tell two instructions apart, in the order that
    /// [`super::idempotency::Fingerprint::of`] takes them. The payer's sum is there only where it
    /// was sent, so other requests keep the fingerprint of earlier versions.
    #[must_use]
    pub fn fingerprint_fields(&self) -> Vec<Option<String>> {
        let mut fields = vec![
            Some(self.transfer.amount.to_string()),
            Some(self.transfer.network.as_str().to_owned()),
            Some(self.transfer.phone.as_str().to_owned()),
            self.reference.clone(),
            self.details.email.clone(),
            self.details.metadata.as_deref().map(canonical),
            self.details.payer_message.clone(),
            self.details.payee_note.clone(),
        ];
        fields.extend(self.payer_pays.map(|sum| Some(sum.to_string())));
        fields
    }
}
