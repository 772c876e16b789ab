//! The receipt of a payment or a refund: to print, to copy, or to send to the payer in a chat.

use super::{
    chat,
    error::DashboardError,
    formats,
    language::Language,
    money::Cedis,
    payment::{self, PathValues},
    settings,
    state::DashboardState,
    texts, views,
    visitor::Visitor,
};
use axum::{extract::State, response::Response};
use fluent_bundle::FluentArgs;
use jiff::Timestamp;
use minijinja::{Value, context};
use tua_contract::{Amount, Status};
use tua_domain::{Event, Mode, TransactionOrder, privacy::erased_phone};
use tua_use_cases::TransactionRecord;

/// `GET /payments/{id}/receipt`: of a charge that was paid or a refund whose money came back, and
/// whose outcome the operator does not contradict. No other payment has one.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let payment = payment::find(&state, &visitor, &path).await?;
    if !payment.has_receipt() {
        return Err(DashboardError::NotFound);
    }
    let order = &payment.order;
    let language = visitor.person.language;
    let phone = Some(&order.transfer.phone).filter(|phone| **phone != erased_phone());
    let record = state.transaction_records.record(&order.id).await?;
    let record = record.ok_or(DashboardError::NotFound)?;
    let paid_at = paid_at(&record).unwrap_or(payment.updated_at);
    let paid = payment.settled_amount.unwrap_or(order.price.payer_pays);
    let message = message(language, &visitor.account.name, paid, paid_at, order);
    let values = context! {
        payment => views::transaction(&payment),
        is_refund => order.refund.is_some(),
        refunded => refunded_charge(&state, &visitor, order).await?,
        paid => views::cedis(paid.pesewas()),
        paid_at => paid_at.to_string(),
        phone => phone.map(|phone| phone.as_str()),
        is_test => visitor.scope.mode == Mode::Test,
        logo => settings::logo_address(&visitor),
        whatsapp => phone.map(|phone| chat::whatsapp(Some(phone), &message)),
        sms => phone.map(|phone| chat::sms(phone, &message)),
        message,
    };
    Ok(visitor.page("receipt.html", values))
}

/// The charge whose money a refund returned, as lists show it; `None` for a charge.
async fn refunded_charge(
    state: &DashboardState,
    visitor: &Visitor,
    order: &TransactionOrder,
) -> Result<Option<Value>, DashboardError> {
    let Some(refund) = &order.refund else { return Ok(None) };
    let found = state.transaction_records.find_in(&visitor.scope, &refund.charge).await?;
    Ok(found.as_ref().map(views::transaction))
}

/// When the operator reported the success, or a review decided it.
fn paid_at(record: &TransactionRecord) -> Option<Timestamp> {
    let is_success = |event: &Event| match event {
        Event::Moved(state, _) => state.status() == Status::Successful,
        _ => false,
    };
    record.events.iter().find(|(_, event)| is_success(event)).map(|(at, _)| *at)
}

/// The receipt in one line, for a chat.
fn message(
    language: Language,
    account: &str,
    paid: Amount,
    paid_at: Timestamp,
    order: &TransactionOrder,
) -> String {
    let mut arguments = FluentArgs::new();
    arguments.set("account", account);
    arguments.set("amount", Cedis::of(paid).signed(language));
    arguments.set("at", formats::whole_time(language, paid_at).unwrap_or_default());
    arguments.set("reference", order.reference.as_str());
    let key = if order.refund.is_some() { "receipt-refund-message" } else { "receipt-message" };
    texts::text(language, key, &arguments).unwrap_or_default()
}
