//! What is planned before a simulation begins: the payments and the faults, by their numbers.

use crate::{staff::StaffAct, world::ScheduledEvent};
use std::{collections::BTreeSet, fmt, str::FromStr, time::Duration};

/// One day.
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Within this time the requests of a burst come.
const REQUESTS_MS: u64 = 60_000;

/// Within this time the faults of a burst come, and what staff do.
const FAULTS_MS: u64 = 400_000;

/// Each of the first days has a burst.
const DAYS_IN_A_ROW: u32 = 6;

/// Of the later days each third one has a burst: almost all processor time of a seed is that of its
/// bursts, and the days between them are for what is pending long.
const LATER_BURSTS_EVERY: u32 = 3;

/// What may happen in a burst: within how many milliseconds, and with which
/// probability in percent.
const BURST: [(ScheduledEvent, u64, u32); 25] = [
    (ScheduledEvent::Purchase, REQUESTS_MS, 100),
    (ScheduledEvent::Purchase, REQUESTS_MS, 100),
    (ScheduledEvent::Purchase, REQUESTS_MS, 100),
    (ScheduledEvent::Purchase, REQUESTS_MS, 100),
    (ScheduledEvent::Purchase, REQUESTS_MS, 100),
    (ScheduledEvent::Purchase, REQUESTS_MS, 100),
    (ScheduledEvent::Session(None), REQUESTS_MS, 100),
    (ScheduledEvent::Session(None), REQUESTS_MS, 100),
    (ScheduledEvent::Link, REQUESTS_MS, 100),
    (ScheduledEvent::Batch, REQUESTS_MS, 50),
    (ScheduledEvent::Theft, FAULTS_MS, 50),
    (ScheduledEvent::Staff(StaffAct::LookAtPayouts { is_last: false }), FAULTS_MS, 80),
    (ScheduledEvent::Staff(StaffAct::LookAtPayouts { is_last: false }), 3_600_000, 100),
    (ScheduledEvent::Staff(StaffAct::LookAtPayouts { is_last: false }), 7_200_000, 100),
    (ScheduledEvent::Staff(StaffAct::LookAtReviews), 7_200_000, 60),
    (ScheduledEvent::Staff(StaffAct::Suspend), FAULTS_MS, 25),
    (ScheduledEvent::Staff(StaffAct::ReplaceKey), FAULTS_MS, 25),
    (ScheduledEvent::Crash, FAULTS_MS, 67),
    (ScheduledEvent::DiskFault, FAULTS_MS, 67),
    (ScheduledEvent::DiskFault, FAULTS_MS, 67),
    (ScheduledEvent::Pause, FAULTS_MS, 67),
    (ScheduledEvent::Pause, FAULTS_MS, 67),
    (ScheduledEvent::ClockStep, FAULTS_MS, 50),
    (ScheduledEvent::ClockStep, 7_200_000, 30),
    (ScheduledEvent::Outage, FAULTS_MS, 67),
];

/// What is simulated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The source of every choice.
    pub seed: u64,
    /// The days with payments and faults.
    pub days: u32,
    /// The events of the plan that do not happen.
    pub without: Without,
}

/// Something that is planned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlannedEvent {
    /// Its number in the plan, which does not depend on what is left out.
    pub number: u32,
    /// When it happens.
    pub at: Duration,
    /// What happens.
    pub event: ScheduledEvent,
}

impl Plan {
    /// Everything that is planned for a seed.
    #[must_use]
    pub const fn whole(seed: u64, days: u32) -> Self {
        Self { seed, days, without: Without(BTreeSet::new()) }
    }

    /// The events that happen, in the order of their numbers. Those of a day do not depend on the
    /// number of days.
    #[must_use]
    pub fn events(&self) -> Vec<PlannedEvent> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut events = Vec::new();
        let day_ms = u64::try_from(DAY.as_millis()).unwrap_or(u64::MAX);
        for day in (0..self.days).filter(|day| has_burst(*day)) {
            let start = DAY * day + Duration::from_millis(random.u64(..day_ms - 7_200_000));
            for (event, within_ms, percent) in BURST {
                let at = start + Duration::from_millis(random.u64(..within_ms));
                let is_planned = random.u32(..100) < percent;
                events.extend(is_planned.then_some((at, event)));
            }
        }
        let numbered = (0..).zip(events);
        let planned = numbered.map(|(number, (at, event))| PlannedEvent { number, at, event });
        planned.filter(|one| !self.without.0.contains(&one.number)).collect()
    }
}

const fn has_burst(day: u32) -> bool {
    day < DAYS_IN_A_ROW || day.is_multiple_of(LATER_BURSTS_EVERY)
}

/// The numbers of the events that are left out, such as `0-11,14`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Without(pub BTreeSet<u32>);

impl fmt::Display for Without {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for number in &self.0 {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == *number => *last = *number,
                _ => ranges.push((*number, *number)),
            }
        }
        let texts = ranges.into_iter().map(|(first, last)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        });
        f.write_str(&texts.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Without {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            text.parse::<u32>().map_err(|_| format!("\"{text}\" is no number of an event"))
        };
        let mut numbers = BTreeSet::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            numbers.extend(number(first)?..=number(last)?);
        }
        Ok(Self(numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_events_of_a_day_do_not_depend_on_later_days_or_on_what_is_left_out() {
        let one = Plan::whole(7, 1).events();
        let two = Plan::whole(7, 2).events();
        assert_eq!(one, two[..one.len()]);
        let without = Plan { without: "0-3,5".parse().unwrap(), ..Plan::whole(7, 1) };
        assert_eq!(without.events()[0], one[4]);
        assert_eq!(without.events()[1..], one[6..]);
    }

    #[test]
    fn the_first_days_have_a_burst_and_then_each_third() {
        let busy = |days| Plan::whole(7, days).events().len();
        assert!((0..6).all(|day| busy(day) < busy(day + 1)));
        assert!(busy(6) < busy(7));
        assert_eq!(busy(7), busy(9));
        assert!(busy(9) < busy(10));
    }

    #[test]
    fn numbers_that_are_left_out_are_written_as_ranges() {
        let without: Without = "3,0,1,9-11,2".parse().unwrap();
        assert_eq!(without.to_string(), "0-3,9-11");
        assert_eq!("".parse(), Ok(Without::default()));
        assert!("1-x".parse::<Without>().is_err());
    }
}
