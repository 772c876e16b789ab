//! The statements that write and read the rows of transactions and of their events.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Result, params};
use tua_contract::Amount;
use tua_domain::{
    BatchId, CheckoutId, Event, KeyId, Kind, LinkId, Transaction, TransactionId,
    language::LanguageTag, transaction::Sending,
};
use tua_sql::{
    column_values::{self, operator_columns, refund_columns},
    event_json,
    rows::{self, transaction, transaction_columns},
    sqlite::record::Record,
};

/// Appends the event that led to this version of a transaction.
pub(super) fn append(
    db: &Connection,
    id: &TransactionId,
    version: u32,
    event: &Event,
    at: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO transaction_events (transaction_id, version, at, event) VALUES \
         (?1, ?2, ?3, ?4)",
    )?
    .execute((id.as_str(), version, at.as_millisecond(), event_json::write(event)))
    .map(drop)
}

pub(super) fn insert(db: &Connection, transaction: &Transaction, sending: &Sending) -> Result<()> {
    let begun = &transaction.order;
    db.prepare_cached(
        "INSERT INTO transactions (id, account_id, mode, kind, status, next_action, amount, \
         network, phone, reference,
             checkout_id, email, metadata, payer_message, payee_note, code_attempts, version, \
         created_at, updated_at,
             handed_over_at, send_at, ask_at, key_id, needs_approval, operator, \
         operator_fingerprint,
             refund_of, refund_method, batch_id, link_id, payer_pays, expected_fee, language, \
         answer)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 0, ?16, ?17, \
         ?18, ?19, ?20, ?21, ?22,
             ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33)",
    )?
    .execute(params![
        begun.id.as_str(),
        begun.scope.account.as_str(),
        begun.scope.mode.as_str(),
        begun.transfer.kind.as_str(),
        transaction.state.status().as_str(),
        transaction.state.next_action(),
        begun.transfer.amount.pesewas(),
        begun.transfer.network.as_str(),
        begun.transfer.phone.as_str(),
        begun.reference,
        begun.checkout.as_ref().map(CheckoutId::as_str),
        begun.details.email,
        begun.details.metadata,
        begun.details.payer_message,
        begun.details.payee_note,
        transaction.version,
        transaction.created_at.as_millisecond(),
        transaction.updated_at.as_millisecond(),
        transaction.handed_over_at.map(Timestamp::as_millisecond),
        sending.send_at().map(Timestamp::as_millisecond),
        sending.first_query_at().map(Timestamp::as_millisecond),
        begun.key.as_ref().map(KeyId::as_str),
        begun.needs_approval,
        operator_columns(transaction.operator.as_ref()).0,
        operator_columns(transaction.operator.as_ref()).1,
        refund_columns(begun).0,
        refund_columns(begun).1,
        begun.batch.as_ref().map(BatchId::as_str),
        begun.link.as_ref().map(LinkId::as_str),
        column_values::payer_pays_column(begun),
        begun.price.fee_pesewas,
        begun.details.language.as_ref().map(LanguageTag::as_str),
        begun.details.answer,
    ])?;
    match sending.approval_due() {
        Some(due) => await_approval(db, &begun.id, due),
        None => Ok(()),
    }
}

/// Apart from the insert: this update has a trigger, and a trigger of the insert would cost each
/// payment a third more.
fn await_approval(db: &Connection, id: &TransactionId, due: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE transactions SET approval_due = ?2 WHERE id = ?1")?
        .execute((id.as_str(), due.as_millisecond()))
        .map(drop)
}

/// Updates the row if its version is the one before the last event; else returns `false`. While a
/// transaction is pending no indexed column changes, so no index is written. The final status also
/// ends sending and status queries. Columns with triggers are updated apart ([`store_case`]).
pub(super) fn update(db: &Connection, transaction: &Transaction) -> Result<bool> {
    macro_rules! update {
        ($final_columns:literal) => {
            concat!(
                "UPDATE transactions SET next_action = ?2, code_attempts = ?3, version = ?4,
                     updated_at = ?5, acknowledged_at = coalesce(acknowledged_at, ?6)",
                $final_columns,
                " WHERE id = ?1 AND version + 1 = ?4"
            )
        };
    }
    let state = transaction.state;
    let status = state.status().as_str();
    let failure = column_values::failure_column(transaction);
    let (sql, final_columns) = if state.is_final() {
        (
            update!(", status = ?7, failure = ?8, send_at = NULL, ask_at = NULL"),
            params![status, failure],
        )
    } else {
        (update!(""), params![])
    };
    let columns = params![
        transaction.order.id.as_str(),
        state.next_action(),
        transaction.code_attempts,
        transaction.version,
        transaction.updated_at.as_millisecond(),
        column_values::acknowledged_column(transaction).map(Timestamp::as_millisecond),
    ];
    let updated = db.prepare_cached(sql)?.execute(&*[columns, final_columns].concat())?;
    if updated > 0 && state.is_final() && transaction.order.transfer.kind == Kind::Payout {
        db.prepare_cached("UPDATE transactions SET approval_due = NULL WHERE id = ?1")?
            .execute([transaction.order.id.as_str()])?;
    }
    Ok(updated > 0)
}

/// Stores what the operator reported with an event besides the status, and what came of a case.
pub(super) fn store_report(
    db: &Connection,
    transaction: &Transaction,
    event: &Event,
) -> Result<()> {
    if !column_values::brings_report(event) {
        return Ok(());
    }
    db.prepare_cached(
        "UPDATE transactions SET operator_transaction_id = ?2, operator_order_id = ?3, \
         operator_fee = ?4 WHERE id = ?1",
    )?
    .execute(params![
        transaction.order.id.as_str(),
        transaction.details.transaction_id,
        transaction.details.order_id,
        transaction.details.fee_pesewas,
    ])?;
    if column_values::changes_case(event) { store_case(db, transaction) } else { Ok(()) }
}

/// Stores what operators have contradicted, and what reviews have decided about it. A mismatch is
/// flagged for review at once.
fn store_case(db: &Connection, transaction: &Transaction) -> Result<()> {
    let (mismatched, mismatch_received) = column_values::mismatch_columns(transaction);
    let (conflict_decision, disputed_at, dispute_decision) =
        column_values::case_columns(transaction);
    db.prepare_cached(
        "UPDATE transactions SET mismatched = ?2, mismatch_received = ?3, settled_amount = ?4,
             conflict_observed = ?5, conflict_at = ?6, conflict_decision = ?7,
             disputed_at = ?8, dispute_decision = ?9, reversed_at = ?10,
             review_at = coalesce(review_at, CASE WHEN ?2 THEN ?11 END)
         WHERE id = ?1",
    )?
    .execute(params![
        transaction.order.id.as_str(),
        mismatched,
        mismatch_received,
        transaction.settled_amount.map(Amount::pesewas),
        transaction.conflict.map(|conflict| conflict.observed.as_str()),
        transaction.conflict.map(|conflict| conflict.at.as_millisecond()),
        conflict_decision,
        disputed_at,
        dispute_decision,
        transaction.reversed_at.map(Timestamp::as_millisecond),
        transaction.updated_at.as_millisecond(),
    ])
    .map(drop)
}

/// Stores what an approval chose, that nothing waits for one, and when to send the payout. A
/// statement of its own: these columns have indexes, which the update of every other event need not
/// write.
pub(super) fn store_route(
    db: &Connection,
    transaction: &Transaction,
    send_at: Option<Timestamp>,
) -> Result<()> {
    let (operator, fingerprint) = operator_columns(transaction.operator.as_ref());
    db.prepare_cached(
        "UPDATE transactions SET approved_at = ?2, approval_due = NULL, operator = ?3, \
         operator_fingerprint = ?4,
             expected_fee = ?5, refund_method = ?6, approved_after_revocation = ?7, network = ?8,
             send_at = ?9
         WHERE id = ?1",
    )?
    .execute((
        transaction.order.id.as_str(),
        transaction.approved_at.map(Timestamp::as_millisecond),
        operator,
        fingerprint,
        transaction.order.price.fee_pesewas,
        refund_columns(&transaction.order).1,
        transaction.is_approved_after_revocation,
        transaction.order.transfer.network.as_str(),
        send_at.map(Timestamp::as_millisecond),
    ))
    .map(drop)
}

pub(super) fn by_id(db: &Connection, id: &TransactionId) -> Result<Option<Transaction>> {
    db.prepare_cached(concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions WHERE id = ?1"
    ))?
    .query_row([id.as_str()], |row| transaction(&Record::new(row)))
    .optional()
}

pub(super) fn events(db: &Connection, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>> {
    db.prepare_cached(
        "SELECT at, event FROM transaction_events WHERE transaction_id = ?1 ORDER BY version",
    )?
    .query_map([id.as_str()], |row| rows::event(&Record::new(row)))?
    .collect()
}
