//! What happens in the ninety days of a plan: sales, payouts and batches of payouts.

use super::payers::Payer;
use jiff::{SignedDuration, Timestamp};
use tua_companion::order::Line;
use tua_contract::Amount;

/// What the payment link asks for: GHS 150.
pub(crate) const LINK_AMOUNT: Amount = match Amount::from_pesewas(15_000) {
    Ok(amount) => amount,
    Err(_) => panic!("it is above zero"),
};

/// Where a customer paid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SaleSource {
    /// In the checkout of the shop.
    Shop,
    /// On the page of the payment link.
    Link,
}

/// An order, and how it was paid.
#[derive(Clone, Debug)]
pub(crate) struct Sale {
    /// When the checkout session was opened.
    pub(crate) at: Timestamp,
    pub(crate) source: SaleSource,
    /// The shop's reference; that of the link where the link was paid.
    pub(crate) reference: String,
    /// What was bought; nothing where the link was paid.
    pub(crate) lines: Vec<Line>,
    pub(crate) amount: Amount,
    /// The charges, at least one. Only the last one may succeed.
    pub(crate) attempts: Vec<ChargeAttempt>,
    pub(crate) refund: Option<SaleRefund>,
}

/// A charge of a sale.
#[derive(Clone, Debug)]
pub(crate) struct ChargeAttempt {
    /// From the opening of the session, or the end of the attempt before, to the charge.
    pub(crate) begins_after: SignedDuration,
    pub(crate) payer: Payer,
    /// From the charge to the decision on the phone.
    pub(crate) decided_after: SignedDuration,
    /// Whether the charge succeeds. In the sandbox, the payer's number decides it.
    pub(crate) is_paid: bool,
}

/// Money that was given back.
#[derive(Clone, Debug)]
pub(crate) struct SaleRefund {
    /// From the end of the last attempt to the refund.
    pub(crate) begins_after: SignedDuration,
    /// `None` where the whole amount is refunded.
    pub(crate) amount: Option<Amount>,
    pub(crate) reason: &'static str,
}

impl Sale {
    /// When the last attempt ends, which need not be paid.
    pub(super) fn last_attempt_ends_at(&self) -> Timestamp {
        self.attempts
            .iter()
            .fold(self.at, |at, attempt| at + attempt.begins_after + attempt.decided_after)
    }

    /// Removes the refund if it would be after this time.
    pub(super) fn drop_refund_after(&mut self, last: Timestamp) {
        let ends_at = self.last_attempt_ends_at();
        self.refund = self.refund.take().filter(|refund| ends_at + refund.begins_after <= last);
    }
}

/// Somebody who is paid, and how much.
#[derive(Clone, Debug)]
pub(crate) struct PayoutLine {
    /// The person, as the shop types the name.
    pub(crate) name: &'static str,
    pub(crate) payee: Payer,
    pub(crate) amount: Amount,
    /// What it is for, as the recipient reads it.
    pub(crate) note: String,
}

/// A payout to one person.
#[derive(Clone, Debug)]
pub(crate) struct PlannedPayout {
    pub(crate) at: Timestamp,
    pub(crate) reference: String,
    pub(crate) line: PayoutLine,
}

/// A batch of payouts that needs an approval.
#[derive(Clone, Debug)]
pub(crate) struct PlannedBatch {
    pub(crate) at: Timestamp,
    pub(crate) reference: String,
    pub(crate) lines: Vec<PayoutLine>,
    /// From the request to the approval; `None` where it still waits.
    pub(crate) approved_after: Option<SignedDuration>,
}

impl PlannedBatch {
    /// When it was approved; `None` where it waits.
    pub(crate) fn approved_at(&self) -> Option<Timestamp> {
        self.approved_after.map(|wait| self.at + wait)
    }
}
