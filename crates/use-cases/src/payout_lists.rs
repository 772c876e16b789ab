//! Lists payouts that wait for an approval, and batches. A request of a person's own is approved by
//! another person (docs/reference/payouts.md#approval).

use super::{
    account_read_error::{AccountReadError, require_account},
    reports::count_approvals,
};
use std::sync::Arc;
use tua_domain::{
    AccountId, BatchId, KeyId, Mode, Scope, Transaction,
    audit::email_of_actor,
    payout_batch::{AskedBy, BatchSummary, PayoutBatch},
    people::User,
    ports::{Store, StoreError},
    reporting::ReportFilter,
};

/// Reads what waits for an approval, who asked for it, and batches.
#[derive(Clone, Debug)]
pub struct PayoutLists {
    /// Has payouts and batches, and the audit log with who asked for them.
    pub store: Arc<dyn Store>,
}

/// A payout or refund that waits for an approval.
#[derive(Clone, Debug)]
pub struct WaitingPayout {
    /// The payout or refund. It is in no batch.
    pub payout: Transaction,
    /// Whether the person who reads the list asked for it.
    pub is_own: bool,
}

/// The payouts and batches that wait in an account and mode, for one person.
#[derive(Clone, Debug)]
pub struct PayoutOverview {
    /// Those that wait for an approval and are in no batch, the longest waiting first.
    pub waiting: Vec<WaitingPayout>,
    /// The batches that wait, the longest waiting first.
    pub batches: Vec<BatchSummary>,
}

/// What waits for an approval, of one account or all.
#[derive(Clone, Debug)]
pub struct WaitingPayouts {
    /// Payouts and refunds that are in no batch, the longest waiting first.
    pub payouts: Vec<Transaction>,
    /// Batches with lines that wait, of test and live mode.
    pub batches: Vec<BatchSummary>,
}

/// Who asked for a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BatchOrigin {
    /// The name of the key, or its id if it has none; or the person's address, or the id of a
    /// person who is not in the account any more; `None` for a person on the command line.
    pub name: Option<String>,
    /// Whether it is the person who reads this.
    pub is_own: bool,
}

impl PayoutLists {
    /// The payouts and batches that wait for an approval, as a person sees them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn overview(
        &self,
        scope: &Scope,
        reader: &User,
    ) -> Result<PayoutOverview, StoreError> {
        let mut waiting = Vec::new();
        for payout in self.store.unapproved(Some(&scope.account)).await? {
            if payout.order.scope == *scope && payout.order.batch.is_none() {
                let is_own = self.is_request_of(reader, &payout).await?;
                waiting.push(WaitingPayout { payout, is_own });
            }
        }
        let batches = self.store.unapproved_batches(Some(scope)).await?;
        Ok(PayoutOverview { waiting, batches })
    }

    /// How many decisions wait for a second person: one for each payout or refund, and one for
    /// each batch.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn decisions(&self, scope: &Scope) -> Result<u64, StoreError> {
        let store = self.store.as_ref();
        count_approvals(store, store, scope, &ReportFilter::default()).await
    }

    /// The batches that wait for an approval, the longest waiting first, and then the newest
    /// others, at most so many.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn batches(
        &self,
        scope: &Scope,
        limit: u32,
    ) -> Result<Vec<BatchSummary>, StoreError> {
        // Those that wait come first, also where many newer ones exist.
        let mut batches = self.store.unapproved_batches(Some(scope)).await?;
        let newest = self.store.payout_batches(Some(scope), limit).await?;
        batches.extend(newest.into_iter().filter(|batch| batch.approval_due.is_none()));
        Ok(batches)
    }

    /// What waits for an approval, of one account or all.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn waiting(
        &self,
        account: Option<&AccountId>,
    ) -> Result<WaitingPayouts, AccountReadError> {
        require_account(self.store.as_ref(), account).await?;
        let mut payouts = self.store.unapproved(account).await?;
        payouts.retain(|payout| payout.order.batch.is_none());
        let mut batches = Vec::new();
        for scope in scopes(account) {
            batches.extend(self.store.unapproved_batches(scope.as_ref()).await?);
        }
        Ok(WaitingPayouts { payouts, batches })
    }

    /// The newest batches of one account or all, at most so many, of both modes.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn newest_batches(
        &self,
        account: Option<&AccountId>,
        limit: u32,
    ) -> Result<Vec<BatchSummary>, AccountReadError> {
        require_account(self.store.as_ref(), account).await?;
        let mut batches = Vec::new();
        for scope in scopes(account) {
            batches.extend(self.store.payout_batches(scope.as_ref(), limit).await?);
        }
        batches.sort_by(|one, other| other.id.cmp(&one.id));
        batches.truncate(limit as usize);
        Ok(batches)
    }

    /// The batch with this id, of any account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_batch(&self, id: &BatchId) -> Result<Option<PayoutBatch>, StoreError> {
        self.store.payout_batch(id).await
    }

    /// Whether the person asked for a payout or refund, or made the key that did.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_request_of(
        &self,
        person: &User,
        payout: &Transaction,
    ) -> Result<bool, StoreError> {
        match &payout.order.key {
            Some(key) => self.is_key_of(person, key).await,
            None => {
                let asker = self.store.payout_asker(&payout.order.id).await?;
                Ok(asker.is_some_and(|actor| is_person(person, &actor)))
            }
        }
    }

    /// Who asked for a batch, and whether the person did, or made the key that did.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn origin_of(
        &self,
        batch: &PayoutBatch,
        reader: &User,
    ) -> Result<BatchOrigin, StoreError> {
        Ok(match &batch.asked_by {
            AskedBy::Key(key) => BatchOrigin {
                name: Some(self.name_of_key(&batch.scope.account, key).await?),
                is_own: self.is_key_of(reader, key).await?,
            },
            AskedBy::Person(user) => {
                let members = self.store.members(&batch.scope.account).await?;
                let found = members.into_iter().find(|member| member.user.id == *user);
                let name = found.map_or_else(
                    || user.as_str().to_owned(),
                    |member| member.user.email.as_str().to_owned(),
                );
                BatchOrigin { name: Some(name), is_own: *user == reader.id }
            }
            // A name that was typed at a console is nobody's.
            AskedBy::CommandLine => BatchOrigin { name: None, is_own: false },
        })
    }

    /// The merchant's name for a key; its id if it has none.
    async fn name_of_key(&self, account: &AccountId, key: &KeyId) -> Result<String, StoreError> {
        let keys = self.store.keys(Some(account)).await?;
        let found = keys.into_iter().find(|one| one.id == *key).and_then(|one| one.name);
        Ok(found.unwrap_or_else(|| key.as_str().to_owned()))
    }

    /// Whether the person made a key, or one that it has succeeded.
    async fn is_key_of(&self, person: &User, key: &KeyId) -> Result<bool, StoreError> {
        Ok(self.store.key_makers(key).await?.iter().any(|maker| is_person(person, maker)))
    }
}

/// Whether the audit log names this person as the actor.
fn is_person(person: &User, actor: &str) -> bool {
    email_of_actor(actor) == Some(person.email.as_str())
}

/// Both modes of an account, or everything.
fn scopes(account: Option<&AccountId>) -> Vec<Option<Scope>> {
    match account {
        Some(account) => Mode::ALL
            .iter()
            .map(|mode| Some(Scope { account: account.clone(), mode: *mode }))
            .collect(),
        None => vec![None],
    }
}
