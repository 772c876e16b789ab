//! Webhook events, endpoints, deliveries and their retry schedule (`docs/reference/webhooks.md`).
//!
//! | module | does |
//! |---|---|
//! | [`event_type`] | the event types, and the type for each event of a transaction |
//! | [`endpoint`] | a merchant's endpoint and its secrets |
//! | [`delivery`] | one event for one endpoint: its attempts and its retry schedule |
//! | [`notice`] | the deliveries that a change of state creates |
//! | [`record`] | the record of a scope's events, which the API lists |

pub mod delivery;
pub mod endpoint;
pub mod event_type;
pub mod notice;
pub mod record;

pub use delivery::{Delivery, DeliveryAttempt, DeliveryOutcome, SubjectSnapshot};
pub use endpoint::{Endpoint, Recipient};
pub use event_type::EventType;
