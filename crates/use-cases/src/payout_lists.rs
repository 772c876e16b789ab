//! Lists payouts that wait for an approval, and batches. A request of a person's own is approved by
//! another person (docs/reference/payouts.md#approval).

use super::account_read_error::{AccountReadError, require_account};
use std::{collections::HashMap, sync::Arc};
use tua_domain::{
    AccountId, BatchId, KeyId, Mode, Scope, Transaction,
    audit::email_of_actor,
    payout_batch::{AskedBy, BatchSummary, PayoutBatch},
    people::{Membership, Permission, User},
    ports::{Accounts, PayoutApprovals, PayoutBatches, People, Reports, StoreError},
};

/// Reads what waits for an approval, who asked for it, and batches.
#[derive(Clone, Debug)]
pub struct PayoutLists {
    /// Lists payouts and refunds that wait for an approval.
    pub payout_approvals: Arc<dyn PayoutApprovals>,
    /// Lists batches, and those that wait.
    pub payout_batches: Arc<dyn PayoutBatches>,
    /// Finds out who asked for a payout, and who made a key.
    pub reports: Arc<dyn Reports>,
    /// Has the accounts, and the names of their keys.
    pub accounts: Arc<dyn Accounts>,
    /// Has the members of an account, who may have asked for a batch.
    pub people: Arc<dyn People>,
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
    pub batches: Vec<WaitingBatch>,
}

/// A batch that waits for an approval.
#[derive(Clone, Debug)]
pub struct WaitingBatch {
    /// The batch without its lines.
    pub batch: BatchSummary,
    /// Whether the person who reads the list asked for it.
    pub is_own: bool,
}

/// How many approvals wait in an account and mode: one for each payout or refund, and one for each
/// batch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ApprovalCounts {
    /// Those that the person who reads this may give.
    pub for_reader: u64,
    /// Those of the person's own requests, which somebody else must approve.
    pub for_others: u64,
}

impl ApprovalCounts {
    fn add(&mut self, count: u64, is_own: bool) {
        if is_own {
            self.for_others += count;
        } else {
            self.for_reader += count;
        }
    }
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
        let mut asker = Asker::new(self, reader);
        let mut waiting = Vec::new();
        for payout in self.payout_approvals.unapproved(Some(&scope.account)).await? {
            if payout.order.scope == *scope && payout.order.batch.is_none() {
                let is_own = asker.asked_for_payout(&payout).await?;
                waiting.push(WaitingPayout { payout, is_own });
            }
        }
        let mut batches = Vec::new();
        for batch in self.payout_batches.unapproved_batches(Some(scope)).await? {
            let is_own = asker.asked_for(&batch.asked_by).await?;
            batches.push(WaitingBatch { batch, is_own });
        }
        Ok(PayoutOverview { waiting, batches })
    }

    /// How many approvals wait, for a person whose role may give them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn approval_counts(
        &self,
        scope: &Scope,
        reader: &User,
    ) -> Result<ApprovalCounts, StoreError> {
        let mut asker = Asker::new(self, reader);
        let mut counts = ApprovalCounts::default();
        for requests in self.payout_approvals.waiting_requests(scope).await? {
            let is_own = match (&requests.key, &requests.actor) {
                (Some(key), _) => asker.made(key).await?,
                (None, Some(actor)) => is_person(reader, actor),
                (None, None) => false,
            };
            counts.add(requests.count, is_own);
        }
        for batch in self.payout_batches.unapproved_batches(Some(scope)).await? {
            counts.add(1, asker.asked_for(&batch.asked_by).await?);
        }
        Ok(counts)
    }

    /// The addresses of the people of an account who may approve what `asked_by` asks for: those
    /// whose role permits it, who can sign in, and who neither asked nor made the key that did.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn approvers(
        &self,
        account: &AccountId,
        asked_by: &AskedBy,
    ) -> Result<Vec<String>, StoreError> {
        let makers = match asked_by {
            AskedBy::Key(key) => self.reports.key_makers(key).await?,
            AskedBy::Person(_) | AskedBy::CommandLine => Vec::new(),
        };
        let asked = |user: &User| match asked_by {
            AskedBy::Person(asker) => *asker == user.id,
            AskedBy::Key(_) | AskedBy::CommandLine => {
                makers.iter().any(|maker| is_person(user, maker))
            }
        };
        let members = self.people.members(account).await?;
        let may_approve = |member: &Membership| {
            member.user.is_enrolled && member.role.may(Permission::DecidePayouts)
        };
        Ok(members
            .iter()
            .filter(|member| may_approve(member) && !asked(&member.user))
            .map(|member| member.user.email.as_str().to_owned())
            .collect())
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
        let mut batches = self.payout_batches.unapproved_batches(Some(scope)).await?;
        let newest = self.payout_batches.payout_batches(Some(scope), limit).await?;
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
        require_account(self.accounts.as_ref(), account).await?;
        let mut payouts = self.payout_approvals.unapproved(account).await?;
        payouts.retain(|payout| payout.order.batch.is_none());
        let mut batches = Vec::new();
        for scope in scopes(account) {
            batches.extend(self.payout_batches.unapproved_batches(scope.as_ref()).await?);
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
        require_account(self.accounts.as_ref(), account).await?;
        let mut batches = Vec::new();
        for scope in scopes(account) {
            batches.extend(self.payout_batches.payout_batches(scope.as_ref(), limit).await?);
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
        self.payout_batches.payout_batch(id).await
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
        Asker::new(self, person).asked_for_payout(payout).await
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
        let is_own = Asker::new(self, reader).asked_for(&batch.asked_by).await?;
        let name = match &batch.asked_by {
            AskedBy::Key(key) => Some(self.name_of_key(&batch.scope.account, key).await?),
            AskedBy::Person(user) => {
                let members = self.people.members(&batch.scope.account).await?;
                let found = members.into_iter().find(|member| member.user.id == *user);
                Some(found.map_or_else(
                    || user.as_str().to_owned(),
                    |member| member.user.email.as_str().to_owned(),
                ))
            }
            AskedBy::CommandLine => None,
        };
        Ok(BatchOrigin { name, is_own })
    }

    /// The merchant's name for a key; its id if it has none.
    async fn name_of_key(&self, account: &AccountId, key: &KeyId) -> Result<String, StoreError> {
        let keys = self.accounts.keys(Some(account)).await?;
        let found = keys.into_iter().find(|one| one.id == *key).and_then(|one| one.name);
        Ok(found.unwrap_or_else(|| key.as_str().to_owned()))
    }
}

/// What one person asked for. The makers of each key are read once, however many requests it made.
struct Asker<'a> {
    reports: &'a dyn Reports,
    person: &'a User,
    keys: HashMap<KeyId, bool>,
}

impl<'a> Asker<'a> {
    fn new(lists: &'a PayoutLists, person: &'a User) -> Self {
        Self { reports: lists.reports.as_ref(), person, keys: HashMap::new() }
    }

    /// Whether the person asked for a payout or refund, or made the key that did.
    async fn asked_for_payout(&mut self, payout: &Transaction) -> Result<bool, StoreError> {
        match &payout.order.key {
            Some(key) => self.made(key).await,
            None => {
                let asker = self.reports.payout_asker(&payout.order.id).await?;
                Ok(asker.is_some_and(|actor| is_person(self.person, &actor)))
            }
        }
    }

    /// Whether the person asked for a batch, or made the key that did.
    async fn asked_for(&mut self, asked_by: &AskedBy) -> Result<bool, StoreError> {
        match asked_by {
            AskedBy::Key(key) => self.made(key).await,
            AskedBy::Person(user) => Ok(*user == self.person.id),
            // A name that was typed at a console is nobody's.
            AskedBy::CommandLine => Ok(false),
        }
    }

    /// Whether the person made a key, or one that it has succeeded.
    async fn made(&mut self, key: &KeyId) -> Result<bool, StoreError> {
        if let Some(is_maker) = self.keys.get(key) {
            return Ok(*is_maker);
        }
        let makers = self.reports.key_makers(key).await?;
        let is_maker = makers.iter().any(|maker| is_person(self.person, maker));
        self.keys.insert(key.clone(), is_maker);
        Ok(is_maker)
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
