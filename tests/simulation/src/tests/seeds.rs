//! Some seeds on each day: `cargo xtask simulate` runs any number.

use crate::simulation::{Plan, run};

#[test]
fn nothing_is_lost_and_nothing_is_doubled() {
    for seed in 0..6 {
        let outcome = run(Plan { seed, days: 1 }).unwrap();
        assert_eq!(outcome.violations, [] as [String; 0], "{}", outcome.trace.join("\n"));
        assert!(outcome.counts.payments > 0);
    }
}

#[test]
fn a_seed_gives_the_same_outcome_twice() {
    let plan = Plan { seed: 1_000, days: 1 };
    assert_eq!(run(plan).unwrap(), run(plan).unwrap());
}
