//! What happens to a transaction: findings of operators, attempts to enter a code, and events.
//!
//! Lock order: idempotency record, transaction, payment link, checkout session.

use super::{
    buckets, day_totals, idempotency, ledger, outbox,
    transaction_rows::{lock, store_reports, update},
};
use crate::{
    payment_sql::NewRecord,
    queries::{hand_over::acknowledge, refunds},
};
use jiff::Timestamp;
use tua_domain::{
    Event, Transaction, TransactionId,
    idempotency::{Attempt, RepeatError, StoredResponse},
    ledger::PostedBefore,
    persistent_bucket::PersistentBucket,
    ports::{CodeAttemptError, Finding, Observed, SendHistory, SettledCode},
    refund::RefundSums,
};
use tua_sql::{
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    queries::{attention, status_queries},
    rows::{self, transaction_columns},
    write_error::WriteError,
};

/// Applies a finding to the current version of the transaction. The response, which shows the
/// version that was asked about or the one after it, is stored if nothing else has changed the
/// transaction, and the finding changes it or acknowledges the order for the first time.
///
/// # Errors
/// [`Error::MissingRow`] if there is no such transaction, [`Error::Database`].
pub(super) async fn observe(
    db: &Db,
    asked: &Transaction,
    finding: &Finding,
    response: Option<&StoredResponse>,
    now: Timestamp,
) -> Result<Observed> {
    // Before the transaction, in the order of all locks.
    let response = match response {
        Some(response) if idempotency::lock_record(db, &response.attempt).await? => Some(response),
        _ => None,
    };
    let mut transaction = lock(db, &asked.order.id).await?.ok_or(Error::MissingRow)?;
    let finding = if finding.depends_on_sends() {
        finding.weighed_against(send_history(db, &asked.order.id).await?)
    } else {
        finding.clone()
    };
    let response = response.filter(|_| transaction.version == asked.version);
    let event = transaction.weigh(&finding, asked.version);
    let before = event.as_ref().map(|_| transaction.state);
    let is_shown = match event {
        Some(event) => {
            apply_event(db, &mut transaction, &event, now).await?;
            true
        }
        None => {
            finding.observation.is_acknowledgement()
                && acknowledge(db, &asked.order.id, now).await?
        }
    };
    let response = response.filter(|_| is_shown);
    if let Some(response) = response {
        idempotency::record_response(db, response).await?;
    }
    attention::store(db, &asked.order.id, finding.attention, now).await?;
    if finding.ask_again_at.is_some() && transaction.state.is_final() {
        status_queries::schedule_of_final(db, &asked.order.id, 0, finding.ask_again_at).await?;
    }
    Ok(Observed { transaction, before, is_response_stored: response.is_some() })
}

/// The caller has locked the row.
async fn send_history(db: &Db, id: &TransactionId) -> Result<SendHistory> {
    let sql = "SELECT send_deadline, acknowledged_at FROM transactions WHERE id = $1";
    let row = db.query_opt(sql, &[&id.as_str()]).await?.ok_or(Error::MissingRow)?;
    rows::send_history(&row)
}

/// Counts an attempt to enter a code. Rejected with [`CodeAttemptError`] where the code is not
/// expected, the limit is exceeded, or the idempotency key was used before.
pub(super) async fn count_code_attempt(
    db: &Db,
    id: &TransactionId,
    attempt: Option<&Attempt>,
    guesses: &[PersistentBucket],
    now: Timestamp,
) -> std::result::Result<Transaction, WriteError<CodeAttemptError, Error>> {
    let attempt =
        attempt.map(|attempt| NewRecord { attempt, subject: id.as_str(), response: None, now });
    if idempotency::insert_records(db, attempt.as_slice()).await?.len() < attempt.as_slice().len() {
        return Err(WriteError::Rejected(RepeatError::InProgress.into()));
    }
    let mut transaction = lock(db, id).await?.ok_or(Error::MissingRow)?;
    if transaction.code_attempts_left().is_none_or(|left| left == 0) {
        return Err(WriteError::Rejected(CodeAttemptError::NotExpected));
    }
    if let Some(exceeded) = buckets::take_tokens(db, guesses.iter().zip(std::iter::repeat(now)))
        .await?
        .into_values()
        .next()
    {
        return Err(WriteError::Rejected(exceeded.into()));
    }
    apply_event(db, &mut transaction, &Event::CodeAttempted, now).await?;
    Ok(transaction)
}

/// Counts the verdict on a code.
pub(super) async fn settle_code(db: &Db, id: &TransactionId) -> Result<SettledCode> {
    let sql = concat!(
        "UPDATE transactions SET codes_settled = codes_settled + 1 WHERE id = $1 RETURNING \
         codes_settled, ",
        transaction_columns!()
    );
    db.query_opt(sql, &[&id.as_str()])
        .await?
        .as_ref()
        .map(rows::settled_code)
        .transpose()?
        .ok_or(Error::MissingRow)
}

/// Applies an event, stores both, and writes its webhook deliveries.
pub(super) async fn apply_event(
    db: &Db,
    transaction: &mut Transaction,
    event: &Event,
    now: Timestamp,
) -> Result<()> {
    let refunded = RefundSums::of(transaction);
    let posted = PostedBefore::of(transaction);
    transaction.apply_event(event, now);
    store_applied(db, &[(&*transaction, event)], &[(posted, &*transaction)]).await?;
    refunds::count(db, refunded, transaction, now).await
}

/// Stores transactions to each of which an event was applied, sorted by id, and inserts the webhook
/// deliveries. `posted` contains what was posted for each before. Not for refunds, whose charges
/// count them.
pub(super) async fn store_applied(
    db: &Db,
    applied: &[(&Transaction, &Event)],
    posted: &[(PostedBefore, &Transaction)],
) -> Result<()> {
    let (updated, (), (), (), ()) = tokio::try_join!(
        biased;
        update(db, applied),
        store_reports(db, applied),
        outbox::insert_events(db, applied),
        day_totals::count_final(db, applied),
        ledger::post(db, posted),
    )?;
    if updated.len() < applied.len() { Err(Error::MissingRow) } else { Ok(()) }
}
