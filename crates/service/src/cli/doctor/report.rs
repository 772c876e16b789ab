//! Findings, one line each.

use crate::cli::{Common, output};
use serde::Serialize;

/// How a thing stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Standing {
    Ok,
    Warning,
    Fault,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    standing: Standing,
    said: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// All that was found.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<Finding>);

#[derive(Serialize)]
struct Printed<'a> {
    faults: usize,
    warnings: usize,
    checks: &'a [Finding],
}

impl Report {
    pub(super) fn ok(&mut self, check: &'static str, said: impl Into<String>) {
        self.0.push(Finding { check, standing: Standing::Ok, said: said.into(), remedy: None });
    }

    /// It works, and yet somebody may be surprised.
    pub(super) fn warning(&mut self, check: &'static str, said: impl Into<String>, remedy: impl Into<String>) {
        self.0.push(Finding { check, standing: Standing::Warning, said: said.into(), remedy: Some(remedy.into()) });
    }

    /// It does not work.
    pub(super) fn fault(&mut self, check: &'static str, said: impl Into<String>, remedy: impl Into<String>) {
        self.0.push(Finding { check, standing: Standing::Fault, said: said.into(), remedy: Some(remedy.into()) });
    }

    pub(super) fn has_faults(&self) -> bool {
        self.count(Standing::Fault) > 0
    }

    pub(super) fn print(&self, common: &Common) -> Result<(), String> {
        let (faults, warnings) = (self.count(Standing::Fault), self.count(Standing::Warning));
        let lines = self.0.iter().map(Finding::line).collect::<Vec<_>>().join("\n");
        let text = format!("{lines}\nfaults: {faults}, warnings: {warnings}");
        output::print(common, &Printed { faults, warnings, checks: &self.0 }, &text)
    }

    fn count(&self, standing: Standing) -> usize {
        self.0.iter().filter(|finding| finding.standing == standing).count()
    }
}

impl Finding {
    fn line(&self) -> String {
        let word = match self.standing {
            Standing::Ok => "ok",
            Standing::Warning => "warning",
            Standing::Fault => "fault",
        };
        let remedy = self.remedy.as_ref().map_or_else(String::new, |remedy| format!("; {remedy}"));
        format!("{word:<8} {:<14} {}{remedy}", self.check, self.said)
    }
}
