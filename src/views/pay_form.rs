//! The form: the phone number, the network and the button.

use super::context::ViewContext;
use super::parts::{fault_message, return_link, small_text, submit_button};
use crate::flow::{Form, FormNotice, FormRequestState, Session};
use crate::locale::Text;
use tua_contract::Network;
use tua_contract::phone::PhoneError;
use yew::prelude::*;

/// The form. Its fields have the API's names, so that a plain form post carries them too.
///
/// `session`: once it is known. Until then the button shows no amount. `connection_notice`: what is
/// wrong with the connection to the service.
pub(super) fn pay_form(
    session: Option<&Session>,
    form: &Form,
    connection_notice: Option<Text>,
    context: &ViewContext,
) -> Html {
    let is_busy = !matches!(form.sending, FormRequestState::Idle);
    let network = form.network.network();
    // The session, what the payer pays, and the fee in it.
    let price = session.map(|session| match network {
        Some(network) => (session, session.payer_pays(network), session.fee(network)),
        None => (session, session.amount.as_str(), None),
    });
    let label = match sending_text(&form.sending) {
        Some(text) => context.text(text),
        None => {
            let amount = price
                .map(|(session, payer_pays, _)| context.money(session, payer_pays))
                .unwrap_or_default();
            context.texts.fill(Text::FormPay, &[("amount", &amount)]).trim_ascii().to_owned().into()
        }
    };
    let notice = form.notice.map(notice_text).or(connection_notice);
    html! {
        <form
            class="tua-form"
            novalidate=true
            method="post"
            name="pay"
            action={context.action.clone()}
        >
            { phone_field(form, is_busy, context) }
            { network_picker(session, form, is_busy, context) }
            if let Some((_, payer_pays, _)) = price {
                <input type="hidden" name="payerPays" value={payer_pays.to_owned()} />
            }
            // Always there: a screen reader announces a change inside it.
            <div role="alert">
                if let Some(text) = notice {
                    <p class="tua-notice" part="notice">{ context.text(text) }</p>
                }
                if let Some((session, payer_pays, Some(fee))) = price {
                    { small_text(context.fill(
                        Text::FormFee,
                        &[
                            ("fee", &context.money(session, fee)),
                            ("amount", &context.money(session, payer_pays)),
                        ],
                    )) }
                }
            </div>
            { submit_button(label, is_busy) }
            { small_text(context.text(Text::FormPin)) }
            if let Some(session) = session {
                { return_link(session, context) }
            }
        </form>
    }
}

const fn notice_text(notice: FormNotice) -> Text {
    match notice {
        FormNotice::NotSent => Text::NoticeNotSent,
        FormNotice::NetworkUnavailable => Text::NoticeNetworkUnavailable,
        FormNotice::NetworkEnded => Text::NoticeNetworkEnded,
        FormNotice::PriceChanged => Text::NoticePriceChanged,
        FormNotice::AccountSuspended => Text::NoticeAccountSuspended,
        FormNotice::LinkInUse => Text::NoticeLinkInUse,
        FormNotice::TooMany => Text::NoticeTooMany,
        FormNotice::Refused => Text::NoticeRefused,
    }
}

/// The button's text while the form is being sent.
pub(super) const fn sending_text(sending: &FormRequestState) -> Option<Text> {
    match sending {
        FormRequestState::Idle => None,
        FormRequestState::Queued => Some(Text::FormQueued),
        FormRequestState::Charge(_) => Some(Text::FormSending),
        FormRequestState::Checking { .. } => Some(Text::FormChecking),
    }
}

/// What is wrong with the phone number.
pub(super) fn phone_fault(form: &Form) -> Option<Text> {
    form.phone_fault.map(|fault| match fault {
        PhoneError::Empty => Text::FaultPhoneEmpty,
        PhoneError::NotDigits => Text::FaultPhoneDigits,
        PhoneError::WrongLength => Text::FaultPhoneLength,
        PhoneError::NotGhanaian => Text::FaultPhoneCountry,
    })
}

/// The phone number. The field never reformats what the payer types.
fn phone_field(form: &Form, is_busy: bool, context: &ViewContext) -> Html {
    let fault = phone_fault(form).map(|text| context.text(text));
    let id = context.id("phone");
    let fault_id = context.id("phone-fault");
    html! {
        <div class="tua-field">
            <label class="tua-label" part="label" for={id.clone()}>
                { context.text(Text::FormPhone) }
            </label>
            <input
                class="tua-input"
                part="input"
                type="tel"
                dir="ltr"
                inputmode="tel"
                // Longer than what is read: a text that the browser has cut is refused.
                maxlength="256"
                autocomplete="tel-national"
                name="phoneNumber"
                ref={context.field.clone()}
                {id}
                placeholder={context.text(Text::FormPhoneExample)}
                readonly={is_busy}
                aria-invalid={fault.is_some().then_some("true")}
                aria-describedby={fault.is_some().then(|| fault_id.clone())}
                value={form.phone.clone()}
            />
            { fault_message(fault_id, fault) }
        </div>
    }
}

/// The networks as native radio buttons, so that keys and screen readers work as everywhere.
fn network_picker(
    session: Option<&Session>,
    form: &Form,
    is_busy: bool,
    context: &ViewContext,
) -> Html {
    let fault = form.network_fault.then(|| context.text(Text::FaultNetworkEmpty));
    let fault_id = context.id("network-fault");
    let card = |network| {
        let down = session.filter(|session| session.is_down(network));
        let status = down.map(|session| {
            if session.has_ended(network) { Text::NetworkEnded } else { Text::NetworkDown }
        });
        network_card(network, status, form, is_busy, context)
    };
    html! {
        <fieldset
            class="tua-field tua-networks"
            role="radiogroup"
            aria-required="true"
            aria-invalid={fault.is_some().then_some("true")}
            aria-describedby={fault.is_some().then(|| fault_id.clone())}
        >
            <legend class="tua-label" part="label">{ context.text(Text::FormNetwork) }</legend>
            <div class="tua-cards">
                { for Network::ALL.into_iter().map(card) }
            </div>
            { fault_message(fault_id, fault) }
        </fieldset>
    }
}

/// `down`: why nobody can pay with this network now.
fn network_card(
    network: Network,
    down: Option<Text>,
    form: &Form,
    is_busy: bool,
    context: &ViewContext,
) -> Html {
    let is_chosen = form.network.network() == Some(network);
    let (name, wallet) = network_texts(network);
    html! {
        <label class="tua-card" part="network">
            <input
                type="radio"
                name="network"
                value={network.as_str()}
                disabled={down.is_some() || is_busy && !is_chosen}
                checked={is_chosen}
            />
            { network_mark(network) }
            <span class="tua-card-name" translate="no">
                <span>{ context.text(name) }</span>
                { " " }
                <span class="tua-card-wallet">{ context.text(wallet) }</span>
                if let Some(status) = down {
                    { " " }
                    <span class="tua-card-status" translate="yes">{ context.text(status) }</span>
                }
            </span>
        </label>
    }
}

/// The names of a network and of its wallet.
pub(super) const fn network_texts(network: Network) -> (Text, Text) {
    match network {
        Network::Mtn => (Text::NetworkMtn, Text::NetworkMtnWallet),
        Network::Telecel => (Text::NetworkTelecel, Text::NetworkTelecelWallet),
        Network::AirtelTigo => (Text::NetworkAirteltigo, Text::NetworkAirteltigoWallet),
    }
}

/// Our own mark for each network, told apart by colour and by shape. The networks' logos are their
/// trademarks and are not used.
fn network_mark(network: Network) -> Html {
    let path = match network {
        Network::Mtn => "M5 12a7 4.5 0 1 0 14 0a7 4.5 0 1 0-14 0z",
        Network::Telecel => "M12 5.5l6 11H6z",
        Network::AirtelTigo => "M7 7h4v10H7zM13 10h4v7h-4z",
    };
    let picture = html! { <><rect width="24" height="24" rx="7" /><path d={path} /></> };
    match network {
        Network::Mtn => html! {
            <svg class="tua-mark tua-mark-mtn" viewBox="0 0 24 24" aria-hidden="true">
                { picture }
            </svg>
        },
        Network::Telecel => html! {
            <svg class="tua-mark tua-mark-telecel" viewBox="0 0 24 24" aria-hidden="true">
                { picture }
            </svg>
        },
        Network::AirtelTigo => html! {
            <svg class="tua-mark tua-mark-at" viewBox="0 0 24 24" aria-hidden="true">
                { picture }
            </svg>
        },
    }
}
