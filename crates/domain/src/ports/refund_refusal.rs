//! What the reason of a refused or failed refund proves about the refunded charge.

use super::Report;
use crate::finding::Attention;
use tua_contract::{FailureCode, lifecycle::Observation};

/// What the reason of a refused or failed refund proves about the money of its charge
/// (docs/reference/refunds.md#what-a-refusal-proves).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefundRefusal {
    /// This refund returned nothing, and the reason does not hint that the money has returned
    /// otherwise. So the refund has failed, and a payout may be asked for.
    NothingReturned(FailureCode),
    /// Nothing. The reason hints that money of the charge has returned already, or is not
    /// documented. So the outcome is unknown, and people must look.
    ProvesNothing,
}

impl From<RefundRefusal> for Report {
    fn from(refusal: RefundRefusal) -> Self {
        match refusal {
            RefundRefusal::NothingReturned(code) => Observation::Failed(code).into(),
            RefundRefusal::ProvesNothing => {
                // The operator has decided about this order, so it is never sent again.
                let pending = Self::new(Observation::StillPending);
                pending.with_attention(Attention::CheckRefund)
            }
        }
    }
}
