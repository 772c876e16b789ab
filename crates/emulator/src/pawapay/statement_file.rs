//! The file of a statement: one line for each final order.

use super::{
    provider::{PLATFORM, provider_code},
    status::provider_transaction_id,
};
use crate::{
    order::Order,
    phase::{Kind, Phase},
    protocol::Shared,
    wire::{pesewas_text, rfc3339, text},
};
use flate2::{Compression, write::GzEncoder};
use jiff::Timestamp;
use std::{io::Write, ops::Range};

/// The columns of a statement.
const COLUMNS: [&str; 13] = [
    "Transaction ID",
    "Transaction Type",
    "Status",
    "Currency",
    "Amount",
    "Fee",
    "Net Amount",
    "Customer Phone Number",
    "Provider",
    "Client Reference",
    "Created At",
    "Completed At",
    "Provider Transaction ID",
];

/// All final orders, as a statement of the whole time.
pub(super) fn statement_of_all(shared: &Shared) -> Option<Vec<u8>> {
    csv(shared, Timestamp::MIN..Timestamp::MAX)
}

/// The final orders that were created in a period; `None` if the file cannot be written.
pub(super) fn csv(shared: &Shared, period: Range<Timestamp>) -> Option<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).ok()?;
    let orders = shared.orders();
    let is_listed = |order: &&Order| {
        order.new.api_platform == PLATFORM
            && order.phase.is_final()
            && period.contains(&order.created)
    };
    for order in orders.iter().filter(is_listed) {
        writer.write_record(row(order)).ok()?;
        // The line of the money that came back.
        if order.phase == Phase::Reversed {
            let mut reversal = row(order);
            "REVERSED".clone_into(&mut reversal[2]);
            writer.write_record(reversal).ok()?;
        }
    }
    drop(orders);
    writer.into_inner().ok()
}

fn row(order: &Order) -> [String; 13] {
    let is_completed = matches!(order.phase, Phase::Successful | Phase::Reversed);
    let pesewas = order.new.amount.pesewas();
    // 2 % of deposits and 1 % of payouts; refunds are free.
    let (operation, fee, sign) = match order.new.kind {
        Kind::Charge => ("DEPOSIT", pesewas / 50, 1),
        Kind::Payout => ("PAYOUT", pesewas / 100, -1),
        Kind::Refund => ("REFUND", 0, -1),
    };
    let fee = if is_completed { fee } else { 0 };
    let net = if is_completed { sign * pesewas - fee } else { 0 };
    [
        order.new.reference.clone(),
        operation.to_owned(),
        if is_completed { "COMPLETED" } else { "FAILED" }.to_owned(),
        order.new.currency.clone(),
        pesewas_text(pesewas),
        pesewas_text(fee),
        pesewas_text(net),
        order.new.phone.clone(),
        order.new.network.map(provider_code).unwrap_or_default().to_owned(),
        text(&order.new.request, "clientReferenceId").to_owned(),
        rfc3339(order.created),
        rfc3339(order.updated),
        provider_transaction_id(order).unwrap_or_default(),
    ]
}

/// A file in the format of gzip; `None` if it cannot be compressed.
pub(super) fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
