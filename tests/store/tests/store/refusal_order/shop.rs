//! A merchant's account, and the faults that requests of every kind can have.

use super::scenario::Fault;
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_contract::{Amount, Network, Phone};
use tua_domain::{
    Details, Generation, KeyId, Kind, Scope, SecretKey, TransactionId, TransactionOrder, Transfer,
    change::Change,
    idempotency::{Attempt, IdempotencyKey, Operation},
    payout_controls::ControlsChange,
    payout_route::PayoutRoute,
    persistent_bucket::PersistentBucket,
    ports::{AccountChange, Clock, OpenSessions, Store},
    rate_limit::{Policy, Rate},
    routing::Operators,
    secret::SecretDigest,
    tariff::Price,
    transaction::Sending,
};
use tua_test_support::{ApiClient, TestApp};

/// The limits of one payout and of a day, in cedis, where a request is to exceed them.
const LIMIT: &str = "5";
const DAILY_LIMIT: &str = "8";

/// The route of the sandbox.
pub const ROUTE: PayoutRoute =
    PayoutRoute { operator: None, fee_pesewas: None, refund_method: None, moved_to: None };

/// An account in test mode, with an idempotency key that is used and a secret key that is revoked.
pub struct Shop {
    pub app: TestApp,
    pub client: ApiClient,
    pub scope: Scope,
    revoked_key: KeyId,
    is_suspended: bool,
}

impl Shop {
    pub async fn start(choose: impl FnOnce(Operators) -> Operators) -> Self {
        let app = TestApp::with_stopped_clock(choose).await;
        let client = app.shop().await;
        let store = &app.running().store;
        let digest = SecretDigest::of(&client.credential);
        let keys = store.keys(None).await.unwrap();
        let scope = keys.into_iter().find(|key| key.digest == digest).unwrap().scope;
        let (key, _) = SecretKey::generate(scope.clone(), Generation::V2, app.clock.now());
        let revoked_key = key.id.clone();
        store.add_key(key, &app.audit()).await.unwrap();
        store.revoke_key(&revoked_key, OpenSessions::Keep, &app.audit()).await.unwrap();
        let shop = Self { app, client, scope, revoked_key, is_suspended: false };
        shop.begin(shop.payment(Kind::Payout, 100), Some(shop.attempt(true)), &[]).await.unwrap();
        shop
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.app.running().store
    }

    pub fn now(&self) -> Timestamp {
        self.app.clock.now()
    }

    /// Suspends the account where that is one of the faults, and resumes it where it is not.
    pub async fn set_suspended(&mut self, faults: &[Fault]) {
        let is_suspended = faults.contains(&Fault::Suspended);
        if is_suspended != self.is_suspended {
            let change = if is_suspended {
                AccountChange::Suspend(self.now())
            } else {
                AccountChange::Resume
            };
            let by = self.app.audit();
            self.store().change_account(&self.scope.account, change, &by).await.unwrap();
            self.is_suspended = is_suspended;
        }
    }

    /// Sets the limit of one payout and that of a day, or clears them.
    pub async fn limit_payouts(&self, limit: bool, daily_limit: bool) {
        let limit_of = |is_set: bool, cedis: &str| {
            if is_set { Change::Set(cedis.parse().unwrap()) } else { Change::Clear }
        };
        let change = ControlsChange {
            limit: limit_of(limit, LIMIT),
            daily_limit: limit_of(daily_limit, DAILY_LIMIT),
            ..ControlsChange::default()
        };
        self.store().set_payout_controls(&self.scope, change, &self.app.audit()).await.unwrap();
    }

    /// Makes every payout wait for an approval.
    pub async fn require_approvals(&self) {
        let above = Change::Set("0".parse().unwrap());
        let change = ControlsChange { approval_above: above, ..ControlsChange::default() };
        self.store().set_payout_controls(&self.scope, change, &self.app.audit()).await.unwrap();
    }

    /// An attempt whose idempotency key was used before, or is new.
    fn attempt(&self, is_used: bool) -> Attempt {
        let key =
            if is_used { "used".to_owned() } else { TransactionId::mint().as_str().to_owned() };
        let key = IdempotencyKey::parse(key.as_bytes());
        let idempotency = &self.app.running().idempotency;
        idempotency.attempt("this test", Operation::Payout, key, &[]).unwrap()
    }

    /// An attempt whose idempotency key was used before, where that is one of the faults.
    pub fn attempt_with(&self, faults: &[Fault]) -> Attempt {
        self.attempt(faults.contains(&Fault::Repeated))
    }

    /// The revoked key, where that is one of the faults.
    pub fn key_with(&self, faults: &[Fault]) -> Option<KeyId> {
        faults.contains(&Fault::KeyRevoked).then(|| self.revoked_key.clone())
    }

    /// A bucket that is empty once a token was taken from it.
    pub fn single_token_bucket() -> PersistentBucket {
        let rate = Rate::new(1, 3_600).unwrap();
        PersistentBucket::new("this test".to_owned(), Policy::Prompt, rate)
    }

    /// The empty bucket, where that is one of the faults.
    pub fn buckets_with(faults: &[Fault]) -> Vec<PersistentBucket> {
        faults.contains(&Fault::Limited).then(Self::single_token_bucket).into_iter().collect()
    }

    /// A payment that has no fault.
    pub fn payment(&self, kind: Kind, pesewas: i64) -> TransactionOrder {
        let amount = Amount::from_pesewas(pesewas).unwrap();
        TransactionOrder {
            id: TransactionId::mint(),
            scope: self.scope.clone(),
            reference: "order-17".to_owned(),
            checkout: None,
            link: None,
            transfer: Transfer {
                kind,
                amount,
                network: Network::Mtn,
                phone: Phone::parse("0241234567").unwrap(),
            },
            price: Price::without_tariff(amount),
            details: Details::default(),
            refund: None,
            key: None,
            batch: None,
            needs_approval: false,
        }
    }

    /// Begins a payment. Returns the name of the error if it is refused.
    pub async fn begin(
        &self,
        new: TransactionOrder,
        attempt: Option<Attempt>,
        prompts: &[PersistentBucket],
    ) -> Result<(), String> {
        let now = self.now();
        let first_query_at = now + SignedDuration::from_mins(30);
        let sending = Sending::AtOnce { first_query_at, operator: None };
        let begun = self.store().begin(new.into(), sending, attempt, prompts.to_vec(), now).await;
        begun.map(drop).map_err(super::scenario::variant_name)
    }
}
