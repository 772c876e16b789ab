//! Lists, sums and figures for people: what a merchant searches, counts and exports.
//!
//! | module | is about |
//! |---|---|
//! | [`search`] | the text of the search box |
//! | [`filter`] | which transactions a list contains |
//! | [`page`] | pages of a list, forwards and backwards |
//! | [`totals`] | counts and sums: of a filter, and of each day |
//! | [`failures`] | why payments failed, counted by reason |
//! | [`first_steps`] | the first steps of an account |
//! | [`waiting`] | when the service does something next about a pending transaction |

pub mod failures;
pub mod filter;
pub mod first_steps;
pub mod page;
pub mod search;
pub mod totals;
pub mod waiting;

pub use failures::FailureCount;
pub use filter::{Attention, ReportFilter};
pub use first_steps::{FirstStep, FirstStepsFacts};
pub use page::{ListPage, Position, ReportPageRequest};
pub use search::{MAX_PART_ROWS, Search, SearchTerm};
pub use totals::{DayFees, DayTotal, FilterTotal, FilterTotals};
pub use waiting::WaitingTimes;
