//! Whether an order may be sent again, and whether its mark is withdrawn, is decided by what has
//! happened since the lease was taken (docs/reference/lifecycle.md, Sending again).

use super::sending_again::AMBIGUOUS;
use jiff::{SignedDuration, Timestamp};
use std::{sync::Arc, time::Duration};
use tua_contract::lifecycle::Observation;
use tua_domain::{
    Kind, Mode,
    poll_schedule::NextStatusQuery,
    ports::{AccountChange, DueTransaction, HandOver, OpenSessions, Route, Schedules, Store},
    queue::Queue,
};
use tua_test_support::{scripted_operator::ScriptedOperator, world::World};

const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// A payout whose first send was ambiguous, leased by a worker that asks about it. The clock stands
/// still before the lease, so the service does nothing.
struct LeasedPayout {
    world: World,
    due: DueTransaction,
    leased_at: Timestamp,
}

impl LeasedPayout {
    async fn new() -> Self {
        let world = World::new(ScriptedOperator::new().sends(|_| AMBIGUOUS)).await;
        world.begin("/v1/payout").await;
        let leased_at = world.app.test_clock.now_plus(600);
        let due = lease(world.app.running().store.as_ref(), leased_at).await;
        Self { world, due, leased_at }
    }

    fn store(&self) -> Arc<dyn Store> {
        self.world.app.running().store.clone()
    }

    /// The operator reports that it has the order, and nothing else.
    async fn acknowledge(&self) {
        let finding = Observation::StillPending.into();
        let sent = &self.due.transaction;
        self.store().observe(sent, finding, None, self.leased_at).await.unwrap();
    }

    /// The deadline of a repeated send; `None` if it is not permitted.
    async fn permit(&self) -> Option<Timestamp> {
        let deadline = self.leased_at + LEASE;
        self.store().permit_repeated_send(&self.due, deadline).await.unwrap()
    }
}

async fn lease(schedules: &dyn Schedules, at: Timestamp) -> DueTransaction {
    let queue = Queue { mode: Mode::Test, kind: Kind::Payout, operator: None };
    let mut due = schedules.lease_due(vec![(queue, 1)], at, at + LEASE).await.unwrap();
    assert_eq!(due.len(), 1);
    due.remove(0)
}

#[tokio::test]
async fn an_order_to_which_nothing_has_happened_may_be_sent_again() {
    let payout = LeasedPayout::new().await;
    assert_eq!(payout.permit().await, Some(payout.leased_at + LEASE));
}

#[tokio::test]
async fn an_order_that_was_acknowledged_meanwhile_is_not_sent_again() {
    let payout = LeasedPayout::new().await;
    payout.acknowledge().await;
    assert_eq!(payout.permit().await, None);
}

#[tokio::test]
async fn an_order_that_was_flagged_meanwhile_is_not_sent_again() {
    let payout = LeasedPayout::new().await;
    // As in the lease, so that only the flag has changed.
    let flagged = NextStatusQuery { at: Some(payout.due.leased_until), is_flagged: true };
    let id = &payout.due.transaction.order.id;
    payout.store().schedule_status_query(id, 1, flagged, payout.leased_at).await.unwrap();
    assert_eq!(payout.permit().await, None);
}

#[tokio::test]
async fn an_order_that_another_worker_has_leased_since_is_not_sent_again() {
    let payout = LeasedPayout::new().await;
    lease(payout.store().as_ref(), payout.due.leased_until).await;
    assert_eq!(payout.permit().await, None);
}

#[tokio::test]
async fn an_order_of_an_account_that_was_suspended_meanwhile_is_not_sent_again() {
    let payout = LeasedPayout::new().await;
    let account = &payout.due.transaction.order.scope.account;
    let suspend = AccountChange::Suspend(payout.leased_at);
    payout.store().change_account(account, suspend, &payout.world.app.audit()).await.unwrap();
    assert_eq!(payout.permit().await, None);
}

#[tokio::test]
async fn an_order_whose_key_was_revoked_meanwhile_is_not_sent_again() {
    let payout = LeasedPayout::new().await;
    let key = payout.due.transaction.order.key.clone().unwrap();
    let audit = payout.world.app.audit();
    payout.store().revoke_key(&key, OpenSessions::Close, &audit).await.unwrap().unwrap();
    assert_eq!(payout.permit().await, None);
}

/// The mark of an order is withdrawn if no byte of it was written.
async fn assert_mark_stays(payout: &LeasedPayout) {
    let sent = &payout.due.transaction;
    let store = payout.store();
    let now = payout.leased_at;
    assert!(!store.withdraw_hand_over(sent, now, now).await.unwrap());
    let handed_over =
        store.hand_over(&sent.order.id, Route::Open, now, now, Duration::ZERO).await.unwrap();
    assert_eq!(handed_over, HandOver::Nothing);
}

#[tokio::test]
async fn an_order_that_was_sent_again_keeps_its_mark() {
    let payout = LeasedPayout::new().await;
    assert!(payout.permit().await.is_some());
    assert_mark_stays(&payout).await;
}

#[tokio::test]
async fn an_order_that_was_acknowledged_keeps_its_mark() {
    let payout = LeasedPayout::new().await;
    payout.acknowledge().await;
    assert_mark_stays(&payout).await;
}
