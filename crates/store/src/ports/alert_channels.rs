//! The [`AlertChannels`] port.

use super::both_engines;
use crate::in_doubt::InDoubt;
use jiff::Timestamp;
use tua_domain::{
    ChannelId, Scope,
    alert_channel::{AlertChannel, ChannelDueTimes, ChannelOutcome, LeasedChannel, MessageAlerts},
    audit::AuditContext,
    mail::AlertTopic,
    people::Role,
    ports::{AlertChannels, StoreError},
};
use tua_sql::queries::{alert_channels, alert_deliveries};

both_engines! {
    impl AlertChannels {
        async fn alert_channels(&self, scope: &Scope) -> Result<Vec<AlertChannel>, StoreError> {
            self.read(scope.clone(), async |db, scope| alert_channels::list(db, scope).await).await
        }

        async fn add_alert_channel(
            &self,
            channel: AlertChannel,
            by: &AuditContext,
        ) -> Result<bool, StoreError> {
            let input = (channel, by.clone());
            self.write(InDoubt::Surface, input, async |db, (channel, by)| {
                alert_channels::add(db, channel, by).await
            })
            .await
        }

        async fn set_channel_topics(
            &self,
            scope: &Scope,
            id: &ChannelId,
            role: Role,
            topics: &[AlertTopic],
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (scope.clone(), id.clone(), role, topics.to_vec(), by.clone());
            self.write(InDoubt::Retry, input, async |db, (scope, id, role, topics, by)| {
                alert_channels::set_topics(db, scope, id, *role, topics, by).await
            })
            .await
        }

        async fn remove_alert_channel(
            &self,
            scope: &Scope,
            id: &ChannelId,
            by: &AuditContext,
        ) -> Result<(), StoreError> {
            let input = (scope.clone(), id.clone(), by.clone());
            self.write(InDoubt::Retry, input, async |db, (scope, id, by)| {
                alert_channels::remove(db, scope, id, by).await
            })
            .await
        }

        async fn begin_channel_test(
            &self,
            id: &ChannelId,
            tested_until: Timestamp,
            now: Timestamp,
        ) -> Result<bool, StoreError> {
            self.write(InDoubt::Surface, id.clone(), async move |db, id| {
                alert_channels::begin_test(db, id, tested_until, now).await
            })
            .await
        }

        async fn record_channel_test(
            &self,
            id: &ChannelId,
            outcome: ChannelOutcome,
            now: Timestamp,
        ) -> Result<(), StoreError> {
            let input = (id.clone(), outcome);
            self.write(InDoubt::Retry, input, async move |db, (id, outcome)| {
                alert_channels::record_test(db, id, outcome, now).await
            })
            .await
        }

        async fn lease_channels(
            &self,
            due: ChannelDueTimes,
            limit: u32,
        ) -> Result<Vec<LeasedChannel>, StoreError> {
            // Usually nothing is due; then a read suffices.
            let is_any_due =
                self.read(due, async |db, due| alert_deliveries::is_any_due(db, *due).await);
            if !is_any_due.await? {
                return Ok(Vec::new());
            }
            self.write(InDoubt::Retry, due, async move |db, due| {
                alert_deliveries::lease(db, *due, limit).await
            })
            .await
        }

        async fn channel_alerts(
            &self,
            leased: &LeasedChannel,
            limit: u32,
        ) -> Result<MessageAlerts, StoreError> {
            self.read(leased.clone(), async move |db, leased| {
                alert_deliveries::alerts_of_message(db, leased, limit).await
            })
            .await
        }

        async fn record_channel_message(
            &self,
            leased: &LeasedChannel,
            outcome: ChannelOutcome,
            now: Timestamp,
        ) -> Result<(), StoreError> {
            let input = (leased.clone(), outcome);
            self.write(InDoubt::Retry, input, async move |db, (leased, outcome)| {
                alert_deliveries::record(db, leased, outcome, now).await
            })
            .await
        }
    }
}
