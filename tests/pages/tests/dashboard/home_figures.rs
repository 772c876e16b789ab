//! What is left after fees, why payments failed, and the money at operators, on Home and in the
//! report of a month.

use serde_json::json;
use std::{collections::HashMap, sync::Arc};
use tua_contract::{FailureCode, Network, lifecycle::Observation};
use tua_domain::{
    Kind, Mode,
    calendar::day_of,
    people::Role,
    ports::Clock,
    refund::TransactionType,
    routing::{OperatorEntry, OperatorFingerprint, Operators, PinnedOperator},
};
use tua_test_support::{
    TestApp, dashboard::page, fake_operator::FakeOperator, live_operators::LiveOperators,
    payout_controls::Merchant, refunds::charge, scripted_operator::ScriptedOperator, test_database,
};

#[tokio::test(flavor = "multi_thread")]
async fn home_and_the_month_say_what_is_left_after_fees() {
    let live = LiveOperators::routed_to("paystack").await;
    let app = &live.app;
    let account = app.running().store.accounts().await.unwrap().remove(0).id;
    live.charge_to_the_end("0241234567", "MTN").await;
    let fees = app.query_number("SELECT CAST(sum(fees) AS BIGINT) FROM ledger_entries");
    assert!(fees > 0, "the operator charges for a payment");
    let cedis = |pesewas: i64| format!("GH₵{}.{:02}", pesewas / 100, pesewas % 100);
    let owner = app.browser_of(&account, Role::Owner).await;
    let home = owner.get(&page(&account, Mode::Live, "/home")).await.is(200).text;
    let kept = format!("<dt>Kept after fees</dt><dd>{} <span", cedis(1_050 - fees));
    let kept_today = format!("{} after fees", cedis(1_050 - fees));
    let texts = [&*kept, &format!("fees: {}", cedis(fees)), &kept_today];
    for text in texts {
        assert!(home.contains(text), "{text}: {home}");
    }
    let month = owner.get(&page(&account, Mode::Live, "/reports/month")).await.is(200).text;
    assert!(month.contains("Kept of it after fees"), "{month}");
    assert!(month.contains(&cedis(1_050 - fees)), "{month}");

    // The sums of days are those of the ledger, also after they were made again.
    let store = app.running().store.clone();
    let today = day_of(app.clock.now());
    let scope = tua_domain::Scope { account, mode: Mode::Live };
    let sums = async || {
        let found = store.day_fees(&scope, today.yesterday().unwrap()..=today).await.unwrap();
        found.iter().map(|one| (one.transaction_type, one.pesewas, one.known)).collect::<Vec<_>>()
    };
    assert_eq!(sums().await, [(TransactionType::Charge, fees, 1)]);
    test_database::execute(app.folder.path(), "DELETE FROM fee_days");
    assert_eq!(sums().await, []);
    store.rebuild_day_totals().await.unwrap();
    assert_eq!(sums().await, [(TransactionType::Charge, fees, 1)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn fees_that_no_operator_reported_are_not_shown_as_nought() {
    let live = LiveOperators::routed_to("mtn").await;
    let app = &live.app;
    let account = app.running().store.accounts().await.unwrap().remove(0).id;
    let owner = app.browser_of(&account, Role::Owner).await;
    let at = |path: &str| page(&account, Mode::Live, path);
    let empty = owner.get(&at("/home")).await.is(200).text;
    assert!(empty.contains("fees: GH₵0.00"), "nothing was paid: {empty}");
    live.charge_to_the_end("0241234567", "MTN").await;
    live.charge_to_the_end("0241234568", "MTN").await;
    let home = owner.get(&at("/home")).await.is(200).text;
    let unknown = "the fees of 2 payments are not known";
    assert!(home.contains("<dt>Kept after fees</dt><dd>not known"), "{home}");
    assert_eq!(home.matches(unknown).count(), 2, "today and the period: {home}");
    assert!(!home.contains("fees: GH₵") && !home.contains("GH₵21.00 after fees"), "{home}");
    let month = owner.get(&at("/reports/month")).await.is(200).text;
    let note = "The fees of 2 payments are not known. Net is before these fees.";
    for text in [note, "not known</td>", "GH₵21.00"] {
        assert!(month.contains(text), "{text}: {month}");
    }
    let fees = month.split(">Fees</th>").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(fees.contains("not known"), "{fees}");
    let csv = owner.get(&at("/reports/month.csv")).await.is(200).text;
    let total = csv.lines().find(|line| line.starts_with("total,")).unwrap();
    assert!(total.contains(",GHS,2,21.00,0,0.00,0,0.00,,2,21.00,"), "{total}");
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_of_the_test_operator_have_no_fee_that_could_become_known() {
    for operators in [|operators: Operators| operators, Operators::with_pinned_sandbox] {
        let app = TestApp::with_stopped_clock(operators).await;
        let shop = app.shop().await;
        let paid = charge(&app, &shop, "0241234567").await;
        let account = app.running().store.accounts().await.unwrap().remove(0).id;
        let owner = app.browser_of(&account, Role::Owner).await;
        let at = |path: &str| page(&account, Mode::Test, path);
        let home = owner.get(&at("/home")).await.is(200).text;
        for text in ["<dt>Kept after fees</dt><dd>GH₵10.50", "fees: GH₵0.00"] {
            assert!(home.contains(text), "{text}: {home}");
        }
        assert!(!home.contains("not known"), "{home}");
        let csv = owner.get(&at("/reports/month.csv")).await.is(200).text;
        let total = csv.lines().find(|line| line.starts_with("total,")).unwrap();
        assert!(total.contains(",GHS,1,10.50,0,0.00,0,0.00,0.00,0,10.50,"), "{total}");
        let payment = owner.get(&at(&format!("/payments/{paid}"))).await.is(200).text;
        assert!(payment.contains("<dt>Operator’s fee</dt><dd>GH₵0.00</dd>"), "{payment}");
        assert!(shop.status(&paid).await["operatorFee"].is_null(), "the API is as it was");

        // The sums of days are the same after they were made again.
        app.running().store.rebuild_day_totals().await.unwrap();
        assert_eq!(app.query_number("SELECT CAST(sum(known) AS BIGINT) FROM fee_days"), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reasons_of_failures_are_counted_the_payers_own_apart() {
    let reasons = [
        FailureCode::WrongPin,
        FailureCode::WrongPin,
        FailureCode::InsufficientFunds,
        FailureCode::OperatorRefused,
    ];
    let next = std::sync::atomic::AtomicUsize::new(0);
    let operator = ScriptedOperator::new().sends(move |_| {
        let index = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        Some(Observation::Failed(reasons[index % reasons.len()]))
    });
    let merchant = Merchant::with_operator(Arc::new(operator)).await;
    let at = |path: &str| page(&merchant.scope().account, Mode::Test, path);
    let owner = merchant.app.browser_of(&merchant.scope().account, Role::Owner).await;
    let calm = owner.get(&at("/home")).await.is(200).text;
    assert!(!calm.contains("Why payments failed"), "{calm}");
    for _ in reasons {
        let body = json!({ "amount": 2, "phoneNumber": "0241234567", "network": "MTN" });
        merchant.shop.post("/v1/charge", &body).await.is(202);
        merchant.wait(3).await;
    }
    let home = owner.get(&at("/home")).await.is(200).text;
    let (_, failures) = home.split_once("Why payments failed").unwrap();
    let (payers, others) = failures.split_once("Your or the operator’s reasons").unwrap();
    assert!(payers.contains("The payers’ own reasons"), "{failures}");
    let row = |reason: &str, code: &str, count: &str| {
        (format!("<li><span>{reason}</span>"), format!("failure={code}"), format!(">{count}</a>"))
    };
    for (part, (label, link, count)) in [
        (payers, row("Wrong PIN", "wrong_pin", "2 payments")),
        (payers, row("Not enough money in the wallet", "insufficient_funds", "1 payment")),
        (others, row("The operator refused it", "operator_refused", "1 payment")),
    ] {
        let (_, rest) = part.split_once(&label).unwrap_or_else(|| panic!("{label}: {part}"));
        let entry = rest.split("</li>").next().unwrap();
        assert!(entry.contains(&link) && entry.contains(&count), "{link} {count}: {entry}");
    }
    assert!(!payers.contains("The operator refused it"), "{payers}");
    let month = owner.get(&at("/reports/month")).await.is(200).text;
    assert!(month.contains("Why payments failed: the payers’ own reasons"), "{month}");
    assert!(month.contains("Why payments failed: your or the operator’s reasons"), "{month}");
    assert!(month.contains("Wrong PIN"), "{month}");
    let pdf = owner.get(&at("/reports/month.pdf")).await.is(200);
    assert_eq!(pdf.header("content-type"), "application/pdf");
}

#[tokio::test(flavor = "multi_thread")]
async fn home_shows_the_balance_that_was_last_read_with_its_age_and_calls_no_operator() {
    let operator = Arc::new(FakeOperator::default());
    operator.set_balance(123_450);
    let pin = PinnedOperator {
        name: "mtn".parse().unwrap(),
        fingerprint: OperatorFingerprint::of(&["mtn"]),
    };
    let name = pin.name.clone();
    let entry = Arc::new(OperatorEntry::new(pin, Mode::Live, operator.clone()));
    let routes = HashMap::from([((Mode::Live, Network::Mtn, Kind::Payout), vec![name])]);
    let operators = Operators::new(vec![entry.clone()], routes);
    let app =
        TestApp::with_clock(tua_system::clock::OffsetClock::stopped(), |_| {}, |_| operators).await;
    app.test_clock.wait_for_workers().await;
    let account = app.account("Adom Stores").await;
    let home = page(&account, Mode::Live, "/home");
    entry.read_balances(&app.clock).await.unwrap();
    app.advance(3 * 60);
    app.wait_for_due_work().await;
    let reads = operator.balance_reads();
    let shown = app.browser_of(&account, Role::Owner).await.get(&home).await.is(200).text;
    assert!(shown.contains("Money at the operators"), "{shown}");
    assert!(shown.contains("GH₵1,234.50"), "{shown}");
    assert!(shown.contains("read 3 minutes ago"), "{shown}");
    assert_eq!(operator.balance_reads(), reads, "the page calls no operator");
    // Whoever may not read operators sees no money there.
    let viewer = app.browser_of(&account, Role::Viewer).await;
    let seen = viewer.get(&home).await.is(200).text;
    assert!(!seen.contains("GH₵1,234.50"), "{seen}");
    // The money is that of every account that the operator serves.
    let other = app.account("Kofi Stores").await;
    app.key(&other, Mode::Live, tua_domain::Generation::V2).await;
    let stranger = "ama@example.com".parse().unwrap();
    let stranger = app.browser_of_person(&stranger, &account, Role::Owner).await;
    let hidden = stranger.get(&home).await.is(200).text;
    assert!(!hidden.contains("GH₵1,234.50"), "{hidden}");
}
