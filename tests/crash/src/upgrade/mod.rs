//! An upgrade: an older program makes the database and pending work of every kind, and this one
//! ends it. On one node the older program stops first. With two nodes both serve for a while,
//! behind a load balancer, as in a rolling upgrade.

mod merchant;
mod work;

use crate::{
    accepted::AcceptedRequest,
    load::Load,
    load_balancer,
    operators::Operators,
    receiver::WebhookReceiver,
    service::{Service, Shop},
    verify,
};
use anyhow::{Result, bail, ensure};
use merchant::{Merchant, Surroundings};
use std::{path::Path, sync::Arc, time::Duration};
use work::{EndedWork, PendingWork};

/// How long the older program and this one serve together under load.
const SIDE_BY_SIDE: Duration = Duration::from_secs(5);

/// What the older program says of a database that this one has migrated.
const REFUSAL: &str = "newer version of tua";

/// What is upgraded, and how.
#[derive(Debug)]
pub struct Upgrade<'a> {
    /// The program that makes the database and its pending work.
    pub older: &'a Path,
    /// The program that takes its place.
    pub newer: &'a Path,
    /// The URL of an empty database.
    pub database: &'a str,
    /// One node, or two that serve together.
    pub nodes: u32,
    /// The number of clients while two nodes serve.
    pub clients: u32,
    /// Repeats the random choices of a run.
    pub seed: u64,
}

/// Upgrades, and checks that all pending work has ended once.
pub async fn run(upgrade: &Upgrade<'_>, folder: &Path) -> Result<()> {
    let Upgrade { older, newer, database, nodes, seed, .. } = *upgrade;
    ensure!(nodes <= 2, "an upgrade has one node or two");
    let services = Surroundings {
        operators: Arc::new(Operators::start_paused().await?),
        receiver: WebhookReceiver::start().await?,
    };
    let shop = Shop::open(older, folder, database, nodes)?;
    let merchant = Merchant::new(shop, newer, &services)?;
    let first = merchant.older.serve(0)?;
    if nodes > 1 {
        load_balancer::start(&merchant.older).await?;
    }
    let work = PendingWork::begin(&merchant, &services, seed).await?;
    let (running, meanwhile) = if nodes > 1 {
        replace_one_by_one(upgrade, &merchant, first, &services).await?
    } else {
        first.stop()?;
        let node = merchant.newer.serve(0)?;
        services.operators.run_clock();
        (vec![node], Vec::new())
    };
    let kinds = work.kinds();
    let ended = work.end(&merchant, &services, seed).await?;
    let counts = check(&merchant, &services, &ended, meanwhile, running).await?;
    println!(
        "upgraded ({nodes} nodes): {kinds} kinds of pending work of the older program have ended; \
         {counts}; {} (seed {seed})",
        older_program(&merchant)?,
    );
    Ok(())
}

/// Starts this program beside the older one, replaces the older one, and sends requests to all
/// meanwhile. Returns the running nodes, and the requests.
async fn replace_one_by_one(
    upgrade: &Upgrade<'_>,
    merchant: &Merchant,
    first: Service,
    services: &Surroundings,
) -> Result<(Vec<Service>, Vec<AcceptedRequest>)> {
    let second = merchant.newer.serve(1)?;
    services.operators.run_clock();
    let load = Load::start(Arc::new(merchant.newer.clone()), upgrade.clients, upgrade.seed)?;
    tokio::time::sleep(SIDE_BY_SIDE).await;
    first.stop()?;
    let nodes = vec![merchant.newer.serve(0)?, second];
    Ok((nodes, load.finish().await?))
}

/// Checks every guarantee from outside, then stops the nodes and checks the database.
async fn check(
    merchant: &Merchant,
    services: &Surroundings,
    ended: &EndedWork,
    meanwhile: Vec<AcceptedRequest>,
    nodes: Vec<Service>,
) -> Result<String> {
    let shop = &merchant.newer;
    let live = [ended.live.clone(), meanwhile].concat();
    let live_payments = verify::check_over_http(shop, &live).await?;
    let test_payments = verify::check_over_http(&merchant.test, &ended.test).await?;
    // All of this work is of wallets that pay. What was begun meanwhile may fail.
    let payments = ended.live.iter().chain(&ended.test);
    for created in payments.flat_map(AcceptedRequest::created_transactions) {
        let found = live_payments.get(&created.id).or_else(|| test_payments.get(&created.id));
        let status = found.map(|payment| &payment["status"]);
        ensure!(status.is_some_and(|status| status == "SUCCESSFUL"), "{}: {status:?}", created.id);
    }
    let received =
        verify::webhooks(&test_payments, &services.receiver, &merchant.test.secret).await?;
    nodes.into_iter().try_for_each(Service::stop)?;
    let orders = services.operators.check(&live_payments)?;
    verify::check_sandbox(&merchant.test, &test_payments, false).await?;
    let events = verify::check_events(shop, &live_payments).await?
        + verify::check_events(&merchant.test, &test_payments).await?;
    shop.run(["ledger", "verify"])?;
    shop.run(["audit", "verify"])?;
    Ok(format!(
        "{} live payments agree with the {orders} orders of the operators, {} test payments with \
         the sandbox, none was handed over twice; {events} events rebuild every row, the ledger \
         agrees, {received} webhooks arrived",
        live_payments.len(),
        test_payments.len(),
    ))
}

/// Whether the older program still starts on the database. If this program has migrated it, the
/// older one must refuse it.
fn older_program(merchant: &Merchant) -> Result<&'static str> {
    match merchant.older.serve(0) {
        Ok(node) => {
            node.stop()?;
            Ok("the schema is the same, and the older program still starts")
        }
        Err(error) if error.to_string().contains(REFUSAL) => {
            Ok("the older program refuses the newer schema")
        }
        Err(error) => bail!("the older program fails on the newer schema: {error:#}"),
    }
}
