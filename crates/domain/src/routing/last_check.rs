//! The last check of an operator's credentials and settings by this process: from the dashboard, or
//! by the worker. Checks of the command line are not included.

use crate::ports::CheckResult;
use jiff::Timestamp;
use std::sync::{Mutex, PoisonError};

/// What a check found.
#[derive(Clone, Debug)]
pub struct CheckReport {
    /// When the check ended.
    pub at: Timestamp,
    /// What was found; `None` where the operator did not respond in time.
    pub results: Option<Vec<CheckResult>>,
}

impl CheckReport {
    /// The messages of the failed checks.
    pub fn faults(&self) -> impl Iterator<Item = &str> {
        let results = self.results.iter().flatten();
        results.filter_map(|one| one.outcome.as_ref().err().map(String::as_str))
    }

    /// Whether the operator has accepted the credentials: it was called, it responded in time, and
    /// every finding is right but that about the address of callbacks, which is not about
    /// credentials, and without which payments go on.
    #[must_use]
    pub fn accepts_credentials(&self) -> bool {
        let mut of_credentials =
            self.results.iter().flatten().filter(|one| one.name != CheckResult::CALLBACK_ADDRESS);
        let first = of_credentials.next();
        first.is_some_and(|first| first.outcome.is_ok())
            && of_credentials.all(|one| one.outcome.is_ok())
    }
}

/// The last check by this process.
#[derive(Debug, Default)]
pub struct LastCheck(Mutex<Option<CheckReport>>);

impl LastCheck {
    /// What the last check found; `None` where there was none.
    #[must_use]
    pub fn report(&self) -> Option<CheckReport> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Remembers what a check found.
    pub fn update(&self, report: CheckReport) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    /// Whether the last check found a fault. A check without a response in time found none.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|report| report.faults().next().is_some())
    }
}
