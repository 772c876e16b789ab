//! Notes what happens to payments, for the table of what a simulation covers.

use crate::{
    coverage::{Happening, Trouble},
    inspector::Inspector,
    world::World,
};
use jiff::SignedDuration;
use std::{sync::PoisonError, time::Duration};
use tua_domain::{TransactionId, ports::Clock};

impl World {
    /// Lets the world look into the database of a life of the service, or no more.
    pub fn inspect(&self, inspector: Option<Inspector>) {
        *self.inspector.lock().unwrap_or_else(PoisonError::into_inner) = inspector;
    }

    /// Looks into the database. `None` while there is none, or where that fails.
    pub fn look<T>(&self, look: impl FnOnce(&Inspector) -> rusqlite::Result<T>) -> Option<T> {
        let inspector = self.inspector.lock().unwrap_or_else(PoisonError::into_inner);
        inspector.as_ref().and_then(|inspector| look(inspector).ok())
    }

    /// Notes that something happens to the payment with this operator reference.
    pub fn happens(&self, reference: &str, happening: Happening) {
        let Some(id) = TransactionId::of_operator_reference(reference) else { return };
        self.happens_to(Some(&id), happening);
    }

    /// Notes that something happens to a payment; `None` where nobody knows whether it exists.
    pub fn happens_to(&self, id: Option<&TransactionId>, happening: Happening) {
        let id = id.map_or("", TransactionId::as_str);
        let Some(stage) = self.look(|inspector| inspector.stage(id)) else { return };
        let uptime = self.clock.uptime();
        let state = &mut *self.lock();
        state.counts.coverage.note((stage, happening), 1, &state.troubles, uptime);
    }

    /// Notes that something happens to all payments that are not final.
    pub fn happens_to_all(&self, happening: Happening) {
        let stages = self.look(Inspector::open_stages).unwrap_or_default();
        let uptime = self.clock.uptime();
        let state = &mut *self.lock();
        for (stage, count) in stages {
            state.counts.coverage.note((stage, happening), count, &state.troubles, uptime);
        }
    }

    /// Counts a fault of this kind, which is over now.
    pub fn fault(&self, kind: &'static str) {
        let uptime = self.clock.uptime();
        let mut state = self.lock();
        state.counts.fault(kind);
        state.troubles.note(kind, uptime);
    }

    /// Notes a fault that will last until this time.
    pub fn lasts(&self, trouble: Trouble, until: Duration) {
        self.lock().troubles.last(trouble, until);
    }

    /// The wall clock is set by seconds or minutes.
    pub fn step_clock(&self) {
        let milliseconds = {
            let mut state = self.lock();
            let range = if state.random.bool() { 5_000 } else { 600_000 };
            state.random.i64(-range..=range)
        };
        self.happens_to_all(Happening::ClockStep);
        self.clock.step(SignedDuration::from_millis(milliseconds));
        self.fault("step of the clock");
        self.trace(|| format!("the wall clock steps by {milliseconds} ms"));
    }
}
