//! Kills the real service with SIGKILL at random moments under load, one process on a file or many nodes on a server
//! that is killed too, then checks from outside: every 202 is readable, every key replays, every payment settles
//! exactly once, events rebuild every row, every webhook arrives and is signed.
//!
//! Prints what was checked; exits with 1 and the first violation where a promise was broken.

mod balancer;
mod ledger;
mod load;
mod receiver;
mod service;
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

#[derive(Debug, Parser)]
struct Args {
    /// How often the service is killed
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Repeats the random choices of a run [default: another one each time]
    #[arg(long)]
    seed: Option<u64>,
    /// How many clients pay at once
    #[arg(long, default_value_t = 8)]
    clients: u32,
    /// How many nodes serve; more than one need --database
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=9))]
    nodes: u32,
    /// An empty database of its own for this run: postgres://… [default: a new file]
    #[arg(long, default_value = "sqlite://tua.db")]
    database: String,
    /// What a shell runs to restart the database, in every third round
    #[arg(long, value_name = "COMMAND")]
    restart_database: Option<String>,
    /// The binary
    #[arg(long, env = "TUA_BIN")]
    tua: PathBuf,
}

/// The longest that the service runs between two kills. The shortest is nothing: it may be killed
/// before it has answered anything.
const LONGEST_LIFE: Duration = Duration::from_millis(900);

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
            eprintln!("crash: {error:#} (seed {seed}, --rounds {}; see {})", args.rounds, kept.display());
            ExitCode::FAILURE
        }
    }
}

/// Kills one node in each round, and in every third the database. Returns them all, running.
async fn kill_and_restart(args: &Args, shop: &Shop, mut nodes: Vec<Service>, seed: u64) -> Result<Vec<Service>> {
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 1..=args.rounds {
        let said = || format!("round {round}");
        let life = random.u64(0..u64::try_from(LONGEST_LIFE.as_micros())?);
        tokio::time::sleep(Duration::from_micros(life)).await;
        let node = random.usize(0..nodes.len());
        nodes[node].kill().with_context(said)?;
        if let Some(command) = args.restart_database.as_ref().filter(|_| round % 3 == 0) {
            let restarted = tokio::process::Command::new("sh").args(["-c", command]).stdout(Stdio::null()).status();
            ensure!(restarted.await?.success(), "the database could not be restarted");
        }
        nodes[node] = shop.serve(node).with_context(said)?;
    }
    Ok(nodes)
}

async fn run(args: &Args, seed: u64, folder: &Path) -> Result<()> {
    let receiver = receiver::Receiver::start().await?;
    let shop = Shop::open(&args.tua, folder, &args.database, args.nodes, receiver.url())?;
    let nodes = (0..shop.nodes()).map(|node| shop.serve(node)).collect::<Result<Vec<_>>>()?;
    if shop.nodes() > 1 {
        balancer::start(&shop).await?;
    }
    let load = load::Load::start(Arc::new(shop.clone()), args.clients, seed)?;
    let nodes = kill_and_restart(args, &shop, nodes, seed).await?;
    let promises = load.finish().await?;
    let checked = verify::over_http(&shop, &promises).await?;
    let heard = verify::webhooks(&checked, &receiver, &shop.secret).await?;
    drop(nodes);
    let events = verify::on_disk(&shop, &checked, args.restart_database.is_some()).await?;
    println!(
        "killed {} times ({} nodes): {} promises, {} of them repeated over a crash, {} payments settled once, {events} events \
         rebuild every row, {heard} webhooks arrived and are signed; nothing lost, nothing doubled (seed {seed})",
        args.rounds,
        args.nodes,
        promises.len(),
        promises.iter().filter(|promise| promise.requests > 1).count(),
        checked.len(),
    );
    Ok(())
}
