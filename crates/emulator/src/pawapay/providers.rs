//! How providers work at present, which a person or a test changes.

use super::{
    provider::{Operation, PLATFORM, ProviderStatus},
    state::Pawapay,
};
use crate::{
    control::{Choice, Chosen, Control, ControlState},
    lifecycle,
    phase::Phase,
    protocol::Shared,
    running::Running,
};
use tua_contract::Network;

impl Running {
    /// Changes how a provider of pawaPay works.
    pub fn set_provider_status(
        &self,
        network: Network,
        operation: Operation,
        status: ProviderStatus,
    ) {
        if let Some(pawapay) = self.shared().find::<Pawapay>() {
            change(self.shared(), pawapay, network, operation, status);
        }
    }
}

/// Changes a provider's status. Orders that wait go on when it is operational.
fn change(
    shared: &Shared,
    pawapay: &Pawapay,
    network: Network,
    operation: Operation,
    status: ProviderStatus,
) {
    pawapay.set_provider_status(network, operation, status);
    if status != ProviderStatus::Operational {
        return;
    }
    let waiting = {
        let orders = shared.orders();
        let of_provider = orders.iter().filter(|order| {
            order.new.api_platform == PLATFORM
                && order.new.network == Some(network)
                && Operation::of(order.new.kind) == operation
                && order.phase == Phase::Enqueued
        });
        of_provider.map(|order| (order.id, order.new.script.after)).collect::<Vec<_>>()
    };
    for (id, after) in waiting {
        lifecycle::set_phase(shared, id, Phase::Processing);
        lifecycle::plan_outcome(shared, id, after);
    }
}

/// The form of the page that changes a provider's status.
pub(super) fn control(pawapay: &Pawapay) -> Control {
    let providers = Network::ALL
        .into_iter()
        .flat_map(|network| Operation::ALL.into_iter().map(move |operation| (network, operation)));
    let states = providers.filter_map(|(network, operation)| {
        let status = pawapay.provider_status(network, operation);
        let subject = format!("{} {}", network.as_str(), operation.as_str());
        (status != ProviderStatus::Operational)
            .then(|| ControlState { subject, state: status.as_str() })
    });
    let choice = |label, name, options| Choice { label, name, options };
    Control {
        title: "Providers of pawaPay",
        states: states.collect(),
        choices: vec![
            choice("Network", "network", Network::ALL.map(Network::as_str).to_vec()),
            choice("Operation", "operation", Operation::ALL.map(Operation::as_str).to_vec()),
            choice("Status", "status", ProviderStatus::ALL.map(ProviderStatus::as_str).to_vec()),
        ],
        button: "Set status",
    }
}

/// Changes what a person chose in the form. `Err` is what is wrong with it.
pub(super) fn apply(
    shared: &Shared,
    pawapay: &Pawapay,
    chosen: &Chosen,
) -> Result<(), &'static str> {
    let unknown = "There is no such provider, operation or status.";
    let network = Network::parse(chosen.get("network")).ok_or(unknown)?;
    let operation = Operation::ALL.into_iter().find(|one| one.as_str() == chosen.get("operation"));
    let status = ProviderStatus::ALL.into_iter().find(|one| one.as_str() == chosen.get("status"));
    change(shared, pawapay, network, operation.ok_or(unknown)?, status.ok_or(unknown)?);
    Ok(())
}
