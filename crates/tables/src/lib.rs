//! Tables that people upload and download: payout files, statements of operators, and exports.

pub mod export;
pub mod payout_file;
pub mod statement_file;
pub mod table_file;
