//! Orders at the operators: they arrive, and are decided.

use crate::{
    books::{Arrival, BookedOrder, Decision, Standing},
    operator::refuses_repeats,
    shop::EMPTY_WALLET,
    world::{ScheduledEvent, World},
};
use std::time::Duration;
use tua_domain::{Transfer, ports::Clock};

impl World {
    /// An order arrives at its operator, that the service began to send at `sent_at`.
    pub fn arrive(&self, send: u64, sent_at: Duration, reference: &str, transfer: &Transfer) {
        let now = self.clock.uptime();
        let refuses_repeats = refuses_repeats(transfer.network);
        let hidden_for = if self.fails("order not found", 12) {
            self.between(0, 300_000)
        } else {
            Duration::ZERO
        };
        let forgotten = if self.fails("order forgotten for a time", 12) {
            let from = now + self.between(1_000, 900_000);
            from..from + self.between(60_000, 5_400_000)
        } else {
            now..now
        };
        let was_acknowledged = {
            let state = self.lock();
            let known_at = state.books.get(reference).and_then(|order| order.acknowledged_at);
            known_at.is_some_and(|at| at < sent_at)
        };
        let arrival = self.lock().books.arrive(reference, refuses_repeats, |number| BookedOrder {
            number,
            network: transfer.network,
            kind: transfer.kind,
            amount: transfer.amount,
            standing: Standing::Waiting,
            was_refused: false,
            executions: 0,
            acknowledged_at: None,
            arrived_at: now,
            refused_at: None,
            hidden_until: now + hidden_for,
            forgotten,
        });
        let number = self.number(reference);
        self.trace(|| format!("order {number} arrives: {arrival:?}"));
        self.lock().arrivals.insert(send, arrival);
        if arrival != Arrival::New && was_acknowledged {
            self.violated(format!("order {number} was sent again after it was acknowledged"));
        }
        if arrival == Arrival::New && self.fails("early callback", 10) {
            self.plan(Duration::ZERO, ScheduledEvent::CallBack(reference.to_owned(), false));
        }
        if arrival == Arrival::New && self.fails("forged callback", 10) {
            let after = self.between(0, 7_200_000);
            self.plan(after, ScheduledEvent::ForgedCallback(reference.to_owned()));
        }
        if arrival != Arrival::Duplicate {
            let is_empty = transfer.phone.as_str() == EMPTY_WALLET;
            self.plan_decision(reference, is_empty);
        }
    }

    fn plan_decision(&self, reference: &str, is_wallet_empty: bool) {
        let is_slow = !is_wallet_empty && self.fails("slow decision", 15);
        let after = if is_wallet_empty {
            self.between(200, 10_000)
        } else if is_slow {
            self.between(240_000, 5_400_000)
        } else {
            self.between(200, 240_000)
        };
        let choice = self.lock().random.u32(..100);
        let decision = match choice {
            _ if is_wallet_empty => Decision::Refuse,
            0..75 => Decision::Execute,
            75..93 => Decision::Refuse,
            93..96 if self.clock.uptime() < self.lock().faults_end_at => {
                self.lock().counts.fault("success after failure");
                Decision::RefuseThenExecute
            }
            // The operator never decides, so that people must.
            _ => return,
        };
        self.plan(after, ScheduledEvent::Decide(reference.to_owned(), decision));
    }

    /// The operator decides an order.
    pub fn decide(&self, reference: &str, decision: Decision) {
        let number = self.number(reference);
        let now = self.clock.uptime();
        let mut executions = 0;
        if let Some(order) = self.lock().books.get_mut(reference) {
            if decision == Decision::Execute {
                order.standing = Standing::Executed;
                order.executions += 1;
            } else if order.executions == 0 {
                order.standing = Standing::Refused;
                order.was_refused = true;
                order.refused_at = Some(now);
            }
            executions = order.executions;
        }
        self.trace(|| format!("order {number} is decided: {decision:?}"));
        if executions > 1 {
            self.violated(format!("order {number} was executed {executions} times"));
        }
        let mut is_certain = false;
        if decision == Decision::RefuseThenExecute {
            let later = self.between(60_000, 3_600_000);
            let execution = ScheduledEvent::Decide(reference.to_owned(), Decision::Execute);
            self.plan(later, execution);
            // Only a callback can correct a final status.
            let call = ScheduledEvent::CallBack(reference.to_owned(), true);
            self.plan(later + Duration::from_secs(1), call);
            is_certain = true;
        }
        if is_certain || !self.fails("callback lost", 40) {
            let after = self.between(10, 20_000);
            self.plan(after, ScheduledEvent::CallBack(reference.to_owned(), false));
        }
        if self.fails("callback repeated", 20) {
            let after = self.between(10, 200_000);
            self.plan(after, ScheduledEvent::CallBack(reference.to_owned(), false));
        }
    }
}
