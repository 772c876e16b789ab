//! The pages that payers and a merchant's people use. Elements are found by role and name.

mod checkout;
mod dashboard;
mod phone;
mod shop;

pub use checkout::Checkout;
pub use dashboard::Dashboard;
pub use phone::Phone;
pub use shop::Shop;
