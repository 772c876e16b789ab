//! How resources and values look in the API's JSON. HTTP, webhooks and the hosted page use it.

pub(crate) mod values;
