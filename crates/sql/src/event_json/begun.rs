//! The event of a payment that begins, as JSON.

use crate::{column_values::payer_pays_column, route_json::PinnedOperatorJson};
use serde::{Deserialize, Serialize};
use tua_contract::{Amount, Network, Phone};
use tua_domain::{
    AccountId, BatchId, CheckoutId, Details, KeyId, Kind, LinkId, Mode, Scope, TransactionId,
    TransactionOrder, Transfer,
    language::LanguageTag,
    refund::{RefundMethod, RefundOf},
    routing::PinnedOperator,
    tariff::Price,
};

#[derive(Serialize, Deserialize)]
pub(super) struct BegunJson {
    id: String,
    account: String,
    mode: String,
    transaction_kind: String,
    amount_pesewas: i64,
    /// Absent where it is the amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payer_pays_pesewas: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected_fee_pesewas: Option<i64>,
    network: String,
    phone: String,
    reference: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checkout: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payer_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payee_note: Option<String>,
    pub(super) handed_over: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    needs_approval: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    batch: Option<String>,
    #[serde(flatten)]
    operator: PinnedOperatorJson,
}

impl BegunJson {
    pub(super) fn from_domain(
        new: &TransactionOrder,
        handed_over: bool,
        operator: Option<&PinnedOperator>,
    ) -> Self {
        Self {
            id: new.id.as_str().to_owned(),
            account: new.scope.account.as_str().to_owned(),
            mode: new.scope.mode.as_str().to_owned(),
            transaction_kind: new.transfer.kind.as_str().to_owned(),
            amount_pesewas: new.transfer.amount.pesewas(),
            payer_pays_pesewas: payer_pays_column(new),
            expected_fee_pesewas: new.price.fee_pesewas,
            network: new.transfer.network.as_str().to_owned(),
            phone: new.transfer.phone.as_str().to_owned(),
            reference: new.reference.clone(),
            checkout: new.checkout.as_ref().map(|id| id.as_str().to_owned()),
            link: new.link.as_ref().map(|id| id.as_str().to_owned()),
            email: new.details.email.clone(),
            language: new.details.language.as_ref().map(|language| language.as_str().to_owned()),
            metadata: new.details.metadata.clone(),
            answer: new.details.answer.clone(),
            payer_message: new.details.payer_message.clone(),
            payee_note: new.details.payee_note.clone(),
            handed_over,
            key: new.key.as_ref().map(|key| key.as_str().to_owned()),
            needs_approval: new.needs_approval,
            refund_of: new.refund.as_ref().map(|of| of.charge.as_str().to_owned()),
            refund_method: new.refund.as_ref().map(|of| of.method.as_str().to_owned()),
            batch: new.batch.as_ref().map(|id| id.as_str().to_owned()),
            operator: PinnedOperatorJson::from_domain(operator),
        }
    }

    /// `None` for a value that no version has written.
    pub(super) fn into_domain(self) -> Option<(TransactionOrder, Option<PinnedOperator>)> {
        let operator = self.operator.into_domain();
        let amount = Amount::from_pesewas(self.amount_pesewas).ok()?;
        let payer_pays =
            self.payer_pays_pesewas.map(Amount::from_pesewas).transpose().ok()?.unwrap_or(amount);
        let new = TransactionOrder {
            id: TransactionId::new(self.id),
            scope: Scope { account: AccountId::new(self.account), mode: Mode::parse(&self.mode)? },
            reference: self.reference,
            checkout: self.checkout.map(CheckoutId::new),
            link: self.link.map(LinkId::new),
            transfer: Transfer {
                kind: Kind::parse(&self.transaction_kind)?,
                amount,
                network: Network::parse(&self.network)?,
                phone: Phone::parse(&self.phone).ok()?,
            },
            price: Price { payer_pays, fee_pesewas: self.expected_fee_pesewas },
            details: Details {
                email: self.email,
                language: self.language.as_deref().and_then(LanguageTag::parse),
                metadata: self.metadata,
                answer: self.answer,
                payer_message: self.payer_message,
                payee_note: self.payee_note,
            },
            refund: match self.refund_of.zip(self.refund_method) {
                Some((charge, method)) => Some(RefundOf {
                    charge: TransactionId::new(charge),
                    method: RefundMethod::parse(&method)?,
                }),
                None => None,
            },
            key: self.key.map(KeyId::new),
            batch: self.batch.map(BatchId::new),
            needs_approval: self.needs_approval,
        };
        Some((new, operator))
    }
}
