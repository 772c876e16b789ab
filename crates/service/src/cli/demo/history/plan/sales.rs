//! What customers bought: how many on which day, when, for how much, and whether they paid at once.

use super::{
    day::Day,
    events::{ChargeAttempt, LINK_AMOUNT, Sale, SaleRefund, SaleSource},
    payers::{customer, failing, undecided},
    randomness::{generator, happens, seconds, weighted},
};
use fastrand::Rng;
use jiff::{SignedDuration, Timestamp, civil::Weekday};
use tua_companion::{
    catalogue::{Catalogue, Item},
    order::Line,
};
use tua_contract::Amount;

/// The topic of the generators of days.
const TOPIC: u64 = 1;

/// How many sales each hour of a day has in proportion: most in the morning and in the evening.
const HOURS: [u32; 24] =
    [0, 0, 0, 0, 0, 1, 3, 7, 11, 12, 9, 6, 5, 5, 4, 5, 7, 11, 13, 12, 8, 4, 2, 1];

/// How many different things an order has: 1, 2 or 3.
const KINDS_OF_GOODS: [u32; 3] = [62, 28, 10];

/// How many first attempts of a hundred fail, and how many of these payers try again.
const FAILURE_PERCENT: u32 = 13;
const RETRY_PERCENT: u32 = 55;

/// How many paid sales of a hundred are given back.
const REFUND_PERCENT: u32 = 3;

/// Why the shop gave money back, for its own books.
const REASONS: [&str; 4] =
    ["Arrived broken", "Out of stock", "Customer changed their mind", "Ordered twice"];

/// How many sales of a hundred come from the payment link.
const LINK_PERCENT: u32 = 9;

/// The sales of a day, by time.
pub(super) fn of_day(catalogue: &Catalogue, day: Day) -> Vec<Sale> {
    let number = day.start.as_second() / (24 * 3600);
    let rng = &mut generator(TOPIC, number.unsigned_abs());
    let mut times: Vec<Timestamp> =
        (0..count(rng, day)).map(|_| day.start + time_of_day(rng)).collect();
    times.sort_unstable();
    let numbered = times.into_iter().zip(1..);
    numbered.filter_map(|(at, number)| sale(rng, catalogue, day, at, number)).collect()
}

/// A sale whose only charge is not decided.
pub(super) fn pending(catalogue: &Catalogue, at: Timestamp) -> Option<Sale> {
    let coffee = catalogue.items.get_key_value("coffee")?;
    let begins_after = SignedDuration::from_secs(15);
    let attempt = ChargeAttempt {
        begins_after,
        payer: undecided()?,
        decided_after: SignedDuration::ZERO,
        is_paid: false,
    };
    Some(Sale {
        at,
        source: SaleSource::Shop,
        reference: "order-pending".to_owned(),
        lines: vec![order_line(coffee, 1)],
        amount: coffee.1.price,
        attempts: vec![attempt],
        refund: None,
    })
}

/// Friday and Saturday are the busiest days, Sunday is quiet, and there is more after payday.
fn count(rng: &mut Rng, day: Day) -> u32 {
    let usual = match day.date.weekday() {
        Weekday::Sunday => 6,
        Weekday::Monday => 11,
        Weekday::Friday => 17,
        Weekday::Saturday => 16,
        Weekday::Tuesday | Weekday::Wednesday | Weekday::Thursday => 13,
    };
    let payday_percent = if matches!(day.date.day(), 1..=2 | 26..) { 120 } else { 97 };
    (usual * payday_percent * rng.u32(80..=120)).div_ceil(100 * 100)
}

fn time_of_day(rng: &mut Rng) -> SignedDuration {
    let hour = i64::try_from(weighted(rng, &HOURS)).unwrap_or_default();
    SignedDuration::from_secs(hour * 3600 + rng.i64(0..3600))
}

fn sale(
    rng: &mut Rng,
    catalogue: &Catalogue,
    day: Day,
    at: Timestamp,
    number: u32,
) -> Option<Sale> {
    let is_of_link = happens(rng, LINK_PERCENT);
    let lines = if is_of_link { Vec::new() } else { basket(rng, catalogue) };
    let attempts = attempts(rng)?;
    let is_paid = attempts.last().is_some_and(|attempt| attempt.is_paid);
    let refund = (is_paid && happens(rng, REFUND_PERCENT)).then(|| refund(rng, &lines));
    Some(Sale {
        at,
        source: if is_of_link { SaleSource::Link } else { SaleSource::Shop },
        reference: format!("order-{}-{number:02}", day.date.strftime("%y%m%d")),
        amount: if is_of_link { LINK_AMOUNT } else { total(&lines)? },
        lines,
        attempts,
        refund,
    })
}

/// One to three different things, usually one piece of each.
fn basket(rng: &mut Rng, catalogue: &Catalogue) -> Vec<Line> {
    let goods: Vec<(&String, &Item)> = catalogue.items.iter().collect();
    let kinds = weighted(rng, &KINDS_OF_GOODS) + 1;
    let chosen = rng.choose_multiple(goods, kinds);
    chosen.into_iter().map(|item| order_line(item, 1 + u16::from(happens(rng, 18)))).collect()
}

fn order_line((sku, item): (&String, &Item), quantity: u16) -> Line {
    Line { sku: sku.clone(), name: item.name.clone(), quantity, price: item.price }
}

fn total(lines: &[Line]) -> Option<Amount> {
    let pesewas = lines.iter().map(|line| line.price.pesewas() * i64::from(line.quantity)).sum();
    Amount::from_pesewas(pesewas).ok()
}

/// Most pay at once. Of the others some give up, and some try again.
fn attempts(rng: &mut Rng) -> Option<Vec<ChargeAttempt>> {
    let mut attempts = Vec::new();
    if happens(rng, FAILURE_PERCENT) {
        attempts.push(ChargeAttempt {
            begins_after: seconds(rng, 15, 90),
            payer: failing(rng)?,
            decided_after: seconds(rng, 20, 150),
            is_paid: false,
        });
        if !happens(rng, RETRY_PERCENT) {
            return Some(attempts);
        }
    }
    attempts.push(ChargeAttempt {
        begins_after: seconds(rng, 15, 120),
        payer: customer(rng)?,
        decided_after: seconds(rng, 6, 55),
        is_paid: true,
    });
    Some(attempts)
}

/// One of several things goes back, or all of them.
fn refund(rng: &mut Rng, lines: &[Line]) -> SaleRefund {
    let amount = match lines {
        [one, _, ..] if happens(rng, 70) => Some(one.price),
        _ => None,
    };
    SaleRefund {
        begins_after: seconds(rng, 1800, 60 * 3600),
        amount,
        reason: REASONS[rng.usize(0..REASONS.len())],
    }
}
