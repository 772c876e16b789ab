//! Inserts payments.
//!
//! Lock order: idempotency records, checkout sessions, buckets.

use super::{
    accounts,
    batch_ops::Write,
    buckets,
    checkouts::{self, LockedCheckout},
    db::Db,
    error::Result,
    idempotency::{self, NewRecord},
    in_doubt::InDoubt,
    outbox, transactions,
};
use crate::domain::{
    AccountId, CheckoutId, CheckoutSummary, Event, NewTransaction, Transaction,
    idempotency::{Attempt, RepeatError},
    persistent_bucket::PersistentBucket,
    ports::{BeginError, StoreError},
    rules,
    transaction::Sending,
};
use async_trait::async_trait;
use jiff::Timestamp;

/// A payment to insert.
pub(super) struct InsertPayment {
    pub(super) new: NewTransaction,
    pub(super) sending: Sending,
    pub(super) attempt: Option<Attempt>,
    pub(super) prompts: Vec<PersistentBucket>,
    pub(super) now: Timestamp,
}

impl InsertPayment {
    fn new_record(&self) -> Option<NewRecord<'_>> {
        let record = |attempt| NewRecord { attempt, subject: self.new.id.as_str(), response: None, now: self.now };
        self.attempt.as_ref().map(record)
    }
}

#[async_trait]
impl Write for InsertPayment {
    type Done = Transaction;
    type Rejection = BeginError;

    fn conflict_keys(&self) -> Vec<String> {
        let attempt = self.attempt.as_ref().map(Attempt::name);
        let checkout = self.new.checkout.as_ref().map(|id| id.as_str().to_owned());
        let prompts = self.prompts.iter().map(|prompt| prompt.name().to_owned());
        attempt.into_iter().chain(checkout).chain(prompts).collect()
    }

    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Verify("SELECT 1 FROM transactions WHERE id = $1", self.new.id.as_str())
    }

    async fn write(db: &Db, ops: &[&Self]) -> Result<Vec<std::result::Result<Transaction, BeginError>>> {
        let attempts: Vec<_> = ops.iter().filter_map(|op| op.new_record()).collect();
        let sessions: Vec<&CheckoutId> = ops.iter().filter_map(|op| op.new.checkout.as_ref()).collect();
        let mut prompts = Vec::with_capacity(2 * ops.len());
        for one in ops {
            prompts.extend(one.prompts.iter().map(|prompt| (prompt, one.now)));
        }
        let begin = |one: &Self| Transaction::begin(one.new.clone(), one.sending.is_at_once(), one.now);
        let begun: Vec<_> = ops.iter().map(|one| (begin(one), one.sending)).collect();
        let first_event =
            |one: &Self| Event::Begun { new: Box::new(one.new.clone()), is_handed_over: one.sending.is_at_once() };
        let events: Vec<_> = ops.iter().map(|one| first_event(one)).collect();
        let taken: Vec<_> = begun.iter().map(|(new, _)| new).zip(&events).collect();
        let owners: Vec<&AccountId> = ops.iter().map(|one| &one.new.scope.account).collect();
        let (fresh, mut locked, mut exceeded, (), (), (), suspended) = tokio::try_join!(
            biased;
            idempotency::insert_records(db, &attempts),
            checkouts::lock(db, &sessions),
            buckets::take(db, prompts.into_iter()),
            transactions::insert(db, &begun),
            transactions::append(db, &taken),
            outbox::insert_events(db, &taken),
            accounts::suspended(db, &owners),
        )?;
        let mut outcome = |one: &Self| {
            if one.attempt.is_some() && !fresh.contains(one.new.id.as_str()) {
                return Err(RepeatError::InProgress.into());
            }
            if suspended.contains(&one.new.scope.account) {
                return Err(BeginError::AccountSuspended);
            }
            if let Some(checkout) = &one.new.checkout {
                let not_found = || StoreError::failed("the session of a charge is missing");
                let LockedCheckout { window, charges } = locked.remove(checkout).ok_or_else(not_found)?;
                rules::may_charge(&window, &CheckoutSummary::of(charges), &one.new, one.now)?;
            }
            match one.prompts.iter().find_map(|prompt| exceeded.remove(prompt.name())) {
                Some(exceeded) => Err(exceeded.into()),
                None => Ok(()),
            }
        };
        let refusals: Vec<_> = ops.iter().map(|one| outcome(one)).collect();
        Ok(refusals.into_iter().zip(begun).map(|(refusal, (transaction, _))| refusal.map(|()| transaction)).collect())
    }
}
