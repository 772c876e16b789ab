//! Steady time under a clock that steps.

use jiff::SignedDuration;
use std::{sync::Arc, time::Duration};
use tua_domain::{ports::Clock as _, steady_time::SteadyTime};
use tua_system::clock::OffsetClock;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

#[test]
fn a_step_forward_is_followed_only_once_it_has_lasted() {
    let clock = OffsetClock::stopped();
    let start = clock.now();
    let time = SteadyTime::new(Arc::new(clock.clone()));
    clock.advance(Duration::from_secs(7200));
    assert_eq!(time.now(), start + 2 * HOUR, "time that passes is no step");
    clock.step(100 * HOUR);
    assert_eq!(time.now(), start + 2 * HOUR);
    for hour in 3..14 {
        clock.advance(Duration::from_secs(3600));
        assert_eq!(time.now(), start + hour * HOUR);
    }
    clock.advance(Duration::from_secs(3600));
    assert_eq!(time.now(), start + 114 * HOUR);
}

#[test]
fn a_step_that_is_undone_changes_nothing_and_a_step_back_is_followed() {
    let clock = OffsetClock::stopped();
    let start = clock.now();
    let time = SteadyTime::new(Arc::new(clock.clone()));
    clock.step(100 * HOUR);
    assert_eq!(time.now(), start);
    clock.step(-100 * HOUR);
    clock.advance(Duration::from_secs(3600));
    assert_eq!(time.now(), start + HOUR);
    clock.step(-10 * HOUR);
    assert_eq!(time.now(), start - 9 * HOUR);
}
