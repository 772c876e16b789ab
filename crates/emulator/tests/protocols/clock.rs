//! A clock that runs.

use crate::support::Test;
use std::time::{Duration, Instant};
use tua_emulator::{ClockMode, Operator, Speed, State};

#[tokio::test]
async fn a_running_clock_divides_every_delay() {
    let speed = Speed::parse("100").unwrap();
    let test = Test::with_settings(|settings| settings.clock = ClockMode::Running(speed)).await;
    let start = Instant::now();
    // Paid after 30 s of the virtual clock.
    test.charge_from("slow", "0241230009").await;
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "slow"), Some(State::Pending));
    test.merchant.wait_for_callbacks(1).await;
    assert_eq!(test.emulator.state_of(Operator::PAYSTACK, "slow"), Some(State::Successful));
    assert!(start.elapsed() >= Duration::from_millis(295));
    test.emulator.stop().await;
}
