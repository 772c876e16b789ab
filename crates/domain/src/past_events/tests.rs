use super::*;
use crate::{
    AccountId, Checkout, CheckoutId, CheckoutSummary, DeliveryId, EndpointId, Event, Mode, Scope,
    Transaction, TransactionOrder,
    branding::Branding,
    checkout::{ChargeWindow, CheckoutTerms},
    id::time_of_id,
    rules::{self, Expiry},
    transaction::tests::{new_order, observations},
    webhook::{
        EventType,
        endpoint::Recipient,
        notice::{self, Notice},
        record::record_id,
    },
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use tua_contract::{Amount, FailureCode, State, lifecycle::Observation};

fn seconds(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds)
}

fn checkout(closed_at: Option<Timestamp>) -> Checkout {
    Checkout {
        id: CheckoutId::mint(),
        scope: Scope { account: AccountId::mint(), mode: Mode::Test },
        merchant: "Adom Stores".to_owned(),
        branding: Branding::default(),
        seed: [0; 16],
        reference: "order-1".to_owned(),
        terms: CheckoutTerms {
            amount: Amount::from_pesewas(1050).unwrap(),
            email: None,
            metadata: None,
            answer: None,
            return_url: None,
        },
        created_at: seconds(0),
        expires_at: seconds(1800),
        closed_at,
        created_by: None,
        link: None,
        sandbox_ahead: SignedDuration::ZERO,
    }
}

fn order_of(checkout: &Checkout) -> TransactionOrder {
    TransactionOrder { checkout: Some(checkout.id.clone()), ..new_order() }
}

/// A session while things happen, as the store keeps it, with what endpoints are sent.
struct LiveSession {
    checkout: Checkout,
    charges: Vec<Transaction>,
    histories: Vec<TransactionHistory>,
    sent: Vec<PastEvent>,
    end: Option<Notice>,
    is_decided: bool,
}

impl LiveSession {
    fn open(closed_at: Option<Timestamp>) -> Self {
        let checkout = checkout(closed_at);
        let opened = Notice::of_checkout(&checkout.id, EventType::CheckoutOpened);
        Self {
            sent: vec![PastEvent { at: seconds(0), notice: opened }],
            checkout,
            charges: Vec::new(),
            histories: Vec::new(),
            end: None,
            is_decided: false,
        }
    }

    fn window(&self) -> ChargeWindow {
        let Checkout { expires_at, closed_at, .. } = self.checkout;
        ChargeWindow { expires_at, closed_at, is_decided: self.is_decided }
    }

    fn begin(&mut self, now: Timestamp) {
        let is_free = self.charges.iter().all(|charge| charge.state.is_final());
        let is_over = self.window().is_over(now) || self.window().is_closed(now);
        if !is_free || is_over {
            return;
        }
        let charge = Transaction::begin(order_of(&self.checkout), true, None, now);
        let new = charge.order.clone();
        self.charges.push(charge);
        self.histories.push(TransactionHistory { events: Vec::new(), delayed_at: None });
        let last = self.charges.len() - 1;
        self.record(last, Event::Begun { new, is_handed_over: true, operator: None }, now);
    }

    fn observe(&mut self, index: usize, observation: Observation, now: Timestamp) {
        let Some(charge) = self.charges.get_mut(index) else { return };
        let Some(event) = charge.weigh(&observation.into(), charge.version) else { return };
        charge.apply_event(&event, now);
        self.record(index, event, now);
    }

    fn record(&mut self, index: usize, event: Event, now: Timestamp) {
        let charge = &self.charges[index];
        let session_event = if EventType::pays(&event) {
            notice::first_payment(&self.charges, charge)
        } else if EventType::fails(&event) {
            notice::failed_attempt(&self.window(), &self.charges, charge)
        } else {
            None
        };
        let notices = Notice::of_event(charge, &event, session_event);
        self.sent.extend(notices.into_iter().map(|notice| PastEvent { at: now, notice }));
        self.histories[index].events.push((now, event));
    }

    /// What the worker does whose check of the session is due.
    fn decide(&mut self, now: Timestamp) {
        if self.is_decided {
            return;
        }
        let summary = CheckoutSummary::of(self.charges.clone());
        let expiry = rules::expiry(&self.checkout, &summary, now);
        self.is_decided = !matches!(expiry, Expiry::Later(_));
        if let Expiry::Unpaid(notice) | Expiry::Unused(notice) = expiry {
            self.end = Some(notice);
        }
    }
}

/// A pause in seconds, and an observation of one of the charges; with none, a charge begins.
fn steps() -> impl Strategy<Value = (i64, usize, Option<Observation>)> {
    (1_i64..600, 0_usize..5, prop::option::of(observations()))
}

proptest! {
    #[test]
    fn past_events_are_those_that_were_sent(
        closed_at in prop::option::of(1_i64..3600),
        steps in prop::collection::vec(steps(), 0..30),
    ) {
        let mut live = LiveSession::open(closed_at.map(seconds));
        let mut now = seconds(0);
        for (pause, charge, observation) in steps {
            now += SignedDuration::from_secs(pause);
            if now > live.checkout.ends_at() {
                live.decide(now);
            }
            match observation {
                Some(observation) => live.observe(charge, observation, now),
                None => live.begin(now),
            }
            if now >= live.checkout.ends_at() {
                live.decide(now);
            }
        }
        let LiveSession { checkout, histories, sent, end, is_decided, .. } = live;
        let past = events_of_session(&SessionHistory { checkout, is_decided, charges: histories });
        let is_end = |event: &&PastEvent| {
            [EventType::CheckoutExpired, EventType::CheckoutClosed]
                .contains(&event.notice.event_type())
        };
        let past_end = past.iter().find(is_end).map(|event| event.notice.clone());
        prop_assert_eq!(past_end, end);
        let others: Vec<PastEvent> =
            past.iter().filter(|event| !is_end(event)).cloned().collect();
        prop_assert_eq!(others, sent);
    }
}

fn failed_history(delayed_at: Option<Timestamp>) -> TransactionHistory {
    let begun = Event::Begun { new: new_order().into(), is_handed_over: true, operator: None };
    let failed = Event::moved(State::Failed(FailureCode::ApprovalTimeout));
    TransactionHistory { events: vec![(seconds(0), begun), (seconds(700), failed)], delayed_at }
}

#[test]
fn a_delay_is_reported_at_the_state_that_it_was_found_in() {
    for delayed_at in [600, 700] {
        let past = events_of_transaction(&failed_history(Some(seconds(delayed_at))));
        let types: Vec<_> = past.iter().map(|event| event.notice.event_type()).collect();
        use EventType::{ChargeDelayed, ChargeFailed, ChargePending};
        assert_eq!(types, [ChargePending, ChargeDelayed, ChargeFailed]);
        assert_eq!(past[1].notice.subject(), past[0].notice.subject(), "the version before");
        assert_eq!(past[1].at, seconds(delayed_at));
    }
}

#[test]
fn a_transaction_without_its_first_event_has_no_events() {
    let mut history = failed_history(None);
    history.events.remove(0);
    assert_eq!(events_of_transaction(&history), []);
}

#[test]
fn an_event_keeps_the_id_that_endpoints_were_sent_and_one_that_is_recorded_is_left_out() {
    let endpoint = EndpointId::mint();
    let record = record_id(&checkout(None).scope);
    let past = events_of_transaction(&failed_history(Some(seconds(600))));
    let recipient = |id: &EndpointId| Recipient { id: id.clone(), is_enabled: true };
    let recipients = [recipient(&endpoint)];
    let sent: Vec<_> = past[1..]
        .iter()
        .flat_map(|event| event.notice.clone().deliveries(&recipients, event.at))
        .collect();
    let all = deliveries(&record, past.clone(), &sent);
    let types: Vec<_> = all.iter().map(|one| one.event_type).collect();
    let expected: Vec<_> = past.iter().map(|event| event.notice.event_type()).collect();
    assert_eq!(types, expected);
    assert!(all.is_sorted_by(|one, other| one.id < other.id));
    for (one, copy) in all[1..].iter().zip(&sent) {
        assert_eq!(one.webhook_id, copy.webhook_id);
        assert_eq!((&one.endpoint, one.due_at), (&record, None));
    }
    for one in &all {
        assert!(DeliveryId::range_of_event(&one.webhook_id).unwrap().contains(&one.id));
    }
    assert_eq!(deliveries(&record, past.clone(), &all), []);
    assert_eq!(deliveries(&record, past, &all[..2])[0].event_type, EventType::ChargeFailed);
}

#[test]
fn an_event_that_seems_later_than_now_comes_before_what_follows() {
    let mut history = failed_history(None);
    for (at, _) in &mut history.events {
        *at = seconds(4_000_000_000);
    }
    let record = record_id(&checkout(None).scope);
    let all = deliveries(&record, events_of_transaction(&history), &[]);
    assert!(all.is_sorted_by(|one, other| one.id < other.id));
    let latest = time_of_id(all.last().unwrap().id.as_str()).unwrap();
    assert!(latest <= DeliveryId::time_of_next());
}
