//! The hosted payment page.

mod branding;
mod error_pages;
mod find;
mod forms;
mod handed_over;
mod networks;
mod page;
mod refunds;
