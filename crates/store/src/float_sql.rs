//! The query of reserved floats, which both engines understand.

/// What payouts and refunds by payout that are approved, or need no approval, and are not sent will
/// take from the floats.
pub(super) const RESERVED: &str =
    "SELECT operator_fingerprint, CAST(sum(amount) AS BIGINT) AS reserved FROM transactions
     WHERE send_at IS NOT NULL AND kind = 'PAYOUT' AND coalesce(refund_method, 'PAYOUT') = 'PAYOUT'
       AND handed_over_at IS NULL AND operator_fingerprint <> ''
     GROUP BY operator_fingerprint";
