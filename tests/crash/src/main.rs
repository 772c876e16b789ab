//! Kills the real service with SIGKILL at random moments under load, then checks from outside:
//! every 202 is readable, every key replays, every payment settles exactly once, events rebuild
//! every row, every webhook arrives and is signed.
//!
//! Prints what was checked; exits with 1 and the first violation where a promise was broken.

mod ledger;
mod load;
mod receiver;
mod service;
mod verify;

use anyhow::{Context, Result};
use clap::Parser;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
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

async fn run(args: &Args, seed: u64, folder: &Path) -> Result<()> {
    let receiver = receiver::Receiver::start().await?;
    let shop = service::Shop::open(&args.tua, folder, receiver.url())?;
    let load = load::Load::start(Arc::new(shop.clone()), args.clients, seed);
    let mut random = fastrand::Rng::with_seed(seed);
    for round in 1..=args.rounds {
        let mut service = shop.serve().with_context(|| format!("round {round}"))?;
        let life = random.u64(0..u64::try_from(LONGEST_LIFE.as_micros())?);
        tokio::time::sleep(Duration::from_micros(life)).await;
        service.kill().with_context(|| format!("round {round}"))?;
    }
    let service = shop.serve().context("after the last round")?;
    let promises = load.finish().await?;
    let checked = verify::over_http(&shop, &promises).await?;
    let heard = verify::webhooks(&checked, &receiver, &shop.secret).await?;
    drop(service);
    let events = verify::on_disk(&shop, &checked).await?;
    println!(
        "killed {} times: {} promises, {} of them repeated over a crash, {} payments settled once, {events} events \
         rebuild every row, {heard} webhooks arrived and are signed; nothing lost, nothing doubled (seed {seed})",
        args.rounds,
        promises.len(),
        promises.iter().filter(|promise| promise.requests > 1).count(),
        checked.len(),
    );
    Ok(())
}
