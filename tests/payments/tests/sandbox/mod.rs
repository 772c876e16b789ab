//! Test mode: test numbers, the sandbox clock and the simulated phone.

mod clock;
mod logs;
mod present_time;
mod reversals;
mod simulated_phone;
mod test_numbers;
