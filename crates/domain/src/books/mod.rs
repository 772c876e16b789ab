//! The books of a month: what the ledger posted, by operator and network, what each float was
//! before and after, and which days were compared with statements
//! (docs/reference/dashboard.md#monthly-report).
//!
//! | module | is about |
//! |---|---|
//! | [`month`] | months of the calendar, and the days with which one is compared |
//! | [`sums`] | the sums of a day in the ledger |
//! | [`movements`] | the sums of a month by what moved |
//! | [`report`] | the report of a month |
//! | [`agreement`] | which days were compared with statements, and what did not agree |

pub mod agreement;
pub mod month;
pub mod movements;
pub mod report;
pub mod sums;

#[cfg(test)]
mod tests;
