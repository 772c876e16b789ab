//! The names of recipients, shown before money is sent. The emulator's wallets belong to Ama
//! Mensah.

use serde_json::json;
use std::time::{Duration, Instant};
use tua_domain::{
    AccountId, Mode, Scope, change::Change, payout_controls::ControlsChange, people::Role,
};
use tua_emulator::{Call, Fault, Operator};
use tua_test_support::{dashboard::page, live_operators::LiveOperators, payout_controls::pay_out};

/// The emulator has no wallet with this number.
const NO_WALLET: &str = "0241230006";

async fn account(live: &LiveOperators) -> AccountId {
    live.app.running().store.accounts().await.unwrap().remove(0).id
}

/// The account, in which a second person approves every live payout.
async fn account_with_approvals(live: &LiveOperators) -> AccountId {
    let account = account(live).await;
    let scope = Scope { account: account.clone(), mode: Mode::Live };
    let change = ControlsChange {
        approval_above: Change::Set("0".parse().unwrap()),
        ..ControlsChange::default()
    };
    live.app.running().store.set_payout_controls(&scope, change, &live.app.audit()).await.unwrap();
    account
}

/// The page that shows the check of a file.
async fn check(live: &LiveOperators, lines: &str) -> String {
    let account = account(live).await;
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let file = format!("phone,network,amount,name\n{lines}");
    finance
        .post_file(&page(&account, Mode::Live, "/payouts/upload"), &[("csv", &file)])
        .await
        .is(200)
        .text
}

/// Nothing that the service keeps has the name.
fn assert_not_stored(live: &LiveOperators) {
    for (table, column) in
        [("operator_exchanges", "response"), ("audit_log", "after"), ("transactions", "payee_note")]
    {
        let sql = format!("SELECT count(*) FROM {table} WHERE {column} LIKE '%Mensah%'");
        assert_eq!(live.app.query_number(&sql), 0, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_of_a_file_compares_the_names_with_those_of_the_operator() {
    let live = LiveOperators::routed_to("mtn").await;
    let lines = format!(
        "0241234567,MTN,5,mensah ama\n0241234568,MTN,5,Kofi Boateng\n0241234569,MTN,5,\n\
         {NO_WALLET},MTN,5,Ama\n"
    );
    let shown = check(&live, &lines).await;
    for text in [
        "Registered to Ama M., as in the file",
        "Registered to Ama M., which is not the name in the file",
        "Registered to Ama M.</span>",
        "The operator knows no wallet with this number",
        "2 lines need a look",
    ] {
        assert_eq!(shown.matches(text).count(), 1, "{text}: {shown}");
    }
    assert!(!shown.contains("Ama Mensah"), "a name is never shown whole: {shown}");
    assert!(shown.contains("Pay 4 people GH₵20.00 in all"), "a name prevents nothing");
    assert_not_stored(&live);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_bounded_in_time_and_an_operator_that_fails_is_unknown() {
    let live = LiveOperators::routed_to("mtn").await;
    let line = "0241234567,MTN,5,Ama\n";
    for fault in [Fault::ErrorBefore, Fault::Latency(Duration::from_secs(20))] {
        live.emulator.chaos().set(Operator::MTN_MOMO, Call::Other, fault);
        let started = Instant::now();
        let shown = check(&live, line).await;
        assert!(shown.contains("The operator did not tell the registered name"), "{shown}");
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        assert!(shown.contains("Pay 1 person"), "{shown}");
        live.emulator.chaos().clear();
    }
    let many: String = (0..60).map(|number| format!("02412300{number:02},MTN,1,\n")).collect();
    let shown = check(&live, &many).await;
    assert_eq!(shown.matches("only those of the first 50 wallets are").count(), 10, "{shown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_without_names_says_so_and_another_one_of_the_account_is_asked() {
    let mut live = LiveOperators::with("MTN = [\"pawapay\"]\nTELECEL = [\"pawapay\"]\n").await;
    let shown = check(&live, "0241234567,MTN,5,Ama Mensah\n").await;
    assert!(shown.contains("Registered to AMA M., as in the file"), "Hubtel tells it: {shown}");
    live.reconfigure(|settings| {
        let (operators, routes) = settings.split_once("[routes.live]").unwrap();
        let pawapay =
            operators.split("[operators.").find(|table| table.starts_with("pawapay]")).unwrap();
        format!("[operators.{pawapay}[routes.live]{routes}")
    })
    .await;
    let shown = check(&live, "0241234567,MTN,5,Ama Mensah\n").await;
    assert!(
        shown.contains("No operator tells the registered name") && !shown.contains("AMA M."),
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_approvals_show_the_names() {
    let live = LiveOperators::routed_to("mtn").await;
    let account = account_with_approvals(&live).await;
    pay_out(&live.shop, 5.0).await.is(202);
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let waiting = finance.get(&page(&account, Mode::Live, "/payouts")).await.is(200).text;
    assert!(waiting.contains("Registered to Ama M."), "{waiting}");

    let lines = json!([{ "amount": 5, "phoneNumber": NO_WALLET, "network": "MTN" }]);
    let begun = tua_test_support::payout_batches::begin(&live.shop, &json!({ "payouts": lines }))
        .await
        .is(202);
    let id = tua_test_support::payout_batches::batch_id(&begun);
    let at = page(&account, Mode::Live, &format!("/payouts/batches/{id}"));
    let waits = finance.get(&at).await.is(200).text;
    assert!(waits.contains("The operator knows no wallet with this number"), "{waits}");
    assert!(
        !waits.contains("hx-get"),
        "a page that waits for an approval does not ask again by itself"
    );
    finance.post_confirmed(&format!("{at}/refuse"), &[("note", "no wallet")]).await.is(303);
    assert!(
        !finance.get(&at).await.is(200).text.contains("knows no wallet"),
        "what is decided is not asked for"
    );
    assert_not_stored(&live);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_approves_a_batch_sees_the_names_of_its_file() {
    let live = LiveOperators::routed_to("mtn").await;
    let account = account_with_approvals(&live).await;
    let lines = "0241234567,MTN,5,Ama <Mensah>\n0241234568,MTN,5,Kofi Boateng\n";
    let finance = live.app.browser_of(&account, Role::Finance).await;
    let upload = page(&account, Mode::Live, "/payouts/upload");
    let file = format!("phone,network,amount,name\n{lines}");
    let checked = finance.post_file(&upload, &[("csv", &file)]).await.is(200).text;
    let id = checked.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let begun = finance
        .post_file(&format!("{upload}/confirm"), &[("csv", &file), ("id", id), ("reference", "")])
        .await
        .is(303);

    let admin = live.app.browser_of(&account, Role::Admin).await;
    let shown = admin.get(begun.header("location")).await.is(200).text;
    for text in [
        "Ama &lt;Mensah&gt;",
        "Registered to Ama M., as in the file",
        "Kofi Boateng",
        "Registered to Ama M., which is not the name in the file",
    ] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
}
