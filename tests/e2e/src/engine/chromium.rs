//! How Chromium is started with ChromeDriver.

use super::recipe::{Powers, Recipe};
use anyhow::Result;
use serde_json::json;
use std::env;
use std::path::Path;
use thirtyfour::WebDriver;
use tokio::process::Command;

const ARGUMENTS: [&str; 11] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--no-first-run",
    "--lang=en-GB",
    // Requests to this machine use the proxy too.
    "--proxy-bypass-list=<-loopback>",
];
const DEBIANS: &str = "/usr/bin/chromium";

pub(super) fn recipe(powers: Powers) -> Recipe {
    let mut arguments = ARGUMENTS.to_vec();
    let mut preferences = json!({});
    match powers {
        Powers::All => {}
        Powers::NoWasm => arguments.push("--js-flags=--jitless"),
        Powers::NoScript => {
            preferences = json!({ "profile.managed_default_content_settings.javascript": 2 })
        }
    }
    let mut options = json!({ "args": arguments, "prefs": preferences });
    if let Some(binary) =
        env::var("CHROMIUM").ok().or_else(|| Path::new(DEBIANS).exists().then(|| DEBIANS.into()))
    {
        options["binary"] = json!(binary);
    }
    Recipe {
        driver: Command::new(env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into())),
        capabilities: json!({
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
        }),
        display: None,
    }
}

/// The errors on the console, without those that the proxy records in every engine: error responses
/// and policy violations.
pub(super) async fn console(driver: &WebDriver) -> Result<Vec<String>> {
    let entries = driver.get_log("browser").await?;
    let is_bad = |level: &str| matches!(level, "SEVERE" | "WARNING");
    let is_recorded_by_the_proxy =
        |source: Option<&str>| matches!(source, Some("network" | "security"));
    let ours = entries
        .into_iter()
        .filter(|entry| is_bad(&entry.level) && !is_recorded_by_the_proxy(entry.source.as_deref()));
    Ok(ours.map(|entry| entry.message).collect())
}
