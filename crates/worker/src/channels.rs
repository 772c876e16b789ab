//! Sends alerts that wait for channels. Each channel is leased, so that one node sends to it.

use futures_util::future::join_all;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use tua_domain::{
    alert_channel::{ChannelOutcome, LeasedChannel},
    ports::{Clock, StoreError},
};
use tua_mail::channel;
use tua_use_cases::{ChannelClient, ChannelQueue};

/// The interval between two searches for channels that are due.
const POLL_INTERVAL: Duration = Duration::from_secs(3);

/// The number of channels that are sent to at the same time.
const MAX_CONCURRENT_SENDS: u32 = 16;

/// Sends the alerts that wait for channels.
#[derive(Debug)]
pub struct ChannelWorker {
    /// Leases channels, and records what came of their messages.
    pub queue: ChannelQueue,
    /// Sends one message.
    pub client: ChannelClient,
    /// Decides what is due.
    pub clock: Arc<dyn Clock>,
    /// The origin of links to the dashboard.
    pub dashboard_url: String,
    /// Ends the worker, between two rounds.
    pub stopping: CancellationToken,
}

impl ChannelWorker {
    /// Sends what is due until the service stops.
    pub async fn run(self) {
        while !self.stopping.is_cancelled() {
            let looked_at = self.clock.uptime();
            if let Err(error) = self.round().await {
                error!(%error, "alerts for channels could not be read; trying again");
            }
            tokio::select! {
                () = self.clock.sleep_until_uptime(looked_at + POLL_INTERVAL) => {}
                () = self.stopping.cancelled() => return,
            }
        }
    }

    async fn round(&self) -> Result<(), StoreError> {
        let leased = self.queue.lease(self.clock.now(), MAX_CONCURRENT_SENDS).await?;
        join_all(leased.iter().map(|one| self.deliver(one))).await;
        Ok(())
    }

    async fn deliver(&self, leased: &LeasedChannel) {
        let outcome = match self.queue.read(leased).await {
            // Their alerts are past their retention time.
            Ok(content) if content.alerts.is_empty() => ChannelOutcome::Accepted,
            Ok(content) => {
                let message = channel::message(leased, &content, &self.dashboard_url);
                self.client.send(&leased.channel, &message).await
            }
            Err(error) => {
                error!(channel = %leased.channel.id, %error, "alerts could not be read; they are \
                    sent later");
                return;
            }
        };
        log(leased, &outcome);
        if let Err(error) = self.queue.record(leased, outcome, self.clock.now()).await {
            error!(channel = %leased.channel.id, %error, "the result of a message to a channel \
                could not be stored; it is sent again");
        }
    }
}

fn log(leased: &LeasedChannel, outcome: &ChannelOutcome) {
    let channel = &leased.channel;
    let service = channel.service.as_str();
    match outcome {
        ChannelOutcome::Accepted => info!(channel = %channel.id, service, "alerts sent"),
        ChannelOutcome::Failed(why) => {
            warn!(channel = %channel.id, service, why, "alerts not taken; they are sent again")
        }
    }
}
