//! Transactions: appended events, and the row that is derived from them.

use super::{buckets, checkouts, idempotency, outbox};
use crate::{
    domain::{CheckoutId, Event, NewTransaction, Transaction, TransactionId, idempotency::Attempt},
    limits::KeptBucket,
    store::{
        BeginError, CountError, Due,
        columns::moment,
        event_json,
        rows::{self, transaction},
        rules,
    },
};
use jiff::Timestamp;
use rusqlite::{Connection, Error, OptionalExtension, Result, named_params};
use tua_contract::{State, lifecycle::Observation};

pub(super) fn begin(
    db: &Connection,
    new: NewTransaction,
    first_ask: Option<Timestamp>,
    attempt: Option<&Attempt>,
    prompt: Option<&KeptBucket>,
    now: Timestamp,
) -> Result<std::result::Result<Transaction, BeginError>> {
    if idempotency::is_known(db, attempt, now)? {
        return Ok(Err(BeginError::Repeated));
    }
    if let Some(checkout) = &new.checkout {
        let standing = checkouts::standing(db, checkout)?;
        if let Err(refusal) = rules::may_charge(&standing) {
            return Ok(Err(refusal));
        }
    }
    if let Err(exceeded) = buckets::take(db, prompt, now)? {
        return Ok(Err(exceeded.into()));
    }
    idempotency::remember(db, attempt, new.id.as_str(), now)?;
    let transaction = Transaction::begin(new, now);
    insert(db, &transaction, first_ask)?;
    let event = Event::Begun(Box::new(transaction.begun.clone()));
    append(db, &transaction, &event)?;
    outbox::announce(db, &transaction, &event)?;
    Ok(Ok(transaction))
}

pub(super) fn observe(
    db: &Connection,
    id: &TransactionId,
    observation: Observation,
    asked_of: u32,
    now: Timestamp,
) -> Result<(Transaction, Option<State>)> {
    let mut transaction = by_id(db, id)?.ok_or(Error::QueryReturnedNoRows)?;
    let Some(event) = transaction.weigh(observation, asked_of) else { return Ok((transaction, None)) };
    let before = transaction.state;
    take(db, &mut transaction, &event, now)?;
    Ok((transaction, Some(before)))
}

pub(super) fn count_code_attempt(
    db: &Connection,
    id: &TransactionId,
    attempt: Option<&Attempt>,
    guess: Option<&KeptBucket>,
    now: Timestamp,
) -> Result<std::result::Result<Transaction, CountError>> {
    if idempotency::is_known(db, attempt, now)? {
        return Ok(Err(CountError::Repeated));
    }
    let mut transaction = by_id(db, id)?.ok_or(Error::QueryReturnedNoRows)?;
    if transaction.code_attempts_left().is_none_or(|left| left == 0) {
        return Ok(Err(CountError::NotExpected));
    }
    if let Err(exceeded) = buckets::take(db, guess, now)? {
        return Ok(Err(exceeded.into()));
    }
    idempotency::remember(db, attempt, id.as_str(), now)?;
    take(db, &mut transaction, &Event::CodeAttempted, now)?;
    Ok(Ok(transaction))
}

pub(super) fn take(db: &Connection, transaction: &mut Transaction, event: &Event, now: Timestamp) -> Result<()> {
    transaction.take(event, now);
    append(db, transaction, event)?;
    update(db, transaction)?;
    outbox::announce(db, transaction, event)
}

fn append(db: &Connection, transaction: &Transaction, event: &Event) -> Result<()> {
    db.prepare_cached("INSERT INTO transaction_events (transaction_id, version, at, event) VALUES (?1, ?2, ?3, ?4)")?
        .execute((
            transaction.begun.id.as_str(),
            transaction.version,
            transaction.updated_at.as_millisecond(),
            event_json::write(event),
        ))
        .map(drop)
}

fn insert(db: &Connection, transaction: &Transaction, first_ask: Option<Timestamp>) -> Result<()> {
    let begun = &transaction.begun;
    db.prepare_cached(
        "INSERT INTO transactions (id, account_id, mode, kind, status, next_action, failure, amount, network, phone,
             reference, checkout_id, email, metadata, payer_message, payee_note, operator_reference, code_attempts,
             version, created_at, updated_at, ask_at)
         VALUES (:id, :account, :mode, :kind, :status, :next_action, NULL, :amount, :network, :phone,
             :reference, :checkout, :email, :metadata, :payer_message, :payee_note, :operator_reference, 0,
             :version, :created_at, :updated_at, :ask_at)",
    )?
    .execute(named_params! {
        ":id": begun.id.as_str(),
        ":account": begun.scope.account.as_str(),
        ":mode": begun.scope.mode.as_str(),
        ":kind": begun.kind.as_str(),
        ":status": transaction.state.status().as_str(),
        ":next_action": transaction.state.next_action(),
        ":amount": begun.amount.pesewas(),
        ":network": begun.network.as_str(),
        ":phone": begun.phone.as_str(),
        ":reference": begun.reference,
        ":checkout": begun.checkout.as_ref().map(CheckoutId::as_str),
        ":email": begun.email,
        ":metadata": begun.metadata,
        ":payer_message": begun.payer_message,
        ":payee_note": begun.payee_note,
        ":operator_reference": begun.operator_reference,
        ":version": transaction.version,
        ":created_at": transaction.created_at.as_millisecond(),
        ":updated_at": transaction.updated_at.as_millisecond(),
        ":ask_at": first_ask.map(|at| at.as_millisecond()),
    })
    .map(drop)
}

fn update(db: &Connection, transaction: &Transaction) -> Result<()> {
    db.prepare_cached(
        "UPDATE transactions SET status = :status, next_action = :next_action, failure = :failure,
             code_attempts = :code_attempts, conflict_observed = :conflict_observed, conflict_at = :conflict_at,
             reversed_at = :reversed_at, version = :version, updated_at = :updated_at, ask_at = iif(:is_final, NULL, ask_at)
         WHERE id = :id",
    )?
    .execute(named_params! {
        ":id": transaction.begun.id.as_str(),
        ":status": transaction.state.status().as_str(),
        ":next_action": transaction.state.next_action(),
        ":failure": rules::failure_column(transaction),
        ":code_attempts": transaction.code_attempts,
        ":conflict_observed": transaction.conflict.map(|conflict| conflict.observed.as_str()),
        ":conflict_at": transaction.conflict.map(|conflict| conflict.at.as_millisecond()),
        ":reversed_at": transaction.reversed_at.map(|at| at.as_millisecond()),
        ":version": transaction.version,
        ":updated_at": transaction.updated_at.as_millisecond(),
        ":is_final": transaction.state.is_final(),
    })
    .map(drop)
}

pub(super) fn by_id(db: &Connection, id: &TransactionId) -> Result<Option<Transaction>> {
    db.prepare_cached("SELECT * FROM transactions WHERE id = ?1")?
        .query_row([id.as_str()], |row| transaction(row))
        .optional()
}

pub(super) fn by_operator_reference(db: &Connection, reference: &str) -> Result<Option<Transaction>> {
    db.prepare_cached("SELECT * FROM transactions WHERE operator_reference = ?1")?
        .query_row([reference], |row| transaction(row))
        .optional()
}

pub(super) fn events(db: &Connection, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>> {
    db.prepare_cached("SELECT at, event FROM transaction_events WHERE transaction_id = ?1 ORDER BY version")?
        .query_map([id.as_str()], |row| rows::event(row))?
        .collect()
}

pub(super) fn lease_due(db: &Connection, now: Timestamp, until: Timestamp, most: u32) -> Result<Vec<Due>> {
    db.prepare_cached(
        "UPDATE transactions SET ask_at = ?2
         WHERE id IN (SELECT id FROM transactions WHERE ask_at <= ?1 ORDER BY ask_at LIMIT ?3) RETURNING *",
    )?
    .query_map((now.as_millisecond(), until.as_millisecond(), most), |row| rows::due(row))?
    .collect()
}

pub(super) fn end_leases(db: &Connection, now: Timestamp, latest: Timestamp) -> Result<()> {
    db.prepare_cached("UPDATE transactions SET ask_at = ?1 WHERE ask_at > ?1 AND ask_at <= ?2")?
        .execute((now.as_millisecond(), latest.as_millisecond()))
        .map(drop)
}

pub(super) fn next_due(db: &Connection) -> Result<Option<Timestamp>> {
    let next: Option<i64> = db
        .prepare_cached("SELECT min(ask_at) FROM transactions WHERE ask_at IS NOT NULL")?
        .query_row([], |row| row.get(0))?;
    Ok(next.and_then(moment))
}

/// Takes transactions that have been pending since `begun_before`, each once.
pub(super) fn take_delayed(
    db: &Connection,
    begun_before: Timestamp,
    now: Timestamp,
    most: u32,
) -> Result<Vec<Transaction>> {
    db.prepare_cached(
        "UPDATE transactions SET delayed_at = ?2
         WHERE id IN (SELECT id FROM transactions
                      WHERE status = 'PENDING' AND delayed_at IS NULL AND created_at <= ?1
                      ORDER BY created_at LIMIT ?3) RETURNING *",
    )?
    .query_map((begun_before.as_millisecond(), now.as_millisecond(), most), |row| transaction(row))?
    .collect()
}

/// A transaction that was decided meanwhile is left alone.
pub(super) fn plan_ask(
    db: &Connection,
    id: &TransactionId,
    asks: u32,
    next: Option<Timestamp>,
    now: Timestamp,
) -> Result<bool> {
    db.prepare_cached(
        "UPDATE transactions SET asks = ?2, ask_at = ?3, review_at = iif(?3 IS NULL, ?4, review_at)
         WHERE id = ?1 AND status = 'PENDING'",
    )?
    .execute((id.as_str(), asks, next.map(|at| at.as_millisecond()), now.as_millisecond()))
    .map(|planned| planned > 0)
}
