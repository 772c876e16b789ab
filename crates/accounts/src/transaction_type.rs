//! What transactions are for: a key may read those of some types only.

use crate::string_enum;

string_enum! {
    /// What a transaction is for merchants.
    pub enum TransactionType {
        /// Money from a payer.
        Charge = "CHARGE",
        /// Money to a recipient.
        Payout = "PAYOUT",
        /// Money of a charge, back to its payer.
        Refund = "REFUND",
    }
}
