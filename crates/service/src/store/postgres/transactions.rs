//! Transactions: appended events, and the row that is derived from them.
//!
//! Rows are locked in one order: the attempt, the transaction, its session.

use super::{
    checkouts,
    error::{Error, Result},
    idempotency, outbox,
    record::{at, maybe_at},
    session::Db,
};
use crate::{
    domain::{
        CheckoutId, CheckoutStanding, Event, NewTransaction, Transaction, TransactionId,
        idempotency::{Attempt, Reply},
    },
    store::{
        BeginError, CountError, Observed, event_json, rows,
        rules::{self, AskedOnce},
    },
};
use jiff::Timestamp;
use tua_contract::lifecycle::Observation;

/// Named one by one: a prepared `*` fails in every older node once a newer one has added a column.
macro_rules! columns {
    () => {
        "transactions.id, account_id, mode, kind, status, next_action, failure, amount, network, phone, reference,
         checkout_id, email, metadata, payer_message, payee_note, code_attempts,
         conflict_observed, conflict_at, reversed_at, version, created_at, updated_at, asks"
    };
}
pub(super) use columns;

/// A session's charges, oldest first.
pub(super) const OF_CHECKOUT: &str =
    concat!("SELECT ", columns!(), " FROM transactions WHERE checkout_id = $1 ORDER BY id");

pub(super) async fn begin(
    db: &Db,
    new: &NewTransaction,
    first_ask: Option<Timestamp>,
    attempt: Option<&Attempt>,
    admission: &AskedOnce,
    now: Timestamp,
) -> Result<std::result::Result<Transaction, BeginError>> {
    let charges = async {
        match &new.checkout {
            Some(checkout) => checkouts::locked_charges(db, checkout).await.map(Some),
            None => Ok(None),
        }
    };
    let remembered = idempotency::remember(db, attempt, new.id.as_str(), None, now);
    let (is_new, charges) = tokio::try_join!(biased; remembered, charges)?;
    if !is_new {
        return Ok(Err(BeginError::Repeated));
    }
    if let Some(Err(refusal)) = charges.map(|charges| rules::may_charge(&CheckoutStanding::of(charges))) {
        return Ok(Err(refusal));
    }
    if let Err(exceeded) = admission.of(new) {
        return Ok(Err(exceeded.into()));
    }
    let transaction = Transaction::begin(new.clone(), now);
    let event = Event::Begun(Box::new(new.clone()));
    tokio::try_join!(
        biased;
        insert(db, &transaction, first_ask),
        append(db, &transaction, &event),
        outbox::announce(db, &transaction, &event),
    )?;
    Ok(Ok(transaction))
}

/// Something else has happened to a transaction.
pub(super) struct Overtaken;

/// Takes in what follows from an observation where nothing has happened since the question, as is nearly always so:
/// then the row need not be read before it is written.
pub(super) async fn follow(
    db: &Db,
    after: &Transaction,
    event: &Event,
    reply: Option<&Reply>,
) -> Result<std::result::Result<(), Overtaken>> {
    let answer = async {
        match reply {
            Some(reply) => idempotency::answer(db, reply).await.map(drop),
            None => Ok(()),
        }
    };
    let ((), updated, ()) =
        tokio::try_join!(biased; answer, update(db, after, event), outbox::announce(db, after, event))?;
    Ok(if updated { Ok(()) } else { Err(Overtaken) })
}

/// As [`follow`], whatever has happened since.
pub(super) async fn observe(
    db: &Db,
    asked: &Transaction,
    observation: Observation,
    now: Timestamp,
) -> Result<Observed> {
    let mut transaction = locked(db, &asked.begun.id).await?;
    let event = transaction.weigh(observation, asked.version);
    let before = event.as_ref().map(|_| transaction.state);
    if let Some(event) = event {
        take(db, &mut transaction, &event, now).await?;
    }
    Ok(Observed { transaction, before, is_answered: false })
}

pub(super) async fn count_code_attempt(
    db: &Db,
    id: &TransactionId,
    attempt: Option<&Attempt>,
    now: Timestamp,
) -> Result<std::result::Result<Transaction, CountError>> {
    if !idempotency::remember(db, attempt, id.as_str(), None, now).await? {
        return Ok(Err(CountError::Repeated));
    }
    let mut transaction = locked(db, id).await?;
    if transaction.code_attempts_left().is_none_or(|left| left == 0) {
        return Ok(Err(CountError::NotExpected));
    }
    take(db, &mut transaction, &Event::CodeAttempted, now).await?;
    Ok(Ok(transaction))
}

pub(super) async fn take(db: &Db, transaction: &mut Transaction, event: &Event, now: Timestamp) -> Result<()> {
    transaction.take(event, now);
    let (updated, ()) =
        tokio::try_join!(biased; update(db, transaction, event), outbox::announce(db, transaction, event))?;
    if updated { Ok(()) } else { Err(Error::Missing) }
}

async fn append(db: &Db, transaction: &Transaction, event: &Event) -> Result<()> {
    db.run(
        "INSERT INTO transaction_events (transaction_id, version, at, event) VALUES ($1, $2, $3, $4)",
        &[
            &transaction.begun.id.as_str(),
            &i64::from(transaction.version),
            &at(transaction.updated_at),
            &event_json::write(event),
        ],
    )
    .await
    .map(drop)
}

async fn insert(db: &Db, transaction: &Transaction, first_ask: Option<Timestamp>) -> Result<()> {
    let begun = &transaction.begun;
    db.run(
        "INSERT INTO transactions (id, account_id, mode, kind, status, next_action, amount, network, phone, reference,
             checkout_id, email, metadata, payer_message, payee_note, code_attempts, version,
             created_at, updated_at, ask_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, $16, $17, $18, $19)",
        &[
            &begun.id.as_str(),
            &begun.scope.account.as_str(),
            &begun.scope.mode.as_str(),
            &begun.kind.as_str(),
            &transaction.state.status().as_str(),
            &transaction.state.next_action(),
            &begun.amount.pesewas(),
            &begun.network.as_str(),
            &begun.phone.as_str(),
            &begun.reference,
            &begun.checkout.as_ref().map(CheckoutId::as_str),
            &begun.email,
            &begun.metadata,
            &begun.payer_message,
            &begun.payee_note,
            &i64::from(transaction.version),
            &at(transaction.created_at),
            &at(transaction.updated_at),
            &maybe_at(first_ask),
        ],
    )
    .await
    .map(drop)
}

/// Keeps an event and the row that has taken it in; false where the row is not as it was before it.
async fn update(db: &Db, transaction: &Transaction, event: &Event) -> Result<bool> {
    let sql = "WITH updated AS (
                   UPDATE transactions SET status = $2, next_action = $3, failure = $4, code_attempts = $5,
                       conflict_observed = $6, conflict_at = $7, reversed_at = $8, version = $9, updated_at = $10,
                       ask_at = CASE WHEN $11 THEN NULL ELSE ask_at END
                   WHERE id = $1 AND version + 1 = $9 RETURNING id, version, updated_at)
               INSERT INTO transaction_events (transaction_id, version, at, event)
               SELECT id, version, updated_at, $12 FROM updated";
    let appended = db
        .run(
            sql,
            &[
                &transaction.begun.id.as_str(),
                &transaction.state.status().as_str(),
                &transaction.state.next_action(),
                &rules::failure_column(transaction),
                &i64::from(transaction.code_attempts),
                &transaction.conflict.map(|conflict| conflict.observed.as_str()),
                &transaction.conflict.map(|conflict| at(conflict.at)),
                &maybe_at(transaction.reversed_at),
                &i64::from(transaction.version),
                &at(transaction.updated_at),
                &transaction.state.is_final(),
                &event_json::write(event),
            ],
        )
        .await?;
    Ok(appended > 0)
}

/// A transaction that must exist, while nobody else changes it.
async fn locked(db: &Db, id: &TransactionId) -> Result<Transaction> {
    let sql = concat!("SELECT ", columns!(), " FROM transactions WHERE id = $1 FOR NO KEY UPDATE");
    db.one(sql, &[&id.as_str()]).await?.as_ref().map(rows::transaction).transpose()?.ok_or(Error::Missing)
}

pub(super) async fn by_id(db: &Db, id: &TransactionId) -> Result<Option<Transaction>> {
    let sql = concat!("SELECT ", columns!(), " FROM transactions WHERE id = $1");
    db.one(sql, &[&id.as_str()]).await?.as_ref().map(rows::transaction).transpose()
}

pub(super) async fn events(db: &Db, id: &TransactionId) -> Result<Vec<(Timestamp, Event)>> {
    let sql = "SELECT at, event FROM transaction_events WHERE transaction_id = $1 ORDER BY version";
    db.all(sql, &[&id.as_str()]).await?.iter().map(rows::event).collect()
}

/// Takes transactions that have been pending since `begun_before`, each once.
pub(super) async fn take_delayed(
    db: &Db,
    begun_before: Timestamp,
    now: Timestamp,
    most: u32,
) -> Result<Vec<Transaction>> {
    let sql = concat!(
        "WITH delayed AS (SELECT id FROM transactions
                          WHERE status = 'PENDING' AND delayed_at IS NULL AND created_at <= $1
                          ORDER BY created_at, id LIMIT $3 FOR NO KEY UPDATE)
         UPDATE transactions SET delayed_at = $2 FROM delayed WHERE transactions.id = delayed.id RETURNING ",
        columns!()
    );
    let taken = db.all(sql, &[&at(begun_before), &at(now), &i64::from(most)]).await?;
    taken.iter().map(rows::transaction).collect()
}
