//! Statements about alerts that both engines share.

/// The enrolled owners of an account: those who can be told something. The parameter is the
/// account.
macro_rules! owners_of {
    ($account:literal) => {
        concat!(
            "SELECT user_id FROM memberships JOIN users ON users.id = user_id WHERE role = 'owner' \
             AND account_id = ",
            $account,
            " AND ",
            $crate::rows::is_enrolled!(),
            " ORDER BY user_id"
        )
    };
}

/// The accounts whose alerts are due to be sent. Alerts of an account without an owner who can be
/// told wait for one. The parameters: alerts up to this time have been collected, and the last
/// message is not later than this time.
macro_rules! accounts_to_alert {
    ($gathered:literal, $digest:literal) => {
        concat!(
            "SELECT account_id FROM mail_alerts WHERE digest_id IS NULL GROUP BY account_id HAVING \
             min(occurred_at) <= ",
            $gathered,
            " AND NOT EXISTS (SELECT 1 FROM mail_messages WHERE kind = 'ALERTS'
                              AND mail_messages.account_id = mail_alerts.account_id AND \
             occurred_at > ",
            $digest,
            ") AND EXISTS (SELECT 1 FROM memberships JOIN users ON users.id = user_id
                           WHERE role = 'owner' AND memberships.account_id = \
             mail_alerts.account_id AND ",
            $crate::rows::is_enrolled!(),
            ")"
        )
    };
}

/// The order of the alerts of a message, of which only the first are described: live mode first,
/// and in each mode first what costs money while nobody looks, so that a storm of other alerts does
/// not hide it.
macro_rules! most_urgent_first {
    () => {
        "ORDER BY CASE mode WHEN 'live' THEN 0 ELSE 1 END,
                  CASE WHEN kind IN ('KEY_EXPOSED', 'CONFLICT') THEN 0 ELSE 1 END, occurred_at, id"
    };
}

/// Makes alerts wait for a message again whose messages have all ended without being sent. The
/// parameter is the digest.
pub(super) const REVIVE_ALERTS: &str = "UPDATE mail_alerts SET digest_id = NULL
     WHERE digest_id = $1 AND NOT EXISTS (SELECT 1 FROM mail_messages
                                          WHERE kind = 'ALERTS' AND detail = $1 AND status IN \
    ('WAITING', 'SENT'))";

pub(super) use {accounts_to_alert, most_urgent_first, owners_of};
