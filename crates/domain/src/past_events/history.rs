//! Computes past events, with the same functions that report events when they happen.

use crate::{
    Checkout, CheckoutId, CheckoutSummary, Event, Transaction, TransactionId,
    checkout::ChargeWindow,
    rules::{self, Expiry},
    webhook::{
        EventType,
        notice::{self, Notice},
    },
};
use jiff::Timestamp;
use std::{iter, slice};

/// What is stored about a transaction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransactionHistory {
    /// The events of the transaction, oldest first. The first one is [`Event::Begun`].
    pub events: Vec<(Timestamp, Event)>,
    /// When it was reported as delayed; `None` if it was not.
    pub delayed_at: Option<Timestamp>,
}

/// What is stored about a checkout session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionHistory {
    /// The session as it is stored now.
    pub checkout: Checkout,
    /// Whether its end is decided, as in [`ChargeWindow::is_decided`].
    pub is_decided: bool,
    /// Its charges, oldest first.
    pub charges: Vec<TransactionHistory>,
}

/// An event that merchants' endpoints were sent, or would have been sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastEvent {
    /// The time of the event. For the end of a session, the earliest time at which it can have been
    /// decided, because the time of the decision is not stored.
    pub at: Timestamp,
    /// What endpoints are sent.
    pub notice: Notice,
}

/// One step of a transaction.
#[derive(Clone, Copy)]
enum Step<'a> {
    Event(Timestamp, &'a Event),
    Delayed(Timestamp),
}

/// The events of a session and of its charges, oldest first.
#[must_use]
pub fn events_of_session(session: &SessionHistory) -> Vec<PastEvent> {
    let checkout = &session.checkout;
    let opened = Notice::of_checkout(&checkout.id, EventType::CheckoutOpened);
    let mut events = vec![PastEvent { at: checkout.created_at, notice: opened }];
    events.extend(replay(&session.charges, Some(checkout)));
    events.extend(end(session));
    events.sort_by_key(|event| event.at);
    events
}

/// The events of a transaction that belongs to no session, in the order in which they happened.
#[must_use]
pub fn events_of_transaction(history: &TransactionHistory) -> Vec<PastEvent> {
    replay(slice::from_ref(history), None)
}

/// Applies the steps of transactions in the order in which they happened, and returns what
/// merchants are sent for each.
fn replay(histories: &[TransactionHistory], session: Option<&Checkout>) -> Vec<PastEvent> {
    let mut charges = Vec::new();
    let mut past = Vec::new();
    for (id, step) in steps_in_order(histories) {
        match step {
            Step::Event(at, event) => {
                let Some(charge) = apply(&mut charges, id, at, event) else { continue };
                let session_event =
                    session.and_then(|session| session_event(session, &charges, &charge, event));
                let notices = Notice::of_event(&charge, event, session_event);
                past.extend(notices.into_iter().map(|notice| PastEvent { at, notice }));
            }
            Step::Delayed(at) => {
                let charge = charges.iter().find(|charge: &&Transaction| charge.order.id == *id);
                past.extend(charge.map(|late| PastEvent { at, notice: Notice::of_delay(late) }));
            }
        }
    }
    past
}

/// The steps of all transactions by time, those of one transaction always in its own order. At the
/// same time, those of an older transaction come first: a session has one pending charge at most.
fn steps_in_order(histories: &[TransactionHistory]) -> Vec<(&TransactionId, Step<'_>)> {
    let mut steps = Vec::new();
    for history in histories {
        let Some((_, Event::Begun { new, .. })) = history.events.first() else { continue };
        let mut latest = Timestamp::MIN;
        for step in steps_of(history) {
            // The clock of a machine may have been set back.
            latest = latest.max(step.at());
            steps.push((latest, &new.id, step));
        }
    }
    steps.sort_by_key(|(at, ..)| *at);
    steps.into_iter().map(|(_, id, step)| (id, step)).collect()
}

/// The steps of a transaction. It was pending when it was reported as delayed.
fn steps_of(history: &TransactionHistory) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> =
        history.events.iter().map(|(at, event)| Step::Event(*at, event)).collect();
    if let Some(delayed_at) = history.delayed_at {
        let is_later = |(at, event): &(Timestamp, Event)| {
            let is_final = matches!(event, Event::Moved(state, _) if state.is_final());
            *at > delayed_at || (is_final && *at == delayed_at)
        };
        let position = history.events.iter().position(is_later).unwrap_or(steps.len());
        steps.insert(position, Step::Delayed(delayed_at));
    }
    steps
}

impl Step<'_> {
    const fn at(self) -> Timestamp {
        match self {
            Self::Event(at, _) | Self::Delayed(at) => at,
        }
    }
}

/// Applies an event to its transaction, and returns the transaction. `None` if its first event is
/// missing.
fn apply(
    charges: &mut Vec<Transaction>,
    id: &TransactionId,
    at: Timestamp,
    event: &Event,
) -> Option<Transaction> {
    if let Some(charge) = charges.iter_mut().find(|charge| charge.order.id == *id) {
        charge.apply_event(event, at);
        return Some(charge.clone());
    }
    let charge = Transaction::replay(iter::once((at, event.clone())))?;
    charges.push(charge.clone());
    Some(charge)
}

/// What an event of a charge meant for its session.
fn session_event(
    session: &Checkout,
    charges: &[Transaction],
    charge: &Transaction,
    event: &Event,
) -> Option<EventType> {
    let is_of_session = |id: &&CheckoutId| **id == session.id;
    if notice::checkout_paid_by(charge, event).filter(is_of_session).is_some() {
        return notice::first_payment(charges, charge);
    }
    notice::checkout_attempted_by(charge, event).filter(is_of_session)?;
    // Before its end nothing was decided: the times of its end say the same.
    let window = ChargeWindow {
        expires_at: session.expires_at,
        is_decided: false,
        closed_at: session.closed_at,
    };
    notice::failed_attempt(&window, charges, charge)
}

/// The end of a session that expired or was closed unpaid, if that is decided.
fn end(session: &SessionHistory) -> Option<PastEvent> {
    if !session.is_decided {
        return None;
    }
    let ends_at = session.checkout.ends_at();
    let changes = session.charges.iter().flat_map(|charge| charge.events.iter().map(|(at, _)| *at));
    let mut times: Vec<Timestamp> = changes.filter(|at| *at > ends_at).collect();
    times.sort_unstable();
    let decided = iter::once(ends_at).chain(times).find_map(|at| {
        let expiry = rules::expiry(&session.checkout, &summary_at(session, at), at);
        (!matches!(expiry, Expiry::Later(_))).then_some((at, expiry))
    });
    match decided? {
        (at, Expiry::Unpaid(notice) | Expiry::Unused(notice)) => Some(PastEvent { at, notice }),
        (_, Expiry::Paid | Expiry::Later(_)) => None,
    }
}

/// What the charges of a session amounted to at this time.
fn summary_at(session: &SessionHistory, at: Timestamp) -> CheckoutSummary {
    let charge_at = |charge: &TransactionHistory| {
        Transaction::replay(charge.events.iter().take_while(|(then, _)| *then <= at).cloned())
    };
    CheckoutSummary::of(session.charges.iter().filter_map(charge_at).collect())
}
