//! Makes a plan that fails as small as it gets.

use crate::{planning::Plan, simulation::run, world::Story};
use std::collections::BTreeSet;

/// How many smaller plans are tried at most.
const MAX_TRIES: u32 = 400;

/// The smallest plan that is found and still `fails`: first with fewer days, then without events.
pub fn shrink(plan: &Plan, fails: impl FnMut(&Plan) -> bool) -> Plan {
    let mut shrinking = Shrinking { smallest: plan.clone(), tries_left: MAX_TRIES, fails };
    shrinking.shorten();
    shrinking.leave_out();
    shrinking.smallest
}

/// Whether a plan fails in the same way as another one, apart from numbers and names.
#[must_use]
pub fn fails_alike(plan: &Plan, violations: &[String]) -> bool {
    let Some(kind) = violations.first().map(|first| kind(first)) else { return false };
    run(plan, Story::Untold)
        .is_ok_and(|outcome| outcome.violations.iter().any(|one| self::kind(one) == kind))
}

/// A violation without its numbers, and without what follows a colon.
fn kind(violation: &str) -> String {
    let what = violation.split(':').next().unwrap_or(violation);
    what.split(|character: char| character.is_ascii_digit()).collect()
}

struct Shrinking<Fails> {
    smallest: Plan,
    tries_left: u32,
    fails: Fails,
}

impl<Fails: FnMut(&Plan) -> bool> Shrinking<Fails> {
    /// Takes a smaller plan, if it fails.
    fn takes(&mut self, smaller: Plan) -> bool {
        let Some(left) = self.tries_left.checked_sub(1) else { return false };
        self.tries_left = left;
        let fails = (self.fails)(&smaller);
        if fails {
            self.smallest = smaller;
        }
        fails
    }

    fn shorten(&mut self) {
        let mut passes = 0;
        while self.smallest.days > passes + 1 {
            let days = passes.midpoint(self.smallest.days);
            if !self.takes(Plan { days, ..self.smallest.clone() }) {
                passes = days;
            }
        }
    }

    /// Leaves out half of the events, then a quarter and so on, until no single one can be.
    fn leave_out(&mut self) {
        let mut size = self.smallest.events().len().div_ceil(2);
        while size > 0 {
            let numbers: Vec<u32> =
                self.smallest.events().iter().map(|event| event.number).collect();
            let mut is_smaller = false;
            // The last first: what comes before a failure stays as it was.
            for part in numbers.rchunks(size) {
                let mut without: BTreeSet<u32> = self.smallest.without.0.clone();
                without.extend(part);
                let mut smaller = self.smallest.clone();
                smaller.without.0 = without;
                is_smaller |= self.takes(smaller);
            }
            if !is_smaller || size > 1 {
                size /= 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::ScheduledEvent;

    fn fails_with(events: &[ScheduledEvent]) -> impl Fn(&Plan) -> bool {
        move |plan| {
            let planned = plan.events();
            events.iter().all(|event| planned.iter().any(|one| one.event == *event))
        }
    }

    #[test]
    fn only_the_events_that_make_a_plan_fail_are_left() {
        let needed = [ScheduledEvent::Crash, ScheduledEvent::Link];
        let shrunk = shrink(&Plan::whole(3, 30), fails_with(&needed));
        let left: Vec<ScheduledEvent> =
            shrunk.events().into_iter().map(|planned| planned.event).collect();
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(needed.iter().all(|event| left.contains(event)));
    }

    #[test]
    fn a_plan_is_shrunk_to_the_event_that_an_oracle_forbids() {
        let suspends = |plan: &Plan| {
            let outcome = run(plan, Story::Told).unwrap();
            outcome.trace.iter().any(|line| line.contains("the machine is suspended"))
        };
        let shrunk = shrink(&Plan::whole(1, 1), suspends);
        let left: Vec<ScheduledEvent> =
            shrunk.events().into_iter().map(|planned| planned.event).collect();
        assert_eq!(left, [ScheduledEvent::Pause]);
    }

    #[test]
    fn violations_of_one_kind_differ_in_numbers_only() {
        let twice = kind("order 12 was executed 2 times");
        assert_eq!(twice, kind("order 7 was executed 3 times"));
        assert_ne!(twice, kind("order 7 is of a payment that is lost"));
        assert_eq!(kind("payment 1 is pending: Sending"), kind("payment 9 is pending: Queued"));
    }
}
