//! Hubtel's services, each of which has a host of its own.

use crate::{
    connection::{Connection, ConnectionSettings},
    connector::Target,
};
use url::Url;

/// A connection to each service.
#[derive(Debug)]
pub(super) struct Hosts {
    /// Charges: payers are prompted, and their money is received.
    pub(super) receive: Connection,
    /// The status of receipts.
    pub(super) receive_status: Connection,
    /// Payouts: sends money from the prepaid account.
    pub(super) send: Connection,
    /// The status of what was sent.
    pub(super) send_status: Connection,
    /// Names of wallets' owners.
    pub(super) names: Connection,
    /// Refunds of what was received.
    pub(super) refunds: Connection,
}

/// One of Hubtel's services.
#[derive(Clone, Copy, Debug)]
pub(super) struct Service {
    host: &'static str,
    /// The first segment of its paths below the base URL of the settings.
    segment: &'static str,
}

const RECEIVE: Service = Service { host: "rmp.hubtel.com", segment: "rmp" };
const RECEIVE_STATUS: Service = Service { host: "api-txnstatus.hubtel.com", segment: "txnstatus" };
const SEND: Service = Service { host: "smp.hubtel.com", segment: "smp" };
const SEND_STATUS: Service = Service { host: "smrsc.hubtel.com", segment: "smrsc" };
const NAMES: Service = Service { host: "rnv.hubtel.com", segment: "rnv" };
const REFUNDS: Service = Service { host: "refund-api.hubtel.com", segment: "refund-api" };

/// All services, one for each connection of [`Hosts`].
pub(super) const SERVICES: [Service; 6] =
    [RECEIVE, RECEIVE_STATUS, SEND, SEND_STATUS, NAMES, REFUNDS];

impl Service {
    /// Where the service is: on its own host, or below the base URL of the settings.
    pub(super) fn url(
        self,
        base_url: &Url,
        has_own_base_url: bool,
    ) -> Result<Url, url::ParseError> {
        if has_own_base_url {
            Url::parse(&format!("{}/{}", base_url.as_str().trim_end_matches('/'), self.segment))
        } else {
            Url::parse(&format!("https://{}", self.host))
        }
    }
}

impl Hosts {
    /// Connects the services: each on its own host, or below the base URL of the settings.
    ///
    /// # Errors
    /// One line, if an HTTP client cannot be built.
    pub(super) fn connect(target: Target) -> Result<Self, String> {
        let Target { connection, parts, has_own_base_url, .. } = target;
        let connect = |service: Service| {
            let base_url = service.url(&connection.base_url, has_own_base_url);
            let base_url =
                base_url.map_err(|error| format!("operators.{}: {error}", connection.operator))?;
            Connection::new(ConnectionSettings { base_url, ..connection.clone() }, parts.clone())
        };
        Ok(Self {
            receive: connect(RECEIVE)?,
            receive_status: connect(RECEIVE_STATUS)?,
            send: connect(SEND)?,
            send_status: connect(SEND_STATUS)?,
            names: connect(NAMES)?,
            refunds: connect(REFUNDS)?,
        })
    }
}
