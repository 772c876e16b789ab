//! The ports for alert channels: their store, and the client that sends to them.

use super::StoreError;
use crate::{
    ChannelId, Mode, Scope,
    alert_channel::{
        AlertChannel, ChannelDueTimes, ChannelMessage, ChannelOutcome, ChannelTarget,
        LeasedChannel, MessageAlerts,
    },
    audit::AuditContext,
    mail::AlertTopic,
    people::Role,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::fmt::Debug;

/// The alert channels in the store. Alerts for a channel are inserted in the database transaction
/// of what they report.
#[async_trait]
pub trait AlertChannels: Debug + Send + Sync + 'static {
    /// The channels of an account and mode, oldest first.
    async fn alert_channels(&self, scope: &Scope) -> Result<Vec<AlertChannel>, StoreError>;
    /// Inserts a channel, which is audited. `false` if the account has
    /// [`MAX_CHANNELS`](crate::alert_channel::MAX_CHANNELS) in this mode already.
    async fn add_alert_channel(
        &self,
        channel: AlertChannel,
        by: &AuditContext,
    ) -> Result<bool, StoreError>;
    /// Stores which topics a channel receives, which is audited: of those that are open to this
    /// role these, and of the others those that it receives already. Nothing happens if there is no
    /// such channel.
    async fn set_channel_topics(
        &self,
        scope: &Scope,
        id: &ChannelId,
        role: Role,
        topics: &[AlertTopic],
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Deletes a channel with its secrets and its waiting alerts, which is audited. Nothing happens
    /// if there is no such channel.
    async fn remove_alert_channel(
        &self,
        scope: &Scope,
        id: &ChannelId,
        by: &AuditContext,
    ) -> Result<(), StoreError>;
    /// Stores that a test begins. `false` if the last one began later than `tested_until`, or there
    /// is no such channel.
    async fn begin_channel_test(
        &self,
        id: &ChannelId,
        tested_until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
    /// Stores the result of a test.
    async fn record_channel_test(
        &self,
        id: &ChannelId,
        outcome: ChannelOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
    /// Leases channels with alerts that are due, at most `limit`, and marks these alerts with the
    /// id of the message that is to have them.
    async fn lease_channels(
        &self,
        due: ChannelDueTimes,
        limit: u32,
    ) -> Result<Vec<LeasedChannel>, StoreError>;
    /// The most urgent alerts of a message, at most `limit`, and how many there are in all.
    async fn channel_alerts(
        &self,
        leased: &LeasedChannel,
        limit: u32,
    ) -> Result<MessageAlerts, StoreError>;
    /// Stores the result of a message. Its alerts are deleted if it was accepted. Otherwise they
    /// wait for the next one, and those that are too old are given up.
    async fn record_channel_message(
        &self,
        leased: &LeasedChannel,
        outcome: ChannelOutcome,
        now: Timestamp,
    ) -> Result<(), StoreError>;
}

/// Sends messages to channels over HTTP.
#[async_trait]
pub trait ChannelSender: Debug + Send + Sync + 'static {
    /// Sends a message once, by the rules for addresses of this mode. The reason of a failure has
    /// nothing of the address.
    async fn send(
        &self,
        target: &ChannelTarget,
        mode: Mode,
        message: &ChannelMessage,
        now: Timestamp,
    ) -> ChannelOutcome;
}
