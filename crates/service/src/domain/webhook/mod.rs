//! Which events merchants are sent, to which endpoints, and how deliveries are retried (`docs/reference/webhooks.md`).
//!
//! | module | does |
//! |---|---|
//! | [`event_type`] | the event types, and which of them follow from what happens to a transaction |
//! | [`endpoint`] | a merchant's endpoint and its secrets |
//! | [`delivery`] | one event for one endpoint: its attempts and its retry schedule |
//! | [`notice`] | which events follow from what happens |
//! | [`sealed`] | secrets encrypted with the server key |

pub mod delivery;
pub mod endpoint;
pub mod event_type;
pub mod notice;
pub mod sealed;

pub use delivery::{Attempted, Delivery};
pub use endpoint::Endpoint;
pub use event_type::EventType;
