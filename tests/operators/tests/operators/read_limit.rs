//! A long queue of pending payments is asked about within the operator's own limit, and what a
//! callback brings forward is asked about first (docs/reference/lifecycle.md, Poll schedule).

use serde_json::json;
use std::{
    num::NonZeroU32,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::net::TcpListener;
use tua_contract::{Code, Network};
use tua_domain::{
    Generation, Mode, TransactionId,
    capabilities::Capabilities,
    ports::{
        CallbackRefusal, CallbackRequest, CancelResponse, CodeResponse, Operator, Order,
        SendPermit, SendResponse, SentOrder, StatusResponse, VerifiedCallback,
    },
    rate_limit::Rate,
};
use tua_emulator::{Call, ClockMode, Decision, Emulator, Operator as Emulated, Settings};
use tua_net::limits::{Limits, Rates};
use tua_system::clock::OffsetClock;
use tua_test_support::{ApiClient, TestApp, eventually, live_operators::emulated_mtn};

const READS_PER_SECOND: NonZeroU32 = NonZeroU32::new(10).unwrap();
const PENDING: usize = 40;

/// Counts the reads ahead of schedule, before they wait for their turn.
#[derive(Debug)]
struct Counting {
    operator: Box<dyn Operator>,
    ahead_of_schedule: AtomicUsize,
}

#[async_trait::async_trait]
impl Operator for Counting {
    fn capabilities(&self) -> Capabilities {
        self.operator.capabilities()
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        self.operator.send(order, permit).await
    }

    async fn submit_code(&self, order: &SentOrder, code: &Code) -> CodeResponse {
        self.operator.submit_code(order, code).await
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        self.ahead_of_schedule.fetch_add(usize::from(order.is_ahead_of_schedule), Ordering::SeqCst);
        self.operator.query_status(order).await
    }

    async fn cancel(&self, order: &SentOrder) -> CancelResponse {
        self.operator.cancel(order).await
    }

    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        self.operator.verify_callback(request).await
    }
}

async fn pending_charge(shop: &ApiClient) -> TransactionId {
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    TransactionId::new(shop.post("/v1/charge", &body).await.is(202).id())
}

#[tokio::test]
async fn a_long_queue_is_asked_about_within_the_limit_and_what_is_ahead_of_schedule_first() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let emulator =
        Emulator::start(listener, Settings { clock: ClockMode::Manual, ..Settings::default() })
            .unwrap();
    let clock = OffsetClock::stopped();
    let operator = Box::new(emulated_mtn(&emulator, clock.clone(), READS_PER_SECOND));
    let operator = Arc::new(Counting { operator, ahead_of_schedule: AtomicUsize::new(0) });
    let high = Rate::new(1_000_000, 1).unwrap();
    let rates =
        Rates { secret_key: high, prompt_live: high, prompt_daily: high, ..Rates::default() };
    let served = operator.clone();
    let app = TestApp::with_clock(
        clock,
        |config| config.limits = Limits::On(rates),
        |operators| operators.with_live(Network::Mtn, served),
    )
    .await;
    app.test_clock.wait_for_workers().await;
    let shop = app.merchant(Mode::Live, Generation::V2).await;
    let mut charges = Vec::new();
    for _ in 0..PENDING {
        charges.push(pending_charge(&shop).await);
    }
    let last = charges.pop().unwrap();
    let reads =
        || usize::try_from(emulator.requests().of_call(Emulated::MTN_MOMO, Call::Status)).unwrap();
    assert_eq!(reads(), 0);

    // All are due now. One is asked about at once, and then one each tenth of a second.
    app.advance(10);
    for tenths in 0..5 {
        eventually("the next payment is asked about", async || reads() == tenths + 1).await;
        app.clock.advance(Duration::from_millis(100));
    }
    eventually("the next payment is asked about", async || reads() == 6).await;

    // A callback about the last one: its read waits for one scheduled read at most.
    emulator.decide(Emulated::MTN_MOMO, &last.operator_reference(), Decision::Approve).unwrap();
    let status_queries = app.running().status_queries.clone();
    let id = last.clone();
    let verified = tokio::spawn(async move { status_queries.refresh(&id).await });
    eventually("the read waits", async || operator.ahead_of_schedule.load(Ordering::SeqCst) == 1)
        .await;
    for expected in [7, 8] {
        app.clock.advance(Duration::from_millis(100));
        eventually("the next payment is asked about", async || reads() == expected).await;
    }
    assert!(verified.await.unwrap());
    assert_eq!(shop.status(last.as_str()).await["status"], "SUCCESSFUL");
    assert_eq!(reads(), 8, "the others wait for their turns");

    // The rest is asked about at the same rate.
    for expected in 9..=20 {
        app.clock.advance(Duration::from_millis(100));
        eventually("the next payment is asked about", async || reads() == expected).await;
    }
}
