//! Payments that begin.
//!
//! Rows are locked in one order: the attempts, the sessions, the buckets.

use super::{
    buckets, checkouts,
    db::Db,
    doubt::InDoubt,
    error::Result,
    idempotency::{self, Memory},
    outbox,
    together::Write,
    transactions,
};
use crate::{
    domain::{CheckoutId, CheckoutSummary, Event, NewTransaction, Transaction, idempotency::Attempt},
    limits::PersistentBucket,
    store::{BeginError, rules},
};
use async_trait::async_trait;
use jiff::Timestamp;

/// A payment that is to begin.
pub(super) struct Beginning {
    pub(super) new: NewTransaction,
    pub(super) first_ask: Option<Timestamp>,
    pub(super) attempt: Option<Attempt>,
    pub(super) prompt: Option<PersistentBucket>,
    pub(super) now: Timestamp,
}

impl Beginning {
    fn memory(&self) -> Option<Memory<'_>> {
        let memory = |attempt| Memory { attempt, subject: self.new.id.as_str(), answer: None, now: self.now };
        self.attempt.as_ref().map(memory)
    }
}

#[async_trait]
impl Write for Beginning {
    type Done = Transaction;
    type Refusal = BeginError;

    fn names(&self) -> Vec<String> {
        let attempt = self.attempt.as_ref().map(Attempt::name);
        let checkout = self.new.checkout.as_ref().map(|id| id.as_str().to_owned());
        let prompt = self.prompt.as_ref().map(|prompt| prompt.name().to_owned());
        attempt.into_iter().chain(checkout).chain(prompt).collect()
    }

    fn doubt(&self) -> InDoubt<'_> {
        InDoubt::Look("SELECT 1 FROM transactions WHERE id = $1", self.new.id.as_str())
    }

    async fn write(db: &Db, these: &[&Self]) -> Result<Vec<std::result::Result<Transaction, BeginError>>> {
        let attempts: Vec<_> = these.iter().filter_map(|one| one.memory()).collect();
        let sessions: Vec<&CheckoutId> = these.iter().filter_map(|one| one.new.checkout.as_ref()).collect();
        let prompts = these.iter().filter_map(|one| Some((one.prompt.as_ref()?, one.now)));
        let begun: Vec<_> =
            these.iter().map(|one| (Transaction::begin(one.new.clone(), one.now), one.first_ask)).collect();
        let events: Vec<_> = these.iter().map(|one| Event::Begun(Box::new(one.new.clone()))).collect();
        let taken: Vec<_> = begun.iter().map(|(new, _)| new).zip(&events).collect();
        let (fresh, mut charges, mut exceeded, ..) = tokio::try_join!(
            biased;
            idempotency::remember(db, &attempts),
            checkouts::locked_charges(db, &sessions),
            buckets::take(db, prompts),
            transactions::insert(db, &begun),
            transactions::append(db, &taken),
            outbox::announce(db, &taken),
        )?;
        let mut outcome = |one: &Self| {
            if one.attempt.is_some() && !fresh.contains(one.new.id.as_str()) {
                return Err(BeginError::Repeated);
            }
            if let Some(checkout) = &one.new.checkout {
                rules::may_charge(&CheckoutSummary::of(charges.remove(checkout).unwrap_or_default()))?;
            }
            match one.prompt.as_ref().and_then(|prompt| exceeded.remove(prompt.name())) {
                Some(exceeded) => Err(exceeded.into()),
                None => Ok(()),
            }
        };
        let refusals: Vec<_> = these.iter().map(|one| outcome(one)).collect();
        Ok(refusals.into_iter().zip(begun).map(|(refusal, (transaction, _))| refusal.map(|()| transaction)).collect())
    }
}
