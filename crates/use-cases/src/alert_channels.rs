//! Manages the alert channels of an account, and reads and sends what waits for them.

use super::mail_contents::{AlertDetails, AlertSubjects};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use tua_domain::{
    ChannelId, MailId, Scope,
    alert_channel::{
        AlertChannel, ChannelDueTimes, ChannelMessage, ChannelOutcome, ChannelTarget, LeasedChannel,
    },
    audit::AuditContext,
    key_ring::KeyRing,
    language::LanguageTag,
    mail::{AlertTopic, GATHERED_FOR},
    people::Role,
    ports::{self, ChannelSender, Clock, StoreError},
};

/// The timeout of one message, from the DNS look-up to the end of the response.
const SEND_TIMEOUT: SignedDuration = SignedDuration::from_secs(15);

/// The time between the beginnings of two tests of a channel: the page sends them at once, so they
/// must not be a means to send any number of requests.
const TEST_INTERVAL: SignedDuration = SEND_TIMEOUT;

/// How long a channel is leased; longer than [`SEND_TIMEOUT`].
const LEASE_DURATION: SignedDuration = SignedDuration::from_secs(30);

/// The number of alerts that one message describes; of the others it has the number. Telegram takes
/// 4096 characters.
const MAX_ALERTS_IN_CHANNEL_MESSAGE: u32 = 5;

/// Sends messages to channels within a limit of time.
#[derive(Clone, Debug)]
pub struct ChannelClient {
    /// Sends one message over HTTP.
    pub sender: Arc<dyn ChannelSender>,
    /// Decrypts the targets of channels.
    pub keys: KeyRing,
    /// Measures how long a chat may take to respond.
    pub clock: Arc<dyn Clock>,
}

/// Adds, changes, tests and removes the alert channels of accounts.
#[derive(Clone, Debug)]
pub struct AlertChannels {
    /// Where channels are stored.
    pub store: Arc<dyn ports::AlertChannels>,
    /// Sends tests, and encrypts targets.
    pub client: ChannelClient,
}

/// What came of the wish to send a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestResult {
    /// It was sent, and its outcome is stored.
    Sent,
    /// The last one began less than 15 seconds before, so nothing was sent.
    TooSoon,
}

/// Alerts that wait for channels.
#[derive(Clone, Debug)]
pub struct ChannelQueue {
    /// The store in which alerts wait.
    pub store: Arc<dyn ports::AlertChannels>,
    /// Reads what alerts are about.
    pub subjects: AlertSubjects,
    /// Has the names of accounts.
    pub accounts: Arc<dyn ports::Accounts>,
}

/// What a message to a channel is about.
#[derive(Clone, Debug)]
pub struct ChannelContent {
    /// The name of the account.
    pub account: String,
    /// The most urgent alerts, in this order.
    pub alerts: Vec<AlertDetails>,
    /// How many there are in all.
    pub count: u32,
}

/// A channel to be added.
#[derive(Clone, Debug)]
pub struct NewChannel {
    /// Where its messages go.
    pub target: ChannelTarget,
    /// The language of its messages.
    pub language: LanguageTag,
    /// The topics of the alerts that it receives.
    pub topics: Vec<AlertTopic>,
}

impl ChannelClient {
    /// Sends a message once.
    pub async fn send(&self, channel: &AlertChannel, message: &ChannelMessage) -> ChannelOutcome {
        let Some(target) = ChannelTarget::decrypt(&channel.target, &self.keys) else {
            let fault = "its address was encrypted with another server key; add it again";
            return ChannelOutcome::Failed(fault.to_owned());
        };
        let now = self.clock.now();
        tokio::select! {
            outcome = self.sender.send(&target, channel.scope.mode, message, now) => outcome,
            () = self.clock.sleep_until(now + SEND_TIMEOUT) => {
                ChannelOutcome::Failed("it did not answer within 15 seconds".to_owned())
            }
        }
    }
}

impl AlertChannels {
    /// The channels of an account and mode, oldest first.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self, scope: &Scope) -> Result<Vec<AlertChannel>, StoreError> {
        self.store.alert_channels(scope).await
    }

    /// A channel of this account and mode.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        scope: &Scope,
        id: &ChannelId,
    ) -> Result<Option<AlertChannel>, StoreError> {
        Ok(self.list(scope).await?.into_iter().find(|one| one.id == *id))
    }

    /// Adds a channel, which is audited. `false` if there are as many as there may be.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn add(
        &self,
        scope: &Scope,
        new: NewChannel,
        by: &AuditContext,
    ) -> Result<bool, StoreError> {
        let channel = AlertChannel {
            id: ChannelId::mint(),
            scope: scope.clone(),
            service: new.target.service(),
            target: new.target.encrypt(&self.client.keys.current()),
            shown: new.target.shown(),
            language: new.language,
            topics: new.topics,
            created_at: by.at,
            next_at: None,
            attempts: 0,
            last: None,
            given_up: 0,
        };
        self.store.add_alert_channel(channel, by).await
    }

    /// Changes which topics a channel receives, which is audited. Topics that are not open to this
    /// role stay as they are. Nothing happens if there is no such channel.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn set_topics(
        &self,
        scope: &Scope,
        id: &ChannelId,
        role: Role,
        topics: &[AlertTopic],
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        self.store.set_channel_topics(scope, id, role, topics, by).await
    }

    /// Removes a channel with what waits for it, which is audited. Nothing happens if there is no
    /// such channel.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove(
        &self,
        scope: &Scope,
        id: &ChannelId,
        by: &AuditContext,
    ) -> Result<(), StoreError> {
        self.store.remove_alert_channel(scope, id, by).await
    }

    /// Sends a test with this text, and stores what came of it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn test(
        &self,
        channel: &AlertChannel,
        text: String,
    ) -> Result<TestResult, StoreError> {
        let now = self.client.clock.now();
        if !self.store.begin_channel_test(&channel.id, now - TEST_INTERVAL, now).await? {
            return Ok(TestResult::TooSoon);
        }
        let message = ChannelMessage::test(MailId::mint().as_str().to_owned(), text);
        let outcome = self.client.send(channel, &message).await;
        self.store.record_channel_test(&channel.id, outcome, self.client.clock.now()).await?;
        Ok(TestResult::Sent)
    }
}

impl ChannelQueue {
    /// Leases channels with alerts that are due, at most `limit`.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn lease(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<LeasedChannel>, StoreError> {
        let due = ChannelDueTimes {
            now,
            occurred_until: now - GATHERED_FOR,
            leased_until: now + LEASE_DURATION,
        };
        self.store.lease_channels(due, limit).await
    }

    /// What the message to a leased channel is about.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn read(&self, leased: &LeasedChannel) -> Result<ChannelContent, StoreError> {
        let waiting = self.store.channel_alerts(leased, MAX_ALERTS_IN_CHANNEL_MESSAGE).await?;
        let mut alerts = Vec::new();
        for alert in waiting.alerts {
            alerts.push(self.subjects.details(alert).await?);
        }
        let account = self.accounts.account(&leased.channel.scope.account).await?;
        let account = account.map(|account| account.name).unwrap_or_default();
        Ok(ChannelContent { account, alerts, count: waiting.count })
    }

    /// Stores what came of a message.
    ///
    /// # Errors
    /// Those of the store. The message is sent again then.
    pub async fn record(
        &self,
        leased: &LeasedChannel,
        outcome: ChannelOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.store.record_channel_message(leased, outcome, now).await
    }
}
