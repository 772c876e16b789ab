//! What a revoked key has begun and what is not handed over waits for a person, or ends
//! (docs/reference/credentials.md#revoking-a-key).

use crate::support::{
    ApiClient, TestApp, payout_controls::Merchant, refunds, scripted_operator::ScriptedOperator,
};
use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use std::time::Duration;
use tua_contract::{Status, lifecycle::Observation};
use tua_service::domain::{
    Generation, Mode, SecretKey, Transaction, TransactionId,
    approval::DecideError,
    audit::Action,
    ports::{AccountChange, Answer, Clock, HandOver, OpenSessions, Route, SendResponse},
};

const HOUR: u64 = 3600;

/// A merchant whose operator cannot be reached until `is_reachable`, and a second key of the
/// account, to read with.
struct Shop {
    merchant: Merchant,
    reader: ApiClient,
    is_reachable: Arc<AtomicBool>,
}

impl Shop {
    async fn start() -> Self {
        let is_reachable = Arc::new(AtomicBool::new(false));
        let reachable = is_reachable.clone();
        let responds = move |_| {
            let is_reachable = reachable.load(Ordering::SeqCst);
            Some(if is_reachable { Observation::Succeeded.into() } else { SendResponse::NotSent })
        };
        let merchant = Merchant::with(Arc::new(ScriptedOperator::new().responds(responds))).await;
        let reader = merchant.app.key(&merchant.scope().account, Mode::Test, Generation::V2).await;
        Self { merchant, reader, is_reachable }
    }

    fn app(&self) -> &TestApp {
        &self.merchant.app
    }

    async fn revoke(&self, sessions: OpenSessions) {
        self.merchant
            .store()
            .revoke_key(&self.merchant.key.id, sessions, &self.app().audit())
            .await
            .unwrap();
    }

    /// From now on the operator takes orders. An hour passes, so that everything that may be sent
    /// is sent.
    async fn reach_operator(&self) {
        self.is_reachable.store(true, Ordering::SeqCst);
        self.merchant.wait(HOUR).await;
        self.merchant.wait(HOUR).await;
    }

    /// `status nextAction failure` of a transaction. Asserts that its events rebuild its row.
    async fn standing(&self, id: &str) -> String {
        let transaction = self.stored(id).await;
        let failure = match transaction.state {
            tua_contract::State::Failed(code) => code.as_str(),
            _ => "",
        };
        let status = transaction.state.status().as_str();
        let next = transaction.state.next_action();
        format!("{status} {next} {failure}").trim_end().to_owned()
    }

    async fn stored(&self, id: &str) -> Transaction {
        let id = TransactionId::new(id);
        let transaction = self.merchant.store().transaction(&id).await.unwrap().unwrap();
        let events = self.merchant.store().events(&id).await.unwrap();
        assert_eq!(Transaction::replay(events).as_ref(), Some(&transaction));
        transaction
    }

    /// How often a send of this transaction was tried.
    fn sends(&self) -> usize {
        self.merchant.operator.count("send")
    }
}

const WAITS: &str = "PENDING APPROVE_IN_DASHBOARD";

#[tokio::test]
async fn a_payout_that_is_not_handed_over_waits_for_a_person_and_may_be_approved() {
    let shop = Shop::start().await;
    let payout = shop.merchant.pay_out(5.0).await.is(202).id();
    assert_eq!(shop.standing(&payout).await, "PENDING WAIT");
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(&payout).await, WAITS);
    let sends = shop.sends();
    shop.reach_operator().await;
    assert_eq!((shop.standing(&payout).await, shop.sends()), (WAITS.to_owned(), sends));
    let shown = shop.reader.status(&payout).await;
    assert_eq!(shown["nextAction"], "APPROVE_IN_DASHBOARD", "{shown}");

    let approved = shop.merchant.approve(&payout).await.unwrap().transaction;
    assert!(approved.is_approved_after_revocation);
    shop.merchant.wait(1).await;
    assert_eq!(
        (shop.standing(&payout).await, shop.sends()),
        ("SUCCESSFUL NONE".to_owned(), sends + 1)
    );
}

#[tokio::test]
async fn an_approval_after_the_revocation_counts_until_the_order_is_sent() {
    let shop = Shop::start().await;
    let payout = shop.merchant.pay_out(5.0).await.is(202).id();
    shop.revoke(OpenSessions::Close).await;
    shop.merchant.approve(&payout).await.unwrap();
    // The operator still cannot be reached: the mark is withdrawn, and the order waits to be sent,
    // for no person.
    shop.merchant.wait(1).await;
    assert_eq!(shop.standing(&payout).await, "PENDING WAIT");
    // A second revocation of the key changes nothing about it.
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(&payout).await, "PENDING WAIT");
    shop.reach_operator().await;
    assert_eq!(shop.standing(&payout).await, "SUCCESSFUL NONE");
}

#[tokio::test]
async fn payouts_that_waited_before_are_refused_and_approved_ones_wait_again() {
    let shop = Shop::start().await;
    shop.merchant.limits("", "", "100").await;
    let waited = shop.merchant.unapproved(101.0).await;
    let approved = shop.merchant.unapproved(102.0).await;
    shop.merchant.approve(&approved).await.unwrap();
    shop.merchant.wait(1).await;
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(&waited).await, "FAILED NONE approval_refused");
    assert_eq!(shop.standing(&approved).await, WAITS);
    let refused = shop.merchant.approve(&waited).await.unwrap_err();
    assert!(matches!(refused, DecideError::NotWaiting("FAILED")), "{refused}");
    shop.merchant.approve(&approved).await.unwrap();
    shop.reach_operator().await;
    assert_eq!(shop.standing(&approved).await, "SUCCESSFUL NONE");
}

#[tokio::test]
async fn a_second_revocation_leaves_to_a_person_what_the_first_one_left() {
    let shop = Shop::start().await;
    shop.merchant.limits("", "", "100").await;
    let waited = shop.merchant.unapproved(101.0).await;
    let approved = shop.merchant.unapproved(102.0).await;
    shop.merchant.approve(&approved).await.unwrap();
    let small = shop.merchant.pay_out(5.0).await.is(202).id();
    shop.merchant.wait(1).await;
    let entry = async || shop.merchant.store().last_audit_entry(Action::KeyRevoked).await.unwrap();
    shop.revoke(OpenSessions::Keep).await;
    let first = entry().await;
    assert!(
        first.as_ref().unwrap().after.as_ref().unwrap().contains("\"heldPayouts\":2"),
        "{first:?}"
    );
    for sessions in [OpenSessions::Keep, OpenSessions::Close, OpenSessions::Close] {
        shop.revoke(sessions).await;
        for held in [&approved, &small] {
            assert_eq!(shop.standing(held).await, WAITS, "{sessions:?}");
        }
        assert_eq!(shop.standing(&waited).await, "FAILED NONE approval_refused");
        assert_eq!(entry().await, first, "{sessions:?}: nothing has changed");
    }
    shop.merchant.approve(&approved).await.unwrap();
    shop.reach_operator().await;
    assert_eq!(shop.standing(&approved).await, "SUCCESSFUL NONE");
}

#[tokio::test]
async fn the_lines_of_a_batch_that_are_not_handed_over_wait_and_are_approved_together() {
    let shop = Shop::start().await;
    let line = json!({ "amount": 1.5, "phoneNumber": "0241234567", "network": "MTN" });
    let body = json!({ "payouts": [line, line] }).to_string();
    let key = [("idempotency-key", "batch")];
    let begun = shop
        .merchant
        .shop
        .send(reqwest::Method::POST, "/v1/payouts/batches", &key, Some(&body))
        .await;
    let batch = begun.is(202).json();
    shop.merchant.wait(1).await;
    shop.revoke(OpenSessions::Close).await;
    let lines: Vec<&str> = batch["payouts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["transactionId"].as_str().unwrap())
        .collect();
    for id in &lines {
        assert_eq!(shop.standing(id).await, WAITS);
        assert!(matches!(shop.merchant.approve(id).await, Err(DecideError::PartOfBatch(_))));
    }
    let decisions = shop.app().running().settlement.decisions();
    let id = tua_service::domain::BatchId::new(batch["batchId"].as_str().unwrap());
    let approval = crate::support::payout_controls::approval();
    decisions
        .about_batch(&id, approval, Some(&shop.app().audit()), shop.merchant.now())
        .await
        .unwrap();
    shop.reach_operator().await;
    for id in &lines {
        assert_eq!(shop.standing(id).await, "SUCCESSFUL NONE");
    }
}

#[tokio::test]
async fn a_refund_by_payout_that_is_not_handed_over_waits_for_a_person() {
    let shop = Shop::start().await;
    shop.is_reachable.store(true, Ordering::SeqCst);
    let charge = refunds::charge(shop.app(), &shop.merchant.shop, "0241234567").await;
    shop.is_reachable.store(false, Ordering::SeqCst);
    let begun =
        refunds::refund(&shop.merchant.shop, json!({ "transactionId": charge })).await.is(202);
    let refund = refunds::refund_id(&begun);
    assert_eq!(shop.standing(&refund).await, "PENDING WAIT");
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(&refund).await, WAITS);
    shop.reach_operator().await;
    assert_eq!(shop.standing(&refund).await, WAITS);
}

#[tokio::test]
async fn a_payout_that_a_suspension_holds_waits_for_a_person_too() {
    let shop = Shop::start().await;
    let account = shop.merchant.scope().account.clone();
    let payout = shop.merchant.pay_out(5.0).await.is(202).id();
    let change = async |change| {
        shop.merchant.store().change_account(&account, change, &shop.app().audit()).await.unwrap();
    };
    change(AccountChange::Suspend(shop.app().clock.now())).await;
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(&payout).await, WAITS);
    change(AccountChange::Resume).await;
    shop.reach_operator().await;
    assert_eq!(shop.standing(&payout).await, WAITS);
    shop.merchant.approve(&payout).await.unwrap();
    shop.merchant.wait(1).await;
    assert_eq!(shop.standing(&payout).await, "SUCCESSFUL NONE");
}

#[tokio::test]
async fn a_charge_of_the_key_that_is_not_handed_over_ends_as_not_sent() {
    for sessions in [OpenSessions::Close, OpenSessions::Keep] {
        let shop = Shop::start().await;
        let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
        let direct = shop.merchant.shop.post("/v1/charge", &body).await.is(202).id();
        let payer = shop.app().payer(&shop.merchant.shop).await;
        let of_session = payer.charge("0241234568", "MTN").await.is(202).id();
        shop.revoke(sessions).await;
        assert_eq!(shop.standing(&direct).await, "FAILED NONE not_sent");
        let is_closed = sessions == OpenSessions::Close;
        let expected = if is_closed { "FAILED NONE not_sent" } else { "PENDING WAIT" };
        assert_eq!(shop.standing(&of_session).await, expected, "{sessions:?}");
        shop.is_reachable.store(true, Ordering::SeqCst);
        shop.merchant.wait(60).await;
        let expected = if is_closed { "FAILED NONE not_sent" } else { "SUCCESSFUL NONE" };
        assert_eq!(shop.standing(&of_session).await, expected, "{sessions:?}");
        assert_eq!(shop.standing(&direct).await, "FAILED NONE not_sent");
    }
}

#[tokio::test]
async fn the_mark_checks_the_key_of_an_order_that_the_revocation_did_not_find() {
    let shop = Shop::start().await;
    let store = shop.merchant.store().clone();
    let id = TransactionId::new(shop.merchant.pay_out(5.0).await.is(202).id());
    let now = shop.merchant.now();
    // The revocation comes while the order is handed over, and the mark is withdrawn afterwards.
    let HandOver::Marked(marked) =
        store.hand_over(&id, Route::Open, now, now, Duration::ZERO).await.unwrap()
    else {
        panic!("not marked")
    };
    shop.revoke(OpenSessions::Close).await;
    assert_eq!(shop.standing(id.as_str()).await, "PENDING WAIT");
    assert!(
        store.withdraw_hand_over(&marked, shop.app().test_clock.now_plus(600), now).await.unwrap()
    );
    // It is due at once, and stopped.
    let due = shop.app().query_number(
        "SELECT count(*) FROM transactions WHERE send_at IS NOT NULL AND send_at <= updated_at",
    );
    assert_eq!(due, 1);
    let held = store.hand_over(&id, Route::Open, now, now, Duration::ZERO).await.unwrap();
    assert!(matches!(&held, HandOver::Held(held) if held.handed_over_at.is_none()), "{held:?}");
    assert_eq!(shop.standing(id.as_str()).await, WAITS);
    assert_eq!(
        store.hand_over(&id, Route::Open, now, now, Duration::ZERO).await.unwrap(),
        HandOver::Nothing
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_revocation_and_a_hand_over_exactly_one_wins() {
    let shop = Shop::start().await;
    let store = shop.merchant.store().clone();
    for number in 0..10 {
        let (key, credential) =
            SecretKey::generate(shop.merchant.scope().clone(), Generation::V2, shop.merchant.now());
        store.add_key(key.clone(), &shop.app().audit()).await.unwrap();
        let client = shop.app().actor(&credential);
        let id = TransactionId::new(
            crate::support::payout_controls::pay_out(&client, 5.0).await.is(202).id(),
        );
        let now = shop.merchant.now();
        let audit = shop.app().audit();
        let hand_over = store.hand_over(&id, Route::Open, now, now, Duration::ZERO);
        let revocation = store.revoke_key(&key.id, OpenSessions::Close, &audit);
        let (handed, revoked) = if number % 2 == 0 {
            tokio::join!(hand_over, revocation)
        } else {
            let (revoked, handed) = tokio::join!(revocation, hand_over);
            (handed, revoked)
        };
        assert!(revoked.unwrap().is_some());
        let transaction = shop.stored(id.as_str()).await;
        match handed.unwrap() {
            HandOver::Marked(_) => {
                assert!(transaction.handed_over_at.is_some() && !transaction.state.is_unapproved())
            }
            HandOver::Held(_) | HandOver::Nothing => {
                assert!(transaction.handed_over_at.is_none() && transaction.state.is_unapproved());
            }
            HandOver::Ended(ended) => panic!("{ended:?}"),
        }
    }
}

#[tokio::test]
async fn an_order_that_never_arrived_is_not_sent_again_for_a_revoked_key() {
    let operator = ScriptedOperator::new()
        .sends(|_| Some(Observation::Ambiguous))
        .asks(|_| Some(Answer::NeverReceived));
    let merchant = Merchant::with(Arc::new(operator)).await;
    let payout = merchant.pay_out(5.0).await.is(202).id();
    merchant
        .store()
        .revoke_key(&merchant.key.id, OpenSessions::Close, &merchant.app.audit())
        .await
        .unwrap();
    for _ in 0..10 {
        merchant.wait(60).await;
    }
    assert_eq!(merchant.operator.count("send"), 1);
    let stored =
        merchant.store().transaction(&TransactionId::new(&*payout)).await.unwrap().unwrap();
    assert_eq!(stored.state.status(), Status::Pending, "its outcome is unknown");
}

#[tokio::test]
async fn a_rotation_and_an_expiry_stop_nothing() {
    let shop = Shop::start().await;
    let rotated = shop.merchant.pay_out(5.0).await.is(202).id();
    let store = shop.merchant.store();
    let (successor, _) = shop.merchant.key.successor(shop.merchant.now());
    let overlap = shop.app().test_clock.now_plus(600);
    store
        .rotate_key(&shop.merchant.key.id, successor, overlap, &shop.app().audit())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(shop.standing(&rotated).await, "PENDING WAIT");
    // The overlap ends, and with it the old key.
    shop.reach_operator().await;
    assert_eq!(shop.merchant.shop.get("/v1/transactions").await.status, 401);
    assert_eq!(shop.standing(&rotated).await, "SUCCESSFUL NONE");
}

#[tokio::test]
async fn the_audit_log_says_what_a_revocation_stopped() {
    let shop = Shop::start().await;
    shop.merchant.pay_out(5.0).await.is(202);
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    shop.merchant.shop.post("/v1/charge", &body).await.is(202);
    shop.revoke(OpenSessions::Close).await;
    let entry = shop.merchant.store().last_audit_entry(Action::KeyRevoked).await.unwrap().unwrap();
    let after = entry.after.unwrap();
    assert!(after.contains("\"heldPayouts\":1") && after.contains("\"endedCharges\":1"), "{after}");
}
