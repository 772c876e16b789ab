//! What a refused refund proves about the money (docs/reference/refunds.md#what-a-refusal-proves).

use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tua_contract::{FailureCode, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    capabilities::RefundCapability,
    ports::{RefundRefusal, Report, StatusResponse},
    review::{Case, DecisionNote, ReviewVerdict},
};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{
    live_operators::LiveOperators,
    payout_controls::Merchant,
    refunds::{read, refund, refund_id, sums},
    scripted_operator::ScriptedOperator,
};

/// A code of an operator, and the failure that it is.
type Refusal = (&'static str, Option<&'static str>);

/// Refusals of each operator; the failure that each one is, or `None` where it proves nothing about
/// the money.
const REFUSALS: [(&str, Operator, &[Refusal]); 4] = [
    (
        "pawapay",
        Operator::PAWAPAY,
        &[
            ("DEPOSIT_ALREADY_REFUNDED", None),
            ("AMOUNT_TOO_LARGE", None),
            ("INVALID_STATE", None),
            ("NOT_FOUND", None),
            ("REFUND_IN_PROGRESS", None),
            ("PAWAPAY_WALLET_OUT_OF_FUNDS", Some("merchant_float_low")),
            ("INVALID_AMOUNT", Some("operator_refused")),
            ("REFUNDS_NOT_ALLOWED", Some("network_unavailable")),
        ],
    ),
    (
        "paystack",
        Operator::PAYSTACK,
        &[
            ("transaction_not_found", None),
            ("invalid_params", None),
            ("insufficient_balance", Some("merchant_float_low")),
        ],
    ),
    (
        "hubtel",
        Operator::HUBTEL,
        &[("4509", None), ("3000", None), ("4000", Some("operator_refused"))],
    ),
    ("mtn", Operator::MTN_MOMO, &[("BAD_REQUEST", Some("operator_refused"))]),
];

#[tokio::test]
async fn a_payout_follows_a_refused_refund_only_where_the_reason_proves_that_nothing_returned() {
    for (name, operator, refusals) in REFUSALS {
        let live = LiveOperators::routed_to(name).await;
        for (code, failure) in refusals {
            let paid = live.charge_to_the_end("0241234567", "MTN").await;
            let charge = paid["transactionId"].as_str().unwrap();
            live.emulator.chaos().set(operator, Call::Refund, Fault::Refusal(code));
            let begun = refund(&live.shop, json!({ "transactionId": charge })).await.is(202);
            live.emulator.chaos().clear();
            let id = refund_id(&begun);
            let shown = read(&live.shop, &id).await;
            let by_payout = json!({ "transactionId": charge, "method": "PAYOUT" });
            let flagged = live.app.running().store.flagged(None).await.unwrap();
            let case = flagged
                .iter()
                .find(|one| one.transaction.order.id.as_str() == id)
                .map(|one| one.case);
            match failure {
                Some(failure) => {
                    assert_eq!(shown["failure"]["code"], *failure, "{name} {code}: {shown}");
                    assert_eq!(case, None, "{name} {code}");
                    assert_eq!(refund(&live.shop, by_payout).await.status, 202, "{name} {code}");
                }
                None => {
                    assert_eq!(shown["status"], "PENDING", "{name} {code}: {shown}");
                    assert_eq!(case, Some(Case::RefundInDoubt), "{name} {code}");
                    assert_eq!(
                        sums(&live.shop, charge).await.1,
                        json!(0),
                        "{name} {code}: it counts"
                    );
                    refund(&live.shop, by_payout).await.is_problem(409, "refund_exceeds_payment");
                }
            }
        }
    }
}

/// The operator does not have what it refused, so its status is "not found": that must not become
/// "never sent".
#[tokio::test]
async fn a_refund_in_doubt_is_never_sent_again_and_ends_by_people_only() {
    let is_paid = Arc::new(AtomicBool::new(false));
    let paid_before = is_paid.clone();
    let mut operator = ScriptedOperator::new()
        .refunding(RefundCapability::Partial { within: None })
        .responds(move |_| {
            if paid_before.load(Ordering::SeqCst) {
                Some(Report::from(RefundRefusal::ProvesNothing).into())
            } else {
                Some(Observation::Succeeded.into())
            }
        })
        .asks(|_| Some(StatusResponse::NeverReceived));
    operator.never_received_is_final_after = Some(Duration::from_secs(15 * 60));
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let body = json!({ "amount": 10.5, "phoneNumber": "0241234567", "network": "MTN" });
    let charge = merchant.shop.post("/v1/charge", &body).await.is(202).id();
    is_paid.store(true, Ordering::SeqCst);
    let begun =
        refund(&merchant.shop, json!({ "transactionId": charge, "amount": 4 })).await.is(202);
    let id = TransactionId::new(refund_id(&begun));
    let cases = async || -> Vec<Case> {
        merchant.store().flagged(None).await.unwrap().into_iter().map(|one| one.case).collect()
    };
    assert_eq!(cases().await, [Case::RefundInDoubt], "at once");
    for seconds in [11, 61, 600, 1_200, 3_600, 90_000] {
        merchant.wait(seconds).await;
        let shown = read(&merchant.shop, id.as_str()).await;
        assert_eq!(
            (&shown["status"], &shown["nextAction"]),
            (&json!("PENDING"), &json!("WAIT")),
            "{seconds}"
        );
    }
    assert_eq!(merchant.operator.each("refund"), [1]);
    assert_eq!(cases().await, [Case::RefundInDoubt], "the reason stays");
    let note = "the portal shows no refund".parse::<DecisionNote>().unwrap();
    let verdict = ReviewVerdict::Failed(FailureCode::Unspecified);
    merchant.store().review(&id, verdict, note, &merchant.app.audit()).await.unwrap();
    assert_eq!(sums(&merchant.shop, &charge).await.1, json!(10.5));
    let by_payout = json!({ "transactionId": charge, "amount": 4, "method": "PAYOUT" });
    refund(&merchant.shop, by_payout).await.is(202);
}
