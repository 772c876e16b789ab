//! The engines that a journey can be walked in: a file each for what only that one needs.

mod chromium;
mod display;
mod firefox;
mod webkit;

pub(crate) use display::Display;

use anyhow::{Result, bail};
use serde_json::Value;
use std::env;
use thirtyfour::WebDriver;
use tokio::process::Command;

/// What draws the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Chrome's, in Debian's Chromium.
    Chromium,
    /// Firefox's, in Debian's long-term release.
    Firefox,
    /// Safari's, in the small browser that WebKitGTK brings along.
    WebKit,
}

/// What a journey's browser can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Powers {
    /// All that browsers of today can.
    All,
    /// Everything but WebAssembly.
    NoWasm,
    /// Pages and forms only.
    NoScript,
}

/// What it takes to start a browser.
#[derive(Debug)]
pub(crate) struct Recipe {
    /// The program that speaks WebDriver; it is told its port beside.
    pub(crate) driver: Command,
    /// What the driver is asked for.
    pub(crate) capabilities: Value,
    /// What the browser is drawn on, where it needs something.
    pub(crate) display: Option<Display>,
}

impl Engine {
    /// The one that `TUA_E2E_ENGINE` names, or Chromium.
    pub(crate) fn of_this_run() -> Result<Self> {
        match env::var("TUA_E2E_ENGINE").as_deref() {
            Err(_) | Ok("chromium") => Ok(Self::Chromium),
            Ok("firefox") => Ok(Self::Firefox),
            Ok("webkit") => Ok(Self::WebKit),
            Ok(other) => bail!("TUA_E2E_ENGINE={other}: no such engine; there are chromium, firefox and webkit"),
        }
    }

    /// Domains of its maker, whom it talks to by itself, whatever the page. It is answered nothing. A page
    /// that asked them for something would be seen in the other engines.
    pub(crate) fn makers_domains(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["google.com", "googleapis.com", "gvt1.com"],
            Self::Firefox => &["firefox.com", "mozilla.com", "mozilla.net", "mozilla.org"],
            Self::WebKit => &[],
        }
    }

    /// How to start it.
    pub(crate) async fn recipe(self, powers: Powers) -> Result<Recipe> {
        match self {
            Self::Chromium => Ok(chromium::recipe(powers)),
            Self::Firefox => Ok(firefox::recipe(powers)),
            Self::WebKit => webkit::recipe(powers).await,
        }
    }

    /// The errors on the console, from an engine that tells them while it runs.
    pub(crate) async fn told_console(self, driver: &WebDriver) -> Result<Vec<String>> {
        match self {
            Self::Chromium => chromium::console(driver).await,
            Self::Firefox | Self::WebKit => Ok(Vec::new()),
        }
    }

    /// The errors on the console, from an engine that prints them. WebKitGTK does neither: an
    /// automated page is a private one, and those keep their console to themselves.
    pub(crate) fn printed_console(self, output: &str) -> Vec<String> {
        match self {
            Self::Firefox => firefox::console(output),
            Self::Chromium | Self::WebKit => Vec::new(),
        }
    }
}
