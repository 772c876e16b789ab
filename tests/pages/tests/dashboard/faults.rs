//! What a shop stumbled over in a week with the dashboard.

use serde_json::json;
use tua_domain::{Mode, people::Role};
use tua_test_support::{
    dashboard::{Shop, page},
    eventually,
    payout_batches::{batch_of, begin},
};

async fn charge(shop: &Shop, reference: &str, note: Option<&str>) -> String {
    let body = json!({
        "amount": 10,
        "phoneNumber": "0241234567",
        "network": "MTN",
        "reference": reference,
        "payeeNote": note.unwrap_or("of a test"),
    });
    shop.key.post("/v1/charge", &body).await.is(202).id()
}

async fn payout(shop: &Shop, phone: &str) -> String {
    let body = json!({
        "amount": 2450, "phoneNumber": phone, "network": "MTN", "reference": "salary",
        "payeeNote": "November", "payerMessage": "for the books",
    });
    shop.key.post("/v1/payout", &body).await.is(202).id()
}

fn at(shop: &Shop, path: &str) -> String {
    page(&shop.account, Mode::Test, path)
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_read_payouts_sees_neither_their_people_nor_their_sums() {
    let shop = Shop::start().await;
    let paid = payout(&shop, "0249876543").await;
    let charged = charge(&shop, "order-1", None).await;
    for role in [Role::Support, Role::Viewer] {
        let person = shop.app.browser_of(&shop.account, role).await;
        for path in ["/payments", "/payments?q=0249876543", "/payments?q=salary", "/home"] {
            let shown = person.get(&at(&shop, path)).await.is(200).text;
            for secret in [paid.as_str(), "024 987 6543", "2,450"] {
                assert!(!shown.contains(secret), "{secret} in {path} as {role:?}: {shown}");
            }
        }
        assert!(person.get(&at(&shop, "/payments")).await.text.contains(&charged));
        let none = person.get(&at(&shop, "/payments?type=PAYOUT")).await.is(200).text;
        assert!(none.contains("0 payments") && !none.contains(&paid), "{none}");
        person.get(&at(&shop, &format!("/payments/{paid}"))).await.is(403);
        person.get(&at(&shop, "/payouts")).await.is(403);
    }
    let accountant = shop.app.browser_of(&shop.account, Role::Accountant).await;
    for path in ["/payments?type=PAYOUT".to_owned(), format!("/payments/{paid}")] {
        assert!(accountant.get(&at(&shop, &path)).await.is(200).text.contains("024 987 6543"));
    }
    let payouts = accountant.get(&at(&shop, "/payouts")).await.is(200).text;
    assert!(!payouts.contains("/payouts/upload"), "an accountant moves no money: {payouts}");
    accountant.get(&at(&shop, "/payments/export/csv")).await.is(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn payments_payouts_and_refunds_are_three_kinds_of_a_list() {
    let shop = Shop::start().await;
    let paid = payout(&shop, "0241234567").await;
    let charged = charge(&shop, "order-1", None).await;
    for (kind, has, lacks) in [("PAYOUT", &paid, &charged), ("CHARGE", &charged, &paid)] {
        let path = at(&shop, &format!("/payments?type={kind}"));
        let shown = shop.owner.get(&path).await.is(200).text;
        assert!(shown.contains(has.as_str()) && !shown.contains(lacks.as_str()), "{shown}");
    }
    let refunds = shop.owner.get(&at(&shop, "/payments?type=REFUND")).await.is(200).text;
    assert!(refunds.contains("0 payments"), "{refunds}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_note_is_called_what_it_is_by_page_and_file() {
    let shop = Shop::start().await;
    let charged = charge(&shop, "order-1", Some("from the fair")).await;
    let paid = payout(&shop, "0241234567").await;
    let shown = shop.owner.get(&at(&shop, &format!("/payments/{charged}"))).await.is(200).text;
    assert!(shown.contains("<dt>Private note</dt><dd>from the fair</dd>"), "{shown}");
    let shown = shop.owner.get(&at(&shop, &format!("/payments/{paid}"))).await.is(200).text;
    assert!(shown.contains("<dt>Private note</dt><dd>for the books</dd>"), "{shown}");
    assert!(shown.contains("<dt>Note to the recipient</dt><dd>November</dd>"), "{shown}");
    let file = shop.owner.get(&at(&shop, "/payments/export/csv")).await.is(200);
    let name = file.header("content-disposition").to_owned();
    assert!(name.contains("\"adom-stores-payments-test-until-20"), "{name}");
    let header = file.text.lines().next().unwrap();
    assert!(header.ends_with("publicNote,privateNote,answer"), "{header}");
    assert!(file.text.contains(",,from the fair,"), "{}", file.text);
    assert!(file.text.contains(",November,for the books"), "{}", file.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_parts_and_says_what_to_try() {
    let shop = Shop::start().await;
    let charged = charge(&shop, "INV-3908", Some("rent of the stall")).await;
    for text in ["inv-3908", "INV-3908.", "3908", "4567", "RENT", "the stall"] {
        let typed = text.replace(' ', "+");
        let shown = shop.owner.get(&at(&shop, &format!("/payments?q={typed}"))).await.is(200).text;
        assert!(shown.contains(&charged), "{text}: {shown}");
    }
    let nothing = shop.owner.get(&at(&shop, "/payments?q=nothing")).await.is(200).text;
    assert!(nothing.contains("Payers’ names are not known here"), "{nothing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_is_shown_whole_or_the_page_says_why_not() {
    let shop = Shop::start().await;
    let home = async |query: &str| {
        shop.owner.get(&at(&shop, &format!("/home?{query}"))).await.is(200).text
    };
    let year = home("from=2026-01-01&to=2026-11-26").await;
    assert!(year.contains("value=\"2026-01-01\"") && year.contains("2026-01-31"), "{year}");
    assert!(!year.contains("These are the figures"), "{year}");
    assert!(year.contains("No payments in these days"), "{year}");
    let reversed = home("from=2026-11-24&to=2026-11-01").await;
    assert!(reversed.contains("The first day is after the last one"), "{reversed}");
    let unread = home("from=yesterday&to=2026-11-01").await;
    assert!(unread.contains("The days were not understood"), "{unread}");
    let long = home("from=1990-01-01&to=2026-11-01").await;
    assert!(long.contains("A page has ten years at most"), "{long}");
    let list = at(&shop, "/payments?from=2026-11-24&to=2026-11-01");
    let list = shop.owner.get(&list).await.is(200).text;
    assert!(list.contains("is after the last one"), "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_is_counted_once_and_approvals_by_decision() {
    let shop = Shop::start().await;
    let limits = [("approval-above", "1")];
    shop.owner.post(&at(&shop, "/settings/payouts"), &limits).await.is(303);
    payout(&shop, "0241234567").await;
    begin(&shop.key, &batch_of(&[5.0, 6.0, 7.0])).await.is(202);
    let home = shop.owner.get(&at(&shop, "/home")).await.is(200).text;
    assert!(home.contains("<span>2 payouts or batches wait for your approval</span>"), "{home}");
    assert!(home.contains("<span class=\"count\">2<"), "two decisions: {home}");
    assert!(!home.contains("4 payouts"), "four payouts are not four decisions: {home}");
    assert!(!home.contains("pending</a>") && !home.contains("not confirmed"), "once: {home}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_page_of_the_dashboard_is_a_page() {
    let shop = Shop::start().await;
    for path in ["/dashboard/nothing".to_owned(), at(&shop, "/nope")] {
        let shown = shop.owner.get(&path).await.is(404);
        assert!(shown.header("content-type").starts_with("text/html"), "{shown:?}");
        assert!(shown.text.contains("Nothing is here"), "{}", shown.text);
    }
    assert_eq!(
        shop.owner.get("/dashboard/accounts").await.is(303).header("location"),
        "/dashboard"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn sums_and_addresses_are_written_for_readers() {
    let shop = Shop::start().await;
    let paid = payout(&shop, "0241234567").await;
    let shown = shop.owner.get(&at(&shop, "/payments")).await.is(200).text;
    assert!(shown.contains("2,450.00") && !shown.contains("&#x2f;"), "{shown}");
    let address = at(&shop, &format!("/payments/{paid}"));
    let request = shop.owner.request(reqwest::Method::GET, &address);
    let request = request.header("accept-language", "fr");
    let french = request.send().await.unwrap().text().await.unwrap();
    assert!(french.contains("2\u{202f}450,00"), "{french}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_link_without_an_operator_says_that_nobody_can_pay() {
    let shop = Shop::start().await;
    let links = |mode| page(&shop.account, mode, "/links");
    let before = shop.owner.get(&links(Mode::Live)).await.is(200).text;
    assert!(before.contains("Nobody can pay with a link now"), "{before}");
    let test = shop.owner.get(&links(Mode::Test)).await.is(200).text;
    assert!(!test.contains("Nobody can pay"), "{test}");
    let fields = [("title", "Dinner"), ("amount", "1,200")];
    let made = shop.owner.post(&links(Mode::Live), &fields).await.is(303);
    let link = shop.owner.get(made.header("location")).await.is(200).text;
    assert!(link.contains("Nobody can pay with a link now") && link.contains("1,200.00"), "{link}");
    let refused = shop.owner.post(&links(Mode::Test), &[("title", ""), ("amount", "x")]).await;
    let refused = refused.is(422).text;
    assert!(refused.contains("autofocus") && refused.contains("href=\"#title\""), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_refund_names_its_sum_and_its_person() {
    let shop = Shop::start().await;
    let charged = charge(&shop, "order-1", None).await;
    let payment = at(&shop, &format!("/payments/{charged}"));
    shop.app.advance(3);
    let show = async || shop.owner.get(&payment).await.is(200).text;
    eventually("the charge can be refunded", async || show().await.contains("name=\"key\"")).await;
    let shown = show().await;
    let key = shown.split("name=\"key\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    shop.app.advance(301);
    let form = [("key", key), ("amount", ""), ("part", "all"), ("reason", "Returned")];
    let asked = shop.owner.post(&format!("{payment}/refund"), &form).await.is(303);
    let form = asked.header("set-cookie").split(';').next().unwrap().to_owned();
    let request = shop.owner.http.get(format!("{}/dashboard/kept", shop.owner.origin));
    let cookies = format!("tua-session={}; {form}", shop.owner.token.as_str());
    let kept = request.header("cookie", cookies).send().await.unwrap().text().await.unwrap();
    assert!(kept.contains("Return GH₵10.00 to 024 123 4567?"), "{kept}");
    assert!(kept.contains("name=\"confirmed\" value=\"1000\""), "{kept}");
    assert!(!kept.contains("It goes to"), "{kept}");
}
