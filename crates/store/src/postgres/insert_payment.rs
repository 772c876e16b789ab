//! Inserts payments.
//!
//! Lock order: keys, limits of payouts, charges of refunds, idempotency records, payment links,
//! checkout sessions, buckets.

use super::{
    accounts,
    batch_ops::WriteOp,
    buckets,
    checkouts::{self, LockedCheckout},
    idempotency, ledger, links, outbox, payout_controls,
    refunds::Charges,
    transaction_rows,
};
use crate::{in_doubt::InDoubt, payment_sql::NewRecord, queries::refunds};
use async_trait::async_trait;
use jiff::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use tua_domain::{
    AccountId, CheckoutId, CheckoutSummary, Event, KeyId, Kind, LinkId, Scope, Transaction,
    TransactionOrder, approval,
    idempotency::Attempt,
    ledger::PostedBefore,
    payout_controls::{PayoutControls, day_of},
    persistent_bucket::PersistentBucket,
    ports::BeginError,
    refund::RefundSums,
    refusal_order::{NewRequest, PaymentFacts},
    transaction::Sending,
};
use tua_sql::{
    postgres::{
        db::Db,
        error::{Error, Result},
    },
    queries,
};

/// A payment to insert.
pub(super) struct InsertPayment {
    pub(super) new: Arc<TransactionOrder>,
    pub(super) sending: Sending,
    pub(super) attempt: Option<Attempt>,
    pub(super) prompts: Vec<PersistentBucket>,
    pub(super) now: Timestamp,
}

impl InsertPayment {
    fn new_record(&self) -> Option<NewRecord<'_>> {
        let record = |attempt| NewRecord {
            attempt,
            subject: self.new.id.as_str(),
            response: None,
            now: self.now,
        };
        self.attempt.as_ref().map(record)
    }
}

/// The limits of the payouts of a batch, and what counts towards the daily ones.
struct Limits {
    controls: HashMap<Scope, PayoutControls>,
    /// By scope and day; with the payouts of the batch that were counted so far.
    paid_pesewas: HashMap<(Scope, i64), i64>,
}

impl Limits {
    /// Locks the limits until the commit, and sums up what counts. Nothing is asked where the batch
    /// has no payouts, and nothing is locked where their accounts have no limits.
    async fn lock(db: &Db, ops: &[&InsertPayment]) -> Result<Self> {
        let payouts = || ops.iter().filter(|one| one.new.transfer.kind == Kind::Payout);
        let controls = payout_controls::lock(db, payouts().map(|one| &one.new.scope)).await?;
        let mut paid_pesewas = HashMap::new();
        for one in payouts() {
            let limited =
                controls.get(&one.new.scope).is_some_and(|controls| controls.daily_limit.is_some());
            let day = (one.new.scope.clone(), day_of(one.now).0);
            if limited && !paid_pesewas.contains_key(&day) {
                let paid =
                    queries::payout_controls::paid_pesewas(db, &one.new.scope, one.now, None)
                        .await?;
                paid_pesewas.insert(day, paid);
            }
        }
        Ok(Self { controls, paid_pesewas })
    }

    /// The limits of a payment; none for a charge.
    fn of(&self, new: &TransactionOrder) -> PayoutControls {
        let controls = self.controls.get(&new.scope).filter(|_| new.transfer.kind == Kind::Payout);
        controls.copied().unwrap_or_default()
    }

    /// What counts towards the daily limit of a payment, in pesewas.
    fn paid_pesewas(&self, one: &InsertPayment) -> i64 {
        let day = (one.new.scope.clone(), day_of(one.now).0);
        self.paid_pesewas.get(&day).copied().unwrap_or_default()
    }

    /// Counts a payment that begins.
    fn count(&mut self, one: &InsertPayment) {
        let day = (one.new.scope.clone(), day_of(one.now).0);
        if let Some(paid) = self.paid_pesewas.get_mut(&day).filter(|_| one.new.counts_as_payout()) {
            *paid += one.new.transfer.amount.pesewas();
        }
    }
}

#[async_trait]
impl WriteOp for InsertPayment {
    type Output = Transaction;
    type Rejection = BeginError;

    fn conflict_keys(&self) -> Vec<String> {
        let attempt = self.attempt.as_ref().map(Attempt::name);
        let checkout = self.new.checkout.as_ref().map(|id| id.as_str().to_owned());
        let prompts = self.prompts.iter().map(|prompt| prompt.name().to_owned());
        let link = self.new.link.as_ref().map(|id| id.as_str().to_owned());
        let charge = self.new.refund.as_ref().map(|of| of.charge.as_str().to_owned());
        attempt.into_iter().chain(checkout).chain(link).chain(charge).chain(prompts).collect()
    }

    fn in_doubt(&self) -> InDoubt<'_> {
        InDoubt::Verify("SELECT 1 FROM transactions WHERE id = $1", self.new.id.as_str())
    }

    async fn write(
        db: &Db,
        ops: &[&Self],
    ) -> Result<Vec<std::result::Result<Transaction, BeginError>>> {
        let attempts: Vec<_> = ops.iter().filter_map(|op| op.new_record()).collect();
        let sessions: Vec<&CheckoutId> =
            ops.iter().filter_map(|op| op.new.checkout.as_ref()).collect();
        let mut prompts = Vec::with_capacity(2 * ops.len());
        for one in ops {
            prompts.extend(one.prompts.iter().map(|prompt| (prompt, one.now)));
        }
        let keys: Vec<&KeyId> = ops.iter().filter_map(|one| one.new.key.as_ref()).collect();
        let revoked = accounts::lock_revoked(db, &keys).await?;
        let mut limits = Limits::lock(db, ops).await?;
        let charges = Charges::lock(db, ops.iter().map(|one| &*one.new)).await?;
        let begin = |one: &&Self| {
            let (new, sending) = approval::begin(
                one.new.clone(),
                one.sending.clone(),
                &limits.of(&one.new),
                one.now,
            );
            let operator = sending.operator().cloned();
            (Transaction::begin(new, sending.is_at_once(), operator, one.now), sending)
        };
        let begun: Vec<_> = ops.iter().map(begin).collect();
        let first_event = |(transaction, sending): &(Transaction, Sending)| Event::Begun {
            new: transaction.order.clone(),
            is_handed_over: sending.is_at_once(),
            operator: sending.operator().cloned(),
        };
        let events: Vec<_> = begun.iter().map(first_event).collect();
        let applied: Vec<_> = begun.iter().map(|(new, _)| new).zip(&events).collect();
        let posted: Vec<_> = begun.iter().map(|(new, _)| (PostedBefore::default(), new)).collect();
        let owners: Vec<&AccountId> = ops.iter().map(|one| &one.new.scope.account).collect();
        let links: Vec<&LinkId> = ops.iter().filter_map(|op| op.new.link.as_ref()).collect();
        let (fresh, in_use, mut locked, mut exceeded, (), (), (), (), suspended) = tokio::try_join!(
            biased;
            idempotency::insert_records(db, &attempts),
            links::in_use(db, &links),
            checkouts::lock(db, &sessions),
            buckets::take_tokens(db, prompts.into_iter()),
            transaction_rows::insert(db, &begun),
            transaction_rows::append(db, &applied),
            outbox::insert_events(db, &applied),
            ledger::post(db, &posted),
            accounts::suspended(db, &owners),
        )?;
        let mut refusals = Vec::with_capacity(ops.len());
        for (one, (refund, _)) in ops.iter().zip(&begun) {
            let session = match &one.new.checkout {
                Some(checkout) => {
                    let LockedCheckout { window, charges } =
                        locked.remove(checkout).ok_or(Error::MissingRow)?;
                    Some((window, CheckoutSummary::of(charges)))
                }
                None => None,
            };
            let facts = PaymentFacts {
                request: NewRequest {
                    is_repeated: one.attempt.is_some() && !fresh.contains(one.new.id.as_str()),
                    is_key_revoked: one.new.key.as_ref().is_some_and(|key| revoked.contains(key)),
                    is_account_suspended: suspended.contains(&one.new.scope.account),
                },
                session,
                is_link_in_use: one.new.link.as_ref().is_some_and(|link| in_use.contains(link)),
                refunded_charge: charges.of(&one.new)?,
                controls: limits.of(&one.new),
                paid_pesewas: limits.paid_pesewas(one),
            };
            let too_many_prompts =
                one.prompts.iter().find_map(|prompt| exceeded.remove(prompt.name()));
            let refusal = match too_many_prompts {
                Some(exceeded) => facts.check(&one.new, one.now).and(Err(exceeded.into())),
                None => facts.check(&one.new, one.now),
            };
            if refusal.is_ok() {
                limits.count(one);
                refunds::count(db, RefundSums::default(), refund, one.now).await?;
            }
            refusals.push(refusal);
        }
        Ok(refusals
            .into_iter()
            .zip(begun)
            .map(|(refusal, (transaction, _))| refusal.map(|()| transaction))
            .collect())
    }
}
