//! `tua emulate` as the operators of a service.

use crate::{client::Client, service::Shop};
use anyhow::{Context, Result, ensure};
use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use serde_json::Value;
use std::{
    process::{Child, Stdio},
    time::{Duration, Instant},
};
use tua_emulator::{MtnCredentials, MtnProductCredentials};
use tua_reserved_port::ReservedPort;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// An emulator at an address of its own. Dropping it stops it.
#[derive(Debug)]
pub struct Emulator {
    port: ReservedPort,
    process: Option<Child>,
}

impl Emulator {
    /// An emulator that is not started yet.
    pub fn new() -> Result<Self> {
        Ok(Self { port: ReservedPort::new()?, process: None })
    }

    /// The settings of the operators that it emulates, without routes.
    pub fn settings(&self, shop: &Shop) -> Result<String> {
        let printed = shop
            .command()
            .args(["emulate", "--print-config", "--listen", &self.port.address().to_string()])
            .output()?;
        let printed = String::from_utf8(printed.stdout)?;
        let (operators, _) = printed.split_once("[routes.live]").context("settings with routes")?;
        Ok(operators.to_owned())
    }

    /// Starts it with these faults, in place of the one that runs. Its orders are lost.
    pub async fn start(&mut self, shop: &Shop, faults: &[&str]) -> Result<()> {
        self.stop();
        let mut command = shop.command();
        command.args(["emulate", "--listen", &self.port.address().to_string()]);
        // These two take the address in their dashboards.
        for name in ["paystack", "pawapay"] {
            command.args(["--callback", &format!("{name}={}", shop.callback_url(name)?)]);
        }
        for fault in faults {
            command.args(["--chaos", fault]);
        }
        self.process = Some(command.stdout(Stdio::null()).spawn()?);
        let began = Instant::now();
        let mut client = self.client();
        while client.get("/orders", &[]).await.is_err() {
            ensure!(began.elapsed() < START_TIMEOUT, "the emulator is not ready");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    /// A client of the emulator without a credential.
    pub fn client(&self) -> Client {
        Client::new(self.port.address(), String::new())
    }

    /// How many requests this route has received.
    pub async fn requests_of(&self, route: &str) -> Result<u64> {
        let requests = self.client().get("/requests", &[]).await?.json()?;
        Ok(requests[route].as_u64().unwrap_or(0))
    }

    /// The headers of a request to MTN's product for charges, with a new token.
    pub async fn mtn_token(&self) -> Result<Vec<(&'static str, String)>> {
        let MtnProductCredentials { user, key, subscription_key } =
            MtnCredentials::default().collection;
        let basic = format!("Basic {}", BASE64.encode(format!("{user}:{key}")));
        let mut headers = vec![
            ("ocp-apim-subscription-key", subscription_key),
            ("x-target-environment", "mtnghana".to_owned()),
        ];
        let of_request = [
            ("authorization", basic.as_str()),
            ("ocp-apim-subscription-key", headers[0].1.as_str()),
        ];
        let response =
            self.client().post_with("/mtn-momo/collection/token/", &of_request, "").await?;
        headers.push(("authorization", format!("Bearer {}", response.text("access_token")?)));
        Ok(headers)
    }

    /// The number of orders that it has accepted.
    pub async fn orders(&self) -> Result<usize> {
        let orders = self.client().get("/orders", &[]).await?.json()?;
        orders
            .as_array()
            .map(Vec::len)
            .with_context(|| format!("no array: {}", Value::to_string(&orders)))
    }

    fn stop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        self.stop();
    }
}
