//! Checks that every accepted request has its effects.

use crate::{
    accepted::{AcceptedRequest, CreatedTransaction},
    load::{self, SUBMIT_CODE, correct_code, send},
    receiver::WebhookReceiver,
    service::Shop,
};
use anyhow::{Context, Result, ensure};
use reqwest::{Client, StatusCode};
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};
use tua_domain::{Event, Transaction, TransactionId};
use tua_metrics::StoreMetrics;
use tua_store::database::Database;
use tua_use_cases::verify_ledger;

/// Longer than the lease of a delivery that a killed process was sending, and than the slowest
/// outcome of the sandbox.
const FINAL_STATUS_TIMEOUT: Duration = Duration::from_secs(240);

/// Between two rounds of status requests.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The accepted transactions and their final status.
pub type FinalStatuses = HashMap<String, Value>;

/// Every 202 is readable, every idempotency key replays its response, every payment settles, and no
/// other transaction exists.
pub async fn check_over_http(shop: &Shop, accepted: &[AcceptedRequest]) -> Result<FinalStatuses> {
    let http = load::http(shop)?;
    let mut created = Vec::new();
    for request in accepted {
        check_replay(&http, shop, request)
            .await
            .with_context(|| format!("{} {}", request.route, request.key))?;
        created.extend(request.created_transactions());
    }
    let statuses = await_final_statuses(&http, shop, &created).await?;
    let mut listed = listed(&http, shop, "/v1/transactions", "transactionId").await?;
    listed.extend(self::listed(&http, shop, "/v1/refunds", "refundId").await?);
    let accepted: HashSet<&String> = statuses.keys().collect();
    for id in &listed {
        ensure!(accepted.contains(id), "{id} exists, but was never accepted");
    }
    ensure!(
        listed.len() == statuses.len(),
        "{} are listed, {} were accepted",
        listed.len(),
        statuses.len()
    );
    Ok(statuses)
}

async fn check_replay(http: &Client, shop: &Shop, accepted: &AcceptedRequest) -> Result<()> {
    let request =
        http.post(format!("{}{}", shop.origin, accepted.route)).bearer_auth(&accepted.credential);
    let request = request.header("idempotency-key", &accepted.key).json(&accepted.body);
    let (status, response) = send(request).await.context("no response")?;
    ensure!(status == accepted.status, "replayed as {status}, accepted as {}", accepted.status);
    ensure!(
        response == accepted.response,
        "replayed as {response}, accepted as {}",
        accepted.response
    );
    Ok(())
}

/// Reads every transaction until it is final, or until the deadline. Whether one may be pending
/// then is up to the operators' books.
async fn await_final_statuses(
    http: &Client,
    shop: &Shop,
    created: &[CreatedTransaction],
) -> Result<FinalStatuses> {
    let deadline = Instant::now() + FINAL_STATUS_TIMEOUT;
    let mut statuses = FinalStatuses::new();
    let mut open: Vec<&CreatedTransaction> = created.iter().collect();
    loop {
        let is_late = Instant::now() >= deadline;
        let mut pending = Vec::new();
        for one in open {
            let status = read(http, shop, one).await?;
            if status["status"] == "PENDING" && !is_late {
                enter_expected_code(http, shop, &status).await?;
                pending.push(one);
                continue;
            }
            ensure!(
                statuses.insert(one.id.clone(), status).is_none(),
                "{} was returned for two keys",
                one.id
            );
        }
        if pending.is_empty() {
            return Ok(statuses);
        }
        open = pending;
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

async fn read(http: &Client, shop: &Shop, created: &CreatedTransaction) -> Result<Value> {
    let CreatedTransaction { id, path, amount } = created;
    let request = http.get(format!("{}{path}", shop.origin)).bearer_auth(&shop.key);
    let (status, response) = send(request).await.context("no response")?;
    ensure!(status == StatusCode::OK, "{path} is not readable: {status} {response}");
    let shown: Value = serde_json::from_str(&response)?;
    ensure!(shown["conflict"].is_null(), "{path} was contradicted: {response}");
    // As numbers, because `1.00` is shown as `1`.
    let requested = amount.as_ref().and_then(Value::as_f64);
    ensure!(
        requested.is_none() || requested == shown["amount"].as_f64(),
        "{id} has another amount than was requested"
    );
    Ok(shown)
}

/// The payer comes back and enters the code. The payer may have left before the service knew that
/// one is expected, because the operator's response was lost.
async fn enter_expected_code(http: &Client, shop: &Shop, charge: &Value) -> Result<()> {
    let is_expected = matches!(charge["nextAction"].as_str(), Some("ENTER_OTP" | "ENTER_VOUCHER"));
    if let (true, Some(id)) = (is_expected, charge["transactionId"].as_str()) {
        let request = http.post(format!("{}{SUBMIT_CODE}", shop.origin)).bearer_auth(&shop.key);
        send(request.json(&correct_code(id))).await.context("no response")?;
    }
    Ok(())
}

/// All identifiers that a list has.
async fn listed(http: &Client, shop: &Shop, path: &str, member: &str) -> Result<Vec<String>> {
    let mut ids = Vec::new();
    let mut cursor = String::new();
    loop {
        let request =
            http.get(format!("{}{path}?limit=100{cursor}", shop.origin)).bearer_auth(&shop.key);
        let (_, response) = send(request).await.context("no response")?;
        let page: Value = serde_json::from_str(&response)?;
        let data = page["data"].as_array().context("a page")?;
        ids.extend(data.iter().filter_map(|one| one[member].as_str().map(str::to_owned)));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(ids),
        }
    }
}

/// Checks that the merchant received the first and the final event of each transaction, and that
/// all are signed.
pub async fn webhooks(
    statuses: &FinalStatuses,
    receiver: &WebhookReceiver,
    secret: &str,
) -> Result<usize> {
    let mut expected = HashSet::new();
    for (id, ended) in statuses {
        // A refund has no type.
        let kind = ended["type"].as_str().unwrap_or("REFUND").to_lowercase();
        let status = ended["status"].as_str().unwrap_or_default().to_lowercase();
        expected.insert((id.clone(), format!("{kind}.pending")));
        expected.insert((id.clone(), format!("{kind}.{status}")));
    }
    let deadline = Instant::now() + FINAL_STATUS_TIMEOUT;
    loop {
        let received = receiver.received();
        let events: HashSet<(String, String)> = received
            .iter()
            .filter_map(|received| {
                // A refund also names its charge.
                let data = &received.body["data"];
                let id = data["refundId"].as_str().or_else(|| data["transactionId"].as_str())?;
                Some((id.to_owned(), received.body["type"].as_str()?.to_owned()))
            })
            .collect();
        match expected.difference(&events).next() {
            Some((id, status)) => {
                ensure!(Instant::now() < deadline, "the merchant never received {status} of {id}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            None => {
                let unsigned =
                    received.iter().filter(|received| !received.is_signed_with(secret)).count();
                ensure!(
                    unsigned == 0,
                    "{unsigned} webhooks were not signed with the merchant's secret"
                );
                return Ok(received.len());
            }
        }
    }
}

/// Checks that the events of every row rebuild it, that a transaction with a final status has one
/// final event, and that the ledger agrees with all. Returns the number of events.
pub async fn check_events(shop: &Shop, statuses: &FinalStatuses) -> Result<usize> {
    let store =
        shop.database().open(StoreMetrics::default()).await.map_err(anyhow::Error::msg)?.store;
    let mut count = 0;
    for id in statuses.keys() {
        let id = TransactionId::new(id);
        let row = store
            .transaction(&id)
            .await?
            .with_context(|| format!("{id} is not in the database"))?;
        let events = store.events(&id).await?;
        count += events.len();
        let ends = events
            .iter()
            .filter(|(_, event)| matches!(event, Event::Moved(state, _) if state.is_final()))
            .count();
        ensure!(ends == usize::from(row.state.is_final()), "{id} has {ends} final events");
        ensure!(
            Transaction::replay(events).as_ref() == Some(&row),
            "the events of {id} do not rebuild its row"
        );
    }
    let ledger = verify_ledger(store.as_ref()).await?;
    ensure!(
        ledger.faults == 0,
        "the ledger does not agree with the transactions: {:?}",
        ledger.listed
    );
    Ok(count)
}

/// Checks that the sandbox has one order of each transaction, and no other, and that each
/// transaction is final. If the database server was `killed`, the sandbox, which stores its orders
/// there, may have lost orders. A transaction stays pending if its order was lost after the service
/// had stored that the operator has it.
pub async fn check_sandbox(shop: &Shop, statuses: &FinalStatuses, killed: bool) -> Result<()> {
    let store =
        shop.database().open(StoreMetrics::default()).await.map_err(anyhow::Error::msg)?.store;
    for (id, ended) in statuses {
        let id = TransactionId::new(id);
        let orders = orders(shop, Some(&id.operator_reference())).await?;
        ensure!(orders == 1 || (killed && orders == 0), "the operator has {orders} orders of {id}");
        if ended["status"] == "PENDING" {
            let times = store
                .waiting_times(&id)
                .await?
                .with_context(|| format!("{id} is not in the database"))?;
            let is_lost = orders == 0 && times.acknowledged_at.is_some();
            ensure!(is_lost, "still pending after {} s: {ended}", FINAL_STATUS_TIMEOUT.as_secs());
        }
    }
    let orders = usize::try_from(orders(shop, None).await?)?;
    let wanted = statuses.len();
    ensure!(
        orders == wanted || (killed && orders < wanted),
        "the operator has {orders} orders for {wanted}"
    );
    Ok(())
}

/// The number of orders that the operator has: all, or those with one reference.
async fn orders(shop: &Shop, reference: Option<&str>) -> Result<i64> {
    Ok(match shop.database() {
        Database::Sqlite(path) => {
            let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            let sql = "SELECT count(*) FROM sandbox_orders WHERE ?1 IS NULL OR reference = ?1";
            database.query_row(sql, [reference], |found| found.get(0))?
        }
        Database::Postgres(_) => {
            let (client, connection) =
                tokio_postgres::connect(shop.database_url(), tokio_postgres::NoTls).await?;
            tokio::spawn(connection);
            let sql =
                "SELECT count(*) FROM sandbox_orders WHERE $1::text IS NULL OR reference = $1";
            client.query_one(sql, &[&reference]).await?.get(0)
        }
    })
}
