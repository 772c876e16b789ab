//! Which combinations of a payment's stage, an event and a fault have occurred. What has never
//! occurred is a corner in which nothing would be found.

use crate::inspector::Stage;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

/// How long after its end a fault still counts as present.
const AFTERMATH: Duration = Duration::from_secs(60);

/// How many lines the short form has at most.
const SHORT_LINES: usize = 12;

/// Something that happens to a payment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Happening {
    /// A shop or a payer asks for it, perhaps again.
    Request,
    /// Its key is used for another request.
    KeyReuse,
    /// A shop reads it.
    Read,
    /// A shop asks for a refund of it.
    RefundRequest,
    /// A send ends without a byte written.
    SendNotSent,
    /// A send ends without a response.
    SendUnanswered,
    /// A send is refused.
    SendRefused,
    /// A send is refused, because the operator has the order.
    SendDuplicate,
    /// A send is answered with how the order stands.
    SendAnswered,
    /// A status query is not answered.
    StatusUnanswered,
    /// A status query is answered: the operator never received the order.
    StatusNeverReceived,
    /// A status query is answered: the order is not decided.
    StatusPending,
    /// A status query is answered: the order is decided.
    StatusFinal,
    /// The operator calls back.
    Callback,
    /// Somebody else calls back.
    ForgedCallback,
    /// A person approves it.
    Approval,
    /// A person refuses it.
    Refusal,
    /// A shop cancels it.
    Cancellation,
    /// The account is suspended.
    Suspension,
    /// The account is resumed.
    Resumption,
    /// The key of the shop is revoked.
    Revocation,
    /// The machine crashes.
    Crash,
    /// The disk fails.
    DiskFault,
    /// The machine is suspended.
    Pause,
    /// The wall clock steps.
    ClockStep,
}

impl Happening {
    /// All of them.
    pub const ALL: [Self; 25] = [
        Self::Request,
        Self::KeyReuse,
        Self::Read,
        Self::RefundRequest,
        Self::SendNotSent,
        Self::SendUnanswered,
        Self::SendRefused,
        Self::SendDuplicate,
        Self::SendAnswered,
        Self::StatusUnanswered,
        Self::StatusNeverReceived,
        Self::StatusPending,
        Self::StatusFinal,
        Self::Callback,
        Self::ForgedCallback,
        Self::Approval,
        Self::Refusal,
        Self::Cancellation,
        Self::Suspension,
        Self::Resumption,
        Self::Revocation,
        Self::Crash,
        Self::DiskFault,
        Self::Pause,
        Self::ClockStep,
    ];

    /// Whether it can happen to a payment at this stage.
    #[must_use]
    pub const fn may_concern(self, stage: Stage) -> bool {
        use Stage::{Acknowledged, Contradicted, Failed, Flagged, Sent, Successful, Unknown};
        let is_final = matches!(stage, Successful | Failed | Contradicted);
        let is_at_operator = matches!(stage, Sent | Acknowledged | Flagged) || is_final;
        match self {
            Self::Request => true,
            Self::KeyReuse
            | Self::Read
            | Self::Approval
            | Self::Refusal
            | Self::Cancellation
            | Self::ForgedCallback => !matches!(stage, Unknown),
            Self::RefundRequest => matches!(stage, Successful | Contradicted),
            Self::SendNotSent | Self::SendUnanswered | Self::SendRefused => {
                matches!(stage, Sent | Acknowledged) || is_final
            }
            Self::SendDuplicate | Self::SendAnswered | Self::Callback => is_at_operator,
            Self::StatusUnanswered
            | Self::StatusNeverReceived
            | Self::StatusPending
            | Self::StatusFinal => is_at_operator,
            Self::Suspension
            | Self::Resumption
            | Self::Revocation
            | Self::Crash
            | Self::DiskFault
            | Self::Pause
            | Self::ClockStep => !is_final && !matches!(stage, Unknown),
        }
    }
}

/// A fault that is present, or was a moment ago.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Trouble {
    /// No fault.
    None,
    /// The machine has crashed.
    Crash,
    /// The disk has failed.
    Disk,
    /// The machine was suspended.
    Pause,
    /// An operator refuses connections.
    Outage,
    /// An order was lost, or is late.
    Order,
    /// A response of an operator was lost, or is slow.
    Response,
    /// An operator does not find an order that it has.
    Hidden,
    /// The wall clock has stepped.
    Clock,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::None,
        Self::Crash,
        Self::Disk,
        Self::Pause,
        Self::Outage,
        Self::Order,
        Self::Response,
        Self::Hidden,
        Self::Clock,
    ];

    /// What a kind of fault, as it is counted, belongs to.
    fn of(kind: &str) -> Option<Self> {
        Some(match kind {
            "crash" => Self::Crash,
            "disk" => Self::Disk,
            "suspended machine" => Self::Pause,
            "order lost" | "order late" | "connection stalled" => Self::Order,
            "response of the operator lost"
            | "response slow"
            | "status slow"
            | "status unanswered" => Self::Response,
            "order not found" | "order forgotten for a time" => Self::Hidden,
            "step of the clock" => Self::Clock,
            _ => return None,
        })
    }
}

/// The faults that are present.
#[derive(Clone, Default, Debug)]
pub struct Troubles(BTreeMap<Trouble, Duration>);

impl Troubles {
    /// Notes a fault, as it is counted.
    pub fn note(&mut self, kind: &str, uptime: Duration) {
        if let Some(trouble) = Trouble::of(kind) {
            self.last(trouble, uptime);
        }
    }

    /// Notes a fault that ends at this time.
    pub fn last(&mut self, trouble: Trouble, until: Duration) {
        let ends_at = self.0.entry(trouble).or_default();
        *ends_at = (*ends_at).max(until + AFTERMATH);
    }

    fn present(&self, uptime: Duration) -> Vec<Trouble> {
        let is_present = |(_, ends_at): &(&Trouble, &Duration)| **ends_at > uptime;
        let mut present: Vec<Trouble> =
            self.0.iter().filter(is_present).map(|(trouble, _)| *trouble).collect();
        if present.is_empty() {
            present.push(Trouble::None);
        }
        present
    }
}

type Combination = (Stage, Happening, Trouble);

/// How often each combination has occurred.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Coverage(BTreeMap<Combination, u64>);

impl Coverage {
    /// Notes that something happened to so many payments at a stage.
    pub fn note(
        &mut self,
        (stage, happening): (Stage, Happening),
        count: u64,
        troubles: &Troubles,
        uptime: Duration,
    ) {
        for trouble in troubles.present(uptime) {
            *self.0.entry((stage, happening, trouble)).or_default() += count;
        }
    }

    /// Adds what another simulation covers.
    pub fn add(&mut self, other: &Self) {
        for (combination, count) in &other.0 {
            *self.0.entry(*combination).or_default() += count;
        }
    }

    /// Those of the possible combinations that have never occurred.
    #[must_use]
    pub fn missing(&self) -> BTreeSet<Combination> {
        possible().filter(|combination| !self.0.contains_key(combination)).collect()
    }

    /// A table of how often what happened at which stage, without faults and with, and what never
    /// happened: all of it, or a part.
    #[must_use]
    pub fn table(&self, is_whole: bool) -> Table<'_> {
        Table { coverage: self, is_whole }
    }
}

fn possible() -> impl Iterator<Item = Combination> {
    let pairs = Stage::ALL
        .into_iter()
        .flat_map(|stage| Happening::ALL.into_iter().map(move |happening| (stage, happening)));
    let possible = pairs.filter(|(stage, happening)| happening.may_concern(*stage));
    possible.flat_map(|(stage, happening)| {
        Trouble::ALL.into_iter().map(move |trouble| (stage, happening, trouble))
    })
}

/// What a simulation covers, to be printed.
#[derive(Debug)]
pub struct Table<'a> {
    coverage: &'a Coverage,
    is_whole: bool,
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let possible = possible().count();
        let missing = self.coverage.missing();
        let seen = possible - missing.len();
        writeln!(f, "{seen} of {possible} combinations of stage, event and fault have occurred")?;
        if self.is_whole {
            for ((stage, happening, trouble), count) in &self.coverage.0 {
                writeln!(f, "{count:>10} {stage:?}, {happening:?}, {trouble:?}")?;
            }
        }
        let mut faults: BTreeMap<(Stage, Happening), Vec<String>> = BTreeMap::new();
        for (stage, happening, trouble) in missing {
            faults.entry((stage, happening)).or_default().push(format!("{trouble:?}"));
        }
        let shown = if self.is_whole { faults.len() } else { SHORT_LINES };
        // First what never happened at all.
        let mut faults: Vec<_> = faults.into_iter().collect();
        faults.sort_by_key(|(_, troubles)| std::cmp::Reverse(troubles.len()));
        for ((stage, happening), troubles) in faults.iter().take(shown) {
            let is_never = troubles.len() == Trouble::ALL.len();
            let which = if is_never { "at all".to_owned() } else { troubles.join(", ") };
            writeln!(f, "     never {stage:?}, {happening:?}: {which}")?;
        }
        match faults.len().saturating_sub(shown) {
            0 => Ok(()),
            left => writeln!(f, "     and {left} more (--coverage prints all)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_present_until_a_minute_after_its_end() {
        let mut troubles = Troubles::default();
        let at = Duration::from_secs(100);
        troubles.note("crash", at);
        troubles.note("key reused", at);
        assert_eq!(troubles.present(at), [Trouble::Crash]);
        assert_eq!(troubles.present(at + AFTERMATH), [Trouble::None]);
    }

    #[test]
    fn what_never_happened_is_listed() {
        let mut coverage = Coverage::default();
        let all = coverage.missing().len();
        let at = Duration::ZERO;
        coverage.note((Stage::Sent, Happening::Crash), 1, &Troubles::default(), at);
        assert_eq!(coverage.missing().len(), all - 1);
        let table = coverage.table(true).to_string();
        assert!(table.starts_with(&format!("1 of {all} combinations")), "{table}");
        assert!(table.contains("never Sent, Crash: Crash, Disk, "), "{table}");
        assert!(table.contains("never Sent, Pause: at all"), "{table}");
    }
}
