//! The queries of batches of payouts, for both engines. Parameters appear in the order of their
//! numbers, because SQLite numbers them so.

macro_rules! summary {
    ($wanted:literal, $order:literal) => {
        concat!(
            "SELECT batch.id, batch.account_id, batch.mode, batch.reference, batch.key_id, \
             batch.user_id, batch.created_at,
                 count(*) AS lines, CAST(sum(line.amount) AS BIGINT) AS pesewas,
                 count(CASE line.status WHEN 'PENDING' THEN 1 END) AS pending, \
             min(line.approval_due) AS approval_due
             FROM payout_batches AS batch JOIN transactions AS line ON line.batch_id = batch.id
             WHERE batch.id IN (",
            $wanted,
            ") GROUP BY batch.id, batch.account_id, batch.mode, batch.reference, batch.key_id, \
             batch.user_id,
                 batch.created_at
             ORDER BY ",
            $order
        )
    };
}

/// The newest batches: of an account (`$1`) and mode (`$2`), or all where both are NULL; at most
/// `$3`.
pub(super) const NEWEST: &str = summary!(
    "SELECT id FROM payout_batches
     WHERE CAST($1 AS TEXT) IS NULL OR (account_id = $1 AND mode = $2) ORDER BY id DESC LIMIT $3",
    "batch.id DESC"
);

/// The batches with lines that wait for an approval: of an account (`$1`) and mode (`$2`), or all
/// where both are NULL.
pub(super) const UNAPPROVED: &str = summary!(
    "SELECT batch_id FROM transactions
     WHERE approval_due IS NOT NULL AND batch_id IS NOT NULL
       AND (CAST($1 AS TEXT) IS NULL OR (account_id = $1 AND mode = $2))",
    "min(line.approval_due), batch.id"
);
