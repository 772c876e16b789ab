//! People connect operators in the browser.

use super::ask_for_money;
use serde_json::json;
use std::{
    io::Write,
    sync::{Arc, Mutex},
};
use tua_domain::{
    Mode,
    connected_operator::{MAX_CONNECTED_OPERATORS, OperatorChange},
    people::Role,
};
use tua_emulator::{Credentials, MtnCredentials, PaystackCredentials};
use tua_test_support::{
    connected_shop::{ConnectedShop, mtn_fields, paystack_fields, version_of},
    dashboard::page,
    test_database,
};

/// Values that occur nowhere else.
const SECRETS: [&str; 3] =
    ["hunter2collectionkey", "hunter2subscription", "hunter2disbursementkey"];

fn secret_credentials() -> MtnCredentials {
    let mut credentials = MtnCredentials::default();
    credentials.collection.key = SECRETS[0].to_owned();
    credentials.collection.subscription_key = SECRETS[1].to_owned();
    credentials.disbursement.key = SECRETS[2].to_owned();
    credentials
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_connects_checks_and_switches_on_an_operator() {
    let shop = ConnectedShop::start().await;
    let listed = shop.owner.get(&shop.page("/operators")).await.is(200).text;
    assert!(listed.contains("/operators/new\"") && listed.contains("None yet."), "{listed}");
    let chosen = shop.owner.get(&shop.page("/operators/new")).await.is(200).text;
    for connector in ["mtn-momo", "hubtel", "paystack", "pawapay"] {
        let link = format!("/operators/new?connector={connector}");
        assert!(chosen.contains(&link), "{chosen}");
        let form = shop.owner.get(&shop.page(&link)).await.is(200).text;
        assert!(form.contains("What to ask"), "{form}");
        assert!(form.contains("/callbacks/opr_") && form.contains("only: it has a secret"));
        assert!(form.contains("cannot reach 127.0.0.1"), "{form}");
    }
    let credentials = MtnCredentials::default();
    let sent = shop.send_connect("mtn", &mtn_fields(&credentials)).await.is(303);
    let shown = shop.owner.get(sent.header("location")).await.is(200).text;
    assert!(shown.contains("Check the credentials now") && shown.contains("/callbacks/opr_"));
    assert!(shown.contains("waits for its check") && !shown.contains("What it serves"), "{shown}");
    let id = sent.header("location").split(['/', '?']).find(|part| part.starts_with("opr_"));
    let id = id.unwrap();
    let checked = shop.act(id, "check", &[]).await.is(200).text;
    assert!(checked.contains("collection credentials") && checked.contains("They are in force"));
    // The address of a test is on loopback: that line fails, and stops nothing.
    assert!(checked.contains("callback address") && checked.contains(">fault</span>"));
    shop.serve(id, &["MTN:CHARGE"]).await;
    let shown = shop.show(id).await.text;
    assert!(shown.contains("value=\"MTN:CHARGE\" checked"), "{shown}");
    assert!(shown.contains("/ask?amount=1"), "{shown}");
    let form = shop.owner.get(&shop.page("/ask?amount=1")).await.is(200).text;
    assert!(form.contains("name=\"amount\"") && form.contains("value=\"1\""), "{form}");
    let listed = shop.owner.get(&shop.page("/operators")).await.is(200).text;
    assert!(listed.contains("(connected here)") && listed.contains("in force"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_faults_are_shown_at_once_and_only_secrets_must_be_typed_again() {
    let shop = ConnectedShop::start().await;
    let fields = [
        ("connector", "mtn-momo"),
        ("credential.platform", "2026"),
        ("credential.collection.user", "typed-user"),
        ("credential.collection.key", SECRETS[0]),
    ];
    let refused = shop.send_connect("My MTN", &fields).await.is(422).text;
    assert!(refused.contains("value=\"My MTN\"") && refused.contains("small letters"), "{refused}");
    assert!(refused.contains("value=\"typed-user\""), "{refused}");
    assert!(refused.contains("value=\"2026\" selected"), "{refused}");
    assert!(refused.contains("collection-subscription-key-fault"), "{refused}");
    assert!(!refused.contains(SECRETS[0]), "{refused}");
    let nothing = shop.send_connect("mtn", &[("connector", "mtn-momo")]).await.is(422).text;
    assert!(nothing.contains("collection: is required, or disbursement, or both"), "{nothing}");
    let connected = shop.app.running().store.connected_operators(None).await.unwrap();
    assert!(connected.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_owners_and_administrators_of_the_account_may_and_only_in_live_mode() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let own = format!("/operators/connected/{id}");
    for role in [Role::Developer, Role::Finance, Role::Support] {
        let person = shop.app.browser_of(&shop.account, role).await;
        person.get(&shop.page("/operators/new")).await.is(403);
        person.get(&shop.page(&own)).await.is(403);
        person.post(&shop.page(&format!("{own}/retire")), &[]).await.is(403);
        let listed = person.get(&shop.page("/operators")).await.is(200).text;
        assert!(!listed.contains("/operators/new"), "{listed}");
    }
    let other = shop.app.account("Other Shop").await;
    let email = "owner@other.example".parse().unwrap();
    let stranger = shop.app.browser_of_person(&email, &other, Role::Owner).await;
    stranger.get(&page(&other, Mode::Live, &own)).await.is(404);
    let retire = page(&other, Mode::Live, &format!("{own}/retire"));
    stranger.post(&retire, &[("confirmed", "yes"), ("version", "3")]).await.is(404);
    let listed = stranger.get(&page(&other, Mode::Live, "/operators")).await.is(200).text;
    assert!(!listed.contains(&id) && !listed.contains(">mtn"), "{listed}");
    // The same name in another account is another operator.
    let credentials = MtnCredentials::default();
    let fields = [vec![("name", "mtn")], mtn_fields(&credentials)].concat();
    stranger.post(&page(&other, Mode::Live, "/operators/new"), &fields).await.is(303);
    shop.owner.get(&page(&shop.account, Mode::Test, &own)).await.is(404);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_people_who_connect_or_change_at_once_one_is_told() {
    let shop = ConnectedShop::start().await;
    let credentials = MtnCredentials::default();
    let fields = mtn_fields(&credentials);
    let (one, other) =
        tokio::join!(shop.send_connect("mtn", &fields), shop.send_connect("mtn", &fields));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 422]);
    let stored = shop.app.running().store.connected_operators(None).await.unwrap();
    let id = stored[0].id.as_str().to_owned();
    shop.accept(&id).await;
    let version = version_of(&shop.show(&id).await);
    shop.serve(&id, &["MTN:CHARGE"]).await;
    let path = shop.page(&format!("/operators/connected/{id}/serve"));
    let late = shop.owner.post(&path, &[("version", &version), ("serve", "MTN:PAYOUT")]).await;
    assert!(late.is(409).text.contains("Somebody has changed this operator"));
    let path = shop.page(&format!("/operators/connected/{id}/replace"));
    let old = [vec![("version", version.as_str())], fields].concat();
    assert!(shop.owner.post(&path, &old).await.is(409).text.contains("Somebody has changed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_a_limited_number_of_operators_with_the_removed_ones() {
    let shop = ConnectedShop::start().await;
    for number in 0..MAX_CONNECTED_OPERATORS {
        let key = PaystackCredentials::default().secret_key;
        let id = shop.connect(&format!("p{number}"), &paystack_fields(&key)).await;
        if number == 0 {
            shop.done(&id, "retire", &[]).await;
        }
    }
    let key = PaystackCredentials::default().secret_key;
    let refused = shop.send_connect("one-more", &paystack_fields(&key)).await.is(422).text;
    assert!(refused.contains("as many operators as it may have: 20"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_callback_address_of_a_connector_stays_until_it_is_connected() {
    let shop = ConnectedShop::start().await;
    let id = async |connector: &str| {
        let form = shop.page(&format!("/operators/new?connector={connector}"));
        let form = shop.owner.get(&form).await.is(200).text;
        let (_, rest) = form.split_once("name=\"id\" value=\"").unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let first = id("mtn-momo").await;
    assert_eq!(id("mtn-momo").await, first, "a letter to the operator has the address");
    let hubtel = id("hubtel").await;
    assert_ne!(hubtel, first);
    let key = PaystackCredentials::default().secret_key;
    let credentials = MtnCredentials::default();
    let mut forms = [
        (id("paystack").await, "paystack", paystack_fields(&key)),
        (first.clone(), "mtn", mtn_fields(&credentials)),
    ];
    forms.sort_by(|one, other| other.0.cmp(&one.0));
    for (shown, name, fields) in &forms {
        let fields = [vec![("id", shown.as_str())], fields.clone()].concat();
        shop.send_connect(name, &fields).await.is(303);
        shop.app.advance(1);
    }
    assert_eq!(id("hubtel").await, hubtel, "other connectors do not change it");
    assert_ne!(id("mtn-momo").await, first);
    let listed = shop.app.running().store.connected_operators(None).await.unwrap();
    let ids: Vec<&str> = listed.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, forms.each_ref().map(|form| form.0.as_str()), "oldest first");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_proof_is_asked_for_again_and_the_credentials_are_not_kept_meanwhile() {
    let shop = ConnectedShop::start().await;
    shop.app.advance(6 * 60);
    let asked = shop.owner.get(&shop.page("/operators/new?connector=hubtel")).await;
    assert!(asked.is(303).header("location").contains("proof"), "before anything is typed");
    let credentials = secret_credentials();
    let asked = shop.send_connect("mtn", &mtn_fields(&credentials)).await.is(303);
    assert!(asked.header("location").contains("proof"), "{asked:?}");
    assert_eq!(asked.header("set-cookie"), "", "nothing is kept in a cookie");
}

/// A writer that keeps what is logged.
#[derive(Clone, Default)]
pub(super) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// What was logged until now.
    pub(super) fn lines(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn credentials_are_in_no_page_log_audit_value_export_error_metric_or_database() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || writer.clone())
        .finish();
    // With a second one, tracing asks both about each event. With one alone it asks the thread that
    // is the first to reach the event, which may be that of another test, and then logs it nowhere.
    let second = tracing::Dispatch::new(tracing_subscriber::registry());
    let logging = tracing::subscriber::set_default(subscriber);
    let shop = ConnectedShop::start().await;
    let credentials = secret_credentials();
    shop.emulator.replace_credentials(Credentials::default().with(credentials.clone()));
    let mut seen = Vec::new();
    // With faults, then right; then wrong ones in their place.
    let mut bad = mtn_fields(&credentials);
    bad.retain(|(key, _)| *key != "credential.collection.user");
    seen.push(shop.send_connect("mtn", &bad).await.is(422).text);
    let id = shop.connect("mtn", &mtn_fields(&credentials)).await;
    seen.push(shop.act(&id, "check", &[]).await.is(200).text);
    shop.serve(&id, &["MTN:CHARGE"]).await;
    let charge = shop.charge("0241234567").await.is(202).id();
    assert_eq!(shop.end_of(&charge).await["status"], "SUCCESSFUL");
    let mut wrong = credentials.clone();
    wrong.collection.key = format!("{}wrong", SECRETS[0]);
    shop.done(&id, "replace", &mtn_fields(&wrong)).await;
    seen.push(shop.act(&id, "check", &[]).await.is(200).text);
    let own = format!("/operators/connected/{id}");
    let replace = format!("{own}/replace");
    let payment = format!("/payments/{charge}");
    let pages = [
        "/operators",
        &own,
        &replace,
        "/audit",
        "/home",
        "/payments",
        &payment,
        "/settings",
        "/payments/export/csv",
    ];
    for path in pages {
        seen.push(shop.owner.get(&shop.page(path)).await.text);
    }
    let metrics = format!("http://{}/metrics", shop.app.running().metrics_addr().unwrap());
    seen.push(shop.app.http.get(metrics).send().await.unwrap().text().await.unwrap());
    let store = &shop.app.running().store;
    let audit = store.audit_entries(0, 1_000).await.unwrap();
    assert!(audit.iter().any(|entry| entry.action == "operator.connected"), "{audit:?}");
    seen.push(format!("{audit:?}"));
    let stored = store.connected_operators(None).await.unwrap();
    seen.push(format!("{stored:?}"));
    let change = OperatorChange::Replace(stored[0].credentials.clone());
    let by = shop.app.audit();
    let error = store.change_connected_operator(&stored[0].id, 0, change, &by).await.unwrap_err();
    seen.push(format!("{error} {error:?}"));
    if let Some(rows) = test_database::rows_as_text(shop.app.folder.path()) {
        seen.push(rows);
    }
    for entry in std::fs::read_dir(shop.app.folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        seen.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    drop((logging, second));
    let log = String::from_utf8_lossy(&log.lines()).into_owned();
    assert!(log.contains("take_callback") || log.contains("call_operator"), "no log to search");
    seen.push(log);
    for text in &seen {
        for secret in SECRETS {
            let at = text.find(secret);
            let near = at.map(|at| &text[at.saturating_sub(200)..at + 20]);
            assert!(at.is_none(), "{secret}: {near:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rehearsal_of_an_operator_can_be_returned_from_its_page() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    assert!(!shop.show(&id).await.text.contains("Return it"));
    let body = json!({ "amount": 1, "phoneNumber": "0241234568", "network": "MTN" });
    let of_customer = shop.key.post("/v1/charge", &body).await.is(202).id();
    shop.end_of(&of_customer).await;
    assert!(!shop.show(&id).await.text.contains("Return it"), "a customer paid it");
    let ask = shop.page("/ask");
    let key = ask_for_money::new_key(&shop.owner, &ask).await;
    let asked = shop.owner.post(&ask, &ask_for_money::form(&key, "0241234567", "1")).await.is(303);
    let rehearsal = asked.header("location").rsplit('/').next().unwrap().to_owned();
    shop.end_of(&rehearsal).await;
    let other = shop.charge("0241234568").await.is(202).id();
    shop.end_of(&other).await;
    let shown = shop.show(&id).await.text;
    assert!(shown.contains("GH₵1 came from 024 123 4567"), "{shown}");
    assert!(shown.contains(&format!("/payments/{rehearsal}#refund")), "{shown}");
    let payment = shop.owner.get(&shop.page(&format!("/payments/{rehearsal}"))).await.is(200).text;
    assert!(payment.contains("id=\"refund\""), "{payment}");
    let listed = shop.owner.get(&shop.page("/operators")).await.is(200).text;
    assert!(listed.contains("What this operator can serve"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_gets_the_callback_address_that_its_form_showed() {
    let shop = ConnectedShop::start().await;
    let form = shop.page("/operators/new?connector=mtn-momo");
    let id_of = |page: &str| {
        page.split("name=\"id\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    let id = id_of(&shop.owner.get(&form).await.is(200).text);
    let credentials = MtnCredentials::default();
    let fields = [vec![("id", &*id)], mtn_fields(&credentials)].concat();
    // A form with a fault keeps the address.
    let refused = shop.send_connect("MTN!", &fields).await.is(422).text;
    assert_eq!(id_of(&refused), id);
    let sent = shop.send_connect("mtn", &fields).await.is(303);
    assert!(sent.header("location").contains(&id), "{}", sent.header("location"));
    // An operator that exists, maybe of another account, shows its address to nobody.
    let again = shop.send_connect("mtn", &fields).await.is(422).text;
    assert_ne!(id_of(&again), id);
    assert!(!again.contains(&id), "{again}");
    let test = page(&shop.account, tua_domain::Mode::Test, "/operators/new");
    let test = shop.owner.get(&test).await.is(200).text;
    let live = format!("href=\"{}\"", shop.page("/operators/new"));
    assert!(test.contains("in live mode") && test.contains(&live), "{test}");
}
