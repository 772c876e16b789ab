//! A day at once for an hour: payers, the dashboard, exports, imports of statements, and restarts.
//! What the service uses is sampled each minute, and must not grow.

mod readers;
mod samples;

use crate::{
    dashboard::{self, Seeded},
    live::Live,
    service::Shop,
};
use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use readers::Readers;
use samples::{Sample, Samples};
use std::{fs, path::Path, time::Duration};

const MINUTE: Duration = Duration::from_secs(60);

/// The transactions that the database has before.
const TRANSACTIONS: u64 = 10_000;

const ROUTES: &str = "MTN = [\"mtn\"]\nTELECEL = [\"pawapay\"]\n";

/// Lines of the statement that is imported each minute.
const LINES: u64 = 200;

#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    /// The duration, in minutes; the service is restarted twice in the first third
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(6..))]
    minutes: u64,
    /// Charges a second
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    rate: u64,
}

pub async fn run(tua: &Path, args: &Args) -> Result<()> {
    let Args { minutes, rate } = *args;
    let shop = Shop::open(tua)?;
    let seeded = dashboard::fill(&shop, TRANSACTIONS)?;
    let mut live = Live::of(shop, ROUTES, &[]).await?;
    println!(
        "{rate} charges a second for {minutes} minutes, beside the dashboard, an export and a \
         statement of {LINES} lines each minute"
    );
    println!("{}", Sample::HEADINGS);
    let mut samples = Samples::default();
    for minute in 1..=minutes {
        let sample = one_minute(&live, &seeded, minute, rate).await?;
        println!("{sample}");
        samples.add(sample);
        if minute == minutes / 6 || minute == minutes / 3 {
            live = live.restarted().await?;
            samples = Samples::default();
            println!("the service is restarted");
        }
    }
    live.service.stop().await?;
    samples.compare()
}

/// Lets a minute pass with everything at once, and measures it.
async fn one_minute(live: &Live, seeded: &Seeded, minute: u64, rate: u64) -> Result<Sample> {
    let readers = Readers::start(&live.shop, seeded);
    let import = tokio::task::spawn_blocking({
        let command = import(&live.shop, minute)?;
        move || output(command)
    });
    let network = if minute.is_multiple_of(2) { "MTN" } else { "TELECEL" };
    let charged = live.charge(network, rate, MINUTE).await;
    let pages = readers.stop().await?;
    import.await??;
    let (charges, refused) = charged?;
    ensure!(refused == 0, "{refused} charges were refused");
    Sample::take(&live.service, &live.shop, minute, charges, pages)
}

/// The command that imports a statement of payments that the service does not know.
fn import(shop: &Shop, minute: u64) -> Result<std::process::Command> {
    let heading = "Transaction ID,Transaction Type,Status,Currency,Amount,Fee,Completed At,Provider \
                   Transaction ID\n";
    let at = machine_time();
    let lines = (0..LINES).map(|line| {
        let number = minute * LINES + line;
        format!("00000000-0000-4000-8000-{number:012},DEPOSIT,COMPLETED,GHS,1.00,,{at},{number}\n")
    });
    let path = shop.folder().join("statement.csv");
    fs::write(&path, [heading.to_owned()].into_iter().chain(lines).collect::<String>())
        .with_context(|| path.display().to_string())?;
    let mut command = shop.command();
    command.args(["statement", "import", "--operator", "pawapay", "--config", Shop::SETTINGS]);
    command.arg(path);
    Ok(command)
}

fn output(mut command: std::process::Command) -> Result<()> {
    let output = command.output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the other process reads the machine's clock")]
fn machine_time() -> Timestamp {
    Timestamp::now()
}
