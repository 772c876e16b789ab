//! Whether every promise was kept.

use crate::{
    ledger::Promise,
    load::{self, answered},
    receiver::Receiver,
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
use tua_service::{
    database::Database,
    domain::{Event, Transaction, TransactionId},
    metrics::StoreMetrics,
};

/// Longer than a delivery that a killed process was sending stays with it, and than the slowest
/// outcome of the sandbox takes.
const PATIENCE: Duration = Duration::from_secs(90);

/// What was promised, and how each transaction ended.
pub type Settled = HashMap<String, Value>;

/// Every 202 is readable, every key replays, every payment settles, and there is none besides.
pub async fn over_http(shop: &Shop, promises: &[Promise]) -> Result<Settled> {
    let http = load::http(shop)?;
    let mut settled = Settled::new();
    for promise in promises {
        replays(&http, shop, promise).await.with_context(|| format!("{} {}", promise.route, promise.key))?;
        if let Some(id) = promise.transaction() {
            let ended = ended(&http, shop, &id).await?;
            // As numbers: `1.00` was asked for, and `1` is shown.
            let (asked, shown) = (promise.body["amount"].as_f64(), ended["amount"].as_f64());
            ensure!(asked.is_none() || asked == shown, "{id} is of another amount than was asked for");
            ensure!(settled.insert(id.clone(), ended).is_none(), "{id} was promised for two keys");
        }
    }
    let listed = listed(&http, shop).await?;
    let promised: HashSet<&String> = settled.keys().collect();
    for id in &listed {
        ensure!(promised.contains(id), "{id} exists, and nobody was promised it");
    }
    ensure!(listed.len() == settled.len(), "{} are listed, {} were promised", listed.len(), settled.len());
    Ok(settled)
}

async fn replays(http: &Client, shop: &Shop, promise: &Promise) -> Result<()> {
    let request = http.post(format!("{}{}", shop.origin, promise.route)).bearer_auth(&promise.credential);
    let request = request.header("idempotency-key", &promise.key).json(&promise.body);
    let (status, answer) = answered(request).await.context("no answer")?;
    ensure!(status == promise.status, "replayed as {status}, promised as {}", promise.status);
    ensure!(answer == promise.answer, "replayed as {answer}, promised as {}", promise.answer);
    Ok(())
}

async fn ended(http: &Client, shop: &Shop, id: &str) -> Result<Value> {
    let patience = Instant::now() + PATIENCE;
    loop {
        let request = http.get(format!("{}/v1/status/{id}", shop.origin)).bearer_auth(&shop.key);
        let (status, answer) = answered(request.header("prefer", "wait=5")).await.context("no answer")?;
        ensure!(status == StatusCode::OK, "{id} is not readable: {status} {answer}");
        let status: Value = serde_json::from_str(&answer)?;
        ensure!(status["conflict"].is_null(), "{id} was contradicted: {answer}");
        if status["status"] != "PENDING" {
            return Ok(status);
        }
        ensure!(Instant::now() < patience, "still pending after {} s: {answer}", PATIENCE.as_secs());
    }
}

async fn listed(http: &Client, shop: &Shop) -> Result<Vec<String>> {
    let (mut ids, mut cursor) = (Vec::new(), String::new());
    loop {
        let request = http.get(format!("{}/v1/transactions?limit=100{cursor}", shop.origin)).bearer_auth(&shop.key);
        let (_, answer) = answered(request).await.context("no answer")?;
        let page: Value = serde_json::from_str(&answer)?;
        let data = page["data"].as_array().context("a page")?;
        ids.extend(data.iter().filter_map(|one| one["transactionId"].as_str().map(str::to_owned)));
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(ids),
        }
    }
}

/// The merchant heard how each transaction began and ended, and everything was signed.
pub async fn webhooks(settled: &Settled, receiver: &Receiver, secret: &str) -> Result<usize> {
    let mut expected = HashSet::new();
    for (id, ended) in settled {
        let kind = ended["type"].as_str().unwrap_or_default().to_lowercase();
        let word = ended["status"].as_str().unwrap_or_default().to_lowercase();
        expected.insert((id.clone(), format!("{kind}.pending")));
        expected.insert((id.clone(), format!("{kind}.{word}")));
    }
    let patience = Instant::now() + PATIENCE;
    loop {
        let heard = receiver.heard();
        let told: HashSet<(String, String)> = heard
            .iter()
            .filter_map(|heard| {
                let id = heard.body["data"]["transactionId"].as_str()?;
                Some((id.to_owned(), heard.body["type"].as_str()?.to_owned()))
            })
            .collect();
        match expected.difference(&told).next() {
            Some((id, word)) => {
                ensure!(Instant::now() < patience, "the merchant never heard {word} of {id}");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            None => {
                let unsigned = heard.iter().filter(|heard| !heard.is_signed_with(secret)).count();
                ensure!(unsigned == 0, "{unsigned} webhooks were not signed with the merchant's secret");
                return Ok(heard.len());
            }
        }
    }
}

/// Every row is what its events make it, has ended once, and was sent to the operator once; the operator may have
/// forgotten what it answered where the database, which is its own memory too, was `killed` together with it.
/// Returns how many events there are.
pub async fn on_disk(shop: &Shop, settled: &Settled, killed: bool) -> Result<usize> {
    let store = shop.database().open(StoreMetrics::default()).await.map_err(anyhow::Error::msg)?.store;
    let mut count = 0;
    for id in settled.keys() {
        let id = TransactionId::new(id);
        let row = store.transaction(&id).await?.with_context(|| format!("{id} is not in the database"))?;
        let events = store.events(&id).await?;
        count += events.len();
        let ends = events.iter().filter(|(_, event)| matches!(event, Event::Moved(state) if state.is_final())).count();
        ensure!(ends == 1, "{id} has ended {ends} times");
        let orders = orders(shop, Some(&row.begun.id.operator_reference())).await?;
        ensure!(orders == 1 || (killed && orders == 0), "the operator has {orders} orders of {id}");
        ensure!(Transaction::replay(events).as_ref() == Some(&row), "the events of {id} do not make its row");
    }
    let orders = orders(shop, None).await?;
    let wanted = settled.len();
    let orders = usize::try_from(orders)?;
    ensure!(orders == wanted || (killed && orders < wanted), "the operator has {orders} orders for {wanted}");
    Ok(count)
}

/// How many orders the operator has, of all or under one reference.
async fn orders(shop: &Shop, reference: Option<&str>) -> Result<i64> {
    Ok(match shop.database() {
        Database::Sqlite(path) => {
            let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
            let sql = "SELECT count(*) FROM sandbox_orders WHERE ?1 IS NULL OR reference = ?1";
            database.query_row(sql, [reference], |found| found.get(0))?
        }
        Database::Postgres(_) => {
            let (client, connection) = tokio_postgres::connect(shop.database_url(), tokio_postgres::NoTls).await?;
            tokio::spawn(connection);
            let sql = "SELECT count(*) FROM sandbox_orders WHERE $1::text IS NULL OR reference = $1";
            client.query_one(sql, &[&reference]).await?.get(0)
        }
    })
}
