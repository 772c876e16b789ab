//! Alert channels: the chats and servers to which alerts of an account and mode are sent, besides
//! e-mail (docs/reference/alerts.md).

mod channel;
mod message;
mod target;

pub use channel::{
    AlertChannel, ChannelAttempt, ChannelOutcome, DueChannel, LeasedChannel, MAX_CHANNELS,
    WaitingAlerts,
};
pub use message::{ChannelAlert, ChannelMessage, MessageKind};
pub use target::{ChannelService, ChannelTarget, TargetFault};
