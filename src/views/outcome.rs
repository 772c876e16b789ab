//! How it ended.

use super::element::{el, words};
use super::{View, doing, network_picker, notice};
use crate::flow::{Expiry, Session, SessionStanding, Transaction};
use crate::locale::{Text, digits};
use tua_contract::FailureCode;
use yew::Html;

/// Paid, with a receipt.
pub(super) fn paid(session: &Session, transaction: Option<&Transaction>, copied: Option<bool>, view: View<'_>) -> Html {
    let amount = view.money(session);
    let text = view.texts.fill(Text::PaidText, &[("amount", &amount), ("merchant", &session.merchant)]);
    let body = el("div;class=tua-body").with(sign("class=tua-sign tua-sign-good", TICK));
    let refused = || words("p;class=tua-notice", view.text(Text::ReceiptNotCopied));
    let copy = if copied == Some(true) { Text::ReceiptCopied } else { Text::ReceiptCopy };
    notice::heading(body, Text::PaidTitle, &text, view)
        .with(receipt(session, transaction, view))
        .with(notice::back(session, view))
        .with(
            el("div;class=tua-pair")
                .with(notice::button(true, copy, doing::COPY, view))
                .with(notice::button(true, Text::ReceiptPrint, doing::PRINT, view))
                .end(),
        )
        .with(if copied == Some(false) { refused() } else { Html::default() })
        .end()
}

/// What became of the wish for a copy.
pub(super) const fn copied_text(is_there: bool) -> Text {
    if is_there { Text::ReceiptCopied } else { Text::ReceiptNotCopied }
}

fn receipt(session: &Session, transaction: Option<&Transaction>, view: View<'_>) -> Html {
    let mut rows = vec![(Text::ReceiptAmount, view.money(session)), (Text::ReceiptMerchant, session.merchant.clone())];
    if let Some(transaction) = transaction {
        rows.push((Text::ReceiptPhone, transaction.masked_phone.replace('*', "•")));
        if let Some(network) = transaction.network {
            let (name, wallet) = network_picker::names(network);
            rows.push((Text::ReceiptNetwork, [view.text(name), " ", view.text(wallet)].concat()));
        }
        rows.push((Text::ReceiptDate, view.format.moment(&transaction.updated_at)));
    }
    rows.push((Text::ReceiptReference, session.reference.clone()));
    let list = el("dl;class=tua-facts;part=receipt");
    rows.iter().fold(list, |list, (label, text)| list.with(notice::fact(*label, notice::value(text), view))).end()
}

/// Not paid, with the reason and the ways on.
pub(super) fn failed(session: &Session, code: FailureCode, view: View<'_>) -> Html {
    let left = session.attempts_left;
    let text = [view.text(reason(code)), " ", view.text(Text::FailedNothingTaken)].concat();
    let body = el("div;class=tua-body").with(sign("class=tua-sign tua-sign-bad", "d=M8 8l8 8M16 8l-8 8"));
    let body = notice::heading(body, Text::FailedTitle, &text, view);
    if left == 0 {
        let ended = words("p;class=tua-text", view.text(Text::FormExhausted));
        return body.with(ended).with(notice::back(session, view)).end();
    }
    // The one that may help comes first.
    let again = (Text::FailedAgain, doing::AGAIN);
    let change = (Text::FailedChange, doing::CHANGE);
    let (first, second) = if code.is_retryable() { (again, change) } else { (change, again) };
    let left = view.texts.fill(Text::FormAttempts, &[("count", &digits(left))]);
    body.with(notice::button(false, first.0, first.1, view))
        .with(notice::button(true, second.0, second.1, view))
        .with(words("p;class=tua-note", &left))
        .end()
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
        SessionStanding::Open => (sign("class=tua-sign", CLOCK), Text::ExpiredOpenText),
        SessionStanding::Pending => (sign("class=tua-sign tua-sign-wait", CLOCK), Text::ExpiredPendingText),
        SessionStanding::Paid => (sign("class=tua-sign tua-sign-good", TICK), Text::PaidTextShort),
    };
    let body = el("div;class=tua-body").with(sign);
    let mut body = notice::heading(body, expired_title(expiry), view.text(text), view);
    if let Some(reference) = &expiry.reference {
        let fact = notice::fact(Text::ReceiptReference, notice::value(reference), view);
        body = body.with(el("dl;class=tua-facts").with(fact).end());
    }
    if expiry.standing == SessionStanding::Pending {
        body = body.with(notice::button(true, Text::WaitingCheckOutcome, doing::CHECK, view));
    }
    body.with(expiry.session.as_ref().map(|session| notice::back(session, view)).unwrap_or_default()).end()
}

const TICK: &str = "d=M6.5 12.5l3.8 3.8 7.4-8";
const CLOCK: &str = "d=M12 7v5.5l3.5 2";

/// The picture above a heading.
pub(super) fn sign(class: &'static str, path: &'static str) -> Html {
    notice::picture(class, "circle;cx=12;cy=12;r=11", path)
}
