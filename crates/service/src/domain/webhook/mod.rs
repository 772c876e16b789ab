//! Which events merchants are sent, to which endpoints, and how deliveries are retried (`docs/reference/webhooks.md`).
//!
//! | module | does |
//! |---|---|
//! | [`event_type`] | the event types, and which of them follow from what happens to a transaction |
//! | [`endpoint`] | a merchant's endpoint and its secrets |
//! | [`delivery`] | one event for one endpoint: its attempts and its retry schedule |
//! | [`notice`] | which events follow from what happens |
//! | [`encrypted_secret`] | secrets encrypted with the server key |

pub mod delivery;
pub mod encrypted_secret;
pub mod endpoint;
pub mod event_type;
pub mod notice;

pub use delivery::{Delivery, DeliveryOutcome};
pub use endpoint::Endpoint;
pub use event_type::EventType;
