//! Sends alerts that wait for channels. Each channel is leased, so that one node sends to it.

use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{error, info, warn};
use tua_domain::{
    alert_channel::{ChannelOutcome, LeasedChannel},
    ports::{Clock, StoreError},
};
use tua_mail::channel;
use tua_use_cases::{ChannelClient, ChannelQueue};

/// The interval between two searches for channels that are due. It is no multiple of a second, the
/// interval of other workers, so that they do not always read the database at the same moment.
const POLL_INTERVAL: Duration = Duration::from_millis(3500);

/// The number of channels that are leased at once.
const MAX_LEASED: u32 = 16;

/// The number of channels that are sent to at the same time. One that does not respond holds its
/// slot for 15 seconds, and delays no other while there are free slots.
pub const MAX_CONCURRENT_SENDS: usize = 256;

/// Sends the alerts that wait for channels.
#[derive(Debug)]
pub struct ChannelWorker {
    /// Leases channels, and records what came of their messages.
    pub queue: ChannelQueue,
    /// Sends one message to a chat.
    pub client: ChannelClient,
    /// Decides what is due.
    pub clock: Arc<dyn Clock>,
    /// The origin of links to the dashboard.
    pub dashboard_url: String,
    /// Has a permit for each message that may be under way.
    pub slots: Arc<Semaphore>,
    /// Tracks the messages under way, which a stop waits for.
    pub tasks: TaskTracker,
    /// Ends the worker, between two rounds.
    pub stopping: CancellationToken,
}

impl ChannelWorker {
    /// Sends what is due until the service stops.
    pub async fn run(self: Arc<Self>) {
        while !self.stopping.is_cancelled() {
            let polled_at = self.clock.uptime();
            if let Err(error) = self.round().await {
                error!(%error, "alerts for channels could not be read; trying again");
            }
            tokio::select! {
                () = self.clock.sleep_until_uptime(polled_at + POLL_INTERVAL) => {}
                () = self.stopping.cancelled() => return,
            }
        }
    }

    /// Starts to send to the channels that are due and have a free slot.
    async fn round(self: &Arc<Self>) -> Result<(), StoreError> {
        loop {
            let free = u32::try_from(self.slots.available_permits()).unwrap_or(MAX_LEASED);
            let limit = free.min(MAX_LEASED);
            if limit == 0 {
                return Ok(());
            }
            let leased = self.queue.lease(self.clock.now(), limit).await?;
            let is_last = leased.len() < limit as usize;
            for one in leased {
                let worker = self.clone();
                let slot = self.slots.clone().acquire_owned().await;
                self.tasks.spawn(async move {
                    worker.deliver(&one).await;
                    drop(slot);
                });
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn deliver(&self, leased: &LeasedChannel) {
        let outcome = match self.queue.read(leased).await {
            // Their alerts are past their retention time.
            Ok(content) if content.alerts.is_empty() => ChannelOutcome::NothingToSend,
            Ok(content) => {
                let message = channel::message(leased, &content, &self.dashboard_url);
                self.client.send(&leased.channel, &message).await
            }
            Err(error) => {
                error!(channel = %leased.channel.id, %error, "alerts could not be read; they are \
                    tried again");
                ChannelOutcome::Failed("its alerts could not be read from our database".to_owned())
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
        ChannelOutcome::NothingToSend => {}
        ChannelOutcome::Failed(why) => {
            warn!(channel = %channel.id, service, why, "alerts not taken; they are sent again")
        }
    }
}
