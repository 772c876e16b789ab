//! The browser engines of the journeys, one file each.

mod chromium;
mod display;
mod firefox;
mod recipe;
mod webkit;

pub(crate) use display::Display;
pub use recipe::Powers;
pub(crate) use recipe::Recipe;

use anyhow::{Result, bail};
use std::env;
use thirtyfour::WebDriver;

/// A browser engine that the journeys run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Blink, in Debian's Chromium.
    Chromium,
    /// Gecko, in Debian's Firefox ESR.
    Firefox,
    /// WebKit, in WebKitGTK's MiniBrowser.
    WebKit,
}

impl Engine {
    /// The engine in `TUA_E2E_ENGINE`, by default Chromium.
    pub(crate) fn of_this_run() -> Result<Self> {
        match env::var("TUA_E2E_ENGINE").as_deref() {
            Err(_) | Ok("chromium") => Ok(Self::Chromium),
            Ok("firefox") => Ok(Self::Firefox),
            Ok("webkit") => Ok(Self::WebKit),
            Ok(other) => bail!(
                "TUA_E2E_ENGINE={other}: no such engine; there are chromium, firefox and webkit"
            ),
        }
    }

    /// Domains of the browser's vendor, which it contacts on its own. The proxy rejects these
    /// requests. A page that requested them would fail in the other engines.
    pub(crate) fn makers_domains(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["google.com", "googleapis.com", "gvt1.com"],
            Self::Firefox => &["firefox.com", "mozilla.com", "mozilla.net", "mozilla.org"],
            Self::WebKit => &[],
        }
    }

    /// The recipe to start the browser.
    pub(crate) async fn recipe(self, powers: Powers) -> Result<Recipe> {
        match self {
            Self::Chromium => Ok(chromium::recipe(powers)),
            Self::Firefox => Ok(firefox::recipe(powers)),
            Self::WebKit => webkit::recipe(powers).await,
        }
    }

    /// The errors on the console, from an engine that reports them over WebDriver.
    pub(crate) async fn told_console(self, driver: &WebDriver) -> Result<Vec<String>> {
        match self {
            Self::Chromium => chromium::console(driver).await,
            Self::Firefox | Self::WebKit => Ok(Vec::new()),
        }
    }

    /// The errors on the console, from an engine that prints them. WebKitGTK does neither: an
    /// automated page is private, and WebKit does not log the console of private pages.
    pub(crate) fn printed_console(self, output: &str) -> Vec<String> {
        match self {
            Self::Firefox => firefox::console(output),
            Self::Chromium | Self::WebKit => Vec::new(),
        }
    }
}
