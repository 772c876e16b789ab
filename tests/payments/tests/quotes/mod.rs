//! Quotes, and the fees of operators (docs/reference/quotes.md).

mod charges;
mod pages;
mod routes;
