//! `/statement.csv?operator=NAME`: the orders of one operator as a statement.
//!
//! MTN, Paystack and Hubtel offer files in their portals whose columns they do not publish. So the
//! file has the columns that pawaPay documents for its own statements.

use crate::{
    operator::Operator,
    order::Order,
    orders::Orders,
    pawapay,
    phase::{Kind, Phase},
    state::Shared,
    wire::{pesewas_text, rfc3339},
};
use axum::{
    extract::{Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

/// The columns.
const COLUMNS: [&str; 8] = [
    "Transaction ID",
    "Transaction Type",
    "Status",
    "Currency",
    "Amount",
    "Created At",
    "Completed At",
    "Provider Transaction ID",
];

/// The operator whose statement is asked for.
#[derive(Debug, Deserialize)]
pub(crate) struct Selection {
    operator: String,
}

/// `GET /statement.csv`.
pub(crate) async fn read(
    State(shared): State<Shared>,
    Query(selection): Query<Selection>,
) -> Response {
    let Some(operator) = Operator::parse(&selection.operator) else {
        let names = Operator::ALL.map(Operator::as_str).join(", ");
        return (StatusCode::NOT_FOUND, format!("There is no such operator. There are {names}.\n"))
            .into_response();
    };
    let file = match operator {
        // The same lines as those of its API.
        Operator::Pawapay => pawapay::statement_of_all(&shared),
        Operator::MtnMomo | Operator::Paystack | Operator::Hubtel => csv(&shared, operator),
    };
    match file {
        Some(file) => ([(header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present")], file)
            .into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// All final orders, oldest first.
fn csv(shared: &Shared, operator: Operator) -> Option<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).ok()?;
    let orders = shared.orders();
    for order in
        orders.iter().filter(|order| order.new.operator == operator && order.phase.is_final())
    {
        writer.write_record(row(&orders, order)).ok()?;
        // The line of the money that came back.
        if order.phase == Phase::Reversed {
            let mut reversal = row(&orders, order);
            "REVERSED".clone_into(&mut reversal[2]);
            writer.write_record(reversal).ok()?;
        }
    }
    drop(orders);
    writer.into_inner().ok()
}

/// The line of an order. Hubtel takes no reference for a refund, so its line has that of the
/// charge.
fn row(orders: &Orders, order: &Order) -> [String; 8] {
    let charge = order
        .new
        .refund_of
        .filter(|_| order.new.operator == Operator::Hubtel)
        .and_then(|id| orders.get(id));
    let reference = charge.unwrap_or(order).new.reference.clone();
    let kind = match order.new.kind {
        Kind::Charge => "DEPOSIT",
        Kind::Payout => "PAYOUT",
        Kind::Refund => "REFUND",
    };
    let is_failed = matches!(order.phase, Phase::Failed(_));
    [
        reference,
        kind.to_owned(),
        if is_failed { "FAILED" } else { "COMPLETED" }.to_owned(),
        order.new.currency.clone(),
        pesewas_text(order.new.amount.pesewas()),
        rfc3339(order.created),
        rfc3339(order.updated),
        order.serial.to_string(),
    ]
}
