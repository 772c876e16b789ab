//! Batches of payouts.

use super::sql::ready;
use super::{
    SqliteStore, accounts, approvals, idempotency, ledger,
    payout_batch_rows::{by_id, list, repeated},
    payout_controls,
    transaction_rows::insert,
    transactions::append_and_notify,
};
use crate::queries::audit;
use crate::{
    audit_values,
    payout_batch_sql::{NEWEST, UNAPPROVED},
    rows,
};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Result, params};
use tua_domain::{
    BatchId, KeyId, Scope, UserId,
    approval::{Circumstances, DecideError, PayoutDecision, RoutedDecision},
    audit::AuditContext,
    idempotency::{Attempt, ResponseSnapshot},
    ledger::Postings,
    payout_batch::{self, BatchCheck, BatchSummary, NewBatch, PayoutBatch},
    payout_route::PayoutRoutes,
    ports::{BeginError, DecidedBatch, PayoutBatches, StoreError},
    refusal_order::NewRequest,
};

#[async_trait]
impl PayoutBatches for SqliteStore {
    async fn begin_batch(
        &self,
        batch: NewBatch,
        routes: PayoutRoutes,
        attempt: Option<Attempt>,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> std::result::Result<PayoutBatch, BeginError> {
        let by = by.cloned();
        self.writer
            .write(move |db| begin(db, &batch, &routes, attempt.as_ref(), by.as_ref(), now))
            .await?
    }

    async fn check_batch(
        &self,
        batch: &NewBatch,
        now: Timestamp,
    ) -> std::result::Result<BatchCheck, StoreError> {
        let batch = batch.clone();
        self.readers.read_many(move |db| check(db, &batch, now)).await
    }

    async fn payout_batch(
        &self,
        id: &BatchId,
    ) -> std::result::Result<Option<PayoutBatch>, StoreError> {
        let id = id.clone();
        self.readers.read_many(move |db| by_id(db, &id)).await
    }

    async fn payout_batches(
        &self,
        scope: Option<&Scope>,
        most: u32,
    ) -> std::result::Result<Vec<BatchSummary>, StoreError> {
        let scope = scope.cloned();
        self.readers.read_many(move |db| list(db, NEWEST, scope.as_ref(), Some(most))).await
    }

    async fn unapproved_batches(
        &self,
        scope: Option<&Scope>,
    ) -> std::result::Result<Vec<BatchSummary>, StoreError> {
        let scope = scope.cloned();
        self.readers.read_many(move |db| list(db, UNAPPROVED, scope.as_ref(), None)).await
    }

    async fn decide_batch(
        &self,
        id: &BatchId,
        decision: RoutedDecision,
        by: Option<&AuditContext>,
        now: Timestamp,
    ) -> std::result::Result<DecidedBatch, DecideError> {
        let id = id.clone();
        let by = by.cloned();
        self.writer.write(move |db| decide(db, &id, &decision, by.as_ref(), now)).await?
    }
}

fn begin(
    db: &Connection,
    new: &NewBatch,
    routes: &PayoutRoutes,
    attempt: Option<&Attempt>,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<std::result::Result<PayoutBatch, BeginError>> {
    let exists = db
        .prepare_cached("SELECT 1 FROM payout_batches WHERE id = ?1")?
        .exists([new.id.as_str()])?;
    let request = accounts::new_request(db, attempt, new.asked_by.key(), &new.scope.account)?;
    let request = NewRequest { is_repeated: request.is_repeated || exists, ..request };
    if let Err(refused) = request.check() {
        return Ok(Err(refused));
    }
    let (controls, paid_pesewas) = payout_controls::of_payout(db, &new.scope, None, now)?;
    if let Err(exceeds) = payout_batch::check(&controls, &new.lines, paid_pesewas) {
        return Ok(Err(exceeds.into()));
    }
    let warnings = repeated(db, new, now)?;
    let (key, user) =
        (new.asked_by.key().map(KeyId::as_str), new.asked_by.user().map(UserId::as_str));
    db.prepare_cached(
        "INSERT INTO payout_batches (id, account_id, mode, reference, key_id, user_id, warnings, \
         created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        new.id.as_str(),
        new.scope.account.as_str(),
        new.scope.mode.as_str(),
        new.reference,
        key,
        user,
        rows::write_warnings(&warnings),
        now.as_millisecond(),
    ])?;
    // Its response shows the lines as they begin, and is known with them.
    idempotency::insert(db, attempt, new.id.as_str(), Some(ResponseSnapshot::payment(1)), now)?;
    let begun = payout_batch::begin(&new.lines, routes, &controls, now);
    for (line, sending) in &begun {
        insert(db, line, sending)?;
        append_and_notify(db, line, &payout_batch::first_event(line))?;
        ledger::post(db, Postings::default(), line)?;
    }
    let lines = begun.into_iter().map(|(line, _)| line).collect();
    let batch = new.clone().begun(warnings, lines, now);
    if let Some(by) = by {
        ready(audit::append(db, by, &audit_values::payouts::batch_begun(&batch)))?;
    }
    Ok(Ok(batch))
}

fn check(db: &Connection, new: &NewBatch, now: Timestamp) -> Result<BatchCheck> {
    let (controls, paid_pesewas) = payout_controls::of_payout(db, &new.scope, None, now)?;
    Ok(BatchCheck {
        warnings: repeated(db, new, now)?,
        exceeds: payout_batch::check(&controls, &new.lines, paid_pesewas).err(),
        needs_approval: payout_batch::needs_approval(&controls, &new.lines),
    })
}

fn decide(
    db: &Connection,
    id: &BatchId,
    decision: &RoutedDecision,
    by: Option<&AuditContext>,
    now: Timestamp,
) -> Result<std::result::Result<DecidedBatch, DecideError>> {
    let Some(before) = by_id(db, id)? else { return Ok(Err(DecideError::Unknown)) };
    let circumstances = match (&decision.decision, before.lines.first()) {
        (PayoutDecision::Approve { .. }, Some(first)) => {
            let all = approvals::circumstances(db, &first.begun, None, now)?;
            let counted = payout_batch::counted_today(payout_batch::waiting(&before.lines), now);
            Some(Circumstances { paid_pesewas: all.paid_pesewas - counted, ..all })
        }
        _ => None,
    };
    let events = match payout_batch::decide(&before.lines, decision, circumstances, now) {
        Ok(events) => events,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut after = Vec::with_capacity(events.len());
    let mut changed = Vec::new();
    for (line, events) in before.lines.iter().zip(events) {
        let decided = approvals::apply(db, line.clone(), &events, now)?;
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
    Ok(Ok(DecidedBatch { batch, changed }))
}
