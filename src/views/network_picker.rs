//! The network.

use super::element::{el, words};
use super::{View, doing, notice};
use crate::flow::Form;
use crate::locale::Text;
use tua_contract::Network;
use yew::Html;

/// The networks as native radios, so that keys and screen readers work as everywhere.
pub(super) fn network_picker(form: &Form, busy: bool, view: View<'_>) -> Html {
    let cards = Network::ALL
        .into_iter()
        .fold(el("div;class=tua-cards"), |cards, network| cards.with(card(network, form, busy, view)));
    let fault = form.network_fault.then(|| view.text(Text::FaultNetworkEmpty));
    let set = el("fieldset;class=tua-field tua-networks;role=radiogroup;aria-required=true")
        .with(words("legend;class=tua-label;part=label", view.text(Text::FormNetwork)))
        .with(cards.end());
    notice::with_fault(set, view.id("network-fault"), fault).end()
}

fn card(network: Network, form: &Form, busy: bool, view: View<'_>) -> Html {
    let is_chosen = form.network.network() == Some(network);
    let (name, wallet) = names(network);
    let radio = el("input;type=radio")
        .also(doing::NETWORK)
        .attr("value", network.as_str().to_owned())
        .also_if(busy && !is_chosen, "disabled")
        .checked(is_chosen);
    let words = el("span;class=tua-card-name")
        .text(view.text(name))
        .text(" ")
        .with(words("span;class=tua-card-wallet", view.text(wallet)));
    el("label;class=tua-card;part=network").with(radio.end()).with(mark(network)).with(words.end()).end()
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
        Network::Mtn => ("class=tua-mark tua-mark-mtn", "d=M5 12a7 4.5 0 1 0 14 0a7 4.5 0 1 0-14 0z"),
        Network::Telecel => ("class=tua-mark tua-mark-telecel", "d=M12 5.5l6 11H6z"),
        Network::AirtelTigo => ("class=tua-mark tua-mark-at", "d=M7 7h4v10H7zM13 10h4v7h-4z"),
    };
    notice::picture(class, "rect;width=24;height=24;rx=7", path)
}
