//! The network.

use super::{View, notice};
use crate::flow::{Form, Msg};
use crate::locale::Text;
use tua_contract::Network;
use yew::prelude::*;

/// The networks as native radios, so that keys and screen readers work as everywhere.
pub(super) fn network_picker(form: &Form, busy: bool, view: View<'_>) -> Html {
    let fault = form.network_fault.then_some(Text::FaultNetworkEmpty);
    let fault_id = view.id("network-fault");
    html! {
        <fieldset id={view.id("network")} class="tua-field tua-networks" tabindex="-1"
            aria-invalid={fault.map(|_| "true")} aria-describedby={fault.map(|_| fault_id.clone())}>
            <legend class="tua-label" part="label">{ view.text(Text::FormNetwork) }</legend>
            <div class="tua-cards">
                { for Network::ALL.into_iter().map(|network| card(network, form, busy, view)) }
            </div>
            { notice::fault(fault, fault_id, view) }
        </fieldset>
    }
}

fn card(network: Network, form: &Form, busy: bool, view: View<'_>) -> Html {
    let checked = form.network.network() == Some(network);
    let (name, wallet) = names(network);
    html! {
        <label class="tua-card" part="network">
            <input type="radio" name={view.id("network")} value={network.as_str()} {checked} disabled={busy && !checked}
                required=true onchange={view.emit.reform(move |_: Event| Msg::NetworkChosen(network))} />
            { mark(network) }
            <span class="tua-card-name">
                <span>{ view.text(name) }</span>{ " " }<span class="tua-card-wallet">{ view.text(wallet) }</span>
            </span>
        </label>
    }
}

/// What a network and its wallet are called.
pub(super) const fn names(network: Network) -> (Text, Text) {
    match network {
        Network::Mtn => (Text::NetworkMtn, Text::NetworkMtnWallet),
        Network::Telecel => (Text::NetworkTelecel, Text::NetworkTelecelWallet),
        Network::AirtelTigo => (Text::NetworkAirteltigo, Text::NetworkAirteltigoWallet),
    }
}

/// A mark of our own for each network: colour and shape, so that it does not hang on colour alone.
/// The networks' logos are theirs and are not used.
fn mark(network: Network) -> Html {
    let (class, path) = match network {
        Network::Mtn => ("tua-mark tua-mark-mtn", "M5 12a7 4.5 0 1 0 14 0a7 4.5 0 1 0-14 0z"),
        Network::Telecel => ("tua-mark tua-mark-telecel", "M12 5.5l6 11H6z"),
        Network::AirtelTigo => ("tua-mark tua-mark-at", "M7 7h4v10H7zM13 10h4v7h-4z"),
    };
    html! {
        <svg {class} viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="7" /><path d={path} /></svg>
    }
}
