//! How resources look as JSON. HTTP, webhooks and the hosted page all use these types.
//!
//! | module | is about |
//! |---|---|
//! | [`resources`] | transactions, sessions and their parts, as responses and webhooks show them |
//! | [`values`] | kinds of values: amounts, phone numbers, times |

pub mod resources;
pub mod values;
