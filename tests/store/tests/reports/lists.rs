//! Searches, filters and pages of the dashboard's lists.

use serde_json::json;
use tua_contract::{FailureCode, Network, Status};
use tua_domain::{
    Scope, TransactionId,
    calendar::{day_of, start_of_day},
    listing::Cursor,
    ports::Clock,
    refund::TransactionType,
    reporting::{Attention, Position, ReportFilter, ReportPageRequest, Search},
};
use tua_test_support::{TestApp, test_database};
use tua_use_cases::reports::list_page;

async fn ids(app: &TestApp, scope: &Scope, filter: &ReportFilter) -> Vec<String> {
    let page = ReportPageRequest { limit: 50, position: Position::First };
    let found = list_page(app.running().store.as_ref(), scope, filter, &page).await.unwrap();
    found.transactions.iter().map(|one| one.order.id.as_str().to_owned()).collect()
}

/// All types of transactions, and the sets of them that people may see or choose.
fn all_types() -> Vec<Option<Vec<TransactionType>>> {
    use TransactionType::{Charge, Payout, Refund};
    vec![
        None,
        Some(vec![Charge]),
        Some(vec![Payout]),
        Some(vec![Refund]),
        Some(vec![Charge, Refund]),
        Some(vec![Payout, Refund]),
        Some(Vec::new()),
    ]
}

async fn scope_of(app: &TestApp, id: &str) -> Scope {
    app.running()
        .store
        .transaction(&TransactionId::new(id))
        .await
        .unwrap()
        .unwrap()
        .order
        .scope
        .clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_a_payment_by_everything_that_a_payer_knows() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let other = app.shop().await;
    let payout = |phone: &str, amount: f64, reference: &str| {
        json!({ "amount": amount, "phoneNumber": phone, "network": "MTN", "reference": reference,
                "email": format!("{reference}@Example.com") })
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
        ("order-", vec![&later, &paid]),
        ("ORDER-1", vec![&paid]),
        ("der-2", vec![&later]),
        ("4567", vec![&paid]),
        ("order-1.", vec![&paid]),
        ("You have received GHS 10.50. Reference order-2. Thank you", vec![&later]),
        ("der_1", vec![]),
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
    let yesterday = today.yesterday().unwrap();
    let tomorrow = today.tomorrow().unwrap();
    let scope = scope_of(&app, &failed).await;
    let all = ReportFilter::default;
    for (filter, expected) in [
        (ReportFilter { types: Some(vec![TransactionType::Payout]), ..all() }, vec![&payout]),
        (
            ReportFilter {
                status: Some(Status::Pending),
                types: Some(vec![TransactionType::Charge]),
                ..all()
            },
            vec![&waiting],
        ),
        (ReportFilter { network: Some(Network::Telecel), ..all() }, vec![&waiting]),
        (ReportFilter { failure: Some(FailureCode::PayerBusy), ..all() }, vec![]),
        (
            ReportFilter {
                status: Some(Status::Failed),
                types: Some(vec![TransactionType::Charge]),
                ..all()
            },
            vec![&failed],
        ),
        (ReportFilter { attention: Some(Attention::Flagged), ..all() }, vec![]),
        (ReportFilter { attention: Some(Attention::Unapproved), ..all() }, vec![]),
        (
            ReportFilter {
                from: Some(today),
                to: Some(today),
                types: Some(vec![TransactionType::Payout]),
                ..all()
            },
            vec![&payout],
        ),
        (ReportFilter { to: Some(yesterday), ..all() }, vec![]),
        (ReportFilter { from: Some(tomorrow), ..all() }, vec![]),
        (ReportFilter { until: start_of_day(today), ..all() }, vec![]),
        (
            ReportFilter {
                until: start_of_day(tomorrow),
                types: Some(vec![TransactionType::Payout]),
                ..all()
            },
            vec![&payout],
        ),
    ] {
        assert_eq!(
            ids(&app, &scope, &filter).await.iter().collect::<Vec<_>>(),
            expected,
            "{filter:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_above_a_list_is_that_of_its_rows_for_every_filter() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let mut first = None;
    for n in 0..18 {
        let path = ["/v1/charge", "/v1/payout"][n % 2];
        let network = ["MTN", "TELECEL", "AIRTELTIGO"][n % 3];
        let phone = ["0241234567", "0241230002", "0201234567", "0241230006"][n % 4];
        let body = json!({
            "amount": 1 + n % 2,
            "phoneNumber": phone,
            "network": network,
            "reference": format!("r{}", n % 2),
        });
        first = Some(shop.post(path, &body).await.is(202).id());
    }
    for seconds in [2, 8, 20] {
        app.advance(seconds);
        app.wait_for_due_work().await;
    }
    let scope = scope_of(&app, &first.unwrap()).await;
    let today = day_of(app.clock.now());
    let statuses = [None].into_iter().chain(Status::ALL.map(Some));
    for status in statuses {
        for types in all_types() {
            for network in [None, Some(Network::Telecel)] {
                for failure in [None, Some(FailureCode::CustomerRejected)] {
                    for search in [None, Some("r1"), Some("2.00"), Some("0241234567")] {
                        for (from, to) in [
                            (None, None),
                            (Some(today), Some(today)),
                            (None, today.yesterday().ok()),
                        ] {
                            let search = search.and_then(Search::parse);
                            let filter = ReportFilter {
                                search,
                                types: types.clone(),
                                status,
                                network,
                                failure,
                                from,
                                to,
                                ..ReportFilter::default()
                            };
                            let listed = ids(&app, &scope, &filter).await.len() as u64;
                            let totals =
                                app.running().store.report_totals(&scope, &filter).await.unwrap();
                            assert_eq!(
                                (totals.payments(), totals.is_capped()),
                                (listed, false),
                                "{filter:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_totals_of_days_count_beyond_the_limit_and_what_is_pending() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let charge = |phone: &str| json!({ "amount": 10, "phoneNumber": phone, "network": "MTN" });
    let paid = shop.post("/v1/payout", &charge("0241234567")).await.is(202).id();
    for seconds in [2, 8, 20] {
        app.advance(seconds);
        app.wait_for_due_work().await;
    }
    shop.post(
        "/v1/charge",
        &json!({ "amount": 1, "phoneNumber": "0201234567", "network": "TELECEL" }),
    )
    .await
    .is(202);
    let scope = scope_of(&app, &paid).await;
    // As if there were 300,000 more.
    test_database::execute(
        app.folder.path(),
        "UPDATE transaction_days SET payments = payments + 300000, pesewas = pesewas + 300000 \
         WHERE status = 'SUCCESSFUL'",
    );
    let counted = async |filter: ReportFilter| {
        let totals = app.running().store.report_totals(&scope, &filter).await.unwrap();
        (totals.payments(), totals.moved_pesewas(TransactionType::Payout), totals.is_capped())
    };
    let all = ReportFilter::default;
    assert_eq!(counted(all()).await, (300_002, 301_000, false));
    assert_eq!(
        counted(ReportFilter { network: Some(Network::Mtn), ..all() }).await,
        (300_001, 301_000, false)
    );
    assert_eq!(
        counted(ReportFilter { status: Some(Status::Pending), ..all() }).await,
        (1, 0, false)
    );
    assert_eq!(
        counted(ReportFilter { search: Search::parse("10.00"), ..all() }).await,
        (1, 1_000, false)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_read_forwards_and_backwards() {
    let app = TestApp::start().await;
    let shop = app.shop().await;
    let mut written = Vec::new();
    for n in 0..5 {
        let body = json!({
            "amount": 1,
            "phoneNumber": "0241234567",
            "network": "MTN",
            "reference": format!("{n}"),
        });
        written.insert(0, shop.post("/v1/charge", &body).await.is(202).id());
    }
    let scope = scope_of(&app, &written[0]).await;
    let read = async |position: Position| {
        let page = ReportPageRequest { limit: 2, position };
        let page = list_page(app.running().store.as_ref(), &scope, &ReportFilter::default(), &page)
            .await
            .unwrap();
        let ids: Vec<String> =
            page.transactions.iter().map(|one| one.order.id.as_str().to_owned()).collect();
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
