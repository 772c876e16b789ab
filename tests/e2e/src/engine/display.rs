//! A virtual X display, for the engine that requires one.

use crate::find::DEADLINE;
use anyhow::{Context, Result};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

/// A running Xvfb. It exits after its last window has closed, or when this is dropped.
#[derive(Debug)]
pub(crate) struct Display {
    name: String,
    process: Child,
}

impl Display {
    /// Starts it with the first free display number.
    pub(super) async fn start() -> Result<Self> {
        let mut process = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x1600x24",
                "-nolisten",
                "tcp",
                "-terminate",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .context("Xvfb cannot be started")?;
        let stdout = process.stdout.take().context("Xvfb has no standard output")?;
        let number = BufReader::new(stdout)
            .lines()
            .next_line()
            .await?
            .context("Xvfb ended before it was ready")?;
        Ok(Self { name: format!(":{number}"), process })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Waits until it has exited and removed its lock file.
    pub(crate) async fn end(mut self) {
        let _ = timeout(DEADLINE, self.process.wait()).await;
    }
}
