//! What a look at a database finds that changes nothing in it, for `tua doctor`.

use jiff::Timestamp;
use tua_domain::{AccountId, Mode};
use tua_sql::{
    columns::{Columns, moment, number, text, word},
    queries::webhooks::is_endpoint,
};

/// What a database holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inspection {
    /// The number of migrations that were applied to it.
    pub applied: u32,
    /// The number of migrations that this version contains.
    pub known: u32,
    /// Where both are the same, what is in its tables.
    pub contents: Option<Contents>,
}

/// What is in the tables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// When the newest transaction was begun.
    pub newest: Option<Timestamp>,
    /// Transactions that are not decided yet.
    pub pending: u32,
    /// Those of them that wait for people.
    pub flagged: u32,
    /// The accounts of the live keys that can be used: one element for each key.
    pub live_keys: Vec<AccountId>,
    /// Until when the certificate from the ACME server is valid.
    pub certificate_expires: Option<Timestamp>,
    /// The state of the orders at the ACME server, as `tua_net::acme::OrderState` parses it.
    pub acme_orders: Option<Vec<u8>>,
    /// The state of the webhooks of each mode that has an endpoint.
    pub webhooks: Vec<(Mode, WebhookHealth)>,
    /// E-mail messages that were given up.
    pub mail_given_up: u32,
}

/// What is wrong with the webhooks of a mode. Removed endpoints do not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WebhookHealth {
    /// Endpoints that are disabled.
    pub disabled_endpoints: u32,
    /// Deliveries whose last attempt failed. A `ping` does not count.
    pub abandoned: u32,
    /// Deliveries that failed and are sent again.
    pub failing: u32,
}

/// What [`contents`] reads of the tables. Every pending transaction is asked about, sent, approved
/// or reviewed next, and each of these has an index.
pub(super) const CONTENTS: &str = "
    SELECT (SELECT created_at FROM transactions ORDER BY id DESC LIMIT 1) AS newest,
           (SELECT count(*) FROM
                (SELECT id FROM transactions WHERE ask_at IS NOT NULL AND status = 'PENDING'
                 UNION SELECT id FROM transactions WHERE send_at IS NOT NULL
                 UNION SELECT id FROM transactions WHERE approval_due IS NOT NULL
                 UNION SELECT id FROM transactions
                 WHERE review_at IS NOT NULL AND status = 'PENDING') AS all_pending) AS pending,
           (SELECT count(*) FROM transactions
            WHERE review_at IS NOT NULL AND status = 'PENDING') AS flagged,
           (SELECT expires_at FROM acme WHERE name = 'certificate') AS certificate_expires,
           (SELECT contents FROM acme WHERE name = 'order') AS acme_orders,
           (SELECT count(*) FROM mail_messages WHERE status = 'GIVEN_UP') AS mail_given_up";

/// The accounts of the live keys that can be used at a time.
pub(super) const LIVE_KEYS: &str = "SELECT account_id FROM api_keys
    WHERE mode = 'live' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)";

/// The columns of [`WebhookHealth`], for every mode that has an endpoint.
pub(super) const WEBHOOK_HEALTH: &str = concat!(
    "
    SELECT mode, count(*) FILTER (WHERE disabled_at IS NOT NULL) AS disabled_endpoints,
           CAST(sum((SELECT count(*) FROM webhook_deliveries
                     WHERE endpoint_id = e.id AND status = 'FAILED' AND type <> 'ping'))
                AS BIGINT) AS abandoned,
           CAST(sum((SELECT count(*) FROM webhook_deliveries
                     WHERE endpoint_id = e.id AND due_at IS NOT NULL AND attempts > 0))
                AS BIGINT) AS failing
    FROM webhook_endpoints e WHERE removed_at IS NULL AND ",
    is_endpoint!(),
    "
    GROUP BY mode ORDER BY mode"
);

/// Reads a row of [`CONTENTS`], with what the other queries found.
pub(super) fn contents<R: Columns>(
    row: &R,
    live_keys: Vec<AccountId>,
    webhooks: Vec<(Mode, WebhookHealth)>,
) -> Result<Contents, R::Error> {
    Ok(Contents {
        // Ids sort by time, so the last id belongs to the newest transaction.
        newest: row.maybe_integer("newest")?.and_then(moment),
        pending: number(row, "pending")?,
        flagged: number(row, "flagged")?,
        live_keys,
        certificate_expires: row.maybe_integer("certificate_expires")?.and_then(moment),
        acme_orders: row.maybe_bytes("acme_orders")?.map(<[u8]>::to_vec),
        webhooks,
        mail_given_up: number(row, "mail_given_up")?,
    })
}

/// Reads a row of [`LIVE_KEYS`].
pub(super) fn live_key<R: Columns>(row: &R) -> Result<AccountId, R::Error> {
    text(row, "account_id").map(AccountId::new)
}

/// Reads a row of [`WEBHOOK_HEALTH`].
pub(super) fn webhook_health<R: Columns>(row: &R) -> Result<(Mode, WebhookHealth), R::Error> {
    let health = WebhookHealth {
        disabled_endpoints: number(row, "disabled_endpoints")?,
        abandoned: number(row, "abandoned")?,
        failing: number(row, "failing")?,
    };
    Ok((word(row, "mode", Mode::parse)?, health))
}
