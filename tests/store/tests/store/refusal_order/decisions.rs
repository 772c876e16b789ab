//! Decisions about what has begun.

use super::{
    new_payments::batch,
    scenario::{Fault, Scenario, variant_name},
    shop::{ROUTE, Shop},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use tua_contract::{Amount, FailureCode};
use tua_domain::{
    BatchId, CheckoutId, Kind, Mode, Scope, Transaction, TransactionId,
    approval::{PayoutDecision, RoutedDecision},
    payout_batch::{AskedBy, PayoutBatch},
    payout_route::PayoutRoutes,
    review::{DecisionNote, ReviewVerdict},
    transaction::Sending,
};
use tua_test_support::{ApiClient, payout_controls::approval};

/// Longer than a payout waits for an approval.
const TOO_LONG: SignedDuration = SignedDuration::from_hours(73);

/// The time of a decision.
fn decided_at(shop: &Shop, faults: &[Fault]) -> Timestamp {
    let is_late = faults.contains(&Fault::WaitedTooLong);
    if is_late { shop.now() + TOO_LONG } else { shop.now() }
}

/// An approval, with the routes of these payouts where they have one.
fn approval_of(payouts: &[Transaction], faults: &[Fault]) -> RoutedDecision {
    let routes = if faults.contains(&Fault::Unroutable) {
        PayoutRoutes::new()
    } else {
        payouts.iter().map(|payout| (payout.order.id.clone(), ROUTE)).collect()
    };
    RoutedDecision { decision: approval(), routes }
}

fn cancellation() -> RoutedDecision {
    RoutedDecision { decision: PayoutDecision::Cancel, routes: PayoutRoutes::new() }
}

/// A batch of two payouts of GHS 6 that wait for an approval.
async fn waiting_batch(shop: &Shop) -> PayoutBatch {
    let new = batch(shop, AskedBy::CommandLine, 600);
    let begun = shop.store().begin_batch(new, PayoutRoutes::new(), None, None, shop.now());
    begun.await.unwrap()
}

/// A payout of GHS 6 that waits for an approval.
async fn waiting_payout(shop: &Shop) -> Transaction {
    let new = shop.payment(Kind::Payout, 600);
    let now = shop.now();
    let sending = Sending::Later { send_at: now, operator: None };
    shop.store().begin(new.into(), sending, None, Vec::new(), now).await.unwrap()
}

/// An approval of a payout.
pub struct Approval {
    shop: Shop,
    line: Transaction,
    ended: Transaction,
    waiting: Transaction,
}

impl Approval {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        shop.require_approvals().await;
        let line = waiting_batch(&shop).await.lines.remove(0);
        let ended = waiting_payout(&shop).await;
        let waiting = waiting_payout(&shop).await;
        let now = shop.now();
        let store = shop.store();
        for one in [&line, &ended] {
            store.decide_payout(&one.order.id, cancellation(), None, now).await.unwrap();
        }
        Self { line, ended, waiting, shop }
    }
}

impl Scenario for Approval {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.shop.set_suspended(faults).await;
        self.shop.limit_payouts(faults.contains(&Fault::AboveLimit), false).await;
        let payout = if faults.contains(&Fault::PartOfBatch) {
            &self.line
        } else if faults.contains(&Fault::Ended) {
            &self.ended
        } else {
            &self.waiting
        };
        let id = if faults.contains(&Fault::Unknown) {
            TransactionId::mint()
        } else {
            payout.order.id.clone()
        };
        let decision = approval_of(std::slice::from_ref(payout), faults);
        let now = decided_at(&self.shop, faults);
        let decided = self.shop.store().decide_payout(&id, decision, None, now).await;
        decided.map(drop).map_err(variant_name)
    }
}

/// An approval of a batch.
pub struct BatchApproval {
    shop: Shop,
    ended: PayoutBatch,
    waiting: PayoutBatch,
}

impl BatchApproval {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        shop.require_approvals().await;
        let ended = waiting_batch(&shop).await;
        let waiting = waiting_batch(&shop).await;
        let now = shop.now();
        let store = shop.store();
        store.decide_batch(&ended.id, cancellation(), None, now).await.unwrap();
        Self { ended, waiting, shop }
    }
}

impl Scenario for BatchApproval {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        self.shop.set_suspended(faults).await;
        let is_above = |fault| faults.contains(&fault);
        self.shop
            .limit_payouts(is_above(Fault::AboveLimit), is_above(Fault::AboveDailyLimit))
            .await;
        let batch = if faults.contains(&Fault::Ended) { &self.ended } else { &self.waiting };
        let id = if faults.contains(&Fault::Unknown) { BatchId::mint() } else { batch.id.clone() };
        let decision = approval_of(&batch.lines, faults);
        let now = decided_at(&self.shop, faults);
        let decided = self.shop.store().decide_batch(&id, decision, None, now).await;
        decided.map(drop).map_err(variant_name)
    }
}

/// A decision about a payment without an outcome.
pub struct Review {
    shop: Shop,
    ended: TransactionId,
    pending: TransactionId,
    flagged: TransactionId,
}

impl Review {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        // The outcome of payments of this number is never known.
        let body = json!({ "amount": 10.5, "phoneNumber": "0241230007", "network": "MTN" });
        let charge = async || shop.client.post("/v1/charge", &body).await.is(202).id();
        let ended = TransactionId::new(charge().await);
        let flagged = TransactionId::new(charge().await);
        shop.app.advance(8 * 24 * 3_600);
        shop.app.wait_for_due_work().await;
        let clock = &shop.app.test_clock;
        clock.wait_for_sleepers(clock.now_plus(60), 1).await;
        let pending = TransactionId::new(charge().await);
        let by = shop.app.audit();
        let failed = ReviewVerdict::Failed(FailureCode::Unspecified);
        shop.store().review(&ended, failed, note(), &by).await.unwrap();
        Self { ended, pending, flagged, shop }
    }
}

fn note() -> DecisionNote {
    "seen in the statement".parse::<DecisionNote>().unwrap()
}

impl Scenario for Review {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        let id = if faults.contains(&Fault::Unknown) {
            &TransactionId::mint()
        } else if faults.contains(&Fault::Ended) {
            &self.ended
        } else if faults.contains(&Fault::NotFlagged) {
            &self.pending
        } else {
            &self.flagged
        };
        let verdict = if faults.contains(&Fault::SumUnexpected) {
            ReviewVerdict::SuccessfulFor(Amount::from_pesewas(950).unwrap())
        } else {
            ReviewVerdict::Successful
        };
        let by = self.shop.app.audit();
        let reviewed = self.shop.store().review(id, verdict, note(), &by).await;
        reviewed.map(drop).map_err(variant_name)
    }
}

/// The end of a session that its merchant asks for.
pub struct Closing {
    shop: Shop,
    charged: CheckoutId,
    open: CheckoutId,
}

impl Closing {
    pub async fn start() -> Self {
        let shop = Shop::start(|operators| operators).await;
        let (payer, charged) = open_session(&shop).await;
        payer.charge("0241230007", "MTN").await.is(202);
        let (_, open) = open_session(&shop).await;
        Self { charged, open, shop }
    }
}

async fn open_session(shop: &Shop) -> (ApiClient, CheckoutId) {
    let payer = shop.app.payer(&shop.client).await;
    let found = payer.get("/v1/checkout").await.is(200).json();
    let id = CheckoutId::new(found["checkoutId"].as_str().unwrap().to_owned());
    (payer, id)
}

impl Scenario for Closing {
    async fn request(&mut self, faults: &[Fault]) -> Result<(), String> {
        let is_charged = faults.contains(&Fault::ChargePending);
        let id = if is_charged { &self.charged } else { &self.open };
        let is_foreign = faults.contains(&Fault::Unknown);
        let mode = if is_foreign { Mode::Live } else { Mode::Test };
        let scope = Scope { mode, ..self.shop.scope.clone() };
        let by = self.shop.app.audit();
        let closed = self.shop.store().close_checkout(&scope, id, &by).await;
        closed.map(drop).map_err(variant_name)
    }
}
