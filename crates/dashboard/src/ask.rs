//! The page on which a person of the shop asks a payer for money.

use super::{
    ask_form::AskForm,
    asking::{self, AskPage, Asked},
    error::{DashboardError, redirect},
    fields::Fields,
    money_form::Faults,
    payment::PathValues,
    state::DashboardState,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    response::Response,
};
use minijinja::context;
use serde::Deserialize;
use tua_contract::Amount;

const PAGE: AskPage = AskPage::Dashboard;

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
    Query(AskQuery { again, amount }): Query<AskQuery>,
) -> Result<Response, DashboardError> {
    let mut form = asking::form_like(&state, &visitor, &again).await?;
    if Amount::parse(&amount).is_ok() {
        form = form.with_amount(amount);
    }
    PAGE.show(&state, &visitor, &form, &Faults::default(), context! {}).await
}

/// `POST /ask`: the payer gets a prompt.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = AskForm::of(&fields);
    let response = begin_once(&state, &visitor, form.clone()).await;
    form.repeatable(PAGE.path()).or_form_again(&visitor, response)
}

async fn begin_once(
    state: &DashboardState,
    visitor: &Visitor,
    form: AskForm,
) -> Result<Response, DashboardError> {
    match asking::begin(state, visitor, form).await? {
        Asked::Begun(id) => Ok(redirect(&visitor.href(&format!("{}/{id}", PAGE.path())))),
        Asked::Refused(form, faults) => {
            PAGE.show(state, visitor, &form, &faults, context! {}).await
        }
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
