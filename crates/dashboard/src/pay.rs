//! Pays one recipient: the form, the page that says what would be sent to whom, and the payout.

use super::{
    error::{DashboardError, redirect},
    fields::Fields,
    float_warning,
    money_form::{self, Faults, grouped},
    pay_form::PayForm,
    payees, recipient_names,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::StatusCode,
    response::Response,
};
use minijinja::context;
use serde::Deserialize;
use tua_contract::Network;
use tua_domain::{
    BatchId, Kind, TransactionId,
    idempotency::{IdempotencyKey, RepeatError},
    instruction::Instruction,
    payout_batch::{AskedBy, NewBatch},
    ports::BeginError,
    wallet_tiers::TierWarning,
};
use tua_use_cases::BatchRequest;

/// How many people who were paid before the page lists.
const LISTED_PAYEES: usize = 12;

/// The query of `GET /payouts/new`.
#[derive(Debug, Deserialize)]
pub(super) struct PayQuery {
    /// An earlier payout: the form is for its recipient.
    #[serde(default)]
    to: String,
}

/// `GET /payouts/new`: the form, and the people who were paid before.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(PayQuery { to }): Query<PayQuery>,
) -> Result<Response, DashboardError> {
    let payee = match to.as_str() {
        "" => None,
        payout => state.payees.find(&visitor.scope, &TransactionId::new(payout)).await?,
    };
    let form = payee.map(|payee| PayForm::to(payee, visitor.person.language)).unwrap_or_default();
    form_page(&state, &visitor, &form, &Faults::default()).await
}

/// `POST /payouts/new`: shows what would be sent to whom, and asks. Nothing is begun.
pub(super) async fn check(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = PayForm::of(&fields);
    if !fields.get("change").is_empty() {
        return form_page(&state, &visitor, &form, &Faults::default()).await;
    }
    match form.read() {
        Ok((payout, _)) => question(&state, &visitor, &form, payout).await,
        Err(faults) => form_page(&state, &visitor, &form, &faults).await,
    }
}

/// `POST /payouts/new/confirm`: the payout is begun. The same form pays once, however often it is
/// sent.
pub(super) async fn confirm(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = PayForm::of(&fields);
    let response = match form.read() {
        Ok((payout, key)) => begin(&state, &visitor, form.clone(), payout, key).await,
        Err(faults) => form_page(&state, &visitor, &form, &faults).await,
    };
    form.repeatable().or_form_again(&visitor, response)
}

async fn begin(
    state: &DashboardState,
    visitor: &Visitor,
    form: PayForm,
    payout: Instruction,
    key: IdempotencyKey,
) -> Result<Response, DashboardError> {
    let by = visitor.audit(state);
    match state.payments.begin_for_person(&visitor.scope, payout, key, &by).await {
        Ok(begun) => {
            let id = &begun.value.order.id;
            Ok(redirect(&visitor.href(&format!("/payments/{id}?done=payout-begun"))))
        }
        Err(error @ BeginError::Repeat(RepeatError::KeyReused)) => {
            form_page(state, visitor, &form.with_new_key(), &Faults::of_begin(error)?).await
        }
        Err(error) => form_page(state, visitor, &form, &Faults::of_begin(error)?).await,
    }
}

async fn form_page(
    state: &DashboardState,
    visitor: &Visitor,
    form: &PayForm,
    faults: &Faults,
) -> Result<Response, DashboardError> {
    let newest = state.payees.recent(&visitor.scope, LISTED_PAYEES).await?;
    let values = context! {
        networks => money_form::networks(state, visitor, Kind::Payout),
        prefixes => money_form::prefixes(),
        fields => faults.fields(form.typed()),
        fault => faults.of_form(),
        has_faults => !faults.is_empty(),
        key => form.key().or_new(),
        payees => newest.iter().map(payees::row).collect::<Vec<_>>(),
    };
    let status = if faults.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    Ok(visitor.page_with(status, "pay.html", values))
}

/// The page that says verb, sum and person, with everything that speaks against it.
async fn question(
    state: &DashboardState,
    visitor: &Visitor,
    form: &PayForm,
    payout: Instruction,
) -> Result<Response, DashboardError> {
    let transfer = payout.transfer.clone();
    let checked = state.batches.check(&batch_of_one(visitor, payout)).await?;
    let faults = match (&visitor.account.suspended_at, checked.unroutable.first()) {
        (Some(_), _) => Faults::of_begin(BeginError::AccountSuspended)?,
        (None, Some((_, error))) => Faults::of_route(error),
        (None, None) => {
            checked.check.limit_exceeded.as_ref().map(Faults::of_limit).unwrap_or_default()
        }
    };
    if !faults.is_empty() {
        return form_page(state, visitor, form, &faults).await;
    }
    let pesewas = transfer.amount.pesewas();
    let fee = checked.fees_pesewas();
    let payouts = [(&transfer, form.name.as_str())];
    let recipient = recipient_names::name_values(state, visitor, &payouts).await.pop().flatten();
    let number = grouped(&transfer.phone);
    let payee = if form.name.is_empty() { &number } else { &form.name };
    let has_other_prefix =
        Network::hinted_by(&transfer.phone).is_some_and(|hinted| hinted != transfer.network);
    let repeats = checked.check.warnings.iter().map(|one| one.earlier.as_str().to_owned());
    let repeats: Vec<String> = repeats.collect();
    let hidden = form.hidden().into_iter();
    let hidden: Vec<Vec<String>> =
        hidden.map(|(name, value)| vec![name.to_owned(), value.to_owned()]).collect();
    let values = context! {
        amount => views::cedis(pesewas),
        payee,
        number,
        network => transfer.network.as_str(),
        has_other_prefix,
        name => &form.name,
        recipient,
        fee => fee.map(views::cedis),
        total => fee.map(|fee| views::cedis(pesewas + fee)),
        message => &form.message,
        note => &form.note,
        repeats,
        tier => views::tier_text(TierWarning::about(pesewas)),
        shortages => float_warning::warnings(state, visitor, checked.shortages.clone()).await?,
        needs_approval => checked.check.needs_approval,
        hidden,
    };
    Ok(visitor.page("pay_confirm.html", values))
}

/// The payout as the check of batches takes it. It is never begun as one.
fn batch_of_one(visitor: &Visitor, payout: Instruction) -> NewBatch {
    let asked_by = AskedBy::Person(visitor.person.session.user.id.clone());
    let request = BatchRequest { lines: vec![payout], reference: None };
    request.into_batch(BatchId::mint(), visitor.scope.clone(), asked_by)
}
