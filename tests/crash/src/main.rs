//! Kills the real service with SIGKILL at random moments under load, one process on a file or many
//! nodes on a server that is killed too, then checks from outside: every 202 is readable, every
//! idempotency key replays its response, every payment settles exactly once, events rebuild every
//! row, every webhook arrives and is signed. Among the payments are refunds and batches of payouts.
//! With --live, every payment agrees with the books of the operators, none was handed over twice,
//! and imports of their statements that are killed meanwhile end in statements that agree too.
//! With --upgrade-from, nothing is killed: an older program leaves pending work, and this one ends
//! it.
//!
//! Prints what it has checked. If a guarantee is violated, it prints the first violation and exits
//! with 1.

mod accepted;
mod imports;
mod load;
mod load_balancer;
mod operators;
mod receiver;
mod service;
mod upgrade;
mod verify;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use service::{Service, Shop};
use std::{
    path::{Path, PathBuf},
    process::{ExitCode, Stdio},
    sync::Arc,
    time::Duration,
};
use upgrade::Upgrade;

#[derive(Debug, Parser)]
struct Args {
    /// The number of kills
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Repeats the random choices of a run [default: random]
    #[arg(long)]
    seed: Option<u64>,
    /// The number of concurrent clients
    #[arg(long, default_value_t = 8)]
    clients: u32,
    /// The number of nodes; more than one requires --database
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9))]
    nodes: u32,
    /// The URL of an empty database: postgres://… [default: a new file]
    #[arg(long, default_value = "sqlite://tua.db")]
    database: String,
    /// A shell command that restarts the database server, run in every third round
    #[arg(long, value_name = "COMMAND")]
    restart_database: Option<String>,
    /// Make live payments, through the connectors, with the emulator as operators
    #[arg(long)]
    live: bool,
    /// An older program, which makes the database and pending work of every kind. Then the binary
    /// takes its place: with two nodes, both serve for a while
    #[arg(long, value_name = "BINARY", conflicts_with_all = ["live", "restart_database"])]
    upgrade_from: Option<PathBuf>,
    /// The binary
    #[arg(long, env = "TUA_BIN")]
    tua: PathBuf,
}

/// The longest time between two kills. The shortest is zero: the service may be killed before its
/// first response.
const MAX_UPTIME: Duration = Duration::from_millis(900);

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("crash: a folder for the database: {error}");
            return ExitCode::FAILURE;
        }
    };
    match run(&args, seed, folder.path()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let kept = folder.keep();
            eprintln!(
                "crash: {error:#} (seed {seed}, --rounds {}; see {})",
                args.rounds,
                kept.display()
            );
            ExitCode::FAILURE
        }
    }
}

/// Kills and restarts one node in each round, and the database server in every third. Returns the
/// running nodes.
async fn kill_and_restart(
    args: &Args,
    shop: &Shop,
    mut nodes: Vec<Service>,
    seed: u64,
) -> Result<Vec<Service>> {
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 1..=args.rounds {
        let context = || format!("round {round}");
        let uptime = random.u64(0..u64::try_from(MAX_UPTIME.as_micros())?);
        tokio::time::sleep(Duration::from_micros(uptime)).await;
        let node = random.usize(0..nodes.len());
        nodes[node].kill().with_context(context)?;
        if let Some(command) = args.restart_database.as_ref().filter(|_| round % 3 == 0) {
            let restarted = tokio::process::Command::new("sh")
                .args(["-c", command])
                .stdout(Stdio::null())
                .status();
            ensure!(restarted.await?.success(), "the database could not be restarted");
        }
        nodes[node] = shop.serve(node).with_context(context)?;
    }
    Ok(nodes)
}

async fn run(args: &Args, seed: u64, folder: &Path) -> Result<()> {
    if let Some(older) = &args.upgrade_from {
        let Args { tua, database, nodes, clients, .. } = args;
        let upgrade =
            Upgrade { older, newer: tua, database, nodes: *nodes, clients: *clients, seed };
        return upgrade::run(&upgrade, folder).await;
    }
    let receiver = receiver::WebhookReceiver::start().await?;
    let operators = if args.live { Some(operators::Operators::start().await?) } else { None };
    let mut shop = Shop::open(&args.tua, folder, &args.database, args.nodes)?;
    match &operators {
        Some(operators) => {
            shop.use_operators(&operators.address(), seed)?;
            operators.call_back(&shop)?;
        }
        None => shop.add_endpoint(receiver.url())?,
    }
    let nodes = (0..shop.nodes()).map(|node| shop.serve(node)).collect::<Result<Vec<_>>>()?;
    if shop.nodes() > 1 {
        load_balancer::start(&shop).await?;
    }
    let load = load::Load::start(Arc::new(shop.clone()), args.clients, seed)?;
    let start_imports =
        |operators| imports::Imports::start(Arc::new(shop.clone()), operators, seed);
    let mut imports = operators.as_ref().map(start_imports);
    let nodes = kill_and_restart(args, &shop, nodes, seed).await?;
    let killed_imports = match &mut imports {
        Some(imports) => imports.finish().await?,
        None => 0,
    };
    let accepted = load.finish().await?;
    let checked = verify::check_over_http(&shop, &accepted).await?;
    if let Some(operators) = operators {
        drop(nodes);
        let orders = operators.check(&checked)?;
        if let Some(imports) = &imports {
            imports.check().await?;
        }
        let events = verify::check_events(&shop, &checked).await?;
        let kills = args.rounds;
        let accepted = accepted.len();
        let payments = checked.len();
        println!(
            "killed {kills} times ({} nodes): {accepted} accepted requests, {payments} live \
             payments agree with the {orders} orders of the operators, none was handed over twice, \
             {events} events rebuild every row; {killed_imports} imports of statements were \
             killed, and every cedi agrees (seed {seed})",
            args.nodes,
        );
        return Ok(());
    }
    let received = verify::webhooks(&checked, &receiver, &shop.secret).await?;
    drop(nodes);
    let events = verify::check_events(&shop, &checked).await?;
    verify::check_sandbox(&shop, &checked, args.restart_database.is_some()).await?;
    println!(
        "killed {} times ({} nodes): {} accepted requests, {} of them repeated after a kill, {} \
         payments settled once, {events} events rebuild every row, {received} webhooks arrived and \
         are signed; nothing lost, nothing doubled (seed {seed})",
        args.rounds,
        args.nodes,
        accepted.len(),
        accepted.iter().filter(|request| request.attempts > 1).count(),
        checked.len(),
    );
    Ok(())
}
