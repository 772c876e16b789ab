//! What payers and merchants' servers see over HTTP: the API, the hosted page and the
//! documentation.

pub mod documentation;
pub mod hosted;
pub mod http;
