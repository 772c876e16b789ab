//! What merchants' servers are told, by Standard Webhooks 1.0 (docs/reference/webhooks.md).
//!
//! The store writes a delivery in the transaction of the state change that it tells of; the worker
//! sends it, at least once, until the endpoint has taken it or the ladder has ended.
//!
//! | module | does |
//! |---|---|
//! | [`event_type`] | which events there are, and which follow from what happens to a transaction |
//! | [`endpoint`] | where a merchant hears of events, and with which secrets |
//! | [`delivery`] | one event for one endpoint: its attempts and when the next one is |
//! | [`payload`] | the body: what an event looked like when it happened |
//! | [`encrypted_secret`] | secrets encrypted with the server key |
//! | [`address`] | which addresses are never connected to |
//! | [`sender`] | one signed request |

pub mod address;
pub mod endpoint_url;
pub mod payload;
pub mod sender;
