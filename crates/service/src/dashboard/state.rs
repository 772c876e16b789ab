//! What the handlers of the dashboard need.

use crate::{
    domain::{
        ports::{Clock, Store},
        use_cases::Sessions,
    },
    http::{BodyTimeout, PublicUrl},
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
    /// The service's own address.
    pub public_url: PublicUrl,
    /// How long a form may take to arrive.
    pub body_timeout: BodyTimeout,
}

impl DashboardState {
    /// Whether browsers reach the dashboard over HTTPS. If not, it is on loopback.
    pub(super) fn is_https(&self) -> bool {
        self.public_url.0.starts_with("https://")
    }
}
