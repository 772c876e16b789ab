//! The hosted payment page.

mod at_page;
mod branding;
mod codes;
mod error_pages;
mod find;
mod forms;
mod handed_over;
mod networks;
mod page;
mod refunds;
