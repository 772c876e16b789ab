//! What a journey asks of a browser, and how to start one.

use super::display::Display;
use serde_json::Value;
use tokio::process::Command;

/// The features of a journey's browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Powers {
    /// All features of a current browser.
    All,
    /// WebAssembly is off; scripts run.
    NoWasm,
    /// JavaScript is off, so WebAssembly is too.
    NoScript,
}

/// How to start a browser.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// The WebDriver program, without the argument for its port.
    pub(crate) driver: Command,
    /// The WebDriver capabilities that a new session asks for.
    pub(crate) capabilities: Value,
    /// The X display, if the browser needs one.
    pub(crate) display: Option<Display>,
}
