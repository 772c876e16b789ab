//! Begins batches of payouts, and decides about them.
//!
//! Lock order: as new payments (key, limits, idempotency records), and as approvals (transactions
//! by id, limits, account).

use super::{
    accounts, approvals,
    idempotency::{self, NewRecord},
    ledger, outbox, payout_controls,
    record::at,
    transaction_rows,
    transactions::store_applied,
};
use jiff::Timestamp;
use std::collections::BTreeSet;
use tua_domain::{
    BatchId, Event, Transaction,
    approval::{Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    idempotency::{Attempt, ResponseSnapshot},
    ledger::PostedBefore,
    payout_batch::{
        self, AskedBy, BatchCheck, NewBatch, PayoutBatch, REPEATED_WITHIN, RepeatedPayout,
    },
    payout_controls::PayoutControls,
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch, DecidedPayout},
    refusal_order::NewRequest,
};
use tua_sql::{
    audit_values,
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    queries::{self, audit, payout_batches},
    rows::{self, transaction_columns},
    write_error::WriteError,
};

pub(super) async fn begin(
    db: &Db,
    new: &NewBatch,
    routes: &PayoutRoutes,
    attempt: Option<&Attempt>,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> std::result::Result<PayoutBatch, WriteError<BeginError, Error>> {
    let is_revoked = match &new.asked_by {
        AskedBy::Key(key) => !accounts::lock_revoked(db, &[key]).await?.is_empty(),
        AskedBy::Person(_) | AskedBy::CommandLine => false,
    };
    let controls = payout_controls::lock(db, std::iter::once(&new.scope))
        .await?
        .remove(&new.scope)
        .unwrap_or_default();
    // Its response shows the lines as they begin, and is known with them.
    let response = Some(ResponseSnapshot::payment(1));
    let record =
        attempt.map(|attempt| NewRecord { attempt, subject: new.id.as_str(), response, now });
    let inserted = idempotency::insert_records(db, record.as_slice()).await?.len();
    let warnings = repeated(db, new, now).await?;
    let exists = !payout_batches::insert(db, new, &warnings, now).await?;
    let request = NewRequest {
        is_repeated: inserted < record.as_slice().len() || exists,
        is_key_revoked: is_revoked,
        is_account_suspended: !accounts::suspended(db, &[&new.scope.account]).await?.is_empty(),
    };
    request.check().map_err(WriteError::Rejected)?;
    if let Err(exceeded) =
        payout_batch::check(&controls, &new.lines, paid_pesewas(db, new, &controls, now).await?)
    {
        return Err(WriteError::Rejected(exceeded.into()));
    }
    let begun = payout_batch::begin(&new.lines, routes, &controls, now);
    let events: Vec<Event> =
        begun.iter().map(|(line, _)| payout_batch::first_event(line)).collect();
    let applied: Vec<(&Transaction, &Event)> =
        begun.iter().map(|(line, _)| line).zip(&events).collect();
    let posted: Vec<_> = begun.iter().map(|(line, _)| (PostedBefore::default(), line)).collect();
    tokio::try_join!(
        biased;
        transaction_rows::insert(db, &begun),
        transaction_rows::append(db, &applied),
        outbox::insert_events(db, &applied),
        ledger::post(db, &posted),
    )?;
    let lines = begun.into_iter().map(|(line, _)| line).collect();
    let batch = new.clone().into_batch(warnings, lines, now);
    if let Some(by) = by {
        audit::append(db, by, &audit_values::payouts::batch_begun(&batch)).await?;
    }
    Ok(batch)
}

/// What counts on this day, in pesewas. It is read only where there is a daily limit.
async fn paid_pesewas(
    db: &Db,
    new: &NewBatch,
    controls: &PayoutControls,
    now: Timestamp,
) -> Result<i64> {
    match controls.daily_limit {
        Some(_) => queries::payout_controls::paid_pesewas(db, &new.scope, now, None).await,
        None => Ok(0),
    }
}

pub(super) async fn check(db: &Db, new: &NewBatch, now: Timestamp) -> Result<BatchCheck> {
    let controls = queries::payout_controls::read(db, &new.scope).await?;
    let paid_pesewas = paid_pesewas(db, new, &controls, now).await?;
    Ok(BatchCheck {
        warnings: repeated(db, new, now).await?,
        limit_exceeded: payout_batch::check(&controls, &new.lines, paid_pesewas).err(),
        needs_approval: payout_batch::needs_approval(&controls, &new.lines),
    })
}

pub(super) async fn decide(
    db: &Db,
    id: &BatchId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> std::result::Result<DecidedBatch, WriteError<DecideError, Error>> {
    let Some(before) = payout_batches::lock(db, id).await? else {
        return Err(WriteError::Rejected(DecideError::NotFound));
    };
    let circumstances = match (&decision.decision, before.lines.first()) {
        (PayoutDecision::Approve { .. }, Some(first)) => {
            let all = approvals::circumstances(db, &first.order, None, now).await?;
            let counted = payout_batch::counted_today(payout_batch::waiting(&before.lines), now);
            Some(Circumstances { paid_pesewas: all.paid_pesewas - counted, ..all })
        }
        _ => None,
    };
    let events = payout_batch::decide(&before.lines, decision, circumstances, now)
        .map_err(WriteError::Rejected)?;
    let batch = PayoutBatch {
        lines: apply(db, before.lines.clone(), &events, now).await?,
        ..before.clone()
    };
    let changed = batch
        .lines
        .iter()
        .zip(&before.lines)
        .filter(|(after, before)| after.version > before.version);
    let decided: Vec<DecidedPayout> = changed
        .map(|(after, before)| DecidedPayout {
            transaction: after.clone(),
            before: Some(before.state),
        })
        .collect();
    if let Some(by) = by.filter(|_| !decided.is_empty()) {
        audit::append(
            db,
            by,
            &audit_values::payouts::batch_decided(decision.decision.action(), &before, &batch),
        )
        .await?;
    }
    Ok(DecidedBatch { batch, changed: decided })
}

/// Applies the events of each line: first the first of all lines, then the second, so that 1,000
/// lines take as many statements as one.
async fn apply(
    db: &Db,
    mut lines: Vec<Transaction>,
    events: &[Vec<Event>],
    now: Timestamp,
) -> Result<Vec<Transaction>> {
    let rounds = events.iter().map(Vec::len).max().unwrap_or_default();
    for round in 0..rounds {
        let before: Vec<PostedBefore> = lines.iter().map(PostedBefore::of).collect();
        for (line, events) in lines.iter_mut().zip(events) {
            if let Some(event) = events.get(round) {
                line.apply_event(event, now);
            }
        }
        let applied: Vec<(&Transaction, &Event)> = lines
            .iter()
            .zip(events)
            .filter_map(|(line, events)| Some((line, events.get(round)?)))
            .collect();
        let posted: Vec<(PostedBefore, &Transaction)> = before.into_iter().zip(&lines).collect();
        store_applied(db, &applied, &posted).await?;
    }
    let is_approval =
        |events: &[Event]| events.iter().any(|event| matches!(event, Event::Approved { .. }));
    let approved: Vec<&Transaction> = lines
        .iter()
        .zip(events)
        .filter(|(_, events)| is_approval(events))
        .map(|(line, _)| line)
        .collect();
    approvals::store_approved(db, &approved, now).await?;
    Ok(lines)
}

/// Finds payouts to the same phones within [`REPEATED_WITHIN`] that did not fail.
async fn repeated(db: &Db, new: &NewBatch, now: Timestamp) -> Result<Vec<RepeatedPayout>> {
    let sql = concat!(
        "SELECT ",
        transaction_columns!(),
        " FROM transactions
         WHERE account_id = $1 AND mode = $2 AND phone = ANY($3::text[]) AND created_at > $4 AND \
         kind = 'PAYOUT'
           AND refund_of IS NULL AND status <> 'FAILED' ORDER BY created_at, id"
    );
    let phones: BTreeSet<&str> =
        new.lines.iter().map(|line| line.transfer.phone.as_str()).collect();
    let phones: Vec<&str> = phones.into_iter().collect();
    let account = new.scope.account.as_str();
    let mode = new.scope.mode.as_str();
    let since = at(now - REPEATED_WITHIN);
    let found = db.query(sql, &[&account, &mode, &phones, &since]).await?;
    let earlier: Vec<Transaction> = found.iter().map(rows::transaction).collect::<Result<_>>()?;
    Ok(payout_batch::repeated(&new.lines, earlier.iter().map(|payout| &*payout.order)))
}
