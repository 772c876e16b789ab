//! Hubtel's services, each of which has a host of its own.

use crate::operators::{
    connection::{Connection, ConnectionSettings},
    connectors::Target,
};
use url::Url;

/// A connection to each service.
#[derive(Debug)]
pub(super) struct Hosts {
    /// Receives money.
    pub(super) receive: Connection,
    /// The status of receipts.
    pub(super) receive_status: Connection,
    /// Sends money.
    pub(super) send: Connection,
    /// The status of what was sent.
    pub(super) send_status: Connection,
    /// Names of wallets' owners.
    pub(super) names: Connection,
    /// Refunds.
    pub(super) refunds: Connection,
}

impl Hosts {
    /// Connects the services: each on its own host, or below the base URL of the settings.
    ///
    /// # Errors
    /// One line, if an HTTP client cannot be built.
    pub(super) fn connect(target: Target) -> Result<Self, String> {
        let Target { connection, parts, has_own_base_url, .. } = target;
        let connect = |host: &str, segment: &str| {
            let url = match has_own_base_url {
                true => format!("{}/{segment}", connection.base_url.as_str().trim_end_matches('/')),
                false => format!("https://{host}"),
            };
            let base_url = Url::parse(&url).map_err(|error| format!("operators.{}: {error}", connection.operator))?;
            Connection::new(ConnectionSettings { base_url, ..connection.clone() }, parts.clone())
        };
        Ok(Self {
            receive: connect("rmp.hubtel.com", "rmp")?,
            receive_status: connect("api-txnstatus.hubtel.com", "txnstatus")?,
            send: connect("smp.hubtel.com", "smp")?,
            send_status: connect("smrsc.hubtel.com", "smrsc")?,
            names: connect("rnv.hubtel.com", "rnv")?,
            refunds: connect("refund-api.hubtel.com", "refund-api")?,
        })
    }
}
