//! A charge that is not decided yet.

use super::element::{el, words};
use super::{View, code_field, doing, notice};
use crate::flow::{On, Poll, Session, Transaction, Waiting};
use crate::locale::{Text, digits};
use tua_contract::Network;
use yew::Html;

/// The heading of what is waited for.
pub(super) const fn title(waiting: &Waiting) -> Text {
    match &waiting.on {
        On::Approval => Text::WaitingApprove,
        On::Outcome => Text::WaitingOutcome,
        On::Code(entry) if entry.is_voucher => Text::CodeVoucher,
        On::Code(_) => Text::CodeOtp,
    }
}

/// What is told of it: the code's way and its faults before the heading.
pub(super) fn said(waiting: &Waiting, view: View<'_>) -> String {
    let of_code = match &waiting.on {
        On::Code(_) if waiting.poll == Poll::SendingCode => Some(view.text(Text::CodeSending).to_owned()),
        On::Code(entry) => code_field::said(entry, view),
        On::Approval | On::Outcome => None,
    };
    of_code.unwrap_or_else(|| view.text(title(waiting)).to_owned())
}

/// The waiting screen. `left_ms` is the token's remaining time, once the server's clock is known.
pub(super) fn waiting(
    session: &Session,
    transaction: &Transaction,
    waiting: &Waiting,
    cut_off: Option<Text>,
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
    let pulse = || el("div;class=tua-pulse;aria-hidden=true").with(el("span").end()).end();
    let cut_off = cut_off.map(|text| words("p;class=tua-notice", view.text(text)));
    let timer = |left| notice::fact(Text::WaitingTimeLeft, el("dd").with(words("span;role=timer", &clock(left))), view);
    let facts = el("dl;class=tua-facts").with(left_ms.map(timer).unwrap_or_default()).with(notice::fact(
        Text::ReceiptReference,
        notice::value(&session.reference),
        view,
    ));
    let body = el("div;class=tua-body").with(if matches!(waiting.on, On::Code(_)) { Html::default() } else { pulse() });
    let text = view.texts.fill(text, &[("amount", &amount), ("phone", phone)]);
    let body = notice::heading(body, title(waiting), &text, view).with(cut_off.unwrap_or_default());
    match &waiting.on {
        On::Code(entry) => body.with(code_field::code_form(entry, waiting.poll == Poll::SendingCode, view)),
        On::Approval => body
            .with(notice::button(true, Text::WaitingCheck, doing::CHECK, view))
            .with(help(transaction.network, view)),
        On::Outcome => body.with(notice::button(true, Text::WaitingCheckOutcome, doing::CHECK, view)),
    }
    .with(facts.end())
    .end()
}

/// Where the request can be found when no prompt came up.
fn help(network: Option<Network>, view: View<'_>) -> Html {
    let text = match network {
        Some(Network::Mtn) => Text::WaitingHelpMtn,
        Some(Network::Telecel) => Text::WaitingHelpTelecel,
        Some(Network::AirtelTigo) => Text::WaitingHelpAirteltigo,
        None => return Html::default(),
    };
    el("details;class=tua-help")
        .with(words("summary", view.text(Text::WaitingHelp)))
        .with(words("p", view.text(text)))
        .end()
}

/// What is said of the time that is left: nothing, until it is short.
pub(super) const fn soon(left_ms: i64) -> Option<&'static str> {
    match left_ms {
        ..=0 => None,
        1..=60_000 => Some("1:00"),
        60_001..=300_000 => Some("5:00"),
        _ => None,
    }
}

/// Milliseconds as minutes and seconds; nothing left is 0:00, for only the server says expired.
fn clock(left_ms: i64) -> String {
    let seconds = u32::try_from(left_ms.max(0) / 1_000).unwrap_or(u32::MAX);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    [digits(minutes).as_str(), if seconds < 10 { ":0" } else { ":" }, &digits(seconds)].concat()
}

#[cfg(test)]
mod tests {
    use super::{clock, soon};

    #[test]
    fn the_clock_shows_minutes_and_two_digits_of_seconds() {
        assert_eq!(clock(1_800_000), "30:00");
        assert_eq!(clock(61_999), "1:01");
        assert_eq!(clock(9_000), "0:09");
        assert_eq!(clock(-5), "0:00");
    }

    #[test]
    fn the_time_left_is_read_out_twice_in_all() {
        let said: Vec<_> = (0..1_800).rev().map(|second| soon(second * 1_000)).collect();
        let changes = said.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!((said[0], changes), (None, 3), "five minutes, one minute, over");
        assert_eq!((soon(300_000), soon(60_000), soon(0)), (Some("5:00"), Some("1:00"), None));
    }
}
