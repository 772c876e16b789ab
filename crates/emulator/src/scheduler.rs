//! Runs the events that become due on the virtual clock.

use crate::{delivery, event::Event, lifecycle, protocol::Shared};
use jiff::Timestamp;
use std::time::Duration;
use tokio::sync::watch;

fn run_due(shared: &Shared) {
    while let Some(event) = shared.clock.take_due() {
        handle(shared, event);
    }
}

fn handle(shared: &Shared, event: Event) {
    match event {
        Event::FinishOrder { order, phase, due } => {
            lifecycle::finish_planned(shared, order, phase, due);
        }
        Event::ProcessOrder { order } => lifecycle::process(shared, order),
        Event::SendCallback { callback, attempt } => delivery::send(shared, callback, attempt),
        Event::SendHeldCallback { operator } => delivery::send_held(shared, operator),
        Event::RunTask { operator, task } => {
            if let Some(protocol) = shared.protocol(operator) {
                protocol.run_task(shared, &task);
            }
        }
    }
}

/// Runs events as they become due, until the sender of `stop` is dropped. On a manual clock only
/// [`ClockHandle::advance`] runs them, so that they have ended when it returns.
pub(crate) async fn run(shared: Shared, mut stop: watch::Receiver<()>) {
    if shared.clock.is_manual() {
        return;
    }
    while stop.has_changed().is_ok() {
        run_due(&shared);
        let changed = shared.clock.changed();
        let next = shared.clock.next_due().map(|due| shared.clock.real_time_until(due));
        let due = async {
            match next {
                Some(wait) => tokio::time::sleep(wait).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = due => {}
            () = changed => {}
            _ = stop.changed() => {}
        }
    }
}

/// The emulator's virtual clock, for tests.
#[derive(Clone, Debug)]
pub struct ClockHandle(pub(crate) Shared);

impl ClockHandle {
    /// The present moment on the virtual clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Moves the virtual clock forward and runs everything that becomes due on the way, in order.
    /// The HTTP requests of callbacks start before this returns, and finish later. Call it inside
    /// the Tokio runtime.
    pub fn advance(&self, by: Duration) {
        let clock = &self.0.clock;
        let target = clock.after(by);
        run_due(&self.0);
        while let Some(due) = clock.next_due().filter(|due| *due <= target) {
            clock.move_to(due);
            run_due(&self.0);
        }
        clock.move_to(target);
    }
}
