//! A charge whose outcome is not known yet.

use super::ViewContext;
use super::code_form::{self, CodeForm};
use super::parts::{fact, heading, notice, quiet_button};
use crate::flow::{self, Awaited, Poll, Session, Transaction};
use crate::locale::{Text, digits};
use std::rc::Rc;
use tua_contract::Network;
use yew::prelude::*;

/// The pending charge, and how it is polled.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct WaitingProps {
    pub(super) session: Rc<Session>,
    pub(super) transaction: Transaction,
    pub(super) waiting: flow::Waiting,
    /// Why the server cannot be reached, if it cannot.
    pub(super) connection_notice: Option<Text>,
    /// The token's remaining time, once the server's clock is known.
    pub(super) left_ms: Option<i64>,
    pub(super) context: ViewContext,
}

/// The screen while the payer approves, enters a code, or waits for the outcome.
#[component]
pub(super) fn Waiting(props: &WaitingProps) -> Html {
    let WaitingProps { session, transaction, waiting, connection_notice, left_ms, context } = props;
    let phone = transaction.masked_phone.trim_start_matches('*');
    let amount = context.charged(session, Some(transaction));
    let (text, check) = match &waiting.awaited {
        Awaited::Approval => (Text::WaitingApproveText, Some(Text::WaitingCheck)),
        Awaited::Outcome => (Text::WaitingOutcomeText, Some(Text::WaitingCheckOutcome)),
        Awaited::Code(entry) if entry.is_voucher => (Text::CodeVoucherText, None),
        Awaited::Code(_) => (Text::CodeOtpText, None),
    };
    let key = screen_key(&waiting.awaited);
    let text = context.fill(text, &[("amount", &amount), ("phone", phone)]);
    html! {
        <div key={key} class="tua-body">
            if check.is_some() {
                <div class="tua-pulse" aria-hidden="true"><span /></div>
            }
            { heading(context.text(title(waiting)), text) }
            if let Some(text) = connection_notice {
                { notice(context.text(*text)) }
            }
            if let Awaited::Code(entry) = &waiting.awaited {
                <CodeForm
                    entry={entry.clone()}
                    is_busy={waiting.poll == Poll::SendingCode}
                    {context}
                />
            }
            if let Some(label) = check {
                { quiet_button("check", context.text(label)) }
            }
            if waiting.awaited == Awaited::Approval {
                { help(session, transaction.network, context) }
            }
            if waiting.awaited != Awaited::Outcome {
                { wrong_number(phone, context) }
            }
            <dl class="tua-facts">
                if let Some(left_ms) = left_ms {
                    <div>
                        <dt>{ context.text(Text::WaitingTimeLeft) }</dt>
                        <dd><span role="timer" translate="no">{ clock(*left_ms) }</span></dd>
                    </div>
                }
                { fact(context.text(Text::ReceiptReference), session.reference.clone().into()) }
            </dl>
        </div>
    }
}

/// Each step has nodes of its own: see [`super`].
const fn screen_key(awaited: &Awaited) -> &'static str {
    match awaited {
        Awaited::Approval => "a",
        Awaited::Outcome => "o",
        Awaited::Code(_) => "c",
    }
}

const fn title(waiting: &flow::Waiting) -> Text {
    match &waiting.awaited {
        Awaited::Approval => Text::WaitingApprove,
        Awaited::Outcome => Text::WaitingOutcome,
        Awaited::Code(entry) if entry.is_voucher => Text::CodeVoucher,
        Awaited::Code(_) => Text::CodeOtp,
    }
}

/// The text for screen readers: a code's progress and faults come before the heading.
pub(super) fn announcement(waiting: &flow::Waiting, context: &ViewContext) -> String {
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
fn help(session: &Session, network: Option<Network>, context: &ViewContext) -> Html {
    let Some(network) = network else { return Html::default() };
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
fn wrong_number(phone: &str, context: &ViewContext) -> Html {
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
