//! The final orders of one operator as a statement.
//!
//! MTN, Paystack and Hubtel offer files in their portals whose columns they do not publish. So the
//! file has the columns that pawaPay documents for its own statements.

use crate::{
    operator::Operator,
    order::Order,
    orders::Orders,
    phase::{Kind, Phase},
    wire::{pesewas_text, rfc3339},
};

/// The columns, which every file has in its first line.
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

/// All final orders of an operator, oldest first; `None` if the file cannot be written.
/// `referenced` returns the order whose reference the line of an order has.
pub(crate) fn csv<'a>(
    orders: &'a Orders,
    operator: Operator,
    referenced: impl Fn(&'a Order) -> &'a Order,
) -> Option<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).ok()?;
    for order in
        orders.iter().filter(|order| order.new.operator == operator && order.phase.is_final())
    {
        writer.write_record(row(order, referenced(order))).ok()?;
        // The line of the money that came back.
        if order.phase == Phase::Reversed {
            let mut reversal = row(order, referenced(order));
            "REVERSED".clone_into(&mut reversal[2]);
            writer.write_record(reversal).ok()?;
        }
    }
    writer.into_inner().ok()
}

/// The line of an order, with the reference of another one where it has none of its own.
fn row(order: &Order, referenced: &Order) -> [String; 8] {
    let kind = match order.new.kind {
        Kind::Charge => "DEPOSIT",
        Kind::Payout => "PAYOUT",
        Kind::Refund => "REFUND",
    };
    let is_failed = matches!(order.phase, Phase::Failed(_));
    [
        referenced.new.reference.clone(),
        kind.to_owned(),
        if is_failed { "FAILED" } else { "COMPLETED" }.to_owned(),
        order.new.currency.clone(),
        pesewas_text(order.new.amount.pesewas()),
        rfc3339(order.created),
        rfc3339(order.updated),
        order.serial.to_string(),
    ]
}
