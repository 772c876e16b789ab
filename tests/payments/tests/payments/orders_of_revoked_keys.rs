//! What a revoked key has begun and what is not handed over waits for a person, or ends
//! (docs/reference/credentials.md#revoking-a-key).

use serde_json::json;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Generation, Mode, Transaction, TransactionId,
    approval::DecideError,
    audit::Action,
    ports::{AccountChange, Clock, OpenSessions, SendResponse},
};
use tua_test_support::{
    ApiClient, TestApp, payout_controls::Merchant, refunds, scripted_operator::ScriptedOperator,
};

const HOUR: u64 = 3600;

/// A merchant whose operator cannot be reached until `is_reachable`, and a second key of the
/// account, to read with.
pub(super) struct Shop {
    pub(super) merchant: Merchant,
    reader: ApiClient,
    is_reachable: Arc<AtomicBool>,
}

impl Shop {
    pub(super) async fn start() -> Self {
        let is_reachable = Arc::new(AtomicBool::new(false));
        let reachable = is_reachable.clone();
        let responds = move |_| {
            let is_reachable = reachable.load(Ordering::SeqCst);
            Some(if is_reachable { Observation::Succeeded.into() } else { SendResponse::NotSent })
        };
        let merchant =
            Merchant::with_operator(Arc::new(ScriptedOperator::new().responds(responds))).await;
        let reader = merchant.app.key(&merchant.scope().account, Mode::Test, Generation::V2).await;
        Self { merchant, reader, is_reachable }
    }

    pub(super) fn app(&self) -> &TestApp {
        &self.merchant.app
    }

    pub(super) async fn revoke(&self, sessions: OpenSessions) {
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
    pub(super) async fn standing(&self, id: &str) -> String {
        let transaction = self.stored(id).await;
        let failure = match transaction.state {
            tua_contract::State::Failed(code) => code.as_str(),
            _ => "",
        };
        let status = transaction.state.status().as_str();
        let next = transaction.state.next_action();
        format!("{status} {next} {failure}").trim_end().to_owned()
    }

    pub(super) async fn stored(&self, id: &str) -> Transaction {
        let id = TransactionId::new(id);
        let transaction = self.merchant.store().transaction(&id).await.unwrap().unwrap();
        let events = self.merchant.store().events(&id).await.unwrap();
        assert_eq!(Transaction::replay(events).as_ref(), Some(&transaction));
        transaction
    }

    /// How often a send of this transaction was tried.
    pub(super) fn sends(&self) -> usize {
        self.merchant.operator.count("send")
    }
}

pub(super) const WAITS: &str = "PENDING APPROVE_IN_DASHBOARD";

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
    shop.merchant.set_limits("", "", "100").await;
    let waited = shop.merchant.begin_unapproved_payout(101.0).await;
    let approved = shop.merchant.begin_unapproved_payout(102.0).await;
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
    shop.merchant.set_limits("", "", "100").await;
    let waited = shop.merchant.begin_unapproved_payout(101.0).await;
    let approved = shop.merchant.begin_unapproved_payout(102.0).await;
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
    let decisions = shop.app().running().payouts.decisions.clone();
    let id = tua_domain::BatchId::new(batch["batchId"].as_str().unwrap());
    let approval = tua_test_support::payout_controls::approval();
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
