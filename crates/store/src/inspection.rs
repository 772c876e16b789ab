//! What a look at a database finds that changes nothing in it, for `tua doctor`.

use jiff::Timestamp;
use tua_domain::{AccountId, Mode};

/// What a database holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inspection {
    /// Migrations applied to it.
    pub applied: u32,
    /// Migrations that this version knows.
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

/// The columns of [`WebhookHealth`] after the mode, for every mode that has an endpoint.
pub(super) const WEBHOOK_HEALTH: &str = "
    SELECT mode, count(*) FILTER (WHERE disabled_at IS NOT NULL),
           CAST(sum((SELECT count(*) FROM webhook_deliveries
                     WHERE endpoint_id = e.id AND status = 'FAILED' AND type <> 'ping')) AS BIGINT),
           CAST(sum((SELECT count(*) FROM webhook_deliveries
                     WHERE endpoint_id = e.id AND due_at IS NOT NULL AND attempts > 0)) AS BIGINT)
    FROM webhook_endpoints e WHERE removed_at IS NULL GROUP BY mode ORDER BY mode";
