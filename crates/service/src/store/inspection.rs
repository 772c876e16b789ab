//! What a look at a database finds that changes nothing in it, for `tua doctor`.

use jiff::Timestamp;

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
    /// Live keys that open something.
    pub live_keys: u32,
    /// Until when the certificate from the ACME server is valid.
    pub certificate_expires: Option<Timestamp>,
    /// The state of the orders at the ACME server, as `tua_service::acme::OrderState` parses it.
    pub acme_orders: Option<Vec<u8>>,
    /// Webhook endpoints that are disabled.
    pub disabled_endpoints: u32,
    /// E-mail messages that were given up.
    pub mail_given_up: u32,
}
