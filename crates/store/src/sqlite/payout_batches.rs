//! Begins batches of payouts, and decides about them.

use super::{
    accounts, approvals, idempotency, ledger, payout_controls, transaction_rows::insert,
    transactions::append_and_notify,
};
use crate::queries;
use jiff::Timestamp;
use rusqlite::{Connection, Error, Result};
use std::collections::BTreeSet;
use tua_domain::{
    BatchId, Transaction,
    approval::{Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    idempotency::{Attempt, ResponseSnapshot},
    ledger::PostedBefore,
    payout_batch::{self, BatchCheck, NewBatch, PayoutBatch, REPEATED_WITHIN, RepeatedPayout},
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch},
    refusal_order::NewRequest,
};
use tua_sql::{
    audit_values,
    queries::{audit, payout_batches},
    rows,
    sqlite::{record::Record, sql::ready},
    write_error::WriteError,
};

pub(super) fn begin(
    db: &Connection,
    new: &NewBatch,
    routes: &PayoutRoutes,
    attempt: Option<&Attempt>,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> std::result::Result<PayoutBatch, WriteError<BeginError, Error>> {
    // Nothing is written before the refusals: a rejection of what has written something runs the
    // other writes of its commit again.
    let exists = db
        .prepare_cached("SELECT 1 FROM payout_batches WHERE id = ?1")?
        .exists([new.id.as_str()])?;
    let request = accounts::new_request(db, attempt, new.asked_by.key(), &new.scope.account)?;
    let request = NewRequest { is_repeated: request.is_repeated || exists, ..request };
    request.check().map_err(WriteError::Rejected)?;
    let (controls, paid_pesewas) = payout_controls::of_payout(db, &new.scope, None, now)?;
    if let Err(exceeded) = payout_batch::check(&controls, &new.lines, paid_pesewas) {
        return Err(WriteError::Rejected(exceeded.into()));
    }
    let warnings = repeated(db, new, now)?;
    ready(payout_batches::insert(db, new, &warnings, now))?;
    // Its response shows the lines as they begin, and is known with them.
    idempotency::insert(db, attempt, new.id.as_str(), Some(ResponseSnapshot::payment(1)), now)?;
    let begun = payout_batch::begin(&new.lines, routes, &controls, now);
    for (line, sending) in &begun {
        insert(db, line, sending)?;
        append_and_notify(db, line, &payout_batch::first_event(line))?;
        ledger::post(db, PostedBefore::default(), line)?;
    }
    let lines = begun.into_iter().map(|(line, _)| line).collect();
    let batch = new.clone().into_batch(warnings, lines, now);
    if let Some(by) = by {
        ready(audit::append(db, by, &audit_values::payouts::batch_begun(&batch)))?;
    }
    Ok(batch)
}

pub(super) fn check(db: &Connection, new: &NewBatch, now: Timestamp) -> Result<BatchCheck> {
    let (controls, paid_pesewas) = payout_controls::of_payout(db, &new.scope, None, now)?;
    Ok(BatchCheck {
        warnings: repeated(db, new, now)?,
        limit_exceeded: payout_batch::check(&controls, &new.lines, paid_pesewas).err(),
        needs_approval: payout_batch::needs_approval(&controls, &new.lines),
    })
}

pub(super) fn decide(
    db: &Connection,
    id: &BatchId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> std::result::Result<DecidedBatch, WriteError<DecideError, Error>> {
    let Some(before) = ready(payout_batches::by_id(db, id))? else {
        return Err(WriteError::Rejected(DecideError::NotFound));
    };
    let circumstances = match (&decision.decision, before.lines.first()) {
        (PayoutDecision::Approve { .. }, Some(first)) => {
            let all = approvals::circumstances(db, &first.order, None, now)?;
            let counted = payout_batch::counted_today(payout_batch::waiting(&before.lines), now);
            Some(Circumstances { paid_pesewas: all.paid_pesewas - counted, ..all })
        }
        _ => None,
    };
    let events = payout_batch::decide(&before.lines, decision, circumstances, now)
        .map_err(WriteError::Rejected)?;
    let mut after = Vec::with_capacity(events.len());
    let mut changed = Vec::new();
    for (line, events) in before.lines.iter().zip(events) {
        let decided = ready(queries::approvals::apply(db, line.clone(), &events, now))?;
        after.push(decided.transaction.clone());
        changed.extend(decided.before.is_some().then_some(decided));
    }
    let batch = PayoutBatch { lines: after, ..before.clone() };
    if let Some(by) = by.filter(|_| !changed.is_empty()) {
        ready(audit::append(
            db,
            by,
            &audit_values::payouts::batch_decided(decision.decision.action(), &before, &batch),
        ))?;
    }
    Ok(DecidedBatch { batch, changed })
}

/// Finds payouts to the same phones within [`REPEATED_WITHIN`] that did not fail.
fn repeated(db: &Connection, new: &NewBatch, now: Timestamp) -> Result<Vec<RepeatedPayout>> {
    let phones: BTreeSet<&str> =
        new.lines.iter().map(|line| line.transfer.phone.as_str()).collect();
    // As JSON, because SQLite has no arrays. Phone numbers are digits.
    let phones = format!(
        "[{}]",
        phones.into_iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>().join(",")
    );
    let earlier: Vec<Transaction> = db
        .prepare_cached(
            "SELECT * FROM transactions INDEXED BY transactions_by_phone
             WHERE account_id = ?1 AND mode = ?2 AND phone IN (SELECT value FROM json_each(?3)) \
             AND created_at > ?4
               AND kind = 'PAYOUT' AND refund_of IS NULL AND status <> 'FAILED' ORDER BY \
             created_at, id",
        )?
        .query_map(
            (
                new.scope.account.as_str(),
                new.scope.mode.as_str(),
                phones,
                (now - REPEATED_WITHIN).as_millisecond(),
            ),
            |row| rows::transaction(&Record::new(row)),
        )?
        .collect::<Result<_>>()?;
    Ok(payout_batch::repeated(&new.lines, earlier.iter().map(|payout| &*payout.order)))
}
