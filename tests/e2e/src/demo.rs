//! The demo, as `tua demo` starts it.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::env;
use std::path::PathBuf;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// A running `tua demo` on free ports, with new data. Dropping it stops it.
#[derive(Debug)]
pub struct Demo {
    ready: Ready,
    _process: Child,
    _data: TempDir,
}

#[derive(Debug, Deserialize)]
struct Ready {
    shop: String,
    api: String,
}

impl Demo {
    /// Starts it and waits until it has printed its addresses.
    ///
    /// # Errors
    /// The process has exited.
    pub async fn start() -> Result<Self> {
        let data = TempDir::with_prefix("tua-demo-")?;
        let program = binary();
        let mut process = Command::new(&program)
            .args([
                "demo",
                "--json",
                "--listen",
                "127.0.0.1:0",
                "--shop-listen",
                "127.0.0.1:0",
                "--data-dir",
            ])
            .arg(data.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| {
                format!("{}: build it with `cargo build -p tua-service`", program.display())
            })?;
        let stdout = process.stdout.take().context("tua has no standard output")?;
        let line = BufReader::new(stdout)
            .lines()
            .next_line()
            .await?
            .context("tua demo ended before it was ready")?;
        let ready = serde_json::from_str(&line).with_context(|| format!("tua demo said {line}"))?;
        Ok(Self { ready, _process: process, _data: data })
    }

    /// The origin of the demo's shop, from the line that `tua demo` prints.
    #[must_use]
    pub fn shop(&self) -> &str {
        &self.ready.shop
    }

    /// The origin of the payment service, from the same line.
    #[must_use]
    pub fn service(&self) -> &str {
        &self.ready.api
    }
}

fn binary() -> PathBuf {
    env::var_os("TUA_BIN").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/debug/tua"),
        PathBuf::from,
    )
}
