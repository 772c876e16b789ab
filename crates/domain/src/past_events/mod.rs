//! The events that happened before the record of an account and mode began
//! (docs/reference/endpoints.md#list-events).
//!
//! | module | does |
//! |---|---|
//! | [`history`] | computes the events from what is stored about payments and sessions |
//! | [`mod@deliveries`] | makes them deliveries of the record, with the ids of earlier deliveries |

pub mod deliveries;
pub mod history;

#[cfg(test)]
mod tests;

pub use deliveries::deliveries;
pub use history::{
    PastEvent, SessionHistory, TransactionHistory, events_of_session, events_of_transaction,
};
