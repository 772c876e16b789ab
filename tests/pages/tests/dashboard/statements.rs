//! Statements of operators in the dashboard.

use tua_domain::{AccountId, Generation, Mode, TransactionId, people::Role, ports::Clock};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{
    dashboard::{Browser, page},
    live_operators::LiveOperators,
};

const HEADER: &str = "Transaction ID,Transaction Type,Status,Currency,Amount,Fee,Completed \
    At,Provider Transaction ID";

/// A merchant whose live payments MTN executes, and an accountant.
async fn merchant() -> (LiveOperators, AccountId, Browser) {
    let live = LiveOperators::routed_to("mtn").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    (live, account, finance)
}

/// A line about a charge.
fn line(live: &LiveOperators, id: &str, amount: &str, operator_id: &str) -> String {
    let reference = TransactionId::new(id).operator_reference();
    format!(
        "{reference},DEPOSIT,COMPLETED,GHS,{amount},,{},{operator_id}\n",
        live.app.test_clock.now()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_imported_and_each_difference_leads_to_its_payment() {
    let (live, account, finance) = merchant().await;
    let paid = live.charge_to_the_end("0241234567", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let other = live.charge_to_the_end("0241234567", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let at = page(&account, Mode::Live, "/statements");
    let send =
        async |file: &str| finance.post_file(&at, &[("operator", "mtn"), ("file", file)]).await;

    let faulty = format!("{HEADER}\nx,DEPOSIT,COMPLETED,USD,1,,yesterday,<b>\n");
    let refused = send(&faulty).await.is(422);
    assert!(
        refused.text.contains("Nothing was stored") && refused.text.contains("Line 2: "),
        "{}",
        refused.text
    );
    assert!(send("Date;Sum\n1;2\n").await.is(422).text.contains("These columns are missing: "));
    let fields = [("operator", "mtn"), ("file", &*faulty)];
    let told = finance.post_file_in("fr", &at, &fields).await.is(422).text;
    for text in [
        "La devise est «\u{a0}USD\u{a0}», et non GHS.",
        "L’heure «\u{a0}yesterday\u{a0}» n’a pas la forme de la configuration.",
    ] {
        assert!(told.contains(text), "{text}: {told}");
    }
    for text in ["the currency", "the time", "lang=\"en\">Line"] {
        assert!(!told.contains(text), "{text}: {told}");
    }
    finance.post_file(&at, &[("operator", "nobody"), ("file", HEADER)]).await.is(422);
    finance.post_file(&at, &[("operator", "mtn")]).await.is(422);
    assert_eq!(live.app.query_number("SELECT count(*) FROM statements"), 0);

    let lines = [
        line(&live, &paid, "10.50", "a"),
        line(&live, &other, "10.49", "b"),
        line(&live, &paid, "10.50", "'=c"),
    ];
    let file = format!("{HEADER}\n{}", lines.concat());
    let imported = send(&file).await.is(303).header("location").to_owned();
    assert!(imported.ends_with("?done=statement-imported"), "{imported}");
    assert!(send(&file).await.is(303).header("location").ends_with("?done=statement-repeated"));
    let shown = finance.get(&imported).await.is(200);
    let payment = page(&account, Mode::Live, &format!("/payments/{other}"));
    for text in ["2 lines do not agree", "Amount differs: 1", "Duplicate: 1", "10.49", &payment] {
        assert!(shown.text.contains(text), "{text}: {}", shown.text);
    }
    let id = imported.split('?').next().unwrap();
    let duplicates = finance.get(&format!("{id}?outcome=duplicate")).await.is(200);
    assert!(
        duplicates.text.contains("=c") && !duplicates.text.contains(&payment),
        "{}",
        duplicates.text
    );
    let file = finance.get(&format!("{id}/differences")).await.is(200);
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8; header=present");
    assert!(file.text.lines().count() == 3 && file.text.contains(",'=c,"), "{}", file.text);
    let listed = finance.get(&at).await.is(200);
    let statement = id.rsplit('/').next().unwrap();
    assert!(
        listed.text.contains(statement) && listed.text.contains(">2</span>"),
        "{}",
        listed.text
    );
    finance.get(&format!("{at}/stm_%00")).await.is(404);
    finance.get(&id.replace("/live/", "/test/")).await.is(404);

    let days = page(&account, Mode::Live, "/statements/days");
    let day = &live.app.test_clock.now().to_string()[..10];
    let form = "enctype=\"multipart/form-data\"";
    assert!(listed.text.contains(form), "{}", listed.text);
    assert!(finance.get(&days).await.is(200).text.contains(">MTN MoMo<"));
    finance.get(&format!("{days}/mtn/{day}")).await.is(200);

    // Another merchant whom the operator serves: its money is in the statements too.
    let second = live.app.account("Other").await;
    live.app.key(&second, Mode::Live, Generation::V2).await;
    finance.get(id).await.is(404);
    let hidden = finance.get(&at).await.is(200);
    assert!(!hidden.text.contains(form) && !hidden.text.contains(">MTN MoMo<"), "{}", hidden.text);
    let hidden = finance.get(&days).await.is(200);
    assert!(
        !hidden.text.contains(">MTN MoMo<") && !hidden.text.contains("/mtn/"),
        "{}",
        hidden.text
    );
    finance.get(&format!("{days}/mtn/{day}")).await.is(404);
    finance.post(&format!("{days}/mtn/{day}/close"), &[("sha256", &"0".repeat(64))]).await.is(404);
    send(&file.text).await.is(422);
    let both = live.app.browser_of(&second, Role::Finance).await;
    both.get(id).await.is(200);
    let viewer = live.app.browser_of(&second, Role::Viewer).await;
    viewer.get(&page(&second, Mode::Live, "/statements")).await.is(403);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sheet_of_a_workbook_is_chosen_where_several_have_rows() {
    let (live, account, finance) = merchant().await;
    let paid = live.charge_to_the_end("0241234567", "MTN").await["transactionId"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut book = rust_xlsxwriter::Workbook::new();
    for (name, operator_id) in [("March", "a"), ("April", "b")] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        let line = line(&live, &paid, "10.50", operator_id);
        for (row, cells) in (0..).zip([HEADER, line.trim_end()]) {
            for (column, cell) in (0..).zip(cells.split(',')) {
                sheet.write_string(row, column, cell).unwrap();
            }
        }
    }
    let bytes = book.save_to_buffer().unwrap();
    let at = page(&account, Mode::Live, "/statements");
    let several = finance.post_bytes(&at, &[("operator", "mtn")], &bytes).await.is(422).text;
    assert!(several.contains("Several sheets") && several.contains("name=\"sheet\""), "{several}");
    finance.post_bytes(&at, &[("operator", "mtn"), ("sheet", " april")], &bytes).await.is(303);
    let stored = "SELECT count(*) FROM statement_lines WHERE operator_transaction_id = 'b'";
    assert_eq!(live.app.query_number(stored), 1);
    assert_eq!(live.app.query_number("SELECT count(*) FROM statement_lines"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_is_fetched_from_an_operator_whose_api_has_it() {
    let live = LiveOperators::routed_to("pawapay").await;
    let account = live.app.running().store.accounts().await.unwrap().remove(0).id;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    live.charge_to_the_end("0241234567", "MTN").await;
    let at = page(&account, Mode::Live, "/statements");
    let day = &live.app.test_clock.now().to_string()[..10];
    let fetch = async |operator: &str, from: &str, to: &str| {
        finance
            .post(&format!("{at}/fetch"), &[("operator", operator), ("from", from), ("to", to)])
            .await
    };
    let listed = finance.get(&at).await.is(200).text;
    let offered = listed.split("fetch-operator").nth(2).unwrap().split("</select>").next().unwrap();
    assert!(offered.contains(">pawaPay<") && !offered.contains(">MTN MoMo<"), "{offered}");
    for (operator, from, to, text) in [
        ("mtn", day, day, "The API of this operator has no statements"),
        ("nobody", day, day, "Choose an operator"),
        ("pawapay", "", day, "Choose the first and the last day"),
        ("pawapay", day, "2026-01-01", "must not be after the last one"),
        ("pawapay", "2026-01-01", "2026-02-01", "at most 31 days"),
        ("pawapay", day, "2999-01-01", "at most 31 days"),
    ] {
        let refused = fetch(operator, from, to).await.is(422);
        assert!(refused.text.contains(text), "{operator} {from} {to}: {}", refused.text);
    }
    live.emulator.chaos().set(Operator::PAWAPAY, Call::Other, Fault::TooManyRequests);
    let refused = fetch("pawapay", day, day).await.is(422);
    assert!(
        refused.text.contains("Nothing was stored") && refused.text.contains("HTTP 429"),
        "{}",
        refused.text
    );
    assert_eq!(live.app.query_number("SELECT count(*) FROM statements"), 0);
    live.emulator.chaos().clear();

    let fetched = fetch("pawapay", day, day).await.is(303).header("location").to_owned();
    assert!(fetched.ends_with("?done=statement-imported"), "{fetched}");
    assert!(finance.get(&fetched).await.is(200).text.contains("Every line agrees"));
    let again = fetch("pawapay", day, day).await.is(303).header("location").to_owned();
    assert_eq!(again, fetched.replace("imported", "repeated"));
    // A payment that the file lacks: its lines agree, and that is no all-clear.
    live.charge_to_the_end("0241234567", "MTN").await;
    let shown = finance.get(&fetched).await.is(200).text;
    let written = day.parse::<jiff::civil::Date>().unwrap().strftime("%a %-d %b");
    let missing = format!("1 successful payment from {written} to {written} has no line");
    assert!(shown.contains(&missing) && shown.contains("Missing at the operator: 1"), "{shown}");
    assert!(!shown.contains("badge good"), "{shown}");
    // Another merchant whom the operator serves.
    let second = live.app.account("Other").await;
    live.app.key(&second, Mode::Live, Generation::V2).await;
    fetch("pawapay", day, day).await.is(422);
}
