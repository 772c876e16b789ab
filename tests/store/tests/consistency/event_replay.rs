//! The events of a transaction rebuild it (docs/reference/lifecycle.md).

use serde_json::json;
use std::collections::BTreeSet;
use tua_domain::{Transaction, TransactionId, refund::RefundSums};
use tua_test_support::{
    ApiClient, TestApp,
    refunds::{charge, refund, refund_id},
};

/// Makes a charge of a session with some codes, and a second charge if it fails; returns the
/// transactions.
async fn make_charges(
    payer: ApiClient,
    ending: usize,
    network: &'static str,
    codes: &'static [&'static str],
) -> Vec<String> {
    let mut begun = Vec::new();
    for attempt in 0..3 {
        let answer = payer.charge(&format!("024123{:04}", (ending + attempt) % 13), network).await;
        if answer.status != 202 {
            continue;
        }
        begun.push(answer.id());
        for code in codes {
            payer
                .post("/v1/submit-otp", &json!({ "transactionId": answer.id(), "otp": code }))
                .await;
        }
    }
    begun
}

#[tokio::test(flavor = "multi_thread")]
async fn replaying_the_events_of_a_transaction_rebuilds_it() {
    let mut app = TestApp::start().await;
    let shop = app.shop().await;
    let codes: [&[&str]; 3] =
        [&["000000", "123456"], &[], &["1111", "2222", "3333", "4444", "5555", "6666"]];
    let mut busy = Vec::new();
    for ending in 0..13 {
        for (network, codes) in
            ["MTN", "TELECEL", "AIRTELTIGO"].into_iter().zip(codes.into_iter().cycle().skip(ending))
        {
            let payer = app.payer(&shop).await;
            busy.push(tokio::spawn(make_charges(payer, ending, network, codes)));
            let payout = json!({
                "amount": 1,
                "phoneNumber": format!("027123{ending:04}"),
                "network": network,
            });
            let shop = shop.clone();
            busy.push(tokio::spawn(async move {
                vec![shop.post("/v1/payout", &payout).await.is(202).id()]
            }));
        }
        app.advance(1);
    }
    let mut all = Vec::new();
    for one in busy {
        all.extend(one.await.unwrap());
    }
    // The clock moves during and after the requests.
    for seconds in [1, 1, 8, 20, 40, 60, 300] {
        app.advance(seconds);
        app.wait_for_tasks().await;
    }

    // No transaction may change between the two reads.
    let store = app.running().store.clone();
    app.running.take().unwrap().stop().await;
    let mut seen = BTreeSet::new();
    for id in all.iter().map(TransactionId::new) {
        let transaction = store.transaction(&id).await.unwrap().unwrap();
        let events = store.events(&id).await.unwrap();
        assert_eq!(events.len(), usize::try_from(transaction.version).unwrap());
        assert!(events.is_sorted_by_key(|(at, _)| *at), "{events:?}");
        seen.insert(format!("{:?}", transaction.state));
        assert_eq!(Transaction::replay(events), Some(transaction));
    }
    assert!(all.len() >= 13 * 6 && seen.len() >= 9, "too few events for this test: {seen:?}");
}

/// The row of a charge is also changed by its refunds, whose outcome depends on the number.
#[tokio::test]
async fn replaying_the_events_of_a_refunded_charge_rebuilds_it() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let store = &app.running().store;
    for (phone, returned, counted) in
        [("0241234567", 500, 500), ("0241230021", 0, 0), ("0241230022", 0, 500)]
    {
        let charge = charge(&app, &shop, phone).await;
        let mut ids = vec![charge.clone()];
        for amount in [2, 3] {
            let begun =
                refund(&shop, json!({ "transactionId": charge, "amount": amount })).await.is(202);
            ids.push(refund_id(&begun));
            app.advance(3);
            app.wait_for_due_work().await;
        }
        for id in ids.iter().map(TransactionId::new) {
            let row = store.transaction(&id).await.unwrap();
            assert_eq!(Transaction::replay(store.events(&id).await.unwrap()), row, "{phone}");
        }
        let charge = store.transaction(&TransactionId::new(charge)).await.unwrap().unwrap();
        assert_eq!(charge.refunds, RefundSums { returned, counted, native: counted }, "{phone}");
    }
}
