//! How a payment ended. These screens are functions: as components they would compare and copy
//! their properties, in code that a payer downloads.

use super::ViewContext;
use super::parts::{
    StatusIcon, action_button, fact, heading, note, notice, quiet_button, return_link, sentence,
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
    html! {
        <div key="paid" class="tua-body">
            { StatusIcon::Tick.html() }
            { heading(context.text(Text::PaidTitle), text) }
            <dl class="tua-facts" part="receipt">
                { for receipt(session, transaction, context) }
            </dl>
            { return_link(session, context) }
            <div class="tua-pair">
                { quiet_button("copy", context.text(copy)) }
                { quiet_button("print", context.text(Text::ReceiptPrint)) }
            </div>
            if copied == Some(false) {
                { notice(context.text(Text::ReceiptNotCopied)) }
            }
        </div>
    }
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
    let row = |label, value: String| fact(context.text(label), value.into());
    let (amount, charged) =
        (context.money(session, &session.amount), context.charged(session, transaction));
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
            if let Some(id) = &transaction.operator_id {
                rows.push(fact(
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
    let left = session.attempts_left;
    let text = [texts.get(reason(code)), " ", texts.get(Text::FailedNothingTaken)].concat();
    // The action that is more likely to help comes first.
    let again = ("again", Text::FailedAgain);
    let change = ("change", Text::FailedChange);
    let (first, second) = if code.is_retryable() { (again, change) } else { (change, again) };
    html! {
        <div key="failed" class="tua-body">
            { StatusIcon::Cross.html() }
            { heading(context.text(Text::FailedTitle), text.into()) }
            if left == 0 {
                { sentence(context.text(Text::FormExhausted)) }
            } else {
                { action_button(first.0, context.text(first.1)) }
                { quiet_button(second.0, context.text(second.1)) }
                { note(context.fill(Text::FormAttempts, &[("count", &digits(left))])) }
            }
            { return_link(session, context) }
        </div>
    }
}

/// The text for a failure code. A payer never sees those of payouts.
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

/// The token has expired. The text depends on how far the payment had got.
pub(super) fn expired(expiry: &Expiry, context: &ViewContext) -> Html {
    let (sign, text) = match expiry.status {
        SessionStatus::Open => (StatusIcon::Clock, Text::ExpiredOpenText),
        SessionStatus::Pending => (StatusIcon::WaitingClock, Text::ExpiredPendingText),
        SessionStatus::Paid => (StatusIcon::Tick, Text::PaidTextShort),
        SessionStatus::Closed => (StatusIcon::Clock, Text::ExpiredOpenText),
    };
    html! {
        <div key="expired" class="tua-body">
            { sign.html() }
            { heading(context.text(expired_title(expiry)), context.text(text)) }
            if let Some(reference) = &expiry.reference {
                <dl class="tua-facts">
                    { fact(context.text(Text::ReceiptReference), reference.clone().into()) }
                </dl>
            }
            if expiry.status == SessionStatus::Pending {
                { quiet_button("check", context.text(Text::WaitingCheckOutcome)) }
            }
            if let Some(session) = &expiry.session {
                { return_link(session, context) }
            }
        </div>
    }
}
