//! What operators report, late, wrongly or never.

mod cancellation;
mod conflicts;
mod faults;
mod settlement;
