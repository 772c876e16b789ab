//! Changed credentials of connected operators, and what must not follow from them.

use super::connected::refund_partly;
use serde_json::{Value, json};
use std::sync::Arc;
use tua_domain::{
    AccountId, Generation, Kind, Mode, TransactionId,
    change_notifier::ChangeNotifier,
    connected_operator::{ConnectRefusal, ConnectedOperator, OperatorChange},
    exchange::Exchange,
    key_ring::{KeyRing, RegisteredKey},
    people::Role,
    ports::{Clock, ClusterMessage, ConnectOperatorError, ExchangeRecorder},
    routing::Operators,
    secret::ServerKey,
};
use tua_emulator::{
    Call, Credentials, Fault as OperatorFault, HubtelCredentials, MtnCredentials, Operator,
    PaystackCredentials,
};
use tua_operators::{connection::ConnectionParts, dashboard_connector::DashboardConnector};
use tua_test_support::{
    ApiClient, Response,
    connected_shop::{
        ConnectedShop, charge_with, hubtel_fields, mtn_fields, paystack_fields, rotated, version_of,
    },
    dashboard::{Browser, page},
    eventually,
    failing_plan::{Fault, Moment, Plan},
    test_database,
};
use tua_use_cases::{OperatorChecks, OperatorConnections};

async fn pay_out(shop: &ConnectedShop) -> Value {
    let body = json!({ "amount": 2, "phoneNumber": "0241234567", "network": "MTN" });
    shop.key.post("/v1/payout", &body).await.is(202).json()
}

/// Another account, with an owner and MTN under the same name.
struct Stranger {
    account: AccountId,
    key: ApiClient,
    id: String,
}

impl Stranger {
    async fn connect(shop: &ConnectedShop) -> Self {
        let account = shop.app.account("Other Shop").await;
        let key = shop.app.key(&account, Mode::Live, Generation::V2).await;
        let email = "owner@other.example".parse().unwrap();
        let owner = shop.app.browser_of_person(&email, &account, Role::Owner).await;
        let path = |path: &str| page(&account, Mode::Live, path);
        let credentials = MtnCredentials::default();
        let fields = [vec![("name", "mtn")], mtn_fields(&credentials)].concat();
        let sent = owner.post(&path("/operators/new"), &fields).await.is(303);
        let id = sent.header("location").split(['/', '?']).find(|part| part.starts_with("opr_"));
        let id = id.unwrap().to_owned();
        let own = path(&format!("/operators/connected/{id}"));
        act(&owner, &own, "check", &[]).await.is(200);
        act(&owner, &own, "serve", &[("serve", "MTN:CHARGE")]).await.is(303);
        Self { account, key, id }
    }
}

async fn act(owner: &Browser, own: &str, action: &str, fields: &[(&str, &str)]) -> Response {
    let version = version_of(&owner.get(own).await.is(200));
    let fields = [&[("version", version.as_str())], fields].concat();
    owner.post(&format!("{own}/{action}"), &fields).await
}

#[tokio::test]
async fn an_order_of_earlier_credentials_is_never_sent_again() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let calls = |call| shop.emulator.requests().of_call(Operator::MTN_MOMO, call);
    // The response is lost, and the operator does not have the order.
    shop.emulator.chaos().set_once(Operator::MTN_MOMO, Call::Payout, OperatorFault::CloseBefore);
    let payout = pay_out(&shop).await["transactionId"].as_str().unwrap().to_owned();
    eventually("the payout was sent", async || calls(Call::Payout) == 1).await;
    let rotated = rotated();
    shop.emulator.replace_credentials(Credentials::default().with(rotated.clone()));
    shop.done(&id, "replace", &mtn_fields(&rotated)).await;
    shop.accept(&id).await;
    let asked = calls(Call::Status);
    eventually("the operator was asked several times", async || {
        shop.app.advance(20);
        calls(Call::Status) >= asked + 4
    })
    .await;
    assert_eq!(calls(Call::Payout), 1, "the earlier credentials may be those of another platform");
    assert_eq!(shop.key.status(&payout).await["status"], "PENDING", "and it has not failed");
}

#[tokio::test]
async fn credentials_of_another_platform_or_merchant_or_without_a_product_are_refused() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let credentials = MtnCredentials::default();
    let of_platform = |platform: &'static str| {
        let mut fields = mtn_fields(&credentials);
        fields.retain(|(key, _)| *key != "credential.platform");
        [fields, vec![("credential.platform", platform)]].concat()
    };
    let refused = shop.act(&id, "replace", &of_platform("2026")).await.is(422).text;
    assert!(refused.contains("another account or platform"), "{refused}");
    let mut collection_only = mtn_fields(&credentials);
    collection_only.retain(|(key, _)| !key.starts_with("credential.disbursement"));
    let refused = shop.act(&id, "replace", &collection_only).await.is(422).text;
    assert!(refused.contains("leave out a product"), "{refused}");
    shop.done(&id, "replace", &of_platform("legacy")).await;
    let credentials = HubtelCredentials::default();
    let hubtel = shop.connect("hubtel", &hubtel_fields(&credentials)).await;
    shop.accept(&hubtel).await;
    let other = HubtelCredentials { pos_sales_id: "99999".to_owned(), ..credentials };
    let refused = shop.act(&hubtel, "replace", &hubtel_fields(&other)).await.is(422).text;
    assert!(refused.contains("another account or platform"), "{refused}");
}

#[tokio::test]
async fn two_people_who_connect_the_same_connector_at_once_connect_it_once() {
    let shop = ConnectedShop::start().await;
    let key = PaystackCredentials::default().secret_key;
    shop.connect("paystack", &paystack_fields(&key)).await;
    let store = &shop.app.running().store;
    let first = store.connected_operators(None).await.unwrap().remove(0);
    // Both forms showed the same callback address.
    let second = ConnectedOperator { name: "other".parse().unwrap(), ..first };
    let refusal = store.connect_operator(&second, &shop.app.audit()).await.unwrap_err();
    assert!(
        matches!(refusal, ConnectOperatorError::Refused(ConnectRefusal::Changed)),
        "{refusal:?}"
    );
}

#[tokio::test]
async fn only_the_credentials_that_were_checked_come_into_force() {
    let shop = ConnectedShop::start().await;
    let key = PaystackCredentials::default().secret_key;
    let id = shop.connect("paystack", &paystack_fields(&key)).await;
    shop.accept(&id).await;
    shop.done(&id, "replace", &paystack_fields(&format!("{key}one"))).await;
    let store = &shop.app.running().store;
    let checked = store.connected_operators(None).await.unwrap().remove(0);
    shop.done(&id, "replace", &paystack_fields(&format!("{key}two"))).await;
    let waiting = store.connected_operators(None).await.unwrap().remove(0);
    // The check of the first replacement ends after the second one was stored.
    let accept = OperatorChange::Accept(checked.replacement.unwrap());
    let by = shop.app.audit();
    let accepted = store.change_connected_operator(&waiting.id, waiting.version, accept, &by).await;
    let refusal = accepted.unwrap_err();
    assert!(
        matches!(refusal, ConnectOperatorError::Refused(ConnectRefusal::Changed)),
        "{refusal:?}"
    );
    // A check of a version that does not exist yet calls nobody.
    let path = shop.page(&format!("/operators/connected/{id}/check"));
    let next = (waiting.version + 1).to_string();
    let refused = shop.owner.post(&path, &[("version", next.as_str())]).await.is(409).text;
    assert!(refused.contains("Somebody has changed this operator"), "{refused}");
}

#[tokio::test]
async fn rows_that_cannot_be_read_stop_neither_the_service_nor_other_accounts() {
    let mut shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let stranger = Stranger::connect(&shop).await;
    let credentials = MtnCredentials::default();
    let broken = shop.connect("broken", &mtn_fields(&credentials)).await;
    shop.accept(&broken).await;
    let garbage = test_database::undecryptable();
    let folder = shop.app.folder.path().to_owned();
    for change in [
        format!("routes = 'NEXT:CHARGE MTN:CHARGE' WHERE id = '{}'", stranger.id),
        format!("credentials = {garbage} WHERE id = '{broken}'"),
    ] {
        let sql = format!("UPDATE connected_operators SET {change}");
        assert_eq!(test_database::execute(&folder, &sql), 1);
    }
    shop.app.restart().await;
    let key = shop.app.actor(&stranger.key.credential);
    charge_with(&key, "0241234567").await.is(202);
    shop.charge("0241234567").await.is(202);
    // A row that cannot be read at all is left out.
    let sql = format!("UPDATE connected_operators SET version = -1 WHERE id = '{}'", stranger.id);
    assert_eq!(test_database::execute(&folder, &sql), 1);
    shop.app.restart().await;
    shop.charge("0241234567").await.is(202);
    shop.done(&id, "retire", &[]).await;
    let stored = shop.app.running().store.connected_operators(None).await.unwrap();
    assert!(stored.iter().all(|one| one.account != stranger.account), "{stored:?}");
}

/// Evidence is not tested here.
#[derive(Debug)]
struct NoEvidence;

impl ExchangeRecorder for NoEvidence {
    fn record(&self, _: Exchange) {}
}

#[tokio::test]
async fn a_change_is_published_although_this_process_cannot_load_it() {
    let plan = Plan::default();
    let shop = ConnectedShop::with_store(|_, _| {}, &plan).await;
    shop.connect_mtn("mtn").await;
    let running = shop.app.running();
    let stored = running.store.connected_operators(None).await.unwrap().remove(0);
    let (changes, mut published) = ChangeNotifier::new();
    let clock = Arc::new(shop.app.clock.clone());
    let connections = OperatorConnections {
        store: running.store.clone(),
        connector: Arc::new(DashboardConnector {
            parts: ConnectionParts { clock: clock.clone(), recorder: Arc::new(NoEvidence) },
            emulator: None,
            callback_url: Arc::new(str::to_owned),
        }),
        operators: Operators::default(),
        keys: running.idempotency.keys.clone(),
        checks: OperatorChecks { clock, changes: Arc::new(changes) },
        loading: Arc::default(),
    };
    let method = Some("connected_operators");
    plan.begin(Some(Fault { method, moment: Moment::Before, times: 1_000 }));
    let by = shop.app.audit();
    let changed = connections.change(&stored, OperatorChange::Retire, &by).await.unwrap();
    assert!(changed.retired_at.is_some() && plan.called().contains("connected_operators"));
    assert_eq!(published.try_recv(), Ok(ClusterMessage::ConnectedOperators));
    shop.charge("0241234567").await.is(202);
    // The worker of the service tries again.
    plan.set(None);
    eventually("it is loaded", async || shop.charge("0241234567").await.status == 503).await;
}

#[tokio::test]
async fn a_change_of_the_server_key_is_not_undone_and_resets_no_connection() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let running = shop.app.running();
    let operators = &running.gateway.operators;
    operators.connected()[0].entry.breaker(Kind::Payout).open(shop.app.clock.now());
    let keys = &running.idempotency.keys;
    let old = keys.current();
    let next = ServerKey::parse(&format!("{}E", "B".repeat(42))).unwrap();
    let registered = [(1, &old), (2, &next)]
        .map(|(version, key)| RegisteredKey { version, digest: key.digest() });
    let ring = |keys: &[ServerKey]| KeyRing::new(keys, &registered).unwrap();
    let stored = async || running.store.connected_operators(None).await.unwrap().remove(0);
    let only_next = ring(std::slice::from_ref(&next));
    // First every node gets the next key behind the old one, and encrypts nothing with it.
    let before = stored().await.credentials;
    keys.replace(&ring(&[old.clone(), next.clone()]));
    shop.serve(&id, &["MTN:CHARGE"]).await;
    assert_eq!(stored().await.credentials, before);
    keys.replace(&ring(&[next.clone(), old.clone()]));
    shop.serve(&id, &["MTN:CHARGE", "MTN:PAYOUT"]).await;
    eventually("they are encrypted with the next key", async || {
        let stored = stored().await;
        stored.unseal(&only_next, &stored.credentials).is_some()
    })
    .await;
    // Another process that still has the old order.
    let resealed = stored().await;
    assert_eq!(resealed.resealed(&ring(&[old, next])), None);
    shop.serve(&id, &["MTN:PAYOUT"]).await;
    assert_eq!(stored().await.credentials, resealed.credentials);
    let loaded = operators.connected();
    assert_eq!(loaded[0].stored.credentials, resealed.credentials, "it was loaded");
    assert!(loaded[0].entry.breaker(Kind::Payout).is_open(), "the same connection as before");
}

#[tokio::test]
async fn a_refund_by_payout_is_paid_by_the_operator_of_its_charge_also_after_its_removal() {
    let shop = ConnectedShop::start().await;
    let credentials = HubtelCredentials::default();
    let old = shop.connect("hubtel", &hubtel_fields(&credentials)).await;
    shop.accept(&old).await;
    shop.serve(&old, &["MTN:CHARGE"]).await;
    let charge = TransactionId::new(shop.charge("0241234567").await.is(202).id());
    assert_eq!(shop.end_of(charge.as_str()).await["status"], "SUCCESSFUL");
    let hubtel = (json!("PAYOUT"), json!("hubtel"), json!("SUCCESSFUL"));
    assert_eq!(refund_partly(&shop, &charge, 1).await, hubtel, "it serves no payouts");
    shop.connect_mtn("mtn").await;
    let next = [hubtel_fields(&credentials), vec![("supersedes", old.as_str())]].concat();
    let new = shop.connect("hubtel-next", &next).await;
    shop.accept(&new).await;
    assert!(shop.show(&old).await.text.contains("removed"));
    assert_eq!(refund_partly(&shop, &charge, 2).await, hubtel, "of the same account");
    assert_eq!(pay_out(&shop).await["operator"], "mtn");
}

#[tokio::test]
async fn metrics_tell_apart_operators_of_the_same_name_in_two_accounts() {
    let shop = ConnectedShop::start().await;
    let id = shop.connect_mtn("mtn").await;
    let stranger = Stranger::connect(&shop).await;
    for key in [&shop.key, &stranger.key] {
        charge_with(key, "0241234567").await.is(202);
    }
    let address = format!("http://{}/metrics", shop.app.running().metrics_addr().unwrap());
    let metrics = shop.app.http.get(address).send().await.unwrap().text().await.unwrap();
    for family in ["tua_operator_call_duration", "tua_operator_token_requests"] {
        let mut lines = metrics.lines().filter(|line| line.starts_with(family));
        for id in [&id, &stranger.id] {
            let label = format!("operator=\"{id}\"");
            assert!(lines.clone().any(|line| line.contains(&label)), "{family} {id}: {metrics}");
        }
        assert!(!lines.any(|line| line.contains("operator=\"mtn\"")), "{metrics}");
    }
}
