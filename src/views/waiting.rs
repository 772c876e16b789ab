//! A charge whose outcome is not known yet.

use super::code_form::{self, code_form};
use super::context::ViewContext;
use super::parts::{description_row, heading, highlighted_text, screen_parts, secondary_button};
use crate::flow::{Awaited, Poll, Session, Transaction, Waiting};
use crate::locale::{Text, digits};
use tua_contract::Network;
use yew::prelude::*;

/// The screen while the payer approves, enters a code, or waits for the outcome.
///
/// `connection_notice`: why the server cannot be reached, if it cannot. `left_ms`: the token's
/// remaining time, once the server's clock is known.
pub(super) fn waiting(
    session: &Session,
    transaction: &Transaction,
    waiting: &Waiting,
    connection_notice: Option<Text>,
    left_ms: Option<i64>,
    context: &ViewContext,
) -> Html {
    let phone = transaction.masked_phone.trim_start_matches('*');
    let amount = context.charged(session, Some(transaction));
    let (text, check) = match &waiting.awaited {
        Awaited::Approval => (Text::WaitingApproveText, Some(Text::WaitingCheck)),
        Awaited::Outcome => (Text::WaitingOutcomeText, Some(Text::WaitingCheckOutcome)),
        Awaited::Code(entry) if entry.is_voucher => (Text::CodeVoucherText, None),
        Awaited::Code(_) => (Text::CodeOtpText, None),
    };
    let text = context.fill(text, &[("amount", &amount), ("phone", phone)]);
    let pulse = check.map(|_| html! { <div class="tua-pulse" aria-hidden="true"><span /></div> });
    let code = match &waiting.awaited {
        Awaited::Code(entry) => code_form(entry, waiting.poll == Poll::SendingCode, context),
        Awaited::Approval | Awaited::Outcome => Html::default(),
    };
    let left = left_ms.map(|left_ms| {
        html! {
            <div>
                <dt>{ context.text(Text::WaitingTimeLeft) }</dt>
                <dd><span role="timer" translate="no">{ clock(left_ms) }</span></dd>
            </div>
        }
    });
    let reference =
        description_row(context.text(Text::ReceiptReference), session.reference.clone().into());
    screen_parts(
        screen_key(&waiting.awaited),
        vec![
            pulse.unwrap_or_default(),
            heading(context.text(title(waiting)), text),
            connection_notice.map(|text| highlighted_text(context.text(text))).unwrap_or_default(),
            code,
            check.map(|label| secondary_button("check", context.text(label))).unwrap_or_default(),
            help(session, transaction.network, &waiting.awaited, context),
            wrong_number(phone, &waiting.awaited, context),
            html! { <dl class="tua-facts">{ vec![left.unwrap_or_default(), reference] }</dl> },
        ],
    )
}

/// Each step has nodes of its own: see [`super`].
const fn screen_key(awaited: &Awaited) -> &'static str {
    match awaited {
        Awaited::Approval => "a",
        Awaited::Outcome => "o",
        Awaited::Code(_) => "c",
    }
}

const fn title(waiting: &Waiting) -> Text {
    match &waiting.awaited {
        Awaited::Approval => Text::WaitingApprove,
        Awaited::Outcome => Text::WaitingOutcome,
        Awaited::Code(entry) if entry.is_voucher => Text::CodeVoucher,
        Awaited::Code(_) => Text::CodeOtp,
    }
}

/// The text for screen readers: a code's progress and faults come before the heading.
pub(super) fn announcement(waiting: &Waiting, context: &ViewContext) -> String {
    let of_code = match &waiting.awaited {
        Awaited::Code(_) if waiting.poll == Poll::SendingCode => {
            Some(context.text(Text::CodeSending))
        }
        Awaited::Code(entry) => code_form::fault(entry, context),
        Awaited::Approval | Awaited::Outcome => None,
    };
    of_code.unwrap_or_else(|| context.text(title(waiting))).as_str().to_owned()
}

/// Where the payer finds the request when no prompt appears: the operator's own instructions, if it
/// has any in this language.
fn help(
    session: &Session,
    network: Option<Network>,
    awaited: &Awaited,
    context: &ViewContext,
) -> Html {
    let (Some(network), Awaited::Approval) = (network, awaited) else { return Html::default() };
    let ours = match network {
        Network::Mtn => Text::WaitingHelpMtn,
        Network::Telecel => Text::WaitingHelpTelecel,
        Network::AirtelTigo => Text::WaitingHelpAirteltigo,
    };
    let text = match session.prompt_instructions(network, context.texts.get(Text::Language)) {
        Some(text) => AttrValue::from(text.to_owned()),
        None => context.text(ours),
    };
    details(context.text(Text::WaitingHelp), text)
}

/// What happens to a request that went to a wrong number. There is no button: no operator with real
/// money can cancel a charge that waits for its payer (`Capabilities::cancels`), so the payer can
/// only let it end.
fn wrong_number(phone: &str, awaited: &Awaited, context: &ViewContext) -> Html {
    if matches!(awaited, Awaited::Outcome) {
        return Html::default();
    }
    details(
        context.text(Text::WaitingWrong),
        context.fill(Text::WaitingWrongText, &[("phone", phone)]),
    )
}

/// Text below a line that opens it. The server draws it open: without script its page is loaded
/// again every few seconds, which would close what the payer reads.
#[inline(never)]
fn details(summary: AttrValue, text: AttrValue) -> Html {
    html! {
        <details class="tua-help" open={cfg!(feature = "server")}>
            <summary>{ summary }</summary>
            <p>{ text }</p>
        </details>
    }
}

/// The remaining time as it is announced: not at all until it is short.
pub(super) const fn announced_time_left(left_ms: i64) -> Option<&'static str> {
    match left_ms {
        ..=0 => None,
        1..=60_000 => Some("1:00"),
        60_001..=300_000 => Some("5:00"),
        _ => None,
    }
}

/// Milliseconds as minutes and seconds. It stops at 0:00, since only the server decides that a
/// token has expired.
fn clock(left_ms: i64) -> String {
    let seconds = u32::try_from(left_ms.max(0) / 1_000).unwrap_or(u32::MAX);
    let minutes = seconds / 60;
    let seconds = seconds % 60;
    [digits(minutes).as_str(), if seconds < 10 { ":0" } else { ":" }, &digits(seconds)].concat()
}

#[cfg(test)]
mod tests {
    use super::{announced_time_left, clock};

    #[test]
    fn the_clock_shows_minutes_and_two_digits_of_seconds() {
        assert_eq!(clock(1_800_000), "30:00");
        assert_eq!(clock(61_999), "1:01");
        assert_eq!(clock(9_000), "0:09");
        assert_eq!(clock(-5), "0:00");
    }

    #[test]
    fn the_time_left_is_announced_twice() {
        let announced: Vec<_> =
            (0..1_800).rev().map(|second| announced_time_left(second * 1_000)).collect();
        let changes = announced.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!((announced[0], changes), (None, 3), "five minutes, one minute, over");
        assert_eq!(
            (announced_time_left(300_000), announced_time_left(60_000), announced_time_left(0)),
            (Some("5:00"), Some("1:00"), None)
        );
    }
}
