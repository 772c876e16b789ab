//! The report of `tua doctor`: one line per check.

use crate::cli::{context::Common, fault::Fault, output, severity::Severity};
use serde::Serialize;

/// The outcome of one check.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    severity: Severity,
    message: String,
    /// What to do about it, for a warning or a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// The outcomes of all checks.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<Finding>);

#[derive(Serialize)]
struct DoctorReport<'a> {
    faults: usize,
    warnings: usize,
    checks: &'a [Finding],
}

impl Report {
    pub(super) fn ok(&mut self, check: &'static str, message: impl Into<String>) {
        self.0.push(Finding {
            check,
            severity: Severity::Ok,
            message: message.into(),
            remedy: None,
        });
    }

    /// It works, with consequences that may be unintended.
    pub(super) fn warning(
        &mut self,
        check: &'static str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.0.push(Finding {
            check,
            severity: Severity::Warning,
            message: message.into(),
            remedy: Some(remedy.into()),
        });
    }

    /// It does not work.
    pub(super) fn fault(
        &mut self,
        check: &'static str,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.0.push(Finding {
            check,
            severity: Severity::Fault,
            message: message.into(),
            remedy: Some(remedy.into()),
        });
    }

    pub(super) fn has_faults(&self) -> bool {
        self.count(Severity::Fault) > 0
    }

    pub(super) fn print(&self, common: &Common) -> Result<(), Fault> {
        let faults = self.count(Severity::Fault);
        let warnings = self.count(Severity::Warning);
        let text = format!("{}\nfaults: {faults}, warnings: {warnings}", self.lines());
        output::print(common, &DoctorReport { faults, warnings, checks: &self.0 }, &text)
    }

    /// One line per check.
    pub(super) fn lines(&self) -> String {
        self.0.iter().map(Finding::line).collect::<Vec<_>>().join("\n")
    }

    fn count(&self, severity: Severity) -> usize {
        self.0.iter().filter(|finding| finding.severity == severity).count()
    }
}

impl Finding {
    fn line(&self) -> String {
        let word = self.severity.as_str();
        let remedy = self.remedy.as_ref().map_or_else(String::new, |remedy| format!("; {remedy}"));
        format!("{word:<8} {:<14} {}{remedy}", self.check, self.message)
    }
}
