//! The columns of the list of payments, which each browser chooses.

use tua_domain::{Generation, Mode, people::Role};
use tua_test_support::{
    Response, TestApp,
    dashboard::{Browser, page},
    refunds::charge,
};

/// The heads of the columns of a page's list of payments, in its order.
fn heads(text: &str) -> Vec<String> {
    let list = text.split("<div class=\"table lines").nth(1);
    let head = list.and_then(|list| list.split("</thead>").next());
    let cells = head.unwrap_or_else(|| panic!("no list: {text}")).split("<th ").skip(1);
    cells.map(|cell| cell.split(['>', '<']).nth(1).unwrap().to_owned()).collect()
}

/// A page, opened with this cookie.
pub(super) async fn get_with(browser: &Browser, path: &str, cookie: &str) -> Response {
    let request = browser.http.get(format!("{}{path}", browser.origin));
    let cookies = format!("tua-session={}; {cookie}", browser.token.as_str());
    Response::read(request.header("cookie", cookies).send().await.unwrap()).await
}

const DEFAULT: [&str; 5] = ["When", "Who", "Reference", "Status", "Amount"];

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_chooses_the_columns_of_the_list_and_keeps_its_filter() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let account = app.account("Adom Stores").await;
    let shop = app.key(&account, Mode::Test, Generation::V2).await;
    charge(&app, &shop, "0241230002").await;
    let owner = app.browser_of(&account, Role::Owner).await;
    let at = |path: &str| page(&account, Mode::Test, path);
    let list = at("/payments?type=CHARGE");
    let shown = owner.get(&list).await.is(200).text;
    assert_eq!(heads(&shown), DEFAULT);
    assert_eq!(shown.matches("name=\"column\"").count(), 6);
    assert_eq!(shown.matches("\" checked> ").count(), 3);

    let fields =
        [("column", "status"), ("column", "operator-id"), ("column", "<b>"), ("return", &list)];
    let chosen = owner.post(&at("/payments/columns"), &fields).await.is(303);
    assert_eq!(chosen.header("location"), list, "the filter stays");
    let cookie = chosen.header("set-cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("Max-Age=31536000"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(cookie, "tua-columns=operator-id.status");
    let shown = get_with(&owner, &list, &cookie).await.is(200).text;
    assert_eq!(heads(&shown), ["Who", "The operator’s id (in the SMS)", "Status", "Amount"]);
    assert!(!shown.contains("class=\"soft what\""), "{shown}");
    for other in ["/home", "/payments/customers/0241230002"] {
        assert_eq!(heads(&get_with(&owner, &at(other), &cookie).await.is(200).text), DEFAULT);
    }
    let exported = get_with(&owner, &at("/payments/export/csv"), &cookie).await;
    let whole = owner.get(&at("/payments/export/csv")).await;
    assert_eq!((exported.status, &exported.text), (whole.status, &whole.text));

    for (kept, expected) in
        [("tua-columns=", &["Who", "Amount"][..]), ("tua-columns=x.%3Cb", &["Who", "Amount"])]
    {
        assert_eq!(heads(&get_with(&owner, &list, kept).await.is(200).text), expected, "{kept}");
    }
    let every =
        [("column", "created"), ("column", "changed"), ("column", "fee"), ("column", "reference")];
    let chosen = owner.post(&at("/payments/columns"), &every).await.is(303);
    assert_eq!(chosen.header("location"), at("/payments"));
    let elsewhere = [("return", "/dashboard/security")];
    let chosen = owner.post(&at("/payments/columns"), &elsewhere).await.is(303);
    assert_eq!(chosen.header("location"), at("/payments"));
    assert!(
        chosen.header("set-cookie").starts_with("tua-columns=;"),
        "nothing but who and how much"
    );
}
