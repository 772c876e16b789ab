//! Whom the shop paid: riders and suppliers one by one, wages in a batch at the end of a month.

use super::{
    day::Day,
    events::{PayoutLine, PlannedBatch, PlannedPayout},
    payers::Payer,
    randomness::generator,
};
use jiff::{SignedDuration, Timestamp, civil::Weekday};
use tua_contract::{Amount, Network, Phone};

/// The topic of the generators of payouts.
const TOPIC: u64 = 3;

/// From the request for wages to their approval on the next morning.
const APPROVED_AFTER: SignedDuration = SignedDuration::from_hours(17);

/// A person with a wallet, and what the person usually gets, in cedis.
struct Person {
    name: &'static str,
    number: &'static str,
    cedis: i64,
}

/// People who are paid one by one, once a week.
struct Round {
    weekday: Weekday,
    hour: i64,
    /// The beginning of the references.
    kind: &'static str,
    note: &'static str,
    people: [Person; 2],
}

static RIDERS: Round = Round {
    weekday: Weekday::Friday,
    hour: 17,
    kind: "riders",
    note: "Deliveries of the week",
    people: [
        Person { name: "Kofi Mensah", number: "0244183361", cedis: 180 },
        Person { name: "Efua Asante", number: "0501227714", cedis: 165 },
    ],
};

static SUPPLIERS: Round = Round {
    weekday: Weekday::Tuesday,
    hour: 10,
    kind: "goods",
    note: "Goods delivered",
    people: [
        Person { name: "Nana Osei", number: "0559104482", cedis: 540 },
        Person { name: "Abla Agbeko", number: "0277615530", cedis: 420 },
    ],
};

/// Those who get wages. The number of the last one has a wallet that cannot take any more
/// (docs/reference/test-mode.md#phone-numbers).
static STAFF: [Person; 8] = [
    Person { name: "Akosua Boateng", number: "0243310947", cedis: 820 },
    Person { name: "Yaw Darko", number: "0541126638", cedis: 760 },
    Person { name: "Adwoa Quaye", number: "0206647219", cedis: 690 },
    Person { name: "Ibrahim Alhassan", number: "0268830174", cedis: 650 },
    Person { name: "Esi Turkson", number: "0592253806", cedis: 640 },
    Person { name: "Kwabena Frimpong", number: "0248719925", cedis: 610 },
    Person { name: "Mawuli Tetteh", number: "0507734108", cedis: 580 },
    Person { name: "Selorm Agbodza", number: "0551230005", cedis: 540 },
];

/// The payouts to single people on a day: riders on Fridays, suppliers on Tuesdays.
pub(super) fn of_day(day: Day) -> Vec<PlannedPayout> {
    let rounds = [&RIDERS, &SUPPLIERS];
    let of_day = rounds.into_iter().find(|round| round.weekday == day.date.weekday());
    let Some(Round { hour, kind, note, people, .. }) = of_day else { return Vec::new() };
    let number = day.start.as_second() / (24 * 3600);
    let rng = &mut generator(TOPIC, number.unsigned_abs());
    let payout = |(index, person): (i64, &Person)| {
        let percent = rng.i64(70..=130);
        Some(PlannedPayout {
            at: day.start + SignedDuration::from_mins(hour * 60 + 4 * index),
            reference: format!("{kind}-{}-{}", day.date.strftime("%y%m%d"), index + 1),
            line: line(person, person.cedis * percent / 100, note)?,
        })
    };
    (0..).zip(people).filter_map(payout).collect()
}

/// The wages that are asked for on the last day of a month, and approved on the next one.
pub(super) fn wages_of_month(day: Day) -> Option<PlannedBatch> {
    if day.date != day.date.last_of_month() {
        return None;
    }
    let note = format!("Wages for {}", day.date.strftime("%B"));
    let lines = STAFF.iter().filter_map(|person| line(person, person.cedis, &note)).collect();
    Some(PlannedBatch {
        at: day.start + SignedDuration::from_hours(15),
        reference: format!("wages-{}", day.date.strftime("%Y-%m")),
        lines,
        approved_after: Some(APPROVED_AFTER),
    })
}

/// The batch that waits for an approval.
pub(super) fn waiting_batch(at: Timestamp) -> PlannedBatch {
    let bonus = |person: &Person| line(person, person.cedis / 4, "Bonus: a good quarter");
    PlannedBatch {
        at,
        reference: "bonus".to_owned(),
        lines: STAFF.iter().chain(&RIDERS.people).filter_map(bonus).collect(),
        approved_after: None,
    }
}

fn line(person: &Person, cedis: i64, note: &str) -> Option<PayoutLine> {
    let phone = Phone::parse(person.number).ok()?;
    Some(PayoutLine {
        name: person.name,
        payee: Payer { network: Network::hinted_by(&phone)?, phone },
        amount: Amount::from_pesewas(cedis * 100).ok()?,
        note: note.to_owned(),
    })
}
