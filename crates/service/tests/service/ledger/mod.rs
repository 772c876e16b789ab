//! The ledger and the statements of operators (docs/reference/ledger.md).

mod postings;
mod statements;
