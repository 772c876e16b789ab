//! Statements about alerts that both engines share.

/// The accounts whose alerts are due to be sent. The parameters: alerts up to this time have been collected, and the last
/// message is not later than this time.
macro_rules! accounts_to_alert {
    ($gathered:literal, $digest:literal) => {
        concat!(
            "SELECT account_id FROM mail_alerts WHERE digest_id IS NULL GROUP BY account_id HAVING min(occurred_at) <= ",
            $gathered,
            " AND NOT EXISTS (SELECT 1 FROM mail_messages WHERE kind = 'ALERTS'
                              AND mail_messages.account_id = mail_alerts.account_id AND occurred_at > ",
            $digest,
            ")"
        )
    };
}

/// The order of the alerts of a message, of which only the first are described: live mode first, and in each mode first what
/// costs money while nobody looks, so that a storm of other alerts does not hide it.
macro_rules! most_urgent_first {
    () => {
        "ORDER BY CASE mode WHEN 'live' THEN 0 ELSE 1 END,
                  CASE WHEN kind IN ('KEY_EXPOSED', 'CONFLICT') THEN 0 ELSE 1 END, occurred_at, id"
    };
}

pub(super) use {accounts_to_alert, most_urgent_first};
