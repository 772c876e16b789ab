//! What the browser saw: its console and its network traffic, judged when a journey has ended.

use anyhow::Result;
use serde_json::Value;
use std::collections::BTreeSet;
use thirtyfour::WebDriver;

#[derive(Debug, Default)]
pub(crate) struct Witness {
    origins: BTreeSet<String>,
    expected_on_console: Vec<String>,
    faults: Vec<String>,
}

impl Witness {
    pub(crate) fn allow_origin(&mut self, origin: &str) {
        self.origins.insert(origin.trim_end_matches('/').to_owned());
    }

    pub(crate) fn expect_on_console(&mut self, part: &str) {
        self.expected_on_console.push(part.to_owned());
    }

    /// Reads the logs; the browser empties them by being read.
    pub(crate) async fn look(&mut self, driver: &WebDriver) -> Result<()> {
        for entry in driver.get_log("browser").await? {
            // Refusals by the security policy come here too, as errors of source `security`.
            let is_bad = matches!(entry.level.as_str(), "SEVERE" | "WARNING");
            if is_bad && !self.expected_on_console.iter().any(|part| entry.message.contains(part.as_str())) {
                self.faults.push(format!("on the console: {}", entry.message));
            }
        }
        for entry in driver.get_log("performance").await? {
            if let Some(url) = requested_url(&entry.message) {
                self.judge(&url);
            }
        }
        Ok(())
    }

    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }

    fn judge(&mut self, url: &str) {
        let is_local =
            ["data:", "blob:", "about:", "chrome:", "chrome-error:"].iter().any(|scheme| url.starts_with(scheme));
        let origin: String = url.split('/').take(3).collect::<Vec<_>>().join("/");
        if !is_local && !self.origins.contains(&origin) {
            self.faults.push(format!("a request to a foreign origin: {url}"));
        }
    }
}

/// The address in a DevTools `Network.requestWillBeSent`, wrapped as ChromeDriver's performance log does.
fn requested_url(message: &str) -> Option<String> {
    let entry: Value = serde_json::from_str(message).ok()?;
    let event = entry.get("message")?;
    let is_request = matches!(event.get("method")?.as_str()?, "Network.requestWillBeSent" | "Network.webSocketCreated");
    let params = event.get("params")?;
    let url = params.pointer("/request/url").or_else(|| params.get("url"))?.as_str()?;
    is_request.then(|| url.to_owned())
}
