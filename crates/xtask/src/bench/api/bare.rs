//! The server that stores nothing.

use super::usage::Processes;
use crate::fault::{Result, fault};
use crate::paths;
use crate::step::{Background, Step};
use std::net::SocketAddr;
use std::time::Duration;

/// Handlers that read and write the same JSON, and do nothing else. They also accept webhooks.
pub struct Bare {
    pub at: SocketAddr,
    process: Background,
}

impl Bare {
    pub fn start() -> Result<Self> {
        let mut process =
            Step::new("the bare handlers", paths::target().join("release/bare")).start()?;
        let at = process.wait_for_line("bare listens on ", Duration::from_secs(10))?;
        let at = at.parse().map_err(|e| {
            fault!("{}: listens on `{at}`: {e}; its log is in {}", process.title(), process.log())
        })?;
        Ok(Self { at, process })
    }

    pub fn processes(&self) -> Processes {
        Processes { service: self.process.id(), database: None }
    }
}
