//! Live payments through the real connectors, with the emulator as operators.

use serde_json::{Value, json};
use std::time::Duration;
use tua_contract::{Amount, FailureCode, State, Status};
use tua_domain::{
    Transaction, TransactionId,
    exchange::Exchange,
    ports::ReviewError,
    review::{Case, DecisionNote, ReviewVerdict},
};
use tua_emulator::{Call, Decision, DisputeEvent, Fault, Operator};
use tua_test_support::{
    TestApp, eventually,
    live_operators::{LiveOperators, callback_url},
    refunds::refund,
};

/// The operators of the emulator by their names in its settings, and the networks that each serves.
pub const OPERATORS: [(&str, Operator, &[&str]); 4] = [
    ("mtn", Operator::MTN_MOMO, &["MTN"]),
    ("paystack", Operator::PAYSTACK, &["MTN", "TELECEL", "AIRTELTIGO"]),
    ("pawapay", Operator::PAWAPAY, &["MTN", "TELECEL", "AIRTELTIGO"]),
    ("hubtel", Operator::HUBTEL, &["MTN", "TELECEL", "AIRTELTIGO"]),
];

fn state(row: &tua_emulator::OrderRow) -> Value {
    serde_json::to_value(row).unwrap()["state"].clone()
}

#[tokio::test]
async fn charges_and_payouts_end_as_the_operators_books_say() {
    for (name, _, networks) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        for network in networks {
            let charge = live.charge("0241234567", network).await.is(202).json();
            let id = charge["transactionId"].as_str().unwrap().to_owned();
            assert_eq!(charge["operator"], name);
            if charge["nextAction"] == "ENTER_VOUCHER" {
                let code = json!({ "transactionId": id, "otp": "123456" });
                live.shop.post("/v1/submit-otp", &code).await.is(200);
            }
            let paid = live.end_of(&id).await;
            assert_eq!(paid["status"], "SUCCESSFUL", "{name} {network}: {paid}");
            assert!(paid["operatorTransactionId"].is_string(), "{name} {network}: {paid}");
            assert_eq!(state(&live.orders()[&id]), "SUCCESSFUL");

            let payout = live.pay_out_to_the_end("0241234567", network).await;
            assert_eq!(payout["status"], "SUCCESSFUL", "{name} {network}: {payout}");
        }
        let refused = live.charge_to_the_end("0241230001", "MTN").await;
        assert_eq!(refused["failure"]["code"], "insufficient_funds", "{name}: {refused}");
        let refused = live.pay_out_to_the_end("0241230006", "MTN").await;
        assert_eq!(refused["failure"]["code"], "recipient_not_found", "{name}: {refused}");
    }
}

#[tokio::test]
async fn a_lost_response_to_a_send_is_never_a_failure_and_never_a_second_order() {
    for (name, operator, _) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        for fault in
            [Fault::ErrorAfter, Fault::CloseAfter, Fault::CloseInBody, Fault::Html, Fault::HalfJson]
        {
            live.emulator.chaos().set_once(operator, Call::Send, fault);
            let begun = live.charge("0241234567", "MTN").await.is(202).json();
            assert_eq!(begun["status"], "PENDING", "{name} {fault:?}");
            let paid = live.end_of(begun["transactionId"].as_str().unwrap()).await;
            assert_eq!(paid["status"], "SUCCESSFUL", "{name} {fault:?}: {paid}");
            live.emulator.chaos().clear();
        }
        live.orders();
    }
}

#[tokio::test]
async fn a_success_for_another_sum_is_flagged_and_settled_with_the_sum_that_moved() {
    let note = || "seen in the operator's portal".parse::<DecisionNote>().unwrap();
    let sum = Amount::parse("9.5").unwrap();
    for (name, operator, _) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        live.emulator.chaos().set(operator, Call::Status, Fault::WrongAmount);
        let ids = [
            live.charge("0241234567", "MTN").await.is(202).id(),
            live.charge("0241234567", "MTN").await.is(202).id(),
        ];
        let store = &live.app.running().store;
        eventually("all are flagged", async || store.flagged(None).await.unwrap().len() == 2).await;
        let audit = live.app.audit();
        let review = async |id: &str, verdict| {
            store.review(&TransactionId::new(id), verdict, note(), &audit).await
        };
        for id in &ids {
            let shown = live.shop.status(id).await;
            assert_eq!(
                (&shown["status"], &shown["nextAction"]),
                (&json!("PENDING"), &json!("WAIT")),
                "{name}"
            );
        }
        for verdict in [ReviewVerdict::Successful, ReviewVerdict::Failed(FailureCode::Unspecified)]
        {
            let refused = review(&ids[0], verdict).await;
            assert!(matches!(refused, Err(ReviewError::SumMissing(_))), "{name}: {refused:?}");
        }
        let settled = review(&ids[0], ReviewVerdict::SuccessfulFor(sum)).await.unwrap();
        assert_eq!(
            (settled.state, settled.settled_amount),
            (State::Successful, Some(sum)),
            "{name}"
        );
        let verdict = ReviewVerdict::FailedDespite(FailureCode::Unspecified, sum);
        let refused = review(&ids[1], verdict).await.unwrap();
        assert_eq!(refused.state, State::Failed(FailureCode::Unspecified));
        let observed = refused.conflict.map(|conflict| conflict.observed);
        assert_eq!(
            (refused.settled_amount, observed),
            (Some(sum), Some(Status::Successful)),
            "{name}: it is refundable for this sum"
        );
        let shown = live.shop.status(&ids[1]).await;
        assert_eq!(shown["refundableAmount"], 9.5, "{name}");
        assert_eq!(
            shown["failure"]["message"],
            "The operator gave no reason. But its operator reports that money moved.",
            "{name}"
        );
    }
}

#[tokio::test]
async fn an_operator_that_does_not_respond_gets_no_new_payments_and_keeps_its_own() {
    let live = LiveOperators::with("MTN = [\"mtn\", \"paystack\"]\n").await;
    live.emulator.chaos().set(Operator::MTN_MOMO, Call::Send, Fault::ErrorAfter);
    let mut first = Vec::new();
    for _ in 0..5 {
        let begun = live.charge("0241234567", "MTN").await.is(202).json();
        assert_eq!(begun["operator"], "mtn");
        first.push(begun["transactionId"].as_str().unwrap().to_owned());
    }
    let networks = live.shop.get("/v1/networks").await.is(200).json();
    assert_eq!(networks["data"][0]["charge"]["status"], "DEGRADED", "{networks}");
    assert_eq!(
        networks["data"][0]["payout"]["status"], "OPERATIONAL",
        "the breaker of payouts is another one"
    );
    assert_eq!(
        networks["data"][1]["charge"],
        json!({ "status": "DOWN", "min": null, "max": null })
    );
    let next = live.charge("0241234567", "MTN").await.is(202).json();
    assert_eq!(next["operator"], "paystack");
    live.charge("0201234567", "TELECEL").await.is_problem(503, "network_unavailable");
    for id in first {
        let paid = live.end_of(&id).await;
        assert_eq!((&paid["status"], &paid["operator"]), (&json!("SUCCESSFUL"), &json!("mtn")));
    }
    live.orders();
    live.emulator.chaos().clear();
    live.app.advance(31);
    let is_back = async || {
        let networks = live.shop.get("/v1/networks").await.is(200).json();
        networks["data"][0]["charge"]["status"] == "OPERATIONAL"
    };
    eventually("a read of the balance closes the breaker", is_back).await;
    assert_eq!(live.charge("0241234567", "MTN").await.is(202).json()["operator"], "mtn");
}

#[tokio::test]
async fn an_amount_outside_every_operators_limits_is_refused_and_a_later_choice_takes_it() {
    let live =
        LiveOperators::with("MTN = [\"pawapay\"]\nTELECEL = [\"pawapay\", \"paystack\"]\n").await;
    let limit = async || {
        live.shop.get("/v1/networks").await.is(200).json()["data"][0]["charge"]["max"].clone()
    };
    eventually("pawaPay's limits are read", async || limit().await == json!(15_000)).await;
    let charge = async |amount: f64, network: &str| {
        let body = json!({ "amount": amount, "phoneNumber": "0241234567", "network": network });
        live.shop.post("/v1/charge", &body).await
    };
    charge(15_000.01, "MTN").await.is_problem(422, "amount_out_of_range");
    charge(0.5, "MTN").await.is_problem(422, "amount_out_of_range");
    assert_eq!(charge(15_000.0, "MTN").await.is(202).json()["operator"], "pawapay");
    assert_eq!(charge(15_000.01, "TELECEL").await.is(202).json()["operator"], "paystack");
    assert_eq!(live.orders().len(), 2, "what was refused was not sent");
}

#[tokio::test]
async fn a_payment_whose_operator_left_the_settings_waits_is_flagged_and_continues_when_it_is_back()
{
    let mut live = LiveOperators::routed_to("mtn").await;
    let id = live.charge("0241230007", "MTN").await.is(202).id();
    let configured = std::mem::take(&mut live.app.config.operators);
    live.app.restart().await;
    let asked = || live.emulator.requests().of_call(Operator::MTN_MOMO, Call::Status);
    let asked_before = asked();
    live.app.advance(16 * 60);
    let flagged = async |app: &TestApp| -> Vec<Case> {
        app.running().store.flagged(None).await.unwrap().into_iter().map(|one| one.case).collect()
    };
    eventually("it is flagged", async || flagged(&live.app).await == [Case::Unserved]).await;
    assert_eq!(live.shop.status(&id).await["status"], "PENDING");
    assert_eq!(asked(), asked_before, "nobody is asked about it");
    let pending = live.app.running().store.pending_by_operator().await.unwrap();
    assert_eq!(
        pending.iter().map(|(pin, payments)| (pin.name.as_str(), *payments)).collect::<Vec<_>>(),
        [("mtn", 1)]
    );

    live.app.config.operators = configured;
    live.app.restart().await;
    eventually("the flag is lifted", async || flagged(&live.app).await.is_empty()).await;
    eventually("the operator is asked again", async || asked() > asked_before).await;
}

#[tokio::test]
async fn callbacks_need_the_secret_and_the_signature() {
    let live = LiveOperators::routed_to("paystack").await;
    let http = reqwest::Client::new();
    let post =
        async |url: String| http.post(url).body("{}").send().await.unwrap().status().as_u16();
    let right = callback_url(&live.app, "paystack");
    assert_eq!(post(right.clone()).await, 401, "without a signature");
    assert_eq!(post(format!("{right}x")).await, 404, "a wrong secret");
    assert_eq!(
        post(right.replace("/paystack/", "/mtn/")).await,
        404,
        "the secret of another operator"
    );
    assert_eq!(post(format!("{}/callbacks/nobody/x", live.app.origin)).await, 404);
    let mtn = callback_url(&live.app, "mtn");
    assert_eq!(http.put(&mtn).body("{}").send().await.unwrap().status(), 200, "MTN signs nothing");
    assert_eq!(http.get(&mtn).send().await.unwrap().status(), 405);
}

#[tokio::test]
async fn an_operator_that_does_not_respond_after_its_callback_is_asked_again_soon() {
    let live = LiveOperators::routed_to("paystack").await;
    live.emulator.chaos().set_once(Operator::PAYSTACK, Call::Status, Fault::HalfJson);
    let id = live.charge("0241234567", "MTN").await.is(202).id();
    let asked = || live.emulator.requests().of_call(Operator::PAYSTACK, Call::Status);
    eventually("the callback causes a status request", async || asked() > 0).await;
    let is_paid = async || live.shop.status(&id).await["status"] == "SUCCESSFUL";
    eventually("the next one is sent after a pause", async || {
        live.app.advance(1);
        is_paid().await
    })
    .await;
    let paid = live.shop.status(&id).await;
    let at = |member: &str| paid[member].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    assert!(
        at("updatedAt").duration_since(at("createdAt")).as_secs() < 10,
        "before the scheduled one: {paid}"
    );
}

#[tokio::test]
async fn a_dispute_is_a_case_until_people_decide_it() {
    let live = LiveOperators::routed_to("paystack").await;
    let paid = live.charge_to_the_end("0241234567", "MTN").await;
    let id = TransactionId::new(paid["transactionId"].as_str().unwrap());
    let dispute = |event| {
        live.emulator
            .decide(Operator::PAYSTACK, &id.operator_reference(), Decision::Dispute(event))
            .unwrap();
    };
    dispute(DisputeEvent::Create);
    dispute(DisputeEvent::Remind);
    let store = &live.app.running().store;
    eventually("it waits for review", async || !store.flagged(None).await.unwrap().is_empty())
        .await;
    let cases = store.flagged(None).await.unwrap();
    assert_eq!(cases.iter().map(|one| one.case).collect::<Vec<_>>(), [Case::Dispute]);
    assert_eq!(live.shop.status(id.as_str()).await["status"], "SUCCESSFUL");

    let note = "declined at Paystack with the delivery slip".parse::<DecisionNote>().unwrap();
    let decided =
        store.review(&id, ReviewVerdict::Successful, note, &live.app.audit()).await.unwrap();
    assert_eq!((decided.state, decided.decision()), (State::Successful, Some(Status::Successful)));
    dispute(DisputeEvent::Resolve);
    let is_callback = |exchange: &&Exchange| exchange.path == "/callbacks/paystack";
    // The payment, and three about the dispute.
    let are_all_taken =
        async || store.exchanges(&id).await.unwrap().iter().filter(is_callback).count() == 4;
    eventually("the operator's last callback is taken", are_all_taken).await;
    assert!(store.flagged(None).await.unwrap().is_empty());
    assert_eq!(
        Transaction::replay(store.events(&id).await.unwrap()),
        store.transaction(&id).await.unwrap()
    );
}

#[tokio::test]
async fn the_record_of_a_call_that_is_in_flight_at_a_stop_is_kept() {
    let mut live = LiveOperators::routed_to("mtn").await;
    let slow = Fault::Latency(Duration::from_secs(4));
    live.emulator.chaos().set(Operator::MTN_MOMO, Call::Payout, slow);
    let body = json!({ "amount": 10.5, "phoneNumber": "0241230007", "network": "MTN" });
    let id = TransactionId::new(live.shop.post("/v1/payout", &body).await.is(202).id());
    let store = live.app.running().store.clone();
    let is_sent = async || store.transaction(&id).await.unwrap().unwrap().handed_over_at.is_some();
    eventually("it is handed over", is_sent).await;
    let is_send = |one: &Exchange| one.method == "POST" && one.path.ends_with("/transfer");
    let sends = |kept: &[Exchange]| kept.iter().filter(|one| is_send(one)).count();
    assert_eq!(sends(&store.exchanges(&id).await.unwrap()), 0, "the call is in flight");
    live.app.restart().await;
    let kept = live.app.running().store.exchanges(&id).await.unwrap();
    assert_eq!(sends(&kept), 1, "{kept:?}");
}

#[tokio::test]
async fn exchanges_and_callbacks_are_kept_without_numbers_and_secrets() {
    for (name, ..) in OPERATORS {
        let live = LiveOperators::routed_to(name).await;
        let paid = live.charge_to_the_end("0241234567", "MTN").await;
        let id = TransactionId::new(paid["transactionId"].as_str().unwrap());
        let store = &live.app.running().store;
        let kept = async || store.exchanges(&id).await.unwrap();
        let is_callback = |exchange: &Exchange| exchange.path == format!("/callbacks/{name}");
        let is_whole = async || kept().await.iter().any(is_callback) && kept().await.len() >= 3;
        eventually("a send, a callback and a status are kept", is_whole).await;
        if name == "hubtel" {
            // A refund names the address of callbacks, too, and is kept with its charge.
            refund(&live.shop, json!({ "transactionId": id.as_str() })).await.is(202);
            let is_refund = |exchange: &Exchange| exchange.path.starts_with("/refund/");
            eventually("its refund is kept", async || kept().await.iter().any(is_refund)).await;
        }
        let kept = kept().await;
        let text = format!("{kept:?}");
        let secret = callback_url(&live.app, name);
        let (_, secret) = secret.rsplit_once('/').unwrap();
        for gone in ["241234567", secret] {
            assert!(!text.contains(gone), "{name}: {gone} in {text}");
        }
        assert!(text.contains("567"), "{name}: the last digits stay: {text}");
    }
}
