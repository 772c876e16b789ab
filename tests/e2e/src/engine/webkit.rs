//! WebKitGTK with WebKitWebDriver and MiniBrowser.

use super::{
    display::Display,
    recipe::{Powers, Recipe},
};
use anyhow::Result;
use serde_json::json;
use std::env;
use tokio::process::Command;

pub(super) async fn recipe(powers: Powers) -> Result<Recipe> {
    let display = Display::start().await?;
    let mut driver =
        Command::new(env::var_os("WEBKITWEBDRIVER").unwrap_or_else(|| "WebKitWebDriver".into()));
    driver
        .env("DISPLAY", display.name())
        .env("LC_ALL", "en_GB.UTF-8")
        // As Chromium's --no-sandbox: the sandbox does not work as root, nor in most containers.
        .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1");
    if powers == Powers::NoWasm {
        driver.env("JSC_useWasm", "0");
    }
    let script = format!("--enable-javascript={}", powers != Powers::NoScript);
    Ok(Recipe {
        driver,
        capabilities: json!({ "webkitgtk:browserOptions": { "args": ["--automation", script] } }),
        display: Some(display),
    })
}
