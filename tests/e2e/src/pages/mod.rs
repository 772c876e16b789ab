//! The pages that a payer uses. Elements are found by role and name.

mod checkout;
mod phone;
mod shop;

pub use checkout::Checkout;
pub use phone::Phone;
pub use shop::Shop;
