//! Which calls of the store's ports fail or wait, and when.

use async_trait::async_trait;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};
use tokio::sync::watch;
use tua_domain::ports::StoreError;
use tua_store::fault_injection::FaultInjector;

/// When a call fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before the work is done.
    Before,
    /// After the work is done, so that only its result is lost.
    After,
}

/// The calls that fail.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The method; `None` for all methods.
    pub method: Option<&'static str>,
    /// Whether the work is done.
    pub moment: Moment,
    /// How many more calls fail.
    pub times: usize,
}

/// The handle by which a test plans failures.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    fault: Arc<Mutex<Option<Fault>>>,
    called: Arc<Mutex<BTreeSet<&'static str>>>,
    /// The method whose calls wait.
    held: watch::Sender<Option<&'static str>>,
}

/// A text of the errors that no response may contain.
pub const SECRET: &str = "SELECT * FROM /var/lib/tua.db";

impl Plan {
    /// Plans a fault, and starts to record calls.
    pub fn begin(&self, fault: Option<Fault>) {
        self.set(fault);
        self.called.lock().unwrap().clear();
    }

    /// Changes which calls fail. [`Self::called`] keeps the earlier calls.
    pub fn set(&self, fault: Option<Fault>) {
        *self.fault.lock().unwrap() = fault;
    }

    /// The methods that were called since [`Self::begin`].
    pub fn called(&self) -> BTreeSet<&'static str> {
        self.called.lock().unwrap().clone()
    }

    /// From now on calls of this method wait; nothing lets them go on.
    pub fn hold(&self, method: Option<&'static str>) {
        self.held.send_replace(method);
    }

    /// How many calls wait.
    pub fn waiting(&self) -> usize {
        self.held.receiver_count()
    }

    fn check(&self, method: &'static str, moment: Moment) -> Result<(), StoreError> {
        self.called.lock().unwrap().insert(method);
        let mut planned = self.fault.lock().unwrap();
        let fault = planned
            .filter(|fault| fault.moment == moment && fault.method.is_none_or(|one| one == method));
        let Some(fault) = fault else { return Ok(()) };
        *planned = (fault.times > 1).then_some(Fault { times: fault.times - 1, ..fault });
        Err(match moment {
            Moment::Before => StoreError::unavailable(SECRET),
            Moment::After => StoreError::Uncertain(SECRET.into()),
        })
    }
}

#[async_trait]
impl FaultInjector for Plan {
    async fn before(&self, method: &'static str) -> Result<(), StoreError> {
        if *self.held.borrow() == Some(method) {
            let _ = self.held.subscribe().wait_for(|held| *held != Some(method)).await;
        }
        self.check(method, Moment::Before)
    }

    fn after(&self, method: &'static str) -> Result<(), StoreError> {
        self.check(method, Moment::After)
    }
}
