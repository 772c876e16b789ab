//! The monthly report of the dashboard (docs/reference/dashboard.md#monthly-report).

use super::access::kept;
use jiff::{ToSpan, civil::Date, tz::TimeZone};
use reqwest::Method;
use tua_domain::{AccountId, Generation, Mode, TransactionId, people::Role, ports::Clock};
use tua_test_support::{
    Response,
    dashboard::{Browser, page},
    live_operators::LiveOperators,
};

const HEADER: &str = "Transaction ID,Transaction Type,Status,Currency,Amount,Fee,Completed \
    At,Provider Transaction ID";

/// A shop whose live payments MTN executes, on the 10th of a month at noon.
async fn shop() -> (LiveOperators, AccountId) {
    let live = LiveOperators::routed_to("mtn").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let tenth = today(&live).last_of_month().tomorrow().unwrap().saturating_add(9.days());
    set_to(&live, tenth);
    (live, account)
}

fn today(live: &LiveOperators) -> Date {
    live.app.test_clock.now().to_zoned(TimeZone::UTC).date()
}

/// Sets the clock to noon of a later day.
fn set_to(live: &LiveOperators, day: Date) {
    let noon = day.at(12, 0, 0, 0).to_zoned(TimeZone::UTC).unwrap().timestamp();
    let seconds = noon.duration_since(live.app.test_clock.now()).as_secs();
    live.app.advance(u64::try_from(seconds).unwrap());
}

async fn charge(live: &LiveOperators) -> String {
    let charge = live.charge_to_the_end("0241234567", "MTN").await;
    assert_eq!(charge["status"], "SUCCESSFUL", "{charge}");
    charge["transactionId"].as_str().unwrap().to_owned()
}

/// The page of a month, or of the running one.
async fn report(browser: &Browser, account: &AccountId, query: &str) -> Response {
    browser.get(&page(account, Mode::Live, &format!("/reports/month{query}"))).await
}

#[track_caller]
fn has(page: &Response, texts: &[&str]) {
    for text in texts {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_month_is_so_far_until_its_last_day_has_ended() {
    let (live, account) = shop().await;
    charge(&live).await;
    let tenth = today(&live);
    let month = tenth.strftime("%B %Y").to_string();
    let so_far = format!("<h1>{month} so far</h1>");
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    let running = report(&accountant, &account, "").await.is(200);
    let before = tenth.first_of_month().yesterday().unwrap().strftime("%B %Y").to_string();
    let compared =
        format!("the same whole days of the month before, 1 {}", &before[..before.len() - 5]);
    has(
        &running,
        &[&so_far, &compared, &format!("to 10 {before}"), "GH₵10.50", ">MTN MoMo<", ">Now<"],
    );

    set_to(&live, tenth.last_of_month());
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    has(&report(&accountant, &account, "").await.is(200), &[&so_far]);
    set_to(&live, tenth.last_of_month().tomorrow().unwrap());
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    let query = format!("?month={}", tenth.strftime("%Y-%m"));
    let finished = report(&accountant, &account, &query).await.is(200);
    let last = tenth.last_of_month().strftime("After %-d %B").to_string();
    has(&finished, &[&format!("<h1>{month}</h1>"), "the whole month before", &last, "GH₵10.50"]);

    for wrong in ["?month=2026-13", "?month=9000-01", "?month=%00"] {
        has(&report(&accountant, &account, wrong).await.is(200), &["was not understood"]);
    }
    let request = accountant
        .request(Method::GET, &page(&account, Mode::Live, &format!("/reports/month{query}")));
    let french = Response::read(request.header("accept-language", "fr").send().await.unwrap());
    has(&french.await.is(200), &["Rapport mensuel", "GH₵10,50", "Rien n’a été comparé"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_was_compared_agrees() {
    let (live, account) = shop().await;
    let paid = charge(&live).await;
    let tenth = today(&live);
    let reference = TransactionId::new(&paid).operator_reference();
    let line = format!("{reference},DEPOSIT,COMPLETED,GHS,10.50,,{tenth}T12:00:01Z,a\n");
    set_to(&live, tenth.saturating_add(2.days()));
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    let at = |path: &str| page(&account, Mode::Live, path);
    let month = tenth.strftime("%b").to_string();
    let nothing = "Nothing was found that does not agree";
    let shown = report(&accountant, &account, "").await.is(200);
    let without = format!("no statement was imported: 1–11 {month}.");
    has(&shown, &["Nothing was compared.", &without]);
    assert!(!shown.text.contains(nothing), "{}", shown.text);

    let fields = [("operator", "mtn"), ("file", &*format!("{HEADER}\n{line}"))];
    accountant.post_file(&at("/statements"), &fields).await.is(303);
    let shown = report(&accountant, &account, "").await.is(200);
    let with = format!("a statement was imported: 10 {month}.");
    has(&shown, &["Nothing was compared.", &with, &format!("1–9, 11 {month}.")]);
    assert!(!shown.text.contains(nothing), "{}", shown.text);

    let day = at(&format!("/statements/days/mtn/{tenth}"));
    let open = accountant.get(&day).await.is(200);
    let sha256 = open.text.split("name=\"sha256\" value=\"").nth(1).unwrap();
    let sha256 = sha256.split('"').next().unwrap();
    accountant.post_confirmed(&format!("{day}/close"), &[("sha256", sha256)]).await.is(303);
    let shown = report(&accountant, &account, "").await.is(200);
    has(&shown, &[&format!("Compared: 10 {month}. {nothing}"), &format!("1–9, 11 {month}.")]);

    // Another shop whom the operator serves: its money is in the statements too.
    let other = live.app.account("Other").await;
    live.app.key(&other, Mode::Live, Generation::V2).await;
    let hidden = report(&accountant, &account, "").await.is(200);
    has(&hidden, &["in every shop that uses the operator", "GH₵10.50"]);
    assert!(!hidden.text.contains(nothing), "{}", hidden.text);
}

/// A statement of several days without a line of one of them says that its payments are missing.
#[tokio::test(flavor = "multi_thread")]
async fn a_day_that_a_statement_covers_without_a_line_was_compared() {
    let (live, account) = shop().await;
    charge(&live).await;
    let tenth = today(&live);
    set_to(&live, tenth.saturating_add(2.days()));
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    let at = |path: &str| page(&account, Mode::Live, path);
    let day_report =
        async |day: Date| accountant.get(&at(&format!("/statements/days/mtn/{day}"))).await.is(200);
    let not_compared = "No statement has lines of this day";
    let missing = "Missing at the operator: 1";
    has(&day_report(tenth).await, &[not_compared, missing]);
    let nothing = day_report(tenth.saturating_sub(5.days())).await;
    has(&nothing, &["There is nothing to compare"]);
    assert!(!nothing.text.contains("badge good"), "{}", nothing.text);

    let lines = [-1_i64, 1].map(|days| {
        let day = tenth.saturating_add(days.days());
        let reference = TransactionId::new(format!("txn_{day}")).operator_reference();
        format!("{reference},DEPOSIT,COMPLETED,GHS,1.00,,{day}T12:00:01Z,{day}\n")
    });
    let fields = [("operator", "mtn"), ("file", &*format!("{HEADER}\n{}", lines.concat()))];
    accountant.post_file(&at("/statements"), &fields).await.is(303);
    let compared = day_report(tenth).await;
    has(&compared, &["1 line or payment does not agree", missing]);
    assert!(!compared.text.contains(not_compared), "{}", compared.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_month_is_downloaded_under_the_name_of_shop_and_month() {
    let (live, account) = shop().await;
    charge(&live).await;
    let tenth = today(&live);
    let owner = live.app.browser_of(&account, Role::Owner).await;
    let month = tenth.strftime("%Y-%m").to_string();
    let file = async |format: &str| {
        let path = format!("/reports/month{format}?month={month}");
        owner.get(&page(&account, Mode::Live, &path)).await
    };
    let csv = file(".csv").await.is(200);
    assert!(csv.header("content-type").starts_with("text/csv"));
    let named = |format: &str| {
        format!("attachment; filename=\"adom-stores-monthly-report-live-{month}.{format}\"")
    };
    assert_eq!(csv.header("content-disposition"), named("csv"));
    let first = tenth.first_of_month();
    let total = format!("total,,{first},{tenth},live,GHS,1,10.50,0,0.00,0,0.00,,1,10.50,,");
    let operator = format!("operator,MTN MoMo,{first},{tenth},live,GHS,1,10.50,");
    let open = format!("agreement,MTN MoMo,{first},{},live,", tenth.yesterday().unwrap());
    has(&csv, &[&total, &operator, &open, ",not-closed-without-statement,0"]);
    assert!(file("-excel.csv").await.is(200).text.starts_with('\u{feff}'));
    assert!(file(".xlsx").await.is(200).text.starts_with("PK"));
    let pdf = file(".pdf").await.is(200);
    assert_eq!(pdf.header("content-type"), "application/pdf");
    assert!(pdf.text.starts_with("%PDF-1.7"));
    assert_eq!(pdf.header("content-disposition"), named("pdf"));
    file(".docx").await.is(404);
    for query in ["?month=never", "?month=9000-01"] {
        owner.get(&page(&account, Mode::Live, &format!("/reports/month.pdf{query}"))).await.is(404);
    }
    let running = owner.get(&page(&account, Mode::Live, "/reports/month.csv")).await.is(200);
    assert_eq!(running.text, csv.text, "without a month, the running one");
    let exported = "SELECT count(*) FROM audit_log WHERE action = 'summary.exported'";
    assert_eq!(live.app.query_number(exported), 5, "each file has its entry");

    for role in [Role::Till, Role::Viewer, Role::Support, Role::Developer] {
        let other = live.app.browser_of(&account, role).await;
        report(&other, &account, "").await.is(403);
        other.get(&page(&account, Mode::Live, "/reports/month.csv")).await.is(403);
    }
}

/// Nobody signs off what they have not seen: the question has the figures of the day, and the
/// payments that do not agree.
#[tokio::test(flavor = "multi_thread")]
async fn the_question_before_a_day_is_closed_has_its_figures_and_what_differs() {
    let (live, account) = shop().await;
    let paid = charge(&live).await;
    let missing = charge(&live).await;
    let tenth = today(&live);
    set_to(&live, tenth.saturating_add(2.days()));
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    let at = |path: &str| page(&account, Mode::Live, path);
    let reference = TransactionId::new(&paid).operator_reference();
    let line = format!("{reference},DEPOSIT,COMPLETED,GHS,10.50,0.10,{tenth}T12:00:01Z,a\n");
    let fields = [("operator", "mtn"), ("file", &*format!("{HEADER}\n{line}"))];
    accountant.post_file(&at("/statements"), &fields).await.is(303);

    let day = at(&format!("/statements/days/mtn/{tenth}"));
    let open = accountant.get(&day).await.is(200);
    let payment = at(&format!("/payments/{missing}"));
    let named = format!("<a href=\"{payment}\">+GH₵10.50 · 024 123 4567");
    has(&open, &["Missing at the operator", &named]);
    let sha256 = open.text.split("name=\"sha256\" value=\"").nth(1).unwrap();
    let sha256 = [("sha256", sha256.split('"').next().unwrap())];
    let close = format!("{day}/close");
    let question = accountant.post(&close, &sha256).await.is(200);
    has(
        &question,
        &[
            "<dt>Money in</dt><dd>GH₵10.50 <span class=\"soft\">(1)</span></dd>",
            "<dt>Fees</dt><dd>GH₵0.10</dd>",
            "<dt>Money at the operator after the day</dt>",
            "1 line or payment does not agree",
            &named,
        ],
    );
    let other = [("sha256", "0".repeat(64))];
    let other = other.each_ref().map(|(key, value)| (*key, value.as_str()));
    has(&accountant.post(&close, &other).await.is(422), &["Look at the figures again"]);
    // A form that was kept until a fresh proof asks again.
    live.app.advance(301);
    let unproven = accountant.post_confirmed(&close, &sha256).await.is(303);
    let accountant = live.app.browser_of(&account, Role::Accountant).await;
    let form = kept(&accountant, &unproven).await.is(200);
    has(&form, &["name=\"sha256\"", "Go on to close the day"]);
    assert!(!form.text.contains("name=\"confirmed\""), "{}", form.text);
    accountant.post_confirmed(&close, &sha256).await.is(303);
    let closed = accountant.get(&day).await.is(200);
    has(&closed, &["Closed by", &named]);
}
