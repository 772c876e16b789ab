//! What a caller asks for when it begins a payment.

use super::language::LanguageTag;
use super::{
    BatchId, Caller, Details, KeyId, Kind, Scope, TransactionId, TransactionOrder, Transfer,
    idempotency::canonical, readable_code::generated_reference, tariff::Price,
};
use tua_contract::{Amount, Network, Phone};

/// A parsed request for a charge or payout.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Direction, amount, network and number, as the request names them.
    pub transfer: Transfer,
    /// The merchant's reference; generated where there is none.
    pub reference: Option<String>,
    /// What the merchant adds.
    pub details: Details,
    /// The amount that the caller expects the payer to pay, if the request contains it. Only for a
    /// charge.
    pub payer_pays: Option<Amount>,
}

impl Instruction {
    /// The charge of a payer with a token: everything but number and network comes from the
    /// session.
    #[must_use]
    pub fn for_checkout(due: Amount, phone: Phone, network: Network) -> Self {
        let transfer = Transfer { kind: Kind::Charge, amount: due, network, phone };
        Self { transfer, reference: None, details: Details::default(), payer_pays: None }
    }

    /// The same, where the payer has read this language.
    #[must_use]
    pub fn with_language(self, language: Option<LanguageTag>) -> Self {
        Self { details: Details { language, ..self.details }, ..self }
    }

    /// The same, where the payer was shown this sum.
    #[must_use]
    pub fn with_payer_pays(self, payer_pays: Option<Amount>) -> Self {
        Self { payer_pays, ..self }
    }

    /// A transaction with a new id, for this caller, at the price of its amount alone. A session's
    /// charge takes everything but number and network from the session.
    #[must_use]
    pub fn into_transaction(self, caller: &Caller) -> TransactionOrder {
        let id = TransactionId::mint();
        let scope = caller.scope().clone();
        match caller {
            Caller::Key(key) => TransactionOrder {
                reference: self.reference.unwrap_or_else(generated_reference),
                id,
                scope,
                checkout: None,
                link: None,
                refund: None,
                key: Some(key.id.clone()),
                batch: None,
                needs_approval: false,
                price: Price::without_tariff(self.transfer.amount),
                transfer: self.transfer,
                details: self.details,
            },
            Caller::Token(checkout) => TransactionOrder {
                id,
                scope,
                reference: checkout.reference.clone(),
                checkout: Some(checkout.id.clone()),
                link: checkout.link.clone(),
                price: Price::without_tariff(checkout.terms.amount),
                transfer: Transfer { amount: checkout.terms.amount, ..self.transfer },
                details: Details {
                    email: checkout.terms.email.clone(),
                    metadata: checkout.terms.metadata.clone(),
                    answer: checkout.terms.answer.clone(),
                    ..self.details
                },
                refund: None,
                key: None,
                batch: None,
                needs_approval: false,
            },
        }
    }

    /// A payout of this account and mode that this key asks for, or a person, with a new id. The
    /// ids of the lines of a batch order them.
    #[must_use]
    pub fn into_payout(
        self,
        scope: &Scope,
        key: Option<&KeyId>,
        batch: Option<&BatchId>,
    ) -> TransactionOrder {
        let id = TransactionId::mint();
        TransactionOrder {
            reference: self.reference.unwrap_or_else(generated_reference),
            id,
            scope: scope.clone(),
            checkout: None,
            link: None,
            refund: None,
            key: key.cloned(),
            batch: batch.cloned(),
            needs_approval: false,
            price: Price::without_tariff(self.transfer.amount),
            transfer: Transfer { kind: Kind::Payout, ..self.transfer },
            details: self.details,
        }
    }

    /// A charge or payout of this account and mode that a person asks for, with a new id.
    #[must_use]
    pub fn into_persons_transaction(self, scope: &Scope) -> TransactionOrder {
        let kind = self.transfer.kind;
        let new = self.into_payout(scope, None, None);
        TransactionOrder { transfer: Transfer { kind, ..new.transfer }, ..new }
    }

    /// The fields that tell two instructions apart, as [`super::idempotency::Fingerprint::of`]
    /// takes them. The payer's sum is there only where it was sent: other requests keep the
    /// fingerprint of earlier versions.
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
