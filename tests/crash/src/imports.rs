//! Imports of the operators' statements that are killed in the middle, beside the payments.

use crate::{operators::Operators, service::Shop};
use anyhow::{Context, Result, ensure};
use std::{
    path::PathBuf,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{process::Command, task::JoinHandle, time::timeout};

/// The operators in the settings, and their names at the emulator.
const OPERATORS: [(&str, &str); 4] =
    [("mtn", "mtn-momo"), ("paystack", "paystack"), ("pawapay", "pawapay"), ("hubtel", "hubtel")];

/// The longest time after which an import is killed.
const MAX_RUN: Duration = Duration::from_millis(400);

/// Days that have every line of a run, also of one that the clock takes over midnight.
const DAYS: [&str; 4] = ["--from", "2000-01-01", "--to", "2999-12-31"];

/// Imports that are started and killed until they are stopped.
pub struct Imports {
    stop: Arc<AtomicBool>,
    running: JoinHandle<Result<u32>>,
    shop: Arc<Shop>,
    emulator: String,
}

impl Imports {
    pub fn start(shop: Arc<Shop>, operators: &Operators, seed: u64) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let emulator = operators.address();
        let running =
            tokio::spawn(kill_imports(shop.clone(), emulator.clone(), seed, stop.clone()));
        Self { stop, running, shop, emulator }
    }

    /// Stops them. Returns how many were killed.
    pub async fn finish(&mut self) -> Result<u32> {
        self.stop.store(true, Ordering::Relaxed);
        (&mut self.running).await?
    }

    /// Imports the whole statements, and checks that they agree with the payments.
    pub async fn check(&self) -> Result<()> {
        for (name, at_emulator) in OPERATORS {
            let file = download(&self.shop, &self.emulator, at_emulator).await?;
            let imported = import(&self.shop, name, &file)?.output().await?;
            ensure!(
                imported.status.success(),
                "{name}: {}",
                String::from_utf8_lossy(&imported.stderr)
            );
        }
        let verified = Command::from(self.shop.command())
            .args(["statement", "verify"])
            .args(DAYS)
            .output()
            .await?;
        let text = String::from_utf8_lossy(&verified.stdout);
        ensure!(verified.status.success(), "statements and payments do not agree: {text}");
        Ok(())
    }
}

async fn kill_imports(
    shop: Arc<Shop>,
    emulator: String,
    seed: u64,
    stop: Arc<AtomicBool>,
) -> Result<u32> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut killed = 0;
    while !stop.load(Ordering::Relaxed) {
        let (name, at_emulator) = OPERATORS[random.usize(0..OPERATORS.len())];
        let file = download(&shop, &emulator, at_emulator).await?;
        let mut import = import(&shop, name, &file)?.spawn()?;
        let run = MAX_RUN.mul_f64(random.f64());
        // One that ends by itself may have failed: the database server is killed too.
        if timeout(run, import.wait()).await.is_err() {
            import.kill().await?;
            killed += 1;
        }
    }
    Ok(killed)
}

fn import(shop: &Shop, operator: &str, file: &PathBuf) -> Result<Command> {
    let mut command = Command::from(shop.command());
    command
        .args(["statement", "import", "--operator", operator, "--config"])
        .arg(shop.config()?)
        .arg(file);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    Ok(command)
}

/// Writes the statement of an operator to a file.
async fn download(shop: &Shop, emulator: &str, operator: &str) -> Result<PathBuf> {
    let url = format!("http://{emulator}/statement.csv?operator={operator}");
    let statement =
        reqwest::get(url).await?.error_for_status()?.text().await.context("a statement")?;
    let file = shop.folder().join(format!("{operator}.csv"));
    std::fs::write(&file, statement)?;
    Ok(file)
}
