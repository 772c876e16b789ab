//! The form of a refund, and a refund as pages show it.

use super::{
    confirmation::Confirmation, fields::Fields, form_key::FormKey, formats,
    repeatable_form::RepeatableForm, views,
};
use minijinja::{Value, context};
use tua_contract::Amount;
use tua_domain::{Transaction, idempotency::IdempotencyKey, refund, transfer::is_note};
use tua_use_cases::{AskedRefund, RefundRequest};

/// A refund, with its charge and how the money returns.
pub(super) fn row(refund: &Transaction) -> Value {
    let of = refund.order.refund.as_ref();
    let is_decided = !refund.order.needs_approval || refund.approved_at.is_some();
    context! {
        charge => of.map(|of| of.charge.as_str()),
        method => of.filter(|_| is_decided).map(|of| of.method.as_str()),
        reason => &refund.order.details.payer_message,
        ..views::transaction(refund)
    }
}

/// What a person fills in.
#[derive(Clone, Debug, Default)]
pub(super) struct RefundForm {
    amount: String,
    reason: String,
    /// The button that says the sum: `all` of what is left or `half` of it; empty for the field.
    part: String,
    /// Whether to return the money by a payout, after the operator's own refund failed.
    is_by_payout: bool,
    /// The sum that the person has confirmed, as sent.
    confirmed: String,
    key: FormKey,
}

impl RefundForm {
    pub(super) fn of(fields: &Fields) -> Self {
        let get = |name| fields.get(name).trim().to_owned();
        let is_by_payout = !get("by-payout").is_empty();
        Self {
            amount: get("amount"),
            reason: get("reason"),
            part: get("part"),
            is_by_payout,
            confirmed: get("confirmed"),
            key: FormKey::of(fields),
        }
    }

    /// The request, or the key of the text that says what is wrong.
    pub(super) fn read(
        &self,
        charge: &Transaction,
    ) -> Result<(RefundRequest, IdempotencyKey), &'static str> {
        let amount = match self.amount.as_str() {
            // The question has the sum of the button.
            _ if !self.part.is_empty() => None,
            "" => return Err("fault-refund-amount-missing"),
            text => Some(Amount::parse_typed(text).map_err(|_| "fault-refund-amount")?),
        };
        let reason = match self.reason.as_str() {
            "" => None,
            text if is_note(text) => Some(text.to_owned()),
            _ => return Err("fault-refund-reason"),
        };
        let key = self.key.parse().ok_or("fault-refund-form")?;
        let charge = charge.order.id.clone();
        Ok((RefundRequest { charge, amount, reason, is_by_payout: self.is_by_payout }, key))
    }

    /// The question before the refund, with its sum: what was typed, or the part of what is left
    /// that the button says. Or the key of the text that says why nothing can be refunded.
    pub(super) fn confirmation(&self, charge: &Transaction) -> Result<Confirmation, &'static str> {
        let left = refund::left(charge).map_err(|_| "fault-not-refundable")?;
        let of_left = |pesewas| Amount::from_pesewas(pesewas).map_err(|_| "fault-not-refundable");
        let amount = match self.amount.as_str() {
            _ if self.part == "half" => of_left(half(left))?,
            _ if self.part == "all" => of_left(left)?,
            text => Amount::parse_typed(text).map_err(|_| "fault-refund-amount")?,
        };
        if amount.pesewas() > left {
            return Err("fault-refund-exceeds");
        }
        let order = &charge.order;
        let payment = format!("/payments/{}", order.id);
        let who = formats::phone(order.transfer.phone.as_str());
        Ok(Confirmation {
            amount: Some(views::cedis(amount.pesewas())),
            confirmed: amount.pesewas().to_string(),
            payment: Some(context! {
                left => views::cedis(left - amount.pesewas()),
                ..views::transaction(charge)
            }),
            fields: vec![
                ("key", self.key.as_str().to_owned()),
                ("amount", amount.to_string()),
                ("reason", self.reason.clone()),
                ("by-payout", if self.is_by_payout { "yes".to_owned() } else { String::new() }),
            ],
            ..Confirmation::of("confirm-refund", who, format!("{payment}/refund"), &payment)
        })
    }

    /// The same form, with its key, for this payment.
    pub(super) fn repeatable(&self, charge: &str) -> RepeatableForm<'_> {
        let payment = format!("/payments/{charge}");
        RepeatableForm {
            action: format!("{payment}/refund"),
            media_type: "application/x-www-form-urlencoded",
            fields: vec![
                ("key", self.key.as_str()),
                ("amount", &self.amount),
                ("part", &self.part),
                ("confirmed", &self.confirmed),
                ("reason", &self.reason),
                ("by-payout", if self.is_by_payout { "yes" } else { "" }),
            ],
            records: payment,
        }
    }

    /// The form as the page shows it, with what is left to refund; `None` where nothing can be
    /// refunded.
    pub(super) fn show(&self, charge: &Transaction, refunds: &[AskedRefund]) -> Option<Value> {
        let left = refund::left(charge).ok().filter(|left| *left > 0)?;
        let has_failed = |one: &AskedRefund| refund::is_failed_by_operator(&one.refund);
        Some(context! {
            left => views::cedis(left),
            is_rest => left < charge.order.transfer.amount.pesewas(),
            half => (half(left) > 0).then(|| views::cedis(half(left))),
            key => self.key.or_new(),
            amount => &self.amount,
            reason => &self.reason,
            can_be_by_payout => refunds.iter().any(has_failed),
            is_by_payout => self.is_by_payout,
        })
    }
}

/// Half of a sum, rounded down to whole pesewas.
const fn half(pesewas: i64) -> i64 {
    pesewas / 2
}
