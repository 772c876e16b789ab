//! A channel, and when it is sent to.

use super::ChannelService;
use crate::{
    ChannelId, Scope,
    encrypted_secret::EncryptedSecret,
    language::LanguageTag,
    mail::{Alert, AlertTopic},
};
use jiff::{SignedDuration, Timestamp};

/// The largest number of channels of an account in one mode.
pub const MAX_CHANNELS: u32 = 5;

/// The time between two messages to a channel: chats limit how many they take. Later alerts are
/// collected until then.
const MESSAGE_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// The delay after the first failed attempt. It doubles with each further one.
const FIRST_DELAY: SignedDuration = SignedDuration::from_secs(30);

/// The longest delay between two attempts.
const MAX_DELAY: SignedDuration = SignedDuration::from_hours(1);

/// How long an alert is attempted. After that it is given up.
const RETRY_PERIOD: SignedDuration = SignedDuration::from_hours(24);

/// A chat or a server to which alerts are sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AlertChannel {
    /// `alc_…`, minted when the channel is added.
    pub id: ChannelId,
    /// The account and mode whose alerts it gets.
    pub scope: Scope,
    /// How it is sent to.
    pub service: ChannelService,
    /// The [`ChannelTarget`](super::ChannelTarget), encrypted with the server key.
    pub target: EncryptedSecret,
    /// What people recognise it by ([`ChannelTarget::shown`](super::ChannelTarget::shown)).
    pub shown: String,
    /// The language of its messages.
    pub language: LanguageTag,
    /// The topics of the alerts that it receives.
    pub topics: Vec<AlertTopic>,
    /// When it was added.
    pub created_at: Timestamp,
    /// Nothing is sent before this time; `None` if it may be sent to at once.
    pub next_at: Option<Timestamp>,
    /// The number of failed attempts since the last success.
    pub attempts: u32,
    /// The last attempt, also of a test.
    pub last: Option<ChannelAttempt>,
    /// The number of alerts that were given up since the last success.
    pub given_up: u32,
}

/// The result of an attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChannelAttempt {
    /// When the attempt was over.
    pub at: Timestamp,
    /// Why it failed, without the address; `None` after a success.
    pub fault: Option<String>,
}

/// The outcome of an attempt to send a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChannelOutcome {
    /// The server accepted the message.
    Accepted,
    /// The server did not accept it, for this reason, which contains no part of the address.
    Failed(String),
    /// The message has no alert any more, and was not sent.
    NothingToSend,
}

/// A channel with alerts that are due. Until the lease ends no other worker gets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeasedChannel {
    /// The channel, as it was before the lease.
    pub channel: AlertChannel,
    /// The id of the message, which the leased alerts have.
    pub message_id: String,
    /// When the lease ends.
    pub leased_until: Timestamp,
}

/// The times that decide which channels are due.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelDueTimes {
    /// Now: channels that wait longer are not due.
    pub now: Timestamp,
    /// Alerts until this time have been collected.
    pub occurred_until: Timestamp,
    /// When the lease ends.
    pub leased_until: Timestamp,
}

/// The alerts of a message.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MessageAlerts {
    /// The most urgent ones, in this order.
    pub alerts: Vec<Alert>,
    /// How many there are in all.
    pub count: u32,
}

impl AlertChannel {
    /// Records an attempt at a message, and when the next one may begin.
    pub fn record(&mut self, outcome: &ChannelOutcome, now: Timestamp) {
        match outcome {
            ChannelOutcome::Accepted => {
                self.attempts = 0;
                self.given_up = 0;
                self.next_at = Some(now + MESSAGE_INTERVAL);
            }
            ChannelOutcome::Failed(_) => {
                self.attempts = self.attempts.saturating_add(1);
                self.next_at = Some(now + retry_delay(self.attempts));
            }
            ChannelOutcome::NothingToSend => {}
        }
        self.record_result(outcome, now);
    }

    /// Records a test. After an accepted one the alerts that wait are sent at once, unless a lease
    /// may be running, which ends within the first delay of a retry.
    pub fn record_test(&mut self, outcome: &ChannelOutcome, now: Timestamp) {
        let is_delayed = self.next_at.is_some_and(|next| next > now + FIRST_DELAY);
        if *outcome == ChannelOutcome::Accepted && self.attempts > 0 && is_delayed {
            self.next_at = None;
        }
        self.record_result(outcome, now);
    }

    fn record_result(&mut self, outcome: &ChannelOutcome, now: Timestamp) {
        let fault = match outcome {
            ChannelOutcome::Accepted => None,
            ChannelOutcome::Failed(fault) => Some(fault.clone()),
            ChannelOutcome::NothingToSend => return,
        };
        self.last = Some(ChannelAttempt { at: now, fault });
    }

    /// Alerts until this time are given up after a failed attempt.
    #[must_use]
    pub fn given_up_until(now: Timestamp) -> Timestamp {
        now - RETRY_PERIOD
    }
}

/// The delay after so many failed attempts.
fn retry_delay(attempts: u32) -> SignedDuration {
    let doublings = attempts.saturating_sub(1).min(10);
    (FIRST_DELAY * 2_i32.pow(doublings)).min(MAX_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AccountId, Mode};

    fn channel() -> AlertChannel {
        AlertChannel {
            id: ChannelId::mint(),
            scope: Scope { account: AccountId::mint(), mode: Mode::Live },
            service: ChannelService::Slack,
            target: EncryptedSecret::from_bytes(Vec::new()),
            shown: String::new(),
            language: LanguageTag::parse("en").unwrap(),
            topics: Vec::new(),
            created_at: Timestamp::UNIX_EPOCH,
            next_at: None,
            attempts: 0,
            last: None,
            given_up: 0,
        }
    }

    #[test]
    fn a_channel_that_fails_is_tried_less_and_less_often_but_each_hour() {
        let mut channel = channel();
        let mut now = Timestamp::UNIX_EPOCH;
        let mut delays = Vec::new();
        for _ in 0..40 {
            channel.record(&ChannelOutcome::Failed("it responded with 500".to_owned()), now);
            let next = channel.next_at.unwrap();
            delays.push(next.duration_since(now).as_secs());
            now = next;
        }
        assert_eq!(delays[..8], [30, 60, 120, 240, 480, 960, 1920, 3600]);
        assert!(delays[8..].iter().all(|delay| *delay == 3600));
    }

    #[test]
    fn an_accepted_test_ends_a_long_delay_but_no_lease() {
        let mut channel = channel();
        let now = Timestamp::UNIX_EPOCH;
        for (delay, ends) in [(3600, true), (31, true), (30, false), (1, false)] {
            channel.attempts = 9;
            channel.next_at = Some(now + SignedDuration::from_secs(delay));
            channel.record_test(&ChannelOutcome::Failed("no response".to_owned()), now);
            assert!(channel.next_at.is_some());
            channel.record_test(&ChannelOutcome::Accepted, now);
            assert_eq!(channel.next_at.is_none(), ends, "{delay}");
            assert_eq!(channel.attempts, 9, "a test delivers no alert");
        }
    }

    #[test]
    fn a_message_without_alerts_is_no_success() {
        let mut channel = channel();
        let now = Timestamp::UNIX_EPOCH;
        channel.record(&ChannelOutcome::Failed("no response".to_owned()), now);
        let before = channel.clone();
        channel.record(&ChannelOutcome::NothingToSend, now + SignedDuration::from_secs(30));
        assert_eq!(channel, before);
    }

    #[test]
    fn a_success_ends_the_delays_and_leaves_a_minute_between_messages() {
        let mut channel = channel();
        let now = Timestamp::UNIX_EPOCH;
        channel.record(&ChannelOutcome::Failed("no response".to_owned()), now);
        channel.given_up = 3;
        channel.record(&ChannelOutcome::Accepted, now);
        assert_eq!((channel.attempts, channel.given_up), (0, 0));
        assert_eq!(channel.next_at, Some(now + SignedDuration::from_mins(1)));
        assert_eq!(channel.last, Some(ChannelAttempt { at: now, fault: None }));
    }
}
