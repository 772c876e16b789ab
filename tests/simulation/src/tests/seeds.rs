//! Some seeds on each day: `cargo xtask simulate` runs any number.

use crate::{planning::Plan, simulation::run, world::Story};

#[test]
fn nothing_is_lost_and_nothing_is_doubled() {
    for seed in 0..6 {
        let outcome = run(&Plan::whole(seed, 3), Story::Told).unwrap();
        assert_eq!(outcome.violations, [] as [String; 0], "{}", outcome.trace.join("\n"));
        assert!(outcome.counts.payments > 0);
    }
}

#[test]
fn a_seed_gives_the_same_outcome_twice() {
    let plan = Plan::whole(1_000, 3);
    let told = run(&plan, Story::Told).unwrap();
    assert_eq!(told, run(&plan, Story::Told).unwrap());
    let untold = run(&plan, Story::Untold).unwrap();
    assert_eq!((untold.counts, untold.violations), (told.counts, told.violations));
}
