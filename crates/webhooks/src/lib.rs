//! Sends webhooks by Standard Webhooks 1.0 (docs/reference/webhooks.md).
//!
//! The store inserts a delivery in the database transaction of the state change. The worker sends
//! it at least once: it retries until the endpoint responds with a 2xx status or the retry schedule
//! ends.
//!
//! | module | does |
//! |---|---|
//! | [`address`] | the IP addresses that the service never connects to |
//! | `channel_sender` | messages to alert channels |
//! | [`endpoint_url`] | the validation of an endpoint's URL |
//! | `networks` | the special-purpose networks of the IANA registries |
//! | [`payload`] | the body of a webhook |
//! | [`response_beginning`] | what is kept of an endpoint's response |
//! | [`sender`] | one signed request |

pub mod address;
mod channel_sender;
pub mod endpoint_url;
mod networks;
pub mod payload;
pub mod response_beginning;
pub mod sender;
