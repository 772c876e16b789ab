//! Alert channels.

use crate::columns::{self as read, Columns, maybe_text, maybe_time, number, text, time, word};
use tua_domain::{
    ChannelId,
    alert_channel::{AlertChannel, ChannelAttempt, ChannelService},
    encrypted_secret::EncryptedSecret,
    language::LanguageTag,
    mail::AlertTopic,
};

/// The columns of a channel, as [`channel`] reads them.
macro_rules! channel_columns {
    () => {
        "id, account_id, mode, service, target, shown, language, topics, created_at, next_at, \
         attempts, attempted_at, fault, given_up"
    };
}
pub(crate) use channel_columns;

pub(crate) fn channel<R: Columns>(row: &R) -> Result<AlertChannel, R::Error> {
    let fault = maybe_text(row, "fault")?;
    let last = maybe_time(row, "attempted_at")?.map(|at| ChannelAttempt { at, fault });
    let topics = text(row, "topics")?;
    let target = row.maybe_bytes("target")?.unwrap_or_default().to_vec();
    Ok(AlertChannel {
        id: ChannelId::new(text(row, "id")?),
        scope: read::scope(row)?,
        service: word(row, "service", ChannelService::parse)?,
        target: EncryptedSecret::from_bytes(target),
        shown: text(row, "shown")?,
        language: word(row, "language", LanguageTag::parse)?,
        topics: topics.split(' ').filter_map(AlertTopic::parse).collect(),
        created_at: time(row, "created_at")?,
        next_at: maybe_time(row, "next_at")?,
        attempts: number(row, "attempts")?,
        last,
        given_up: number(row, "given_up")?,
    })
}
