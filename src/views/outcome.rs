//! How it ended.

use super::{View, network_picker, notice};
use crate::flow::{Expiry, Msg, Session, SessionStanding, Transaction};
use crate::locale::Text;
use tua_contract::FailureCode;
use yew::prelude::*;

/// Paid, with a receipt.
pub(super) fn paid(session: &Session, transaction: Option<&Transaction>, view: View<'_>) -> Html {
    let amount = view.money(session);
    let text = view.texts.fill(Text::PaidText, &[("amount", &amount), ("merchant", &session.merchant)]);
    html! {
        <div class="tua-body">
            { sign("tua-sign tua-sign-good", "M6.5 12.5l3.8 3.8 7.4-8") }
            <h2 class="tua-title">{ view.text(Text::PaidTitle) }</h2>
            <p class="tua-text">{ text }</p>
            { receipt(session, transaction, view) }
            { notice::back(session, view) }
        </div>
    }
}

fn receipt(session: &Session, transaction: Option<&Transaction>, view: View<'_>) -> Html {
    let row = |label: Text, value: String| {
        html! { <div><dt>{ view.text(label) }</dt><dd><bdi>{ value }</bdi></dd></div> }
    };
    let network = transaction.and_then(|transaction| transaction.network).map(|network| {
        let (name, wallet) = network_picker::names(network);
        [view.texts.get(name), view.texts.get(wallet)].join(" ")
    });
    html! {
        <dl class="tua-facts" part="receipt">
            { row(Text::ReceiptAmount, view.money(session)) }
            { row(Text::ReceiptMerchant, session.merchant.clone()) }
            if let Some(transaction) = transaction {
                { row(Text::ReceiptPhone, transaction.masked_phone.replace('*', "•")) }
            }
            if let Some(network) = network { { row(Text::ReceiptNetwork, network) } }
            if let Some(transaction) = transaction {
                { row(Text::ReceiptDate, view.format.moment(&transaction.updated_at)) }
            }
            { row(Text::ReceiptReference, session.reference.clone()) }
        </dl>
    }
}

/// Not paid, with the reason and the ways on.
pub(super) fn failed(session: &Session, code: FailureCode, view: View<'_>) -> Html {
    let left = session.attempts_left;
    html! {
        <div class="tua-body">
            { sign("tua-sign tua-sign-bad", "M8 8l8 8M16 8l-8 8") }
            <h2 class="tua-title">{ view.text(Text::FailedTitle) }</h2>
            <p class="tua-text">{ view.text(reason(code)) }{ " " }{ view.text(Text::FailedNothingTaken) }</p>
            if left == 0 {
                <p class="tua-text">{ view.text(Text::FormExhausted) }</p>
                { notice::back(session, view) }
            } else {
                { ways_on(code, view) }
                <p class="tua-note">{ view.texts.fill(Text::FormAttempts, &[("count", &left.to_string())]) }</p>
            }
        </div>
    }
}

/// Both ways on; the one that may help comes first.
fn ways_on(code: FailureCode, view: View<'_>) -> Html {
    let again = (Text::FailedAgain, Msg::TryAgain);
    let change = (Text::FailedChange, Msg::ChangeNumber);
    let (first, second) = if code.is_retryable() { (again, change) } else { (change, again) };
    html! {
        <>
            <button class="tua-button" part="button" type="button" onclick={view.on_click(first.1)}>
                { view.text(first.0) }
            </button>
            <button class="tua-button tua-button-quiet" part="button" type="button" onclick={view.on_click(second.1)}>
                { view.text(second.0) }
            </button>
        </>
    }
}

/// The words for a reason. Those that only payouts know are no concern of a payer.
pub(super) const fn reason(code: FailureCode) -> Text {
    match code {
        FailureCode::InsufficientFunds => Text::FailedInsufficientFunds,
        FailureCode::CustomerRejected => Text::FailedCustomerRejected,
        FailureCode::ApprovalTimeout => Text::FailedApprovalTimeout,
        FailureCode::WrongPin => Text::FailedWrongPin,
        FailureCode::OtpAttemptsExhausted => Text::FailedOtpAttemptsExhausted,
        FailureCode::PayerNotFound => Text::FailedPayerNotFound,
        FailureCode::PayerLimit => Text::FailedPayerLimit,
        FailureCode::PayerBusy => Text::FailedPayerBusy,
        FailureCode::NetworkUnavailable => Text::FailedNetworkUnavailable,
        FailureCode::OperatorRefused => Text::FailedOperatorRefused,
        FailureCode::RecipientNotFound
        | FailureCode::RecipientLimit
        | FailureCode::MerchantFloatLow
        | FailureCode::Unspecified => Text::FailedUnspecified,
    }
}

/// The heading of an expired checkout.
pub(super) const fn expired_title(expiry: &Expiry) -> Text {
    match expiry.standing {
        SessionStanding::Open => Text::ExpiredOpen,
        SessionStanding::Pending => Text::ExpiredPending,
        SessionStanding::Paid => Text::PaidTitle,
    }
}

/// The time is over; how the session stood decides what is said.
pub(super) fn expired(expiry: &Expiry, view: View<'_>) -> Html {
    let (sign, text) = match expiry.standing {
        SessionStanding::Open => (sign("tua-sign", "M12 7v5.5l3.5 2"), Text::ExpiredOpenText),
        SessionStanding::Pending => (sign("tua-sign tua-sign-wait", "M12 7v5.5l3.5 2"), Text::ExpiredPendingText),
        SessionStanding::Paid => (sign("tua-sign tua-sign-good", "M6.5 12.5l3.8 3.8 7.4-8"), Text::PaidTextShort),
    };
    html! {
        <div class="tua-body">
            { sign }
            <h2 class="tua-title">{ view.text(expired_title(expiry)) }</h2>
            <p class="tua-text">{ view.text(text) }</p>
            if let Some(reference) = &expiry.reference {
                <dl class="tua-facts">
                    <div><dt>{ view.text(Text::ReceiptReference) }</dt><dd><bdi>{ reference.clone() }</bdi></dd></div>
                </dl>
            }
            if expiry.standing == SessionStanding::Pending {
                <button class="tua-button tua-button-quiet" part="button" type="button"
                    aria-disabled={expiry.is_checking.then_some("true")} onclick={view.on_click(Msg::CheckNow)}>
                    { view.text(Text::WaitingCheckOutcome) }
                </button>
            }
            if let Some(session) = &expiry.session { { notice::back(session, view) } }
        </div>
    }
}

fn sign(class: &'static str, path: &'static str) -> Html {
    html! {
        <svg {class} viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11" /><path d={path} /></svg>
    }
}
