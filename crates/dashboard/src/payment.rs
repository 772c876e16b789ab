//! A payment: what happened, why it waits, and what can be done.

use super::{
    confirmation::is_confirmed,
    decisions::{Verb, about_payout},
    error::{DashboardError, redirect},
    fields::Fields,
    journey, link_answers,
    notice::Notice,
    refund_form::{self, RefundForm},
    repeated_charges,
    review_form::ReviewForm,
    state::DashboardState,
    timeline, views,
    visitor::Visitor,
};
use axum::{
    extract::{Path, Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::{Value, context};
use std::collections::HashMap;
use tua_contract::{FailureCode, State as PaymentState};
use tua_domain::{
    BatchId, Kind, Transaction, TransactionId, approval::PayoutDecision, exchange::Exchange,
    ledger::known_fee_pesewas, ports::ReviewError, reporting::ReportFilter,
};
use tua_use_cases::{AskedRefund, TransactionDetails, payees::typed_name};

/// The values of the page besides the payment: the notice of an action, or a refused form.
#[derive(Default)]
struct PaymentPage {
    notice: &'static str,
    fault: &'static str,
    review: ReviewForm,
    refund_fault: &'static str,
    refund: RefundForm,
}

/// The parameters of a path.
pub(super) type PathValues = Path<HashMap<String, String>>;

/// `GET /payments/{id}`: one payment with its history, and the actions that it permits.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    Query(notice): Query<Notice>,
) -> Result<Response, DashboardError> {
    let transaction = find(&state, &visitor, &path).await?;
    let notice = notice.key_while(transaction.state.is_final());
    let values = PaymentPage { notice, ..PaymentPage::default() };
    page(&state, &visitor, &transaction, values).await
}

/// `POST /payments/{id}/check`: asks the operator now. What it responds is recorded as ever.
pub(super) async fn check(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let transaction = find(&state, &visitor, &path).await?;
    state.status_queries.refresh(&transaction.order.id).await;
    Ok(redirect(&address(&visitor, &transaction, "checked")))
}

/// `POST /payments/{id}/resend`: sends the webhooks of this payment again.
pub(super) async fn resend(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let transaction = find(&state, &visitor, &path).await?;
    let by = visitor.audit(&state);
    state.transaction_records.resend_webhooks(&transaction, &by).await?;
    Ok(redirect(&address(&visitor, &transaction, "resent")))
}

/// `POST /payments/{id}/cancel`: cancels a payout that is not sent.
pub(super) async fn cancel(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let transaction = find(&state, &visitor, &path).await?;
    if !is_confirmed(&fields) {
        return Ok(about_payout(Verb::Cancel, &transaction, "").page(&visitor));
    }
    match state
        .payouts
        .decide(&transaction.order.id, PayoutDecision::Cancel, &visitor.audit(&state))
        .await
    {
        Ok(_) => Ok(redirect(&address(&visitor, &transaction, "cancelled"))),
        Err(tua_domain::approval::DecideError::Store(error)) => Err(error.into()),
        Err(_) => {
            let values = PaymentPage { fault: "fault-not-cancellable", ..PaymentPage::default() };
            page(&state, &visitor, &transaction, values).await
        }
    }
}

/// `POST /payments/{id}/settle`: decides about a flagged payment.
pub(super) async fn settle(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let transaction = find(&state, &visitor, &path).await?;
    let review = ReviewForm::of(&fields);
    let fault = match (review.read(), review.confirmation(&transaction)) {
        (Err(fault), _) | (_, Err(fault)) => fault,
        (Ok(_), Ok(question)) if !is_confirmed(&fields) => return Ok(question.page(&visitor)),
        (Ok((verdict, note)), _) => {
            let by = visitor.audit(&state);
            match state.reviews.decide(&transaction.order.id, verdict, note, &by).await {
                Ok(_) => return Ok(redirect(&address(&visitor, &transaction, "settled"))),
                Err(ReviewError::Store(error)) => return Err(error.into()),
                Err(ReviewError::SumMissing(_)) => "fault-sum-missing",
                Err(ReviewError::SumUnexpected) => "fault-sum-unexpected",
                Err(_) => "fault-not-flagged",
            }
        }
    };
    page(&state, &visitor, &transaction, PaymentPage { fault, review, ..PaymentPage::default() })
        .await
}

/// The page with the form of a refund that was refused.
pub(super) async fn refused_refund(
    state: &DashboardState,
    visitor: &Visitor,
    charge: &Transaction,
    refund: &RefundForm,
    refund_fault: &'static str,
) -> Result<Response, DashboardError> {
    page(
        state,
        visitor,
        charge,
        PaymentPage { refund: refund.clone(), refund_fault, ..PaymentPage::default() },
    )
    .await
}

/// The payment of the path, if it belongs to the account and mode of the page.
pub(super) async fn find(
    state: &DashboardState,
    visitor: &Visitor,
    path: &PathValues,
) -> Result<Transaction, DashboardError> {
    let id = TransactionId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    let found = state.transaction_records.find_in(&visitor.scope, &id).await?;
    let found = found.ok_or(DashboardError::NotFound)?;
    let is_seen = visitor.seen(ReportFilter::default()).has_type(found.order.transaction_type());
    is_seen.then_some(found).ok_or(DashboardError::NotPermitted)
}

fn address(visitor: &Visitor, transaction: &Transaction, done: &str) -> String {
    visitor.href(&format!("/payments/{}?done={done}", transaction.order.id))
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    transaction: &Transaction,
    values: PaymentPage,
) -> Result<Response, DashboardError> {
    let PaymentPage { notice, fault, review, refund_fault, refund } = values;
    let details = state.transaction_records.details(transaction).await?;
    let TransactionDetails { refunds, times, actions, .. } = &details;
    let values = context! {
        payment => views::transaction(transaction),
        repeated => repeated_charges::marked(state, visitor, transaction).await?,
        failure => failure(state, transaction),
        is_changing => std::iter::once(transaction)
            .chain(refunds.iter().map(|one| &one.refund))
            .any(|one| !one.state.is_final()),
        waiting => timeline::waiting(transaction, times, not_sent(state, visitor, transaction)),
        stations => journey::stations(transaction, &details.events),
        seen => seen_by_payer(state, visitor, transaction),
        events => timeline::events(&details.events, refunds),
        exchanges => details.exchanges.iter().map(exchange).collect::<Vec<_>>(),
        deliveries => details.deliveries.iter().map(views::delivery).collect::<Vec<_>>(),
        can_check => actions.can_check,
        can_cancel => actions.can_cancel,
        can_decide => actions.can_approve,
        batch => transaction.order.batch.as_ref().map(BatchId::as_str),
        is_flagged => actions.can_review,
        has_receipt => transaction.has_receipt(),
        failures => FailureCode::ALL.map(FailureCode::as_str),
        decision => review.show(transaction),
        refund => refund.show(transaction, refunds),
        refund_fault,
        refunds => refunds.iter().map(|one| refund_form::row(&one.refund)).collect::<Vec<_>>(),
        money => money(transaction, refunds),
        typed_name => typed_name(&transaction.order),
        question => link_answers::question(state, &transaction.order).await?,
        refund_of => transaction.order.refund.as_ref().map(|of| of.charge.as_str()),
        notice,
        fault,
    };
    let status = if fault.is_empty() && refund_fault.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    Ok(visitor.page_with(status, "payment.html", values))
}

/// What the payer of a charge saw on the phone: whose request it was, and the text for one who sees
/// no prompt, which the operator may give. `None` where nobody was asked.
fn seen_by_payer(
    state: &DashboardState,
    visitor: &Visitor,
    transaction: &Transaction,
) -> Option<Value> {
    let order = &transaction.order;
    if order.transfer.kind != Kind::Charge || transaction.handed_over_at.is_none() {
        return None;
    }
    let operators = &state.networks.operators;
    let entry = transaction.operator.as_ref().and_then(|pin| operators.entry_of(pin));
    let instructions =
        entry.map(|entry| entry.operator.prompt_instructions(order.transfer.network));
    let language = visitor.person.language.code();
    let given = instructions.as_ref().and_then(|texts| texts.text(language));
    Some(context! {
        shop => &visitor.account.name,
        amount => views::cedis(order.price.payer_pays.pesewas()),
        message => &order.details.payer_message,
        instructions => given,
    })
}

/// What a successful transaction moved: the sum, the operator's fee, what was refunded, and what is
/// left of it. While the fee is unknown, that is before fees.
fn money(transaction: &Transaction, refunds: &[AskedRefund]) -> Option<Value> {
    if transaction.state != PaymentState::Successful {
        return None;
    }
    let price = &transaction.order.price;
    let gross = transaction.settled_amount.unwrap_or(price.payer_pays).pesewas();
    let known = known_fee_pesewas(transaction);
    let fee = known.or(price.fee_pesewas);
    let returned = refunds
        .iter()
        .map(|one| &one.refund)
        .filter(|refund| refund.state == PaymentState::Successful);
    let refunded: i64 = returned.map(|one| one.order.transfer.amount.pesewas()).sum();
    let is_charge = transaction.order.transfer.kind == Kind::Charge;
    let known_fee = fee.unwrap_or_default();
    let net = if is_charge { gross - known_fee - refunded } else { gross + known_fee };
    Some(context! {
        gross => views::cedis(gross),
        fee => fee.map(views::cedis),
        fee_sign => fee_sign(known_fee, is_charge),
        is_fee_known => known.is_some(),
        refunded => is_charge.then(|| views::cedis(refunded)),
        is_refunded => refunded > 0,
        net => views::cedis(net),
    })
}

/// The sign of a fee: it lessens what a charge brings, and adds to what a payout costs.
const fn fee_sign(fee_pesewas: i64, is_charge: bool) -> &'static str {
    match fee_pesewas {
        0 => "",
        _ if is_charge => "−",
        _ => "+",
    }
}

/// What the page says about a failure besides its texts: whether the operator contradicts it, and
/// the page that explains it.
fn failure(state: &DashboardState, transaction: &Transaction) -> Option<Value> {
    let PaymentState::Failed(code) = transaction.state else { return None };
    Some(context! {
        is_contradicted => transaction.conflict.is_some(),
        page => format!("{}/docs/failures/{}", state.payer_url, code.as_str()),
    })
}

/// The key of the text that says why a transaction is not sent yet.
fn not_sent(state: &DashboardState, visitor: &Visitor, transaction: &Transaction) -> &'static str {
    let operators = &state.networks.operators;
    let is_unserved =
        transaction.operator.as_ref().is_some_and(|pin| operators.entry_of(pin).is_none());
    match visitor.account.suspended_at {
        Some(_) => "waiting-suspended",
        None if is_unserved => "waiting-unserved-unsent",
        None => "waiting-send",
    }
}

fn exchange(exchange: &Exchange) -> Value {
    context! {
        at => exchange.at.to_string(),
        operator => &exchange.operator,
        method => &exchange.method,
        path => &exchange.path,
        http_status => exchange.status,
        is_callback => exchange.is_callback(),
        duration_ms => exchange.duration_ms,
        request => &exchange.request,
        response => &exchange.response,
    }
}
