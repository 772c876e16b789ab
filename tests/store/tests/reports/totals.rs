//! The totals of days are equal to the rows that they count.

use serde_json::json;
use tua_domain::{TransactionId, calendar::day_of, ports::Clock, refund::TransactionType};
use tua_test_support::{
    TestApp,
    refunds::{charge, refund},
    test_database,
};

/// The number of groups in which totals and rows differ.
const DIFFERENCES: &str = "SELECT count(*) FROM (
    SELECT account_id, mode, day, kind, network, status, sum(payments) AS payments, sum(pesewas) \
    AS pesewas
    FROM transaction_days GROUP BY account_id, mode, day, kind, network, status) AS counted
    FULL JOIN (
    SELECT account_id, mode, created_at / 86400000 AS day, kind, network, status, count(*) AS \
    payments,
           sum(coalesce(settled_amount, amount)) AS pesewas
    FROM transactions WHERE status <> 'PENDING'
    GROUP BY account_id, mode, created_at / 86400000, kind, network, status) AS found
    ON counted.account_id = found.account_id AND counted.mode = found.mode AND counted.day = \
    found.day
       AND counted.kind = found.kind AND counted.network = found.network AND counted.status = \
    found.status
    WHERE counted.payments IS NULL OR found.payments IS NULL OR counted.payments <> found.payments
       OR counted.pesewas <> found.pesewas";

/// The number of groups in which the totals of refunds and their rows differ.
const REFUND_DIFFERENCES: &str = "SELECT count(*) FROM (
    SELECT account_id, mode, day, network, status, sum(payments) AS payments, sum(pesewas) AS pesewas
    FROM refund_days GROUP BY account_id, mode, day, network, status) AS counted
    FULL JOIN (
    SELECT account_id, mode, created_at / 86400000 AS day, network, status, count(*) AS payments,
           sum(coalesce(settled_amount, amount)) AS pesewas
    FROM transactions WHERE refund_of IS NOT NULL AND status <> 'PENDING'
    GROUP BY account_id, mode, created_at / 86400000, network, status) AS found
    ON counted.account_id = found.account_id AND counted.mode = found.mode AND counted.day = \
    found.day
       AND counted.network = found.network AND counted.status = found.status
    WHERE counted.payments IS NULL OR found.payments IS NULL OR counted.payments <> found.payments
       OR counted.pesewas <> found.pesewas";

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_is_counted_as_a_refund_and_not_as_a_payout() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let charged = charge(&app, &shop, "0241234567").await;
    let body = json!({ "transactionId": charged, "amount": 4 });
    refund(&shop, body).await.is(202);
    let payout = json!({ "amount": 3, "phoneNumber": "0241234567", "network": "MTN" });
    shop.post("/v1/payout", &payout).await.is(202);
    for _ in 0..6 {
        app.advance(3);
        app.wait_for_due_work().await;
    }
    let store = app.running().store.clone();
    let found = store.transaction(&TransactionId::new(charged)).await.unwrap().unwrap();
    let scope = &found.order.scope;
    let today = day_of(app.clock.now());
    let sums = async || {
        let totals = store.day_totals(scope, today..=today).await.unwrap();
        TransactionType::ALL
            .iter()
            .map(|one| {
                let of = totals.iter().filter(|total| total.transaction_type == *one);
                of.map(|total| (total.payments, total.pesewas)).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    };
    let expected = vec![vec![(1, 1_050)], vec![(1, 300)], vec![(1, 400)]];
    assert_eq!(sums().await, expected);
    assert_eq!(app.query_number(REFUND_DIFFERENCES), 0);
    test_database::execute(app.folder.path(), "DELETE FROM refund_days");
    assert_ne!(app.query_number(REFUND_DIFFERENCES), 0);
    store.rebuild_day_totals().await.unwrap();
    assert_eq!(sums().await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn totals_of_days_are_equal_to_the_rows_and_are_rebuilt() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let mut begun = Vec::new();
    for (n, ending) in (0..13).flat_map(|n| [(n, n), (n, n + 13)]) {
        let network = ["MTN", "TELECEL", "AIRTELTIGO"][n % 3];
        let path = if n % 4 == 0 { "/v1/payout" } else { "/v1/charge" };
        let body = json!({
            "amount": n + 1,
            "phoneNumber": format!("024123{ending:04}"),
            "network": network,
        });
        let shop = shop.clone();
        begun.push(tokio::spawn(async move { shop.post(path, &body).await.is(202).id() }));
    }
    let mut first = None;
    for one in begun {
        first = Some(one.await.unwrap());
    }
    for seconds in [2, 8, 20, 60] {
        app.advance(seconds);
        app.wait_for_due_work().await;
    }
    let store = app.running().store.clone();
    let scope = store
        .transaction(&TransactionId::new(first.unwrap()))
        .await
        .unwrap()
        .unwrap()
        .order
        .scope
        .clone();
    let today = day_of(app.clock.now());
    let days = today.yesterday().unwrap()..=today;
    let counted = store.day_totals(&scope, days.clone()).await.unwrap();
    let payments: u64 = counted.iter().map(|total| total.payments).sum();
    assert!(
        payments >= 8 && counted.len() >= 4,
        "too few final payments for this test: {counted:?}"
    );
    assert_eq!(app.query_number(DIFFERENCES), 0);

    test_database::execute(
        app.folder.path(),
        "UPDATE transaction_days SET payments = payments + 7",
    );
    assert_ne!(app.query_number(DIFFERENCES), 0);
    assert_eq!(store.rebuild_day_totals().await.unwrap(), payments);
    assert_eq!(app.query_number(DIFFERENCES), 0);
    assert_eq!(store.day_totals(&scope, days).await.unwrap(), counted);
}
