//! How Firefox is started with geckodriver.

use super::recipe::{Powers, Recipe};
use serde_json::json;
use std::env;
use tokio::process::Command;

pub(super) fn recipe(powers: Powers) -> Recipe {
    let preferences = json!({
        "javascript.enabled": powers != Powers::NoScript,
        "javascript.options.wasm": powers == Powers::All,
        "intl.accept_languages": "en-GB",
        // Requests to this machine use the proxy too, and count as secure.
        "network.proxy.allow_hijacking_localhost": true,
        "network.proxy.testing_localhost_is_secure_when_hijacked": true,
        // Prints the console of pages, but not of Firefox itself.
        "devtools.console.stdout.content": true,
        "devtools.console.stdout.chrome": false,
        // Logs an error if Mozilla's servers do not respond.
        "messaging-system.log": "off",
    });
    let mut options = json!({ "args": ["-headless"], "prefs": preferences });
    if let Ok(binary) = env::var("FIREFOX") {
        options["binary"] = json!(binary);
    }
    Recipe {
        driver: Command::new(env::var_os("GECKODRIVER").unwrap_or_else(|| "geckodriver".into())),
        capabilities: json!({ "browserName": "firefox", "moz:firefoxOptions": options }),
        display: None,
    }
}

/// The errors and warnings that pages logged, and their uncaught exceptions.
pub(super) fn console(output: &str) -> Vec<String> {
    const BAD: [&str; 3] = ["console.error: ", "console.warn: ", "JavaScript error: http"];
    output
        .lines()
        .filter(|line| BAD.iter().any(|bad| line.starts_with(bad)))
        .map(str::to_owned)
        .collect()
}
