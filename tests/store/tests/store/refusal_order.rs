//! Where several refusals apply at once, both engines give the same one: each test expects one
//! order, and runs on both.

use jiff::SignedDuration;
use serde_json::json;
use std::sync::Arc;
use tua_contract::{Amount, Network, Phone, lifecycle::Observation};
use tua_domain::{
    CheckoutId, Details, Generation, Kind, LinkId, NewTransaction, Scope, SecretKey, TransactionId,
    Transfer,
    change::Change,
    idempotency::{Attempt, IdempotencyKey, Operation},
    link::{CreateLinkError, LinkCode},
    payout_controls::ControlsChange,
    persistent_bucket::PersistentBucket,
    ports::{AccountChange, BeginError, Clock, OpenSessions, Store},
    rate_limit::{Policy, Rate},
    refund::{RefundMethod, RefundOf},
    secret::SecretDigest,
    tariff::Price,
    transaction::Sending,
};
use tua_test_support::{
    ApiClient, TestApp,
    hosted_page::{FORM_CONTENT_TYPE, send_form},
    refunds,
    scripted_operator::ScriptedOperator,
};

struct World {
    app: TestApp,
    shop: ApiClient,
    scope: Scope,
}

impl World {
    async fn new(operator: ScriptedOperator) -> Self {
        let app = TestApp::with_stopped_clock(Arc::new(operator).behind_test()).await;
        let shop = app.shop().await;
        let digest = SecretDigest::of(&shop.credential);
        let keys = app.running().store.keys(None).await.unwrap();
        let scope = keys.into_iter().find(|key| key.digest == digest).unwrap().scope;
        Self { app, shop, scope }
    }

    fn store(&self) -> &Arc<dyn Store> {
        &self.app.running().store
    }

    fn payment(&self, kind: Kind, pesewas: i64) -> NewTransaction {
        let amount = Amount::from_pesewas(pesewas).unwrap();
        NewTransaction {
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

    fn attempt(&self, key: &str) -> Option<Attempt> {
        let key = IdempotencyKey::parse(key.as_bytes());
        self.app.running().idempotency.attempt("this test", Operation::Payout, key, &[])
    }

    async fn begin(
        &self,
        new: &NewTransaction,
        attempt: Option<Attempt>,
        prompts: &[PersistentBucket],
    ) -> &'static str {
        let (new, now) =
            (NewTransaction { id: TransactionId::mint(), ..new.clone() }, self.app.clock.now());
        let sending =
            Sending::AtOnce { first_ask: now + SignedDuration::from_mins(30), operator: None };
        match self.store().begin(new.into(), sending, attempt, prompts.to_vec(), now).await {
            Ok(_) => "begun",
            Err(BeginError::Repeat(_)) => "repeated",
            Err(BeginError::KeyRevoked) => "key revoked",
            Err(BeginError::AccountSuspended) => "account suspended",
            Err(BeginError::Expired(_)) => "expired",
            Err(BeginError::LinkInUse) => "link in use",
            Err(BeginError::Refund(_)) => "refund",
            Err(BeginError::LimitExceeded(_)) => "limit",
            Err(BeginError::Exceeded(_)) => "prompts",
            Err(error) => panic!("{error}"),
        }
    }

    async fn revoked_key(&self) -> SecretKey {
        let (key, _) =
            SecretKey::generate(self.scope.clone(), Generation::V2, self.app.clock.now());
        self.store().add_key(key.clone(), &self.app.audit()).await.unwrap();
        self.store().revoke_key(&key.id, OpenSessions::Keep, &self.app.audit()).await.unwrap();
        key
    }

    async fn change_account(&self, change: AccountChange) {
        self.store().change_account(&self.scope.account, change, &self.app.audit()).await.unwrap();
    }
}

#[tokio::test]
async fn a_refund_is_refused_for_the_first_reason_that_applies() {
    let world = World::new(ScriptedOperator::new().sends(|_| Some(Observation::Succeeded))).await;
    let charge = TransactionId::new(refunds::charge(&world.app, &world.shop, "0241234567").await);
    let limit =
        ControlsChange { limit: Change::Set("5".parse().unwrap()), ..ControlsChange::default() };
    world.store().set_payout_controls(&world.scope, limit, &world.app.audit()).await.unwrap();
    assert_eq!(
        world.begin(&world.payment(Kind::Payout, 100), world.attempt("used"), &[]).await,
        "begun"
    );
    let key = world.revoked_key().await;
    world.change_account(AccountChange::Suspend(world.app.clock.now())).await;

    let refund = Some(RefundOf { charge, method: RefundMethod::Payout });
    let mut new =
        NewTransaction { refund, key: Some(key.id), ..world.payment(Kind::Payout, 1_051) };
    assert_eq!(world.begin(&new, world.attempt("used"), &[]).await, "repeated");
    assert_eq!(world.begin(&new, world.attempt("fresh"), &[]).await, "key revoked");
    new.key = None;
    assert_eq!(world.begin(&new, world.attempt("fresh"), &[]).await, "account suspended");
    world.change_account(AccountChange::Resume).await;
    assert_eq!(
        world.begin(&new, world.attempt("fresh"), &[]).await,
        "refund",
        "more than the payer paid"
    );
    new.transfer.amount = Amount::from_pesewas(1_050).unwrap();
    assert_eq!(world.begin(&new, world.attempt("fresh"), &[]).await, "limit");
    new.transfer.amount = Amount::from_pesewas(500).unwrap();
    assert_eq!(world.begin(&new, world.attempt("fresh"), &[]).await, "begun");
}

#[tokio::test]
async fn a_charge_is_refused_for_the_first_reason_that_applies() {
    let world = World::new(ScriptedOperator::new()).await;
    let link = json!({ "title": "Invoice 17", "amount": 10.5, "uses": "single" });
    let link = world.shop.post("/v1/links", &link).await.is(201).json();
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let path = format!("/l/{}", link["code"].as_str().unwrap());
        let opened = send_form(&world.app.actor(""), &path, "", &[FORM_CONTENT_TYPE]).await.is(303);
        let payer = world.app.actor(opened.header("location").strip_prefix("/pay?key=").unwrap());
        let id = payer.get("/v1/checkout").await.is(200).json()["checkoutId"]
            .as_str()
            .unwrap()
            .to_owned();
        sessions.push((payer, id));
    }
    let [(first, _), (_, second)] = &sessions[..] else { panic!("two sessions") };
    first.charge("0241234567", "MTN").await.is(202);
    let bucket =
        PersistentBucket::new("this test".to_owned(), Policy::Prompt, Rate::new(1, 3_600).unwrap());
    let unrelated = world.payment(Kind::Charge, 1_050);
    assert_eq!(
        world.begin(&unrelated, world.attempt("used"), std::slice::from_ref(&bucket)).await,
        "begun"
    );
    let key = world.revoked_key().await;
    world.change_account(AccountChange::Suspend(world.app.clock.now())).await;
    world.app.advance(1_800);
    world.app.wait_for_due_work().await;

    let (checkout, link) =
        (CheckoutId::new(second.clone()), LinkId::new(link["linkId"].as_str().unwrap().to_owned()));
    let mut new = NewTransaction {
        checkout: Some(checkout),
        link: Some(link),
        key: Some(key.id),
        ..unrelated.clone()
    };
    let prompts = [bucket];
    assert_eq!(world.begin(&new, world.attempt("used"), &prompts).await, "repeated");
    assert_eq!(world.begin(&new, world.attempt("fresh"), &prompts).await, "key revoked");
    new.key = None;
    assert_eq!(world.begin(&new, world.attempt("fresh"), &prompts).await, "account suspended");
    world.change_account(AccountChange::Resume).await;
    assert_eq!(world.begin(&new, world.attempt("fresh"), &prompts).await, "expired");
    new.checkout = None;
    assert_eq!(world.begin(&new, world.attempt("fresh"), &prompts).await, "link in use");
    new.link = None;
    assert_eq!(world.begin(&new, world.attempt("fresh"), &prompts).await, "prompts");
    assert_eq!(world.begin(&new, world.attempt("fresh"), &[]).await, "begun");
}

#[tokio::test]
async fn a_link_is_refused_for_the_first_reason_that_applies() {
    let world = World::new(ScriptedOperator::new()).await;
    let created = world
        .shop
        .post("/v1/links", &json!({ "title": "Invoice 17", "amount": 10.5 }))
        .await
        .is(201)
        .json();
    let code = LinkCode::parse(created["code"].as_str().unwrap()).unwrap();
    let mut link = world.store().payment_link_by_code(&code).await.unwrap().unwrap().link;
    let key = world.revoked_key().await;
    world.change_account(AccountChange::Suspend(world.app.clock.now())).await;
    // The same code, and another id.
    link.id = LinkId::mint();
    link.created_by = Some(key.id);
    let create =
        async |link| world.store().create_payment_link(link, None, &world.app.audit()).await;
    assert!(matches!(create(link.clone()).await, Err(CreateLinkError::KeyRevoked)));
    link.created_by = None;
    assert!(matches!(create(link.clone()).await, Err(CreateLinkError::AccountSuspended)));
    world.change_account(AccountChange::Resume).await;
    assert!(matches!(create(link.clone()).await, Err(CreateLinkError::CodeTaken)));
}
