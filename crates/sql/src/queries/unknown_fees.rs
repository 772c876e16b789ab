//! Which fees of operators are not known, by the entries of the ledger.
//!
//! The statements have the entries as `entry`, joined with `transactions`.

/// Whether the fee of a transaction is known: its operator has reported it, or it is one of the
/// sandbox, which reports none: what the payer bore is the fee. The domain has the same rule
/// (`ledger::known_fee_pesewas`).
macro_rules! is_fee_known {
    () => {
        "(transactions.operator_fee IS NOT NULL
          OR coalesce(transactions.operator_fingerprint, '') IN ('', 'sandbox'))"
    };
}
pub(super) use is_fee_known;

/// What the earlier entries of an entry's transaction moved of the merchant's money.
macro_rules! moved_before {
    () => {
        "coalesce((SELECT sum(earlier.merchant + earlier.refunds) FROM ledger_entries AS earlier
                   WHERE earlier.transaction_id = entry.transaction_id
                     AND earlier.version < entry.version), 0)"
    };
}
pub(super) use moved_before;

/// Whether the fee became known with the entry of this alias, after the money had moved. Entries of
/// older programs have no mark of it: there it is the first entry with a fee, and moves nothing
/// else.
macro_rules! is_fee_late {
    ($entry:literal) => {
        concat!(
            "(",
            $entry,
            ".is_fee_late IS NOT NULL OR ",
            $entry,
            ".fees <> 0 AND ",
            $entry,
            ".merchant + ",
            $entry,
            ".refunds = 0 AND NOT EXISTS (
                SELECT 1 FROM ledger_entries AS with_fee
                WHERE with_fee.transaction_id = ",
            $entry,
            ".transaction_id AND with_fee.version < ",
            $entry,
            ".version AND (with_fee.fees <> 0 OR with_fee.is_fee_late IS NOT NULL)))"
        )
    };
}
pub(super) use is_fee_late;

/// Whether the fee became known with a later entry than this one.
macro_rules! is_fee_known_later {
    () => {
        concat!(
            "EXISTS (SELECT 1 FROM ledger_entries AS later
                     WHERE later.transaction_id = entry.transaction_id
                       AND later.version > entry.version AND ",
            is_fee_late!("later"),
            ")"
        )
    };
}
pub(super) use is_fee_known_later;

/// Of how many transactions whose money entries moved the fee is not known, less those whose fee
/// became known by one of the entries. When money moves or comes back, its fee is not known
/// if it was never reported, or became known with a later entry.
macro_rules! unknown_fees {
    () => {
        concat!(
            "CAST(sum(CASE WHEN entry.merchant + entry.refunds = 0
                       THEN CASE WHEN ",
            is_fee_late!("entry"),
            " AND ",
            moved_before!(),
            " <> 0 THEN -1 ELSE 0 END
                       WHEN ",
            moved_before!(),
            " = 0 THEN CASE WHEN NOT ",
            is_fee_known!(),
            " OR ",
            is_fee_known_later!(),
            " THEN 1 ELSE 0 END
                       WHEN ",
            moved_before!(),
            " + entry.merchant + entry.refunds = 0
                           AND (entry.is_fee_late IS NOT NULL OR NOT ",
            is_fee_known!(),
            " OR ",
            is_fee_known_later!(),
            ") THEN -1 ELSE 0 END) AS BIGINT) AS unknown_fees"
        )
    };
}
pub(super) use unknown_fees;
