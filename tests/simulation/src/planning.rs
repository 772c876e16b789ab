//! What is planned before a simulation begins: the payments and the faults, by their numbers.

use std::{collections::BTreeSet, fmt, str::FromStr, time::Duration};

use crate::world::ScheduledEvent;

/// One day.
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many bursts of payments a day has.
const BURSTS: u32 = 3;

/// What shops do in each burst.
const REQUESTS: [ScheduledEvent; 9] = [
    ScheduledEvent::Purchase,
    ScheduledEvent::Purchase,
    ScheduledEvent::Purchase,
    ScheduledEvent::Purchase,
    ScheduledEvent::Purchase,
    ScheduledEvent::Purchase,
    ScheduledEvent::Session(None),
    ScheduledEvent::Session(None),
    ScheduledEvent::Link,
];

/// What may happen to the machine and to an operator near each burst of payments.
const FAULTS: [ScheduledEvent; 6] = [
    ScheduledEvent::Crash,
    ScheduledEvent::DiskFault,
    ScheduledEvent::DiskFault,
    ScheduledEvent::Pause,
    ScheduledEvent::Pause,
    ScheduledEvent::Outage,
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
        for day in 0..self.days {
            for _ in 0..BURSTS {
                let start = DAY * day + Duration::from_millis(random.u64(..day_ms - 3_600_000));
                let mut add = |within_ms: u64, event: ScheduledEvent| {
                    let at = start + Duration::from_millis(random.u64(..within_ms));
                    let is_planned = within_ms == REQUESTS_MS || random.u32(..3) > 0;
                    events.extend(is_planned.then_some((at, event)));
                };
                REQUESTS.into_iter().for_each(|event| add(REQUESTS_MS, event));
                FAULTS.into_iter().for_each(|event| add(FAULTS_MS, event));
            }
        }
        let numbered = (0..).zip(events);
        let planned = numbered.map(|(number, (at, event))| PlannedEvent { number, at, event });
        planned.filter(|one| !self.without.0.contains(&one.number)).collect()
    }
}

/// Within this time the requests of a burst come.
const REQUESTS_MS: u64 = 60_000;

/// Within this time the faults of a burst come.
const FAULTS_MS: u64 = 400_000;

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
    fn numbers_that_are_left_out_are_written_as_ranges() {
        let without: Without = "3,0,1,9-11,2".parse().unwrap();
        assert_eq!(without.to_string(), "0-3,9-11");
        assert_eq!("".parse(), Ok(Without::default()));
        assert!("1-x".parse::<Without>().is_err());
    }
}
