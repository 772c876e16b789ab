//! The page's forms.

use super::{
    order_view::DECISIONS,
    render::show,
    rule_form::RuleForm,
    selection::{Selection, address},
    view,
};
use crate::{
    chaos::Rule,
    control::Chosen,
    decision::Decision,
    lifecycle,
    phase::{Failure, Kind},
    protocol::Shared,
};
use axum::{
    Form,
    extract::{FromRequestParts, Path, Query, State},
    http::{StatusCode, request::Parts},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;

/// A form that the page itself sent. Another site's form, in the same browser, is refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct SameOrigin;

impl FromRequestParts<Shared> for SameOrigin {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, StatusCode> {
        let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let site =
            header("sec-fetch-site").is_none_or(|site| site == "same-origin" || site == "none");
        let host = header("host").unwrap_or_default();
        let origin = header("origin").is_none_or(|origin| {
            origin.split_once("://").is_some_and(|(_, authority)| authority == host)
        });
        if site && origin { Ok(Self) } else { Err(StatusCode::FORBIDDEN) }
    }
}

fn back(selection: &Selection, anchor: &str) -> Response {
    Redirect::to(&format!("{}{anchor}", address(selection))).into_response()
}

/// A mistake in a form.
fn mistake(message: &str) -> Response {
    let escaped = message.replace('&', "&amp;").replace('<', "&lt;");
    let page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Not possible</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" \
         href=\"/page.css\"></head>\
         <body><main><h1>Not possible</h1><p>{escaped}</p><p><a href=\"/\">Back to the \
         orders</a></p></main></body></html>"
    );
    (StatusCode::UNPROCESSABLE_ENTITY, Html(page)).into_response()
}

/// The button of an order.
#[derive(Debug, Deserialize)]
pub(super) struct DecisionForm {
    decision: String,
}

/// `POST /orders/{id}/decide`: applies a decision to an order.
pub(super) async fn decide(
    _: SameOrigin,
    State(shared): State<Shared>,
    Path(id): Path<usize>,
    Query(selection): Query<Selection>,
    Form(form): Form<DecisionForm>,
) -> Response {
    let decision = DECISIONS.into_iter().find(|(name, _, _)| *name == form.decision);
    let Some((_, _, decision)) = decision else { return mistake("There is no such decision.") };
    let is_charge = shared.order(id).is_some_and(|order| order.new.kind == Kind::Charge);
    let decision = match decision {
        Decision::Decline(_) if !is_charge => Decision::Decline(Failure::Refused),
        decision => decision,
    };
    match lifecycle::decide(&shared, id, decision) {
        Ok(()) => back(&selection, &format!("#order-{id}")),
        Err(error) => mistake(&error.to_string()),
    }
}

/// `POST /chaos`: adds a rule of faults, or shows why it is refused.
pub(super) async fn add_rule(
    _: SameOrigin,
    State(shared): State<Shared>,
    Query(selection): Query<Selection>,
    Form(form): Form<RuleForm>,
) -> Response {
    let mut text = format!("{}/{}={}", form.operator, form.call, form.fault);
    for (before, value) in [(":", &form.duration), (",times=", &form.times), (",for=", &form.lasts)]
    {
        if !value.trim().is_empty() {
            text.push_str(before);
            text.push_str(value.trim());
        }
    }
    match text.parse::<Rule>() {
        Ok(rule) => {
            shared.chaos.add(rule, shared.clock.now());
            back(&selection, "#faults")
        }
        Err(error) => {
            let page =
                view::Page::new(&shared, selection).with_refused_rule(form, error.to_string());
            show(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
    }
}

/// `POST /chaos/{id}/remove`: removes one rule of faults.
pub(super) async fn remove_rule(
    _: SameOrigin,
    State(shared): State<Shared>,
    Path(id): Path<u64>,
    Query(selection): Query<Selection>,
) -> Response {
    shared.chaos.remove(id);
    back(&selection, "#faults")
}

/// `POST /chaos/clear`: removes all rules of faults.
pub(super) async fn clear_rules(
    _: SameOrigin,
    State(shared): State<Shared>,
    Query(selection): Query<Selection>,
) -> Response {
    shared.chaos.clear();
    back(&selection, "#faults")
}

/// `POST /controls/{operator}`: changes what an operator alone offers.
pub(super) async fn apply_control(
    _: SameOrigin,
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Query(selection): Query<Selection>,
    Form(form): Form<Vec<(String, String)>>,
) -> Response {
    let named = shared.protocols().iter().find(|one| one.operator().as_str() == name);
    let Some(protocol) = named else { return mistake("There is no such operator.") };
    match protocol.apply(&shared, &Chosen(form)) {
        Ok(()) => back(&selection, &format!("#{name}")),
        Err(fault) => mistake(fault),
    }
}
