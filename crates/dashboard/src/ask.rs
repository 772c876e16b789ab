//! The page on which a person of the shop asks a payer for money.

use super::{
    ask_form::AskForm,
    asking::{self, AskPage, Asked},
    error::{DashboardError, redirect},
    fields::Fields,
    money_form::Faults,
    payment::PathValues,
    state::DashboardState,
    till_charges,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::HeaderMap,
    response::Response,
};
use minijinja::context;
use serde::Deserialize;
use tua_contract::Amount;
use tua_domain::people::Permission;

const PAGE: AskPage = AskPage::Dashboard;

/// How many charges of the day the page lists.
const LISTED: u32 = 10;

/// The query of `GET /ask`.
#[derive(Debug, Deserialize)]
pub(super) struct AskQuery {
    /// The charge that the form is filled in like.
    #[serde(default)]
    again: String,
    /// The amount that the form is filled in with, in cedis.
    #[serde(default)]
    amount: String,
}

/// `GET /ask`: the form, and the newest charges of the day.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    headers: HeaderMap,
    Query(AskQuery { again, amount }): Query<AskQuery>,
) -> Result<Response, DashboardError> {
    let mut form = asking::form_like(&state, &visitor, &again).await?;
    if Amount::parse(&amount).is_ok() {
        form = form.with_amount(amount);
    }
    page(&state, &visitor, &headers, &form, &Faults::default()).await
}

/// The page with the newest charges of the day: of the whole shop for people who read payments, and
/// of this browser for everybody else.
async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    headers: &HeaderMap,
    form: &AskForm,
    faults: &Faults,
) -> Result<Response, DashboardError> {
    let charges = if visitor.may(Permission::ReadPayments) {
        state.day_charges.newest(&visitor.scope, None, LISTED).await?
    } else {
        till_charges::newest(state, visitor, headers, None).await?
    };
    Ok(PAGE.show(state, visitor, form, faults, &charges, context! {}))
}

/// `POST /ask`: the payer gets a prompt.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    visitor: Visitor,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = AskForm::of(&fields);
    let response = begin_once(&state, &visitor, &headers, form.clone()).await;
    form.repeatable(PAGE.path()).or_form_again(&visitor, response)
}

async fn begin_once(
    state: &DashboardState,
    visitor: &Visitor,
    headers: &HeaderMap,
    form: AskForm,
) -> Result<Response, DashboardError> {
    match asking::begin(state, visitor, form).await? {
        Asked::Begun(id) => {
            let followed = redirect(&visitor.href(&format!("{}/{id}", PAGE.path())));
            Ok(till_charges::keep(state, headers, &id, followed))
        }
        Asked::Refused(form, faults) => page(state, visitor, headers, &form, &faults).await,
    }
}

/// `GET /ask/{id}`: what became of a charge.
pub(super) async fn follow(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    PAGE.follow(&state, &visitor, &path).await
}

/// `POST /ask/{id}/code`: the code that the payer has told.
pub(super) async fn submit_code(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    PAGE.submit_code(&state, &visitor, &path, &fields).await
}
