//! What follows from operators' words, nearly always.
//!
//! Rows are locked in one order: the attempts, the transactions, their sessions.

use super::{db::Db, doubt::InDoubt, error::Result, idempotency, outbox, together::Write, transactions};
use crate::domain::{CheckoutId, Event, Transaction, idempotency::Reply};
use async_trait::async_trait;

/// What a transaction is after an event, where nothing has happened since the question: then its row need not be
/// read before it is written.
pub(super) struct Following {
    pub(super) after: Transaction,
    pub(super) event: Event,
    pub(super) reply: Option<Reply>,
}

/// Something else has happened to a transaction.
pub(super) struct Overtaken;

#[async_trait]
impl Write for Following {
    type Done = ();
    type Refusal = Overtaken;

    fn names(&self) -> Vec<String> {
        let begun = &self.after.begun;
        let checkout = begun.checkout.as_ref().map(CheckoutId::as_str);
        std::iter::once(begun.id.as_str()).chain(checkout).map(str::to_owned).collect()
    }

    /// It would be overtaken by itself.
    fn doubt(&self) -> InDoubt<'_> {
        InDoubt::Repeat
    }

    async fn write(db: &Db, these: &[&Self]) -> Result<Vec<std::result::Result<(), Overtaken>>> {
        let mut replies: Vec<&Reply> = these.iter().filter_map(|one| one.reply.as_ref()).collect();
        replies.sort_unstable_by(|one, other| one.attempt.place().cmp(&other.attempt.place()));
        let mut taken: Vec<_> = these.iter().map(|one| (&one.after, &one.event)).collect();
        taken.sort_unstable_by_key(|(after, _)| after.begun.id.as_str());
        let (_, updated, ()) = tokio::try_join!(
            biased;
            idempotency::answer_all(db, &replies),
            transactions::update(db, &taken),
            outbox::announce(db, &taken),
        )?;
        let outcome = |one: &&Self| updated.contains(one.after.begun.id.as_str()).then_some(()).ok_or(Overtaken);
        Ok(these.iter().map(outcome).collect())
    }
}
