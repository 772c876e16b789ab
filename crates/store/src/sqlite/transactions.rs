//! What happens to a transaction: how it begins, findings of operators, attempts to enter a code,
//! and events.

use super::{
    accounts, buckets, checkouts, day_totals, idempotency, ledger, links, outbox,
    transaction_rows::{append, by_id, insert, store_report, update},
};
use crate::queries::{hand_over::acknowledge, payout_controls, refunds};
use jiff::Timestamp;
use rusqlite::{Connection, Error, Result};
use std::sync::Arc;
use tua_domain::{
    Event, Kind, Transaction, TransactionId, TransactionOrder, approval,
    idempotency::{Attempt, RepeatError, StoredResponse},
    ledger::PostedBefore,
    payout_controls::PayoutControls,
    persistent_bucket::PersistentBucket,
    ports::{BeginError, CodeAttemptError, Finding, Observed, SendHistory, SettledCode},
    refund::RefundSums,
    refusal_order::PaymentFacts,
    transaction::Sending,
};
use tua_sql::{
    queries::{attention, status_queries},
    rows,
    sqlite::{record::Record, sql::ready},
};

pub(super) fn begin(
    db: &Connection,
    new: &Arc<TransactionOrder>,
    sending: &Sending,
    attempt: Option<&Attempt>,
    prompts: &[PersistentBucket],
    now: Timestamp,
) -> Result<std::result::Result<Transaction, BeginError>> {
    let (controls, paid_pesewas) = match new.transfer.kind {
        Kind::Charge => (PayoutControls::default(), 0),
        Kind::Payout => ready(payout_controls::lock(db, &new.scope, Some(&new.id), now))?,
    };
    let session = match &new.checkout {
        Some(checkout) => {
            Some((checkouts::charge_window(db, checkout)?, checkouts::summary(db, checkout)?))
        }
        None => None,
    };
    let refunded_charge = refunded_charge(db, new)?;
    let facts = PaymentFacts {
        request: accounts::new_request(db, attempt, new.key.as_ref(), &new.scope.account)?,
        session,
        is_link_in_use: new
            .link
            .as_ref()
            .map(|link| links::is_in_use(db, link))
            .transpose()?
            .unwrap_or(false),
        refunded_charge: refunded_charge.as_ref(),
        controls,
        paid_pesewas,
    };
    if let Err(refused) = facts.check(new, now) {
        return Ok(Err(refused));
    }
    if let Some(exceeded) = buckets::take_tokens(db, prompts, now)? {
        return Ok(Err(exceeded.into()));
    }
    idempotency::insert(db, attempt, new.id.as_str(), None, now)?;
    let (new, sending) = approval::begin(new.clone(), sending.clone(), &controls, now);
    let operator = sending.operator().cloned();
    let transaction = Transaction::begin(new.clone(), sending.is_at_once(), operator.clone(), now);
    insert(db, &transaction, &sending)?;
    let event = Event::Begun { new, is_handed_over: sending.is_at_once(), operator };
    append_and_notify(db, &transaction, &event)?;
    ledger::post(db, PostedBefore::default(), &transaction)?;
    ready(refunds::count(db, RefundSums::default(), &transaction, now))?;
    Ok(Ok(transaction))
}

/// The charge that a new refund refunds; `None` for any other transaction.
fn refunded_charge(db: &Connection, new: &TransactionOrder) -> Result<Option<Transaction>> {
    let Some(of) = &new.refund else { return Ok(None) };
    by_id(db, &of.charge)?.ok_or(Error::QueryReturnedNoRows).map(Some)
}

/// Stores the first response to a send that shows nothing but that the operator has the order, with
/// the response to the request that began it. Returns whether nothing has happened to the
/// transaction since its order was sent; otherwise nothing is stored.
fn acknowledge_first(
    db: &Connection,
    sent: &Transaction,
    response: Option<&StoredResponse>,
    now: Timestamp,
) -> Result<bool> {
    let acknowledged = db
        .prepare_cached(
            "UPDATE transactions SET acknowledged_at = ?2
             WHERE id = ?1 AND version = ?3 AND acknowledged_at IS NULL AND status = 'PENDING' \
             AND handed_over_at IS NOT NULL",
        )?
        .execute((sent.order.id.as_str(), now.as_millisecond(), sent.version))?;
    if acknowledged > 0 {
        response.map(|response| idempotency::record_response(db, response)).transpose()?;
    }
    Ok(acknowledged > 0)
}

/// Applies a finding, and flags the transaction where people must do something about it.
pub(super) fn observe(
    db: &Connection,
    asked: &Transaction,
    finding: &Finding,
    response: Option<&StoredResponse>,
    now: Timestamp,
) -> Result<Observed> {
    if asked.is_only_acknowledged(finding) && acknowledge_first(db, asked, response, now)? {
        return Ok(Observed {
            transaction: asked.clone(),
            before: None,
            is_response_stored: response.is_some(),
        });
    }
    let given = if finding.depends_on_sends() {
        Some(finding.weighed_against(send_history(db, &asked.order.id)?))
    } else {
        None
    };
    let finding = given.as_ref().unwrap_or(finding);
    let observed = apply_finding(db, asked, finding, response, now)?;
    let id = &asked.order.id;
    ready(attention::store(db, id, finding.attention, now))?;
    if finding.ask_again_at.is_some() && observed.transaction.state.is_final() {
        ready(status_queries::schedule_of_final(db, id, 0, finding.ask_again_at))?;
    }
    Ok(observed)
}

/// Usually nothing has changed since the caller read the transaction; then the row is not read.
fn apply_finding(
    db: &Connection,
    asked: &Transaction,
    finding: &Finding,
    response: Option<&StoredResponse>,
    now: Timestamp,
) -> Result<Observed> {
    if let Some((event, after)) = asked.after(finding, now)
        && update(db, &after)?
    {
        store_report(db, &after, &event)?;
        append_and_notify(db, &after, &event)?;
        ledger::post(db, PostedBefore::of(asked), &after)?;
        ready(refunds::count(db, RefundSums::of(asked), &after, now))?;
        response.map(|response| idempotency::record_response(db, response)).transpose()?;
        return Ok(Observed {
            transaction: after,
            before: Some(asked.state),
            is_response_stored: response.is_some(),
        });
    }
    let mut transaction = by_id(db, &asked.order.id)?.ok_or(Error::QueryReturnedNoRows)?;
    let Some(event) = transaction.weigh(finding, asked.version) else {
        let is_first = finding.observation.is_acknowledgement()
            && ready(acknowledge(db, &asked.order.id, now))?;
        let response = response.filter(|_| is_first && transaction.version == asked.version);
        response.map(|response| idempotency::record_response(db, response)).transpose()?;
        return Ok(Observed { transaction, before: None, is_response_stored: response.is_some() });
    };
    let before = Some(transaction.state);
    apply_event(db, &mut transaction, &event, now)?;
    Ok(Observed { transaction, before, is_response_stored: false })
}

fn send_history(db: &Connection, id: &TransactionId) -> Result<SendHistory> {
    db.prepare_cached("SELECT send_deadline, acknowledged_at FROM transactions WHERE id = ?1")?
        .query_row([id.as_str()], |row| rows::send_history(&Record::new(row)))
}

pub(super) fn count_code_attempt(
    db: &Connection,
    id: &TransactionId,
    attempt: Option<&Attempt>,
    guesses: &[PersistentBucket],
    now: Timestamp,
) -> Result<std::result::Result<Transaction, CodeAttemptError>> {
    if idempotency::exists(db, attempt)? {
        return Ok(Err(RepeatError::InProgress.into()));
    }
    let mut transaction = by_id(db, id)?.ok_or(Error::QueryReturnedNoRows)?;
    if transaction.code_attempts_left().is_none_or(|left| left == 0) {
        return Ok(Err(CodeAttemptError::NotExpected));
    }
    if let Some(exceeded) = buckets::take_tokens(db, guesses, now)? {
        return Ok(Err(exceeded.into()));
    }
    idempotency::insert(db, attempt, id.as_str(), None, now)?;
    apply_event(db, &mut transaction, &Event::CodeAttempted, now)?;
    Ok(Ok(transaction))
}

pub(super) fn settle_code(db: &Connection, id: &TransactionId) -> Result<SettledCode> {
    db.prepare_cached(
        "UPDATE transactions SET codes_settled = codes_settled + 1 WHERE id = ?1 RETURNING *",
    )?
    .query_row([id.as_str()], |row| rows::settled_code(&Record::new(row)))
}

pub(super) fn apply_event(
    db: &Connection,
    transaction: &mut Transaction,
    event: &Event,
    now: Timestamp,
) -> Result<()> {
    let refunded = RefundSums::of(transaction);
    let posted = PostedBefore::of(transaction);
    transaction.apply_event(event, now);
    store_applied(db, &[(&*transaction, event)], &[(posted, &*transaction)])?;
    ready(refunds::count(db, refunded, transaction, now))
}

/// Stores transactions to each of which an event was applied. `posted` contains what was posted for
/// each before.
pub(super) fn store_applied(
    db: &Connection,
    applied: &[(&Transaction, &Event)],
    posted: &[(PostedBefore, &Transaction)],
) -> Result<()> {
    for (transaction, event) in applied {
        if !update(db, transaction)? {
            return Err(Error::QueryReturnedNoRows);
        }
        store_report(db, transaction, event)?;
        append_and_notify(db, transaction, event)?;
    }
    posted.iter().try_for_each(|(before, transaction)| ledger::post(db, *before, transaction))
}

/// Appends the event, inserts its webhook deliveries, and counts the transaction once it is final.
pub(super) fn append_and_notify(
    db: &Connection,
    transaction: &Transaction,
    event: &Event,
) -> Result<()> {
    append(db, &transaction.order.id, transaction.version, event, transaction.updated_at)?;
    day_totals::count_final(db, transaction, event)?;
    outbox::insert_events(db, transaction, event)
}
