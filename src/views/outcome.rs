//! The screens after a payment: paid, failed, and token expired.

use super::context::ViewContext;
use super::parts::{
    StatusIcon, description_row, heading, highlighted_text, paragraph, primary_button, return_link,
    screen_parts, secondary_button, small_text,
};
use super::pay_form::network_texts;
use crate::flow::{Expiry, Session, SessionStatus, Transaction};
use crate::locale::{Text, digits};
use tua_contract::FailureCode;
use yew::prelude::*;

/// The payment succeeded: a receipt.
///
/// `copied`: whether the receipt is on the clipboard, once the payer asked for that.
pub(super) fn paid(
    session: &Session,
    transaction: Option<&Transaction>,
    copied: Option<bool>,
    context: &ViewContext,
) -> Html {
    let amount = context.charged(session, transaction);
    let text =
        context.fill(Text::PaidText, &[("amount", &amount), ("merchant", &session.merchant)]);
    let copy = if copied == Some(true) { Text::ReceiptCopied } else { Text::ReceiptCopy };
    let rows = receipt(session, transaction, context);
    let not_copied =
        (copied == Some(false)).then(|| highlighted_text(context.text(Text::ReceiptNotCopied)));
    screen_parts(
        "paid",
        vec![
            StatusIcon::Tick.html(),
            heading(context.text(Text::PaidTitle), text),
            html! { <dl class="tua-facts" part="receipt">{ rows }</dl> },
            return_link(session, context),
            html! {
                <div class="tua-pair">
                    { secondary_button("copy", context.text(copy)) }
                    { secondary_button("print", context.text(Text::ReceiptPrint)) }
                </div>
            },
            not_copied.unwrap_or_default(),
        ],
    )
}

/// The result of copying the receipt.
pub(super) const fn copied_text(is_copied: bool) -> Text {
    if is_copied { Text::ReceiptCopied } else { Text::ReceiptNotCopied }
}

fn receipt(
    session: &Session,
    transaction: Option<&Transaction>,
    context: &ViewContext,
) -> Vec<Html> {
    let row = |label, value: String| description_row(context.text(label), value.into());
    let amount = context.money(session, &session.amount);
    let charged = context.charged(session, transaction);
    let has_fee = amount != charged;
    let mut rows = vec![row(Text::ReceiptAmount, amount)];
    if has_fee {
        rows.push(row(Text::ReceiptPaid, charged));
    }
    rows.push(row(Text::ReceiptMerchant, session.merchant.clone()));
    if let Some(transaction) = transaction {
        rows.push(row(Text::ReceiptPhone, transaction.masked_phone.replace('*', "•")));
        if let Some(network) = transaction.network {
            let (name, wallet) = network_texts(network);
            let name = context.texts.get(name);
            rows.push(row(Text::ReceiptNetwork, [name, " ", context.texts.get(wallet)].concat()));
            if let Some(id) = &transaction.operator_transaction_id {
                rows.push(description_row(
                    context.fill(Text::ReceiptOperatorId, &[("network", name)]),
                    id.clone().into(),
                ));
            }
        }
        rows.push(row(Text::ReceiptDate, context.format.moment(&transaction.updated_at)));
    }
    rows.push(row(Text::ReceiptReference, session.reference.clone()));
    rows
}

/// The payment failed: the reason, and what the payer can do.
pub(super) fn failed(session: &Session, code: FailureCode, context: &ViewContext) -> Html {
    let texts = &context.texts;
    let text = [texts.get(reason(code)), " ", texts.get(Text::FailedNothingTaken)].concat();
    let is_exhausted = session.attempts_left == 0;
    let exhausted = is_exhausted.then(|| paragraph(context.text(Text::FormExhausted)));
    let retry = (!is_exhausted).then(|| retry_buttons(session, code, context));
    screen_parts(
        "failed",
        vec![
            StatusIcon::Cross.html(),
            heading(context.text(Text::FailedTitle), text.into()),
            exhausted.unwrap_or_default(),
            retry.unwrap_or_default(),
            return_link(session, context),
        ],
    )
}

/// The ways to try again, and how many attempts are left. What is more likely to help comes first.
fn retry_buttons(session: &Session, code: FailureCode, context: &ViewContext) -> Html {
    let again = ("again", Text::FailedAgain);
    let change = ("change", Text::FailedChange);
    let (first, second) = if code.is_retryable() { (again, change) } else { (change, again) };
    html! {
        <>
            { primary_button(first.0, context.text(first.1)) }
            { secondary_button(second.0, context.text(second.1)) }
            { small_text(context.fill(
                Text::FormAttempts,
                &[("count", &digits(session.attempts_left))],
            )) }
        </>
    }
}

/// The text for a failure code. Codes that a payer cannot act on have the text of
/// [`FailureCode::Unspecified`].
pub(super) const fn reason(code: FailureCode) -> Text {
    match code {
        FailureCode::InsufficientFunds => Text::FailedInsufficientFunds,
        FailureCode::CustomerRejected => Text::FailedCustomerRejected,
        FailureCode::ApprovalTimeout => Text::FailedApprovalTimeout,
        FailureCode::WrongPin => Text::FailedWrongPin,
        FailureCode::OtpAttemptsExhausted => Text::FailedOtpAttemptsExhausted,
        FailureCode::PayerNotFound => Text::FailedPayerNotFound,
        FailureCode::PayerLimit => Text::FailedPayerLimit,
        FailureCode::NotSent => Text::FailedNotSent,
        FailureCode::PayerBusy => Text::FailedPayerBusy,
        FailureCode::NetworkUnavailable => Text::FailedNetworkUnavailable,
        FailureCode::OperatorRefused => Text::FailedOperatorRefused,
        FailureCode::RecipientNotFound
        | FailureCode::RecipientLimit
        | FailureCode::ApprovalRefused
        | FailureCode::Cancelled
        | FailureCode::MerchantFloatLow
        | FailureCode::Unspecified => Text::FailedUnspecified,
    }
}

/// The heading of an expired checkout.
pub(super) const fn expired_title(expiry: &Expiry) -> Text {
    match expiry.status {
        SessionStatus::Open => Text::ExpiredOpen,
        SessionStatus::Pending => Text::ExpiredPending,
        SessionStatus::Paid => Text::PaidTitle,
        SessionStatus::Closed => Text::ExpiredClosed,
    }
}

/// The token has expired. The text depends on the session's status at that time.
pub(super) fn expired(expiry: &Expiry, context: &ViewContext) -> Html {
    let (icon, text) = match expiry.status {
        SessionStatus::Open => (StatusIcon::Clock, Text::ExpiredOpenText),
        SessionStatus::Pending => (StatusIcon::WaitingClock, Text::ExpiredPendingText),
        SessionStatus::Paid => (StatusIcon::Tick, Text::PaidTextShort),
        SessionStatus::Closed => (StatusIcon::Clock, Text::ExpiredOpenText),
    };
    let session = expiry.session.as_deref();
    let reference = expiry.reference.as_ref().map(|reference| {
        html! {
            <dl class="tua-facts">
                { description_row(context.text(Text::ReceiptReference), reference.clone().into()) }
            </dl>
        }
    });
    let check = (expiry.status == SessionStatus::Pending)
        .then(|| secondary_button("check", context.text(Text::WaitingCheckOutcome)));
    screen_parts(
        "expired",
        vec![
            icon.html(),
            heading(context.text(expired_title(expiry)), context.text(text)),
            reference.unwrap_or_default(),
            check.unwrap_or_default(),
            session.map(|session| return_link(session, context)).unwrap_or_default(),
        ],
    )
}
