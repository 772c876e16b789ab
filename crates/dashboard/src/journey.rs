//! The way of a payment: from the shop to the service, the operator, the phone, and back.

use super::timeline::elapsed;
use jiff::Timestamp;
use minijinja::{Value, context};
use tua_contract::State;
use tua_domain::{Event, Transaction};

/// When a payment came to each station of its way; `None` for one that it has not reached.
#[derive(Clone, Copy, Default, Debug)]
struct Arrivals {
    operator: Option<Timestamp>,
    phone: Option<Timestamp>,
    end: Option<Timestamp>,
}

impl Arrivals {
    fn of(events: &[(Timestamp, Event)]) -> Self {
        let mut found = Self::default();
        for (at, event) in events {
            match event {
                Event::Begun { is_handed_over: true, .. }
                | Event::HandedOver
                | Event::FoundAtOperator { .. } => {
                    found.operator.get_or_insert(*at);
                }
                Event::HandOverWithdrawn => found.operator = None,
                // Before that it waits for an approval.
                Event::Moved(State::Pending(_), _) if found.operator.is_some() => {
                    found.phone.get_or_insert(*at);
                }
                Event::Moved(State::Successful | State::Failed(_), _)
                | Event::ApprovalRefused { .. } => {
                    found.end.get_or_insert(*at);
                }
                _ => {}
            }
        }
        found
    }
}

/// The five stations. `after` is the time since the station before, where both times are known;
/// `state` is whether the payment has come there, and how it ended.
pub(super) fn stations(payment: &Transaction, events: &[(Timestamp, Event)]) -> Vec<Value> {
    let Arrivals { operator, phone, end } = Arrivals::of(events);
    let created = Some(payment.created_at);
    let stations = [
        ("shop", created),
        ("tua", created),
        ("operator", operator),
        ("phone", phone),
        ("back", end),
    ];
    let is_successful = payment.state == State::Successful;
    let mut before: Option<Timestamp> = None;
    let mut rows = Vec::new();
    for (key, at) in stations {
        let after = at.zip(before).map(|(at, before)| elapsed(at.duration_since(before)));
        before = at.or(before);
        let state = match (key, at) {
            ("back", Some(_)) if is_successful => "good",
            ("back", Some(_)) => "bad",
            (_, Some(_)) => "reached",
            // An operator may report the success alone.
            (_, None) if is_successful => "reached",
            (_, None) => "ahead",
        };
        let key = format!("station-{key}");
        rows.push(context! { key, state, after => after.filter(|after| !after.is_empty()) });
    }
    rows
}
