//! The network.

use super::View;
use super::element::{Attr, On, el};
use super::notice;
use crate::flow::{Form, Msg};
use crate::locale::Text;
use tua_contract::Network;
use yew::Html;

/// The networks as native radios, so that keys and screen readers work as everywhere.
pub(super) fn network_picker(form: &Form, busy: bool, view: View<'_>) -> Html {
    let cards = Network::ALL
        .into_iter()
        .fold(el("div", "tua-cards"), |cards, network| cards.with(card(network, form, busy, view)));
    let fault = form.network_fault.then(|| view.text(Text::FaultNetworkEmpty));
    let set = el("fieldset", "tua-field tua-networks")
        .attr(Attr::Role, "radiogroup")
        .attr(Attr::AriaRequired, "true")
        .with(el("legend", "tua-label").part("label").text(view.text(Text::FormNetwork)).end())
        .with(cards.end());
    notice::with_fault(set, view.id("network-fault"), fault).end()
}

fn card(network: Network, form: &Form, busy: bool, view: View<'_>) -> Html {
    let is_chosen = form.network.network() == Some(network);
    let (name, wallet) = names(network);
    let radio = el("input", "")
        .attr(Attr::Type, "radio")
        .attr(Attr::Name, "network")
        .attr(Attr::Value, network.as_str())
        .attr_if(busy && !is_chosen, Attr::Disabled, "")
        .checked(is_chosen)
        .on(view, On::Change(choice(network)));
    let words = el("span", "tua-card-name")
        .text(view.text(name))
        .text(" ")
        .with(el("span", "tua-card-wallet").text(view.text(wallet)).end());
    el("label", "tua-card").part("network").with(radio.end()).with(mark(network)).with(words.end()).end()
}

const fn choice(network: Network) -> fn() -> Msg {
    match network {
        Network::Mtn => || Msg::NetworkChosen(Network::Mtn),
        Network::Telecel => || Msg::NetworkChosen(Network::Telecel),
        Network::AirtelTigo => || Msg::NetworkChosen(Network::AirtelTigo),
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
    notice::picture(class, el("rect", "").attr(Attr::Width, "24").attr(Attr::Height, "24").attr(Attr::Rx, "7"), path)
}
