//! A charge that is not decided yet.

use super::{View, code_field};
use crate::flow::{Msg, On, Poll, Session, Transaction, Waiting};
use crate::locale::Text;
use tua_contract::Network;
use yew::prelude::*;

/// The heading of what is waited for.
pub(super) const fn title(waiting: &Waiting) -> Text {
    match &waiting.on {
        On::Approval => Text::WaitingApprove,
        On::Outcome => Text::WaitingOutcome,
        On::Code(entry) if entry.is_voucher => Text::CodeVoucher,
        On::Code(_) => Text::CodeOtp,
    }
}

/// The waiting screen. `left_ms` is the token's remaining time, once the server's clock is known.
pub(super) fn waiting(
    session: &Session,
    transaction: &Transaction,
    waiting: &Waiting,
    left_ms: Option<i64>,
    view: View<'_>,
) -> Html {
    let phone = transaction.masked_phone.trim_start_matches('*');
    let amount = view.money(session);
    let text = match &waiting.on {
        On::Approval => Text::WaitingApproveText,
        On::Outcome => Text::WaitingOutcomeText,
        On::Code(entry) if entry.is_voucher => Text::CodeVoucherText,
        On::Code(_) => Text::CodeOtpText,
    };
    html! {
        <div class="tua-body">
            if !matches!(waiting.on, On::Code(_)) { <div class="tua-pulse" aria-hidden="true"><span></span></div> }
            <h2 class="tua-title">{ view.text(title(waiting)) }</h2>
            <p class="tua-text">{ view.texts.fill(text, &[("amount", &amount), ("phone", phone)]) }</p>
            if waiting.failures > 0 { <p class="tua-notice">{ view.text(Text::WaitingOffline) }</p> }
            { action(waiting, transaction, view) }
            <dl class="tua-facts">
                if let Some(left) = left_ms {
                    <div><dt>{ view.text(Text::WaitingTimeLeft) }</dt><dd role="timer">{ clock(left) }</dd></div>
                }
                <div><dt>{ view.text(Text::ReceiptReference) }</dt><dd><bdi>{ session.reference.clone() }</bdi></dd></div>
            </dl>
        </div>
    }
}

fn action(waiting: &Waiting, transaction: &Transaction, view: View<'_>) -> Html {
    let label = match &waiting.on {
        On::Code(entry) => return code_field::code_form(entry, waiting.poll == Poll::SendingCode, view),
        On::Approval => Text::WaitingCheck,
        On::Outcome => Text::WaitingCheckOutcome,
    };
    html! {
        <>
            <button class="tua-button tua-button-quiet" part="button" type="button" onclick={view.on_click(Msg::CheckNow)}>
                { view.text(label) }
            </button>
            if matches!(waiting.on, On::Approval) { { help(transaction.network, view) } }
        </>
    }
}

/// Where the request can be found when no prompt came up.
fn help(network: Option<Network>, view: View<'_>) -> Html {
    let text = match network {
        Some(Network::Mtn) => Text::WaitingHelpMtn,
        Some(Network::Telecel) => Text::WaitingHelpTelecel,
        Some(Network::AirtelTigo) => Text::WaitingHelpAirteltigo,
        None => return Html::default(),
    };
    html! {
        <details class="tua-help">
            <summary>{ view.text(Text::WaitingHelp) }</summary>
            <p>{ view.text(text) }</p>
        </details>
    }
}

/// Milliseconds as minutes and seconds; nothing left is 0:00, for only the server says expired.
fn clock(left_ms: i64) -> String {
    let seconds = left_ms.max(0) / 1_000;
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    [minutes.to_string().as_str(), if seconds < 10 { ":0" } else { ":" }, &seconds.to_string()].concat()
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn the_clock_shows_minutes_and_two_digits_of_seconds() {
        assert_eq!(clock(1_800_000), "30:00");
        assert_eq!(clock(61_999), "1:01");
        assert_eq!(clock(9_000), "0:09");
        assert_eq!(clock(-5), "0:00");
    }
}
