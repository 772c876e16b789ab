//! Searches, filters and pages of the dashboard's lists.

use crate::support::TestApp;
use serde_json::json;
use tua_contract::{FailureCode, Network, Status};
use tua_service::domain::{
    Kind, Scope, TransactionId,
    listing::Cursor,
    ports::Clock,
    reporting::{Attention, Position, ReportFilter, ReportPage, Search, filter::day_of},
    use_cases::reports::list_page,
};

async fn ids(app: &TestApp, scope: &Scope, filter: &ReportFilter) -> Vec<String> {
    let page = ReportPage { limit: 50, position: Position::First };
    let found = list_page(app.running().store.as_ref(), scope, filter, &page).await.unwrap();
    found.transactions.iter().map(|one| one.begun.id.as_str().to_owned()).collect()
}

async fn scope_of(app: &TestApp, id: &str) -> Scope {
    app.running().store.transaction(&TransactionId::new(id)).await.unwrap().unwrap().begun.scope.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_a_payment_by_everything_that_a_payer_knows() {
    let app = TestApp::start().await;
    let (shop, other) = (app.shop().await, app.shop().await);
    let payout = |phone: &str, amount: f64, reference: &str| {
        json!({ "amount": amount, "phoneNumber": phone, "network": "MTN", "reference": reference,
                "email": format!("{reference}@example.com") })
    };
    let paid = shop.post("/v1/payout", &payout("0241234567", 10.5, "order-1")).await.is(202).id();
    let later = shop.post("/v1/payout", &payout("0241230006", 10.5, "order-2")).await.is(202).id();
    other.post("/v1/payout", &payout("0241234567", 10.5, "order-1")).await.is(202);
    let scope = scope_of(&app, &paid).await;
    let reference = TransactionId::new(&*paid).operator_reference();
    for (text, expected) in [
        (paid.as_str(), vec![&paid]),
        (&reference, vec![&paid]),
        ("order-1", vec![&paid]),
        ("+233 24 123 4567", vec![&paid]),
        ("Order-1@example.com", vec![&paid]),
        ("GHS 10.50", vec![&later, &paid]),
        ("order-", vec![]),
        ("%", vec![]),
        ("a\0b", vec![]),
    ] {
        let filter = ReportFilter { search: Search::parse(text), ..ReportFilter::default() };
        assert_eq!(ids(&app, &scope, &filter).await.iter().collect::<Vec<_>>(), expected, "{text}");
        let totals = app.running().store.report_totals(&scope, &filter).await.unwrap();
        assert_eq!(totals.payments(), expected.len() as u64, "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_filter_of_a_report_narrows_it() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let begin = async |path: &str, phone: &str, network: &str| {
        let body = json!({ "amount": 1, "phoneNumber": phone, "network": network });
        shop.post(path, &body).await.is(202).id()
    };
    let failed = begin("/v1/charge", "0241230006", "MTN").await;
    let waiting = begin("/v1/charge", "0201234567", "TELECEL").await;
    let payout = begin("/v1/payout", "0241230002", "MTN").await;
    let today = day_of(app.clock.now());
    let (yesterday, tomorrow) = (today.yesterday().unwrap(), today.tomorrow().unwrap());
    let scope = scope_of(&app, &failed).await;
    let all = ReportFilter::default;
    for (filter, expected) in [
        (ReportFilter { kind: Some(Kind::Payout), ..all() }, vec![&payout]),
        (ReportFilter { status: Some(Status::Pending), kind: Some(Kind::Charge), ..all() }, vec![&waiting]),
        (ReportFilter { network: Some(Network::Telecel), ..all() }, vec![&waiting]),
        (ReportFilter { failure: Some(FailureCode::PayerBusy), ..all() }, vec![]),
        (ReportFilter { status: Some(Status::Failed), kind: Some(Kind::Charge), ..all() }, vec![&failed]),
        (ReportFilter { attention: Some(Attention::Flagged), ..all() }, vec![]),
        (ReportFilter { attention: Some(Attention::Unapproved), ..all() }, vec![]),
        (ReportFilter { from: Some(today), to: Some(today), kind: Some(Kind::Payout), ..all() }, vec![&payout]),
        (ReportFilter { to: Some(yesterday), ..all() }, vec![]),
        (ReportFilter { from: Some(tomorrow), ..all() }, vec![]),
    ] {
        assert_eq!(ids(&app, &scope, &filter).await.iter().collect::<Vec<_>>(), expected, "{filter:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_read_forwards_and_backwards() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut written = Vec::new();
    for n in 0..5 {
        let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN", "reference": format!("{n}") });
        written.insert(0, shop.post("/v1/charge", &body).await.is(202).id());
    }
    let scope = scope_of(&app, &written[0]).await;
    let read = async |position: Position| {
        let page = ReportPage { limit: 2, position };
        let page = list_page(app.running().store.as_ref(), &scope, &ReportFilter::default(), &page).await.unwrap();
        let ids: Vec<String> = page.transactions.iter().map(|one| one.begun.id.as_str().to_owned()).collect();
        (ids, page.newer, page.older)
    };
    let after = |cursor: Option<Cursor>| Position::After(cursor.unwrap());
    let (first, none, older) = read(Position::First).await;
    assert_eq!((first.as_slice(), none), (&written[..2], None));
    let (second, newer, older) = read(after(older)).await;
    assert_eq!(second, written[2..4]);
    let (last, newer_of_last, end) = read(after(older)).await;
    assert_eq!((last.as_slice(), end), (&written[4..], None));
    let (back, _, _) = read(Position::Before(newer_of_last.unwrap())).await;
    assert_eq!(back, written[2..4]);
    let (back, none, older) = read(Position::Before(newer.unwrap())).await;
    assert_eq!((back.as_slice(), none), (&written[..2], None));
    assert!(older.is_some());
}
