//! Begins batches of payouts, and decides about them.
//!
//! Lock order: as new payments (key, limits, idempotency records), and as approvals (transactions
//! by id, limits, account).

use super::{approvals, new_requests, payout_controls};
use crate::payment_sql::{NewRecord, PaymentSql};
use jiff::Timestamp;
use std::{collections::BTreeSet, iter};
use tua_domain::{
    BatchId, Event, Transaction,
    approval::{Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    idempotency::{Attempt, ResponseSnapshot},
    ledger::PostedBefore,
    payout_batch::{self, BatchCheck, NewBatch, PayoutBatch, REPEATED_WITHIN, RepeatedPayout},
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch, DecidedPayout},
    refusal_order::{NewRequest, Obstacle},
};
use tua_sql::{
    audit_values,
    queries::{audit, listing::Query, payout_batches},
    rows::{self, transaction_columns},
    sql::Sql,
    write_error::WriteError,
};

/// How many phone numbers one query has. The number is constant, so that PostgreSQL prepares one
/// statement.
const GROUP: usize = 100;

pub(crate) async fn begin<S: PaymentSql>(
    db: &S,
    new: &NewBatch,
    routes: &PayoutRoutes,
    attempt: Option<&Attempt>,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<PayoutBatch, WriteError<BeginError, S::Error>> {
    let is_key_revoked = new_requests::lock_revoked(db, new.asked_by.key()).await?;
    let (controls, paid_pesewas) = payout_controls::lock(db, &new.scope, None, now).await?;
    // Its response shows the lines as they begin, and is known with them.
    let response = Some(ResponseSnapshot::payment(1));
    let record =
        attempt.map(|attempt| NewRecord { attempt, subject: new.id.as_str(), response, now });
    let is_used = db.claim(record.as_ref()).await?;
    let request = NewRequest {
        is_repeated: is_used || exists(db, &new.id).await?,
        is_key_revoked,
        is_account_suspended: new_requests::lock_suspended(db, &new.scope.account).await?,
    };
    request.check().map_err(WriteError::Rejected)?;
    payout_batch::check(&controls, &new.lines, paid_pesewas)
        .map_err(|exceeded| WriteError::Rejected(exceeded.into()))?;
    let warnings = repeated(db, new, now).await?;
    if !payout_batches::insert(db, new, &warnings, now).await? {
        return Err(WriteError::Rejected(Obstacle::Repeated.into()));
    }
    db.insert_record(record.as_ref()).await?;
    let begun = payout_batch::begin(&new.lines, routes, &controls, now);
    let events: Vec<Event> =
        begun.iter().map(|(line, _)| payout_batch::first_event(line)).collect();
    db.insert_payments(&begun, &events).await?;
    let lines = begun.into_iter().map(|(line, _)| line).collect();
    let batch = new.clone().into_batch(warnings, lines, now);
    if let Some(by) = by {
        audit::append(db, by, &audit_values::payouts::batch_begun(&batch)).await?;
    }
    Ok(batch)
}

async fn exists<S: Sql>(db: &S, id: &BatchId) -> Result<bool, S::Error> {
    let sql = "SELECT 1 FROM payout_batches WHERE id = $1";
    Ok(db.query_opt(sql, &[&id.as_str()]).await?.is_some())
}

/// What a batch would meet if it began now.
pub(crate) async fn check<S: Sql>(
    db: &S,
    new: &NewBatch,
    now: Timestamp,
) -> Result<BatchCheck, S::Error> {
    let (controls, paid_pesewas) = payout_controls::read(db, &new.scope, now).await?;
    Ok(BatchCheck {
        warnings: repeated(db, new, now).await?,
        limit_exceeded: payout_batch::check(&controls, &new.lines, paid_pesewas).err(),
        needs_approval: payout_batch::needs_approval(&controls, &new.lines),
    })
}

pub(crate) async fn decide<S: PaymentSql>(
    db: &S,
    id: &BatchId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<DecidedBatch, WriteError<DecideError, S::Error>> {
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
    let lines = apply(db, before.lines.clone(), &events, now).await?;
    let batch = PayoutBatch { lines, ..before.clone() };
    let lines = batch.lines.iter().zip(&before.lines);
    let changed: Vec<DecidedPayout> = lines
        .filter(|(after, before)| after.version > before.version)
        .map(|(after, before)| DecidedPayout {
            transaction: after.clone(),
            before: Some(before.state),
        })
        .collect();
    if let Some(by) = by.filter(|_| !changed.is_empty()) {
        let action = decision.decision.action();
        let change = audit_values::payouts::batch_decided(action, &before, &batch);
        audit::append(db, by, &change).await?;
    }
    Ok(DecidedBatch { batch, changed })
}

/// Applies the events of each line: first the first of all lines, then the second, so that on
/// PostgreSQL 1,000 lines take as many statements as one.
async fn apply<S: PaymentSql>(
    db: &S,
    mut lines: Vec<Transaction>,
    events: &[Vec<Event>],
    now: Timestamp,
) -> Result<Vec<Transaction>, S::Error> {
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
        db.store_applied(&applied, &posted).await?;
    }
    let is_approval =
        |events: &[Event]| events.iter().any(|event| matches!(event, Event::Approved { .. }));
    let approved: Vec<&Transaction> = lines
        .iter()
        .zip(events)
        .filter(|(_, events)| is_approval(events))
        .map(|(line, _)| line)
        .collect();
    db.store_routes(&approved, Some(now)).await?;
    Ok(lines)
}

/// Finds payouts to the same phones within [`REPEATED_WITHIN`] that did not fail.
async fn repeated<S: Sql>(
    db: &S,
    new: &NewBatch,
    now: Timestamp,
) -> Result<Vec<RepeatedPayout>, S::Error> {
    let phones: BTreeSet<&str> =
        new.lines.iter().map(|line| line.transfer.phone.as_str()).collect();
    let phones: Vec<&str> = phones.into_iter().collect();
    let index = S::index_hint("transactions_by_phone");
    let all = format!(concat!("SELECT ", transaction_columns!(), " FROM transactions{}"), index);
    // Those to one phone are of one group, oldest first.
    let mut earlier: Vec<Transaction> = Vec::new();
    for group in phones.chunks(GROUP) {
        let Some(last) = group.last() else { continue };
        let mut query = Query::default();
        query.add("account_id =", Some(new.scope.account.as_str()));
        query.add("mode =", Some(new.scope.mode.as_str()));
        query.add_any("phone", group.iter().chain(iter::repeat(last)).take(GROUP).copied());
        query.add("created_at >", Some(now - REPEATED_WITHIN));
        query.add_condition("kind = 'PAYOUT' AND refund_of IS NULL AND status <> 'FAILED'");
        // The order is that of no index, so that PostgreSQL reads by phone whatever the limit.
        for row in &query.rows(db, &all, "phone, created_at, id", u32::MAX).await? {
            earlier.push(rows::transaction(row)?);
        }
    }
    Ok(payout_batch::repeated(&new.lines, earlier.iter().map(|payout| &*payout.order)))
}
