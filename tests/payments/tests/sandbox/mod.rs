//! Test mode: test numbers, the sandbox clock and the simulated phone.

mod activity;
mod clock;
mod present_time;
mod simulated_phone;
mod test_numbers;
