//! The sandbox's statements: its orders whose money has moved, in the columns that pawaPay
//! documents (docs/reference/statements.md#columns).

use super::{
    orders::{Decision, Received},
    script::Script,
};
use jiff::{SignedDuration, Timestamp};
use std::{fmt::Write as _, ops::Range};
use tua_contract::lifecycle::Observation;
use tua_domain::{Kind, ports::ReadError, statement::period::StatementPeriod};

/// The most orders of which a statement is made.
pub(super) const MAX_ORDERS: u32 = 50_000;

/// How long before a period its orders may have been received: a prompt waits for its payer.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(24);

const HEADER: &str = "Transaction ID,Transaction Type,Status,Currency,Amount,Completed At,Provider";

/// When the orders were received that may have lines in the statement of a period.
pub(super) fn received_in(period: &StatementPeriod) -> Range<Timestamp> {
    let start = period.start();
    start.checked_sub(LONGEST_WAIT).unwrap_or(start)..period.end()
}

/// The file with the orders of a period whose money has moved by now, oldest first. `orders` are in
/// the order in which they were received.
///
/// # Errors
/// There are more than 50,000 orders.
pub(super) fn write(
    script: Script,
    orders: &[Received],
    period: &StatementPeriod,
    now: Timestamp,
) -> Result<Vec<u8>, ReadError> {
    if orders.len() > MAX_ORDERS as usize {
        return Err(ReadError::Unanswered(format!(
            "these days have more than {MAX_ORDERS} orders; fetch fewer days"
        )));
    }
    let days = period.start()..period.end();
    let mut lines: Vec<(Timestamp, &Received)> =
        orders.iter().filter_map(|one| Some((moved_at(script, one, now)?, one))).collect();
    lines.retain(|(at, _)| days.contains(at));
    lines.sort_by_key(|(at, _)| *at);
    let mut file = format!("{HEADER}\n");
    for (at, received) in lines {
        let transfer = &received.order.transfer;
        let pesewas = transfer.amount.pesewas();
        // Writing to a text cannot fail.
        let _ = writeln!(
            file,
            "{},{},COMPLETED,GHS,{}.{:02},{at},{}",
            received.order.reference,
            transaction_type(received),
            pesewas / 100,
            pesewas % 100,
            transfer.network.as_str(),
        );
    }
    Ok(file.into_bytes())
}

/// When the money of an order moved; `None` where it has not by now. Without a decision on the
/// phone it is when nothing more was needed from the payer, so that a line is the same at every
/// speed of the sandbox.
#[must_use]
pub fn moved_at(script: Script, received: &Received, now: Timestamp) -> Option<Timestamp> {
    let at = match received.decided {
        Some((Decision::Approve, at)) => at,
        Some((Decision::Decline, _)) | None => received.code_accepted_at.unwrap_or(received.at),
    };
    let status = script.stands_at(received, now);
    let has_moved = matches!(status, Observation::Succeeded | Observation::Reversed) && at <= now;
    has_moved.then_some(at)
}

const fn transaction_type(received: &Received) -> &'static str {
    match received.order.transfer.kind {
        Kind::Charge => "DEPOSIT",
        Kind::Payout if received.is_refund => "REFUND",
        Kind::Payout => "PAYOUT",
    }
}

#[cfg(test)]
mod tests;
