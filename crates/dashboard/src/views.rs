//! Values of the domain as the templates show them.

use minijinja::{Value, context};
use tua_contract::State;
use tua_domain::{
    CheckoutId, Kind, Transaction, file_lines::LineCounts, payout_batch::BatchSummary,
    wallet_tiers::TierWarning, webhook::Delivery,
};

/// The text that warns of a sum which one wallet moves in one day; empty where every wallet may.
pub(super) const fn tier_text(warning: Option<TierWarning>) -> &'static str {
    match warning {
        None => "",
        Some(TierWarning::AboveLowestLevel) => "tier-above-lowest",
        Some(TierWarning::HighestLevelOnly) => "tier-highest-only",
        Some(TierWarning::AboveEveryLevel) => "tier-above-every",
    }
}

/// What became of the lines of a file.
pub(super) fn line_counts(counts: &LineCounts) -> Value {
    context! {
        in_file => counts.in_file(),
        read => counts.read,
        left_out => counts.left_out(),
        refused => counts.refused,
    }
}

/// A sum in cedis, with two decimals and a comma between thousands: `1,234.50`.
pub(super) fn cedis(pesewas: i64) -> String {
    let sign = if pesewas < 0 { "-" } else { "" };
    let pesewas = pesewas.unsigned_abs();
    let digits = (pesewas / 100).to_string();
    let mut cedis = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            cedis.push(',');
        }
        cedis.push(digit);
    }
    format!("{sign}{cedis}.{:02}", pesewas % 100)
}

/// The sign of the amount in lists: money that came in or went out, and none for money that has not
/// moved.
fn sign(transaction: &Transaction) -> &'static str {
    match (&transaction.state, transaction.order.transfer.kind) {
        (State::Successful, Kind::Charge) => "+",
        (State::Successful, Kind::Payout) => "−",
        (State::Pending(_) | State::Failed(_), _) => "",
    }
}

/// A row of a list of transactions. The texts of status, network and failure are the template's.
pub(super) fn transaction(transaction: &Transaction) -> Value {
    let order = &transaction.order;
    let failure = match transaction.state {
        State::Failed(code) => Some(code.as_str()),
        State::Pending(_) | State::Successful => None,
    };
    context! {
        id => order.id.as_str(),
        kind => if order.refund.is_some() { "REFUND" } else { order.transfer.kind.as_str() },
        is_payout => order.transfer.kind == Kind::Payout,
        sign => sign(transaction),
        status => transaction.state.status().as_str(),
        next_action => transaction.state.next_action(),
        failure,
        amount => cedis(order.transfer.amount.pesewas()),
        payer_pays => (order.payers_fee_pesewas() != 0)
            .then(|| cedis(order.price.payer_pays.pesewas())),
        expected_fee => order.price.fee_pesewas.map(cedis),
        settled => transaction.settled_amount.map(|sum| cedis(sum.pesewas())),
        network => order.transfer.network.as_str(),
        phone => order.transfer.phone.as_str(),
        email => &order.details.email,
        reference => &order.reference,
        checkout => order.checkout.as_ref().map(CheckoutId::as_str),
        payer_message => &order.details.payer_message,
        payee_note => &order.details.payee_note,
        metadata => &order.details.metadata,
        operator => transaction.operator.as_ref().map(|pin| pin.name.as_str()),
        operator_reference => order.id.operator_reference(),
        operator_transaction_id => &transaction.details.transaction_id,
        operator_fee => transaction.details.fee_pesewas.map(cedis),
        is_final => transaction.state.is_final(),
        has_conflict => transaction.open_conflict().is_some()
            || transaction.open_dispute().is_some(),
        mismatch => transaction.mismatch.map(|mismatch| context! {
            received => mismatch.received.map(|sum| cedis(sum.pesewas())),
        }),
        created_at => transaction.created_at.to_string(),
        updated_at => transaction.updated_at.to_string(),
    }
}

/// A row of the list of batches.
pub(super) fn batch(batch: &BatchSummary) -> Value {
    context! {
        id => batch.id.as_str(),
        reference => &batch.reference,
        created_at => batch.created_at.to_string(),
        count => batch.count,
        pending => batch.pending,
        total => cedis(batch.total_pesewas),
        until => batch.approval_due.map(|at| at.to_string()),
    }
}

/// A delivery of a webhook.
pub(super) fn delivery(delivery: &Delivery) -> Value {
    let last = delivery.last.as_ref();
    context! {
        id => delivery.id.as_str(),
        endpoint => delivery.endpoint.as_str(),
        event => delivery.event_type.as_str(),
        status => delivery.status.as_str(),
        attempts => delivery.attempts,
        occurred_at => delivery.occurred_at.to_string(),
        due_at => delivery.due_at.map(|at| at.to_string()),
        attempted_at => last.map(|last| last.at.to_string()),
        http_status => last.and_then(|last| last.http_status),
        fault => last.and_then(|last| last.fault.as_deref()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        for (pesewas, text) in
            [(0, "0.00"), (5, "0.05"), (123_450, "1,234.50"), (-100_000_000, "-1,000,000.00")]
        {
            assert_eq!(cedis(pesewas), text);
        }
    }
}
