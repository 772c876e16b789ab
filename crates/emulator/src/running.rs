//! An emulator that is running, and what tests do with it. What one operator alone offers is in the
//! operator's folder.

use crate::{
    chaos_handle::ChaosHandle,
    counters::Counters,
    decision::{Decision, DecisionError},
    lifecycle,
    operator::Operator,
    order::OrderRow,
    phase::State as OrderState,
    protocol::Shared,
    scheduler::ClockHandle,
    settings::Credentials,
};
use std::net::SocketAddr;
use tokio::{sync::watch, task::JoinHandle};

/// An emulator that is running. It stops when this is dropped.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    shared: Shared,
    /// The server and the clock stop when it is dropped.
    stop: watch::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    pub(crate) const fn new(
        address: SocketAddr,
        shared: Shared,
        stop: watch::Sender<()>,
        server: JoinHandle<()>,
    ) -> Self {
        Self { address, shared, stop, server }
    }

    /// The state, for what one operator alone offers.
    pub(crate) const fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The address that it listens on.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL of one operator, without a slash at the end.
    #[must_use]
    pub fn base_url(&self, operator: Operator) -> String {
        format!("http://{}/{operator}", self.address)
    }

    /// All orders, oldest first: the rows of `GET /orders`.
    #[must_use]
    pub fn orders(&self) -> Vec<OrderRow> {
        self.shared.orders().iter().map(OrderRow::from).collect()
    }

    /// The virtual clock, which a test can move.
    #[must_use]
    pub fn clock(&self) -> ClockHandle {
        ClockHandle(self.shared.clone())
    }

    /// The faults, which a test can set and remove.
    #[must_use]
    pub fn chaos(&self) -> ChaosHandle {
        ChaosHandle(self.shared.clone())
    }

    /// How many requests arrived.
    #[must_use]
    pub fn requests(&self) -> &Counters {
        &self.shared.counters
    }

    /// Decides an order: the newest one of this operator with this reference, of any kind.
    ///
    /// # Errors
    /// [`DecisionError`].
    pub fn decide(
        &self,
        operator: Operator,
        reference: &str,
        decision: Decision,
    ) -> Result<(), DecisionError> {
        let found = {
            let orders = self.shared.orders();
            orders
                .iter()
                .rev()
                .find(|order| order.new.operator == operator && order.new.reference == reference)
                .map(|order| order.id)
        };
        lifecycle::decide(&self.shared, found.ok_or(DecisionError::UnknownOrder)?, decision)
    }

    /// The state of the newest order of this operator with this reference; `None` if there is none.
    #[must_use]
    pub fn state_of(&self, operator: Operator, reference: &str) -> Option<OrderState> {
        let orders = self.shared.orders();
        let mut newest_first = orders.iter().rev();
        newest_first
            .find(|order| order.new.operator == operator && order.new.reference == reference)
            .map(|order| order.phase.state())
    }

    /// Sets the address for callbacks that Paystack or pawaPay take in their dashboards.
    pub fn set_callback_url(&self, operator: Operator, url: impl Into<String>) {
        self.shared.set_callback_url(operator, url.into());
    }

    /// Refuses every credential, and every token, of one operator until
    /// [`Self::restore_credentials`].
    pub fn revoke_credentials(&self, operator: Operator) {
        self.shared.revoke_credentials(operator);
    }

    /// Accepts an operator's credentials again. MTN's tokens stay revoked.
    pub fn restore_credentials(&self, operator: Operator) {
        self.shared.restore_credentials(operator);
    }

    /// Replaces all credentials, as a rotation does. MTN's tokens are revoked.
    pub fn replace_credentials(&self, credentials: Credentials) {
        self.shared.replace_credentials(credentials);
    }

    /// Stops: closes the listener, and waits up to half a second for responses in progress. The
    /// orders are lost.
    pub async fn stop(self) {
        let Self { stop, server, .. } = self;
        drop(stop);
        let _ = server.await;
    }
}
