//! Values of the domain as the templates show them.

use super::money::Cedis;
use minijinja::{Value, context};
use tua_contract::State;
use tua_domain::{
    CheckoutId, Kind, Transaction, TransactionOrder,
    file_lines::LineCounts,
    payout_batch::BatchSummary,
    transfer::{Note, NoteAudience},
    wallet_tiers::TierWarning,
    webhook::Delivery,
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

/// A sum in cedis, with two decimals, as the language of the page writes it.
pub(super) fn cedis(pesewas: i64) -> Value {
    Cedis::value(pesewas)
}

/// The sign of the amount in lists: of money that comes in or goes out; none for money that does
/// not move.
fn sign(transaction: &Transaction) -> &'static str {
    match (&transaction.state, transaction.order.transfer.kind) {
        (State::Failed(_), _) => "",
        (State::Pending(_) | State::Successful, Kind::Charge) => "+",
        (State::Pending(_) | State::Successful, Kind::Payout) => "−",
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
        is_moved => transaction.state == State::Successful,
        status => transaction.state.status().as_str(),
        next_action => transaction.state.next_action(),
        failure,
        amount => cedis(order.transfer.amount.pesewas()),
        payer_pays => (order.payers_fee_pesewas() != 0)
            .then(|| cedis(order.price.payer_pays.pesewas())),
        expected_fee => order.price.fee_pesewas.map(cedis),
        refunded => (transaction.refunds.returned > 0)
            .then(|| cedis(transaction.refunds.returned)),
        is_refunded => transaction.refunds.returned >= order.transfer.amount.pesewas(),
        settled => transaction.settled_amount.map(|sum| cedis(sum.pesewas())),
        network => order.transfer.network.as_str(),
        phone => order.transfer.phone.as_str(),
        email => &order.details.email,
        reference => &order.reference,
        checkout => order.checkout.as_ref().map(CheckoutId::as_str),
        notes => notes(order),
        payee_note => &order.details.payee_note,
        metadata => &order.details.metadata,
        answer => &order.details.answer,
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

/// The notes of a transaction, each with the key of what it is.
fn notes(order: &TransactionOrder) -> Vec<Value> {
    order.notes().iter().map(|one| note(order, one)).collect()
}

/// One note of a transaction, with the key of what it is.
pub(super) fn note(order: &TransactionOrder, note: &Note<'_>) -> Value {
    let key = match note.audience {
        NoteAudience::Payer => "note-payer",
        NoteAudience::Recipient => "note-recipient",
        NoteAudience::Shop if order.refund.is_some() => "note-reason",
        NoteAudience::Shop => "note-private",
    };
    context! { key, text => note.text }
}

/// A row of the list of batches.
pub(super) fn batch(batch: &BatchSummary) -> Value {
    context! {
        id => batch.id.as_str(),
        reference => &batch.reference,
        created_at => batch.created_at.to_string(),
        count => batch.count,
        pending => batch.pending,
        failed => batch.failed.saturating_sub(batch.not_approved),
        not_approved => batch.not_approved,
        successful => batch.count - batch.pending.min(batch.count) - batch.failed,
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
        response => last.and_then(|last| last.response.as_deref()),
    }
}
