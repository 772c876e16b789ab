//! The ledger and the statements of operators (docs/reference/ledger.md).

mod books;
mod closed_days;
mod connected_operators;
mod interrupted_imports;
mod late_fees;
mod postings;
mod renamed_operators;
mod statement_fetch;
mod statement_files;
mod statement_networks;
mod statement_questions;
mod statements;
