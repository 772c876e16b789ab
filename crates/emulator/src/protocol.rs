//! What an operator's protocol adds to the shared state, and the protocols of one emulator.

use crate::{
    callback::{CALLBACK_TIMEOUT, Callback},
    chaos::WireFormat,
    control::{Chosen, Control},
    decision::{Decision, DisputeEvent},
    operator::Operator,
    order::Order,
    settings::{Credentials, Settings},
    state::State,
    statement,
    wire::{Refusal, json_header, refuse},
};
use axum::{Router, extract::FromRef, http::StatusCode};
use serde_json::Value;
use std::{any::Any, fmt, ops::Deref, sync::Arc, time::Duration};

/// The wire protocol of one operator, with the operator's own state.
pub(crate) trait Protocol: Any + fmt::Debug + Send + Sync {
    /// The operator, whose name is the first segment of the routes.
    fn operator(&self) -> Operator;

    /// How the operator writes errors, references, statuses and amounts, for faults.
    fn format(&self) -> &'static WireFormat;

    /// The body of a request in another format than JSON, as the JSON that it stands for; `None` if
    /// the operator does not take this format.
    fn read_other_body(&self, _media_type: &str, _body: &[u8]) -> Option<Value> {
        None
    }

    /// The routes, below the operator's name.
    fn routes(self: Arc<Self>, shared: &Shared) -> Router;

    /// The callback about an order's present phase; `None` where the operator sends none.
    fn callback(&self, shared: &Shared, order: &Order) -> Option<Callback>;

    /// The headers of a callback with this body, with the signature of an operator that signs.
    fn sign(
        &self,
        _shared: &Shared,
        _callback: &Callback,
        _body: &[u8],
    ) -> Vec<(&'static str, String)> {
        vec![json_header()]
    }

    /// How long a callback waits for a response.
    fn callback_timeout(&self, _settings: &Settings) -> Duration {
        CALLBACK_TIMEOUT
    }

    /// Whether a response with this HTTP status confirms that a callback was received.
    fn is_received(&self, status: u16) -> bool {
        (200..300).contains(&status)
    }

    /// How long after the failed attempt number `attempt`, from 1, a callback is sent again; `None`
    /// if it is not.
    fn retry_delay(&self, _settings: &Settings, _attempt: u32) -> Option<Duration> {
        None
    }

    /// Whether the operator has what this decision does. Few have disputes of charges, or refunds
    /// that need attention.
    fn supports(&self, decision: Decision) -> bool {
        !matches!(decision, Decision::NeedAttention | Decision::Dispute(_))
    }

    /// The callback about a step of a dispute of a charge; `None` where the operator has none.
    fn dispute(&self, _shared: &Shared, _order: &Order, _event: DisputeEvent) -> Option<Callback> {
        None
    }

    /// The final orders as a file of comma-separated values; `None` if it cannot be written.
    fn statement(&self, shared: &Shared) -> Option<Vec<u8>> {
        statement::csv(&shared.orders(), self.operator(), |order| order)
    }

    /// What a person may change of this operator on the page, besides its orders; `None` where that
    /// is nothing.
    fn control(&self) -> Option<Control> {
        None
    }

    /// Changes what a person chose in the form of [`Self::control`]. `Err` is what is wrong with
    /// it.
    fn apply(&self, _shared: &Shared, _chosen: &Chosen) -> Result<(), &'static str> {
        Err("There is nothing to choose.")
    }

    /// Runs a task that the protocol has scheduled on the clock by
    /// [`Event::RunTask`](crate::event::Event::RunTask).
    fn run_task(&self, _shared: &Shared, _task: &str) {}

    /// Ends the tokens that were issued for credentials which are not accepted any more.
    fn revoke_tokens(&self) {}
}

/// The state of one emulator and its protocols, as handlers receive them.
#[derive(Clone, Debug)]
pub(crate) struct Shared {
    state: Arc<State>,
    protocols: Arc<[Arc<dyn Protocol>]>,
}

impl Deref for Shared {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl Shared {
    pub(crate) fn new(state: State, protocols: Vec<Arc<dyn Protocol>>) -> Self {
        Self { state: Arc::new(state), protocols: protocols.into() }
    }

    /// All protocols, in the order of the page.
    pub(crate) fn protocols(&self) -> &[Arc<dyn Protocol>] {
        &self.protocols
    }

    /// The protocol of an operator; `None` if it is not registered.
    pub(crate) fn protocol(&self, operator: Operator) -> Option<&dyn Protocol> {
        self.protocols.iter().map(Arc::as_ref).find(|protocol| protocol.operator() == operator)
    }

    /// The protocol of this type, for what one operator alone offers; `None` if it is not
    /// registered.
    pub(crate) fn find<P: Protocol>(&self) -> Option<&P> {
        self.protocols.iter().find_map(|protocol| {
            let protocol: &dyn Any = protocol.as_ref();
            protocol.downcast_ref::<P>()
        })
    }

    /// Refuses every credential, and every token, of an operator.
    pub(crate) fn revoke_credentials(&self, operator: Operator) {
        self.state.revoke_credentials(operator);
        if let Some(protocol) = self.protocol(operator) {
            protocol.revoke_tokens();
        }
    }

    /// Replaces all credentials, and ends all tokens.
    pub(crate) fn replace_credentials(&self, credentials: Credentials) {
        self.state.replace_credentials(credentials);
        for protocol in self.protocols() {
            protocol.revoke_tokens();
        }
    }
}

/// The shared state with one operator's own, as the operator's handlers receive them.
#[derive(Debug)]
pub(crate) struct Context<P> {
    pub(crate) shared: Shared,
    pub(crate) protocol: Arc<P>,
}

impl<P: Protocol> Context<P> {
    /// The operator's refusal of a request that no handler can take.
    pub(crate) fn refuse(&self, status: StatusCode, message: &str) -> Refusal {
        refuse(status, (self.protocol.format().request_fault)(status, message))
    }
}

impl<P> Clone for Context<P> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), protocol: self.protocol.clone() }
    }
}

impl<P> FromRef<Context<P>> for Shared {
    fn from_ref(context: &Context<P>) -> Self {
        context.shared.clone()
    }
}

impl<P> FromRef<Context<P>> for Arc<P> {
    fn from_ref(context: &Context<P>) -> Self {
        context.protocol.clone()
    }
}
