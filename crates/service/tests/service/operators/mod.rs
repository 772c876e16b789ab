//! What operators report, late, wrongly or never.

mod account_resumption;
mod broken_callbacks;
mod bulkheads;
mod callback_flood;
mod cancellation;
mod changed_settings;
mod clock_steps;
mod conflicts;
mod durable_callbacks;
mod ended_networks;
mod evidence;
mod faults;
mod foreign_callbacks;
mod handing_over;
mod late_reasons;
mod live;
mod live_refunds;
mod overlapping_sends;
mod prompt_instructions;
mod read_limit;
mod refusing;
mod routes_of_payouts;
mod sending_again;
mod settlement;
mod texts;
mod transfer_questions;
