//! The demo, as `tua demo` starts it.

use crate::program;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::ffi::OsStr;
use tempfile::TempDir;
use tokio::process::Child;

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
        let listen = ["demo", "--json", "--listen", "127.0.0.1:0", "--shop-listen", "127.0.0.1:0"];
        let folder = [OsStr::new("--data-dir"), data.path().as_os_str()];
        let args: Vec<&OsStr> = listen.iter().map(OsStr::new).chain(folder).collect();
        let (process, mut lines) = program::start("TUA_BIN", "tua-service", "tua", &args)?;
        let line = lines.next_line().await?.context("tua demo ended before it was ready")?;
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
