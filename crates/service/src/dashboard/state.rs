//! What the handlers of the dashboard need.

use super::demo::DemoLink;
use crate::{
    domain::{
        audit::{AuditContext, Source},
        key_ring::KeyRing,
        ports::{Clock, Mailer, Store},
        use_cases::{Batches, Enrolments, Networks, Payouts, Refunds, Sessions, Settlement},
    },
    http::{BodyTimeout, PublicUrl},
    net::Client,
};
use std::sync::Arc;

/// What the handlers of the dashboard need.
#[derive(Clone, Debug)]
pub struct DashboardState {
    /// Where all data is stored.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Finds sessions.
    pub sessions: Sessions,
    /// Enrols people.
    pub enrolments: Enrolments,
    /// The link of `tua demo`; `None` in a service.
    pub demo: Option<DemoLink>,
    /// Seals the audit log.
    pub keys: KeyRing,
    /// Asks operators about payments.
    pub settlement: Arc<Settlement>,
    /// Decides about payouts.
    pub payouts: Arc<Payouts>,
    /// Begins batches of payouts, and decides about them.
    pub batches: Batches,
    /// Begins refunds.
    pub refunds: Refunds,
    /// Sends invitations; `None` where e-mail is not configured.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// How networks are served.
    pub networks: Networks,
    /// Whether live webhooks may be sent to private addresses.
    pub allow_private_webhooks: bool,
    /// The service's own address.
    pub public_url: PublicUrl,
    /// How long a form may take to arrive.
    pub body_timeout: BodyTimeout,
}

impl DashboardState {
    /// Who makes a change, and from where.
    pub(super) fn audit(&self, email: &str, client: Client) -> AuditContext {
        let actor = format!("{email} ({})", client.address);
        AuditContext { at: self.clock.now(), actor, source: Source::Dashboard, key: self.keys.audit_key() }
    }

    /// Whether browsers reach the dashboard over HTTPS. If not, it is on loopback.
    pub(super) fn is_https(&self) -> bool {
        self.public_url.0.starts_with("https://")
    }
}
