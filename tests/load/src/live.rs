//! A service that takes live payments, with `tua emulate` as its operators.

use crate::{
    client::Client,
    durations::Durations,
    emulator::Emulator,
    pace::at_rate,
    service::{Service, Shop},
};
use anyhow::{Result, bail};
use hyper::StatusCode;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// The time after which the emulated operators respond.
pub const OPERATOR_LATENCY: Duration = Duration::from_millis(300);

/// Connections for each charge a second: a charge may wait two seconds for its operator.
const CONNECTIONS_PER_RATE: u64 = 3;

/// Lifts the limits that `--limits off` would lift, which is refused while a live key exists.
const LIMITS: &str = "[limits]
secret-key = { quota = 1000000, window = 1 }
address = { quota = 1000000, window = 1 }
prompt-live = { quota = 1000000, window = 1 }
prompt-daily = { quota = 1000000, window = 1 }
";

/// A service with an emulator of its operators.
pub struct Live {
    pub shop: Shop,
    pub service: Service,
    pub emulator: Emulator,
}

impl Live {
    /// Live payments take these routes.
    pub async fn start(tua: &Path, routes: &str) -> Result<Self> {
        Self::start_with(tua, routes, &[&latency("all")]).await
    }

    /// As [`Self::start`], with operators that respond at once.
    pub async fn start_without_latency(tua: &Path, routes: &str) -> Result<Self> {
        Self::start_with(tua, routes, &[]).await
    }

    async fn start_with(tua: &Path, routes: &str, faults: &[&str]) -> Result<Self> {
        Self::of(Shop::open(tua)?, routes, faults).await
    }

    /// Live payments of this shop, with faults of the operators.
    pub async fn of(shop: Shop, routes: &str, faults: &[&str]) -> Result<Self> {
        let mut emulator = Emulator::new()?;
        let settings = format!("{LIMITS}{}[routes.live]\n{routes}", emulator.settings(&shop)?);
        let shop = shop.live(&settings)?;
        emulator.start(&shop, faults).await?;
        let service = shop.serve().await?;
        Ok(Self { shop, service, emulator })
    }

    /// The service after a stop and a new start. The operators go on meanwhile.
    pub async fn restarted(self) -> Result<Self> {
        self.service.stop().await?;
        let service = self.shop.serve().await?;
        Ok(Self { service, ..self })
    }

    /// Charges on a network at this rate. Returns how long each accepted charge took, and how many
    /// were refused.
    pub async fn charge(
        &self,
        network: &'static str,
        rate: u64,
        lasting: Duration,
    ) -> Result<(Durations, usize)> {
        let clients = (0..rate * CONNECTIONS_PER_RATE).map(|_| self.shop.client()).collect();
        let charge = move |mut client: Client, number, since: Instant| async move {
            let response = client.post("/v1/charge", body(network, number)).await?;
            let took = since.elapsed();
            match response.status {
                StatusCode::ACCEPTED => Ok((client, Some(took))),
                StatusCode::SERVICE_UNAVAILABLE => Ok((client, None)),
                other => bail!("a charge was answered {other}: {}", response.json()?),
            }
        };
        let outcomes = at_rate(clients, rate, lasting, charge).await?;
        let mut accepted = Durations::default();
        let sent = outcomes.len();
        outcomes.into_iter().flatten().for_each(|took| accepted.add(took));
        let refused = sent - accepted.len();
        Ok((accepted, refused))
    }
}

/// A charge of a phone of its own, whose number the emulator lets pay.
fn body(network: &str, number: u64) -> String {
    let phone = format!("024{:03}{}", number / 9_000 % 1_000, 1_000 + number % 9_000);
    format!(r#"{{"amount":10.5,"phoneNumber":"{phone}","network":"{network}"}}"#)
}

/// The fault of sends to an operator, or to `all`: they are slow.
pub fn latency(operator: &str) -> String {
    format!("{operator}/send=latency:{}ms", OPERATOR_LATENCY.as_millis())
}
