//! The routes of an emulator: those of the protocols, of the page, and the lists for programs.

use crate::{order::OrderRow, page, protocol::Shared, protocols};
use axum::{
    Json, Router,
    extract::{Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// All routes, with the faults that are set on those of the protocols.
pub(crate) fn routes(shared: &Shared) -> Router {
    let routes = Router::new()
        .route("/orders", get(orders))
        .route("/requests", get(requests))
        .route("/statement.csv", get(statement))
        .merge(page::routes())
        .with_state(shared.clone());
    let protocols = shared.protocols().iter();
    protocols.fold(routes, |routes, protocol| routes.merge(protocol.clone().routes(shared)))
}

async fn orders(State(shared): State<Shared>) -> Json<Vec<OrderRow>> {
    Json(shared.orders().iter().map(OrderRow::from).collect())
}

async fn requests(State(shared): State<Shared>) -> Json<BTreeMap<String, u64>> {
    Json(shared.counters.routes().into_iter().collect())
}

/// The operator whose statement is asked for.
#[derive(Debug, Deserialize)]
struct Selection {
    operator: String,
}

/// Answers `GET /statement.csv?operator=NAME` with the final orders of one operator.
async fn statement(State(shared): State<Shared>, Query(selection): Query<Selection>) -> Response {
    let mut protocols = shared.protocols().iter();
    let named = protocols.find(|protocol| protocol.operator().as_str() == selection.operator);
    let Some(protocol) = named else {
        let names = protocols::names();
        return (StatusCode::NOT_FOUND, format!("There is no such operator. There are {names}.\n"))
            .into_response();
    };
    match protocol.statement(&shared) {
        Some(file) => ([(header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present")], file)
            .into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
