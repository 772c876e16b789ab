//! Alert channels: the chats and servers to which alerts of an account and mode are sent, besides
//! e-mail (docs/reference/alerts.md).

mod channel;
mod message;
mod target;

pub use channel::{
    AlertChannel, ChannelAttempt, ChannelDueTimes, ChannelOutcome, LeasedChannel, MAX_CHANNELS,
    MessageAlerts,
};
pub use message::{ChannelAlert, ChannelMessage, MessageKind};
pub use target::{ChannelService, ChannelTarget, TargetFault};
