//! When that has ended which an idempotent request began (docs/reference/idempotency.md).

/// An SQL expression, in milliseconds: when the subject of an idempotency record ended. `$subject`
/// is the record's column, `$pending` the value while the subject has not ended.
///
/// A transaction ends with its last change once it is final; a session when it takes no more
/// charges and all of its charges have ended; a batch of payouts when all of its payouts have; a
/// payment link when it takes no more payments. 0 where there is no such subject: a session that
/// was never used is deleted.
macro_rules! subject_end {
    ($subject:literal, $pending:literal) => {
        concat!(
            "coalesce((SELECT max(at) FROM (
                 SELECT CASE status WHEN 'PENDING' THEN ",
            $pending,
            " ELSE updated_at END AS at FROM transactions WHERE id = ",
            $subject,
            " UNION ALL SELECT CASE status WHEN 'PENDING' THEN ",
            $pending,
            " ELSE updated_at END FROM transactions WHERE checkout_id = ",
            $subject,
            " UNION ALL SELECT CASE status WHEN 'PENDING' THEN ",
            $pending,
            " ELSE updated_at END FROM transactions WHERE batch_id = ",
            $subject,
            " UNION ALL SELECT CASE WHEN expiry_due IS NULL THEN expires_at ELSE ",
            $pending,
            " END FROM checkouts WHERE id = ",
            $subject,
            " UNION ALL SELECT coalesce(used_at, closed_at, expires_at, ",
            $pending,
            ") FROM payment_links WHERE id = ",
            $subject,
            ") AS ends), 0)"
        )
    };
}
pub(super) use subject_end;
