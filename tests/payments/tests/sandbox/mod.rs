//! Test mode: test numbers and the simulated phone.

mod simulated_phone;
mod test_numbers;
