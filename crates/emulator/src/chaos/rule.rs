//! A rule: which fault occurs on which calls, and how often.

use super::fault::Fault;
use crate::operator::{Call, Operator};
use std::{fmt, num::NonZeroU32, time::Duration};

/// Which fault occurs on which calls, and how often.
///
/// As text: `[OPERATOR/]CALL=FAULT[:ARGUMENT][,times=N][,every=N][,for=DURATION]`, where `OPERATOR`
/// and `CALL` may be `all`, and the argument is a duration (a number with `ms`, `s`, `m` or `h`),
/// or the code or status that the fault names: `mtn-momo/send=error-after,times=3`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// The operator; `None` for all.
    pub operator: Option<Operator>,
    /// The kind of call; `None` for all that can have the fault.
    pub call: Option<Call>,
    /// What goes wrong on each call that matches.
    pub fault: Fault,
    /// How often it occurs; `None` until the rule is removed.
    pub times: Option<NonZeroU32>,
    /// It occurs on every call with a multiple of this number, from the first match.
    pub every: NonZeroU32,
    /// How long it occurs, on the virtual clock; `None` until the rule is removed.
    pub lasts: Option<Duration>,
}

impl Rule {
    /// A fault of one kind of call of one operator, until it is removed.
    #[must_use]
    pub const fn new(operator: Operator, call: Call, fault: Fault) -> Self {
        Self {
            operator: Some(operator),
            call: Some(call),
            fault,
            times: None,
            every: NonZeroU32::MIN,
            lasts: None,
        }
    }

    /// The same for one call only.
    #[must_use]
    pub const fn once(self) -> Self {
        Self { times: Some(NonZeroU32::MIN), ..self }
    }

    /// The same for this long, on the virtual clock.
    #[must_use]
    pub const fn lasting(self, lasts: Duration) -> Self {
        Self { lasts: Some(lasts), ..self }
    }

    pub(crate) fn matches(&self, operator: Operator, call: Call) -> bool {
        let can_occur = if call == Call::Callback {
            self.fault.is_of_callbacks()
        } else {
            self.fault.is_of_responses()
        };
        // Without a kind, a fault that both can have is one of responses.
        let is_wanted = match self.call {
            Some(wanted) => wanted == call,
            None => call != Call::Callback || !self.fault.is_of_responses(),
        };
        can_occur && is_wanted && self.operator.is_none_or(|wanted| wanted == operator)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = self.operator.map_or("all", Operator::as_str);
        write!(f, "{operator}/{}={}", self.call.map_or("all", Call::as_str), self.fault.as_str())?;
        match self.fault {
            Fault::Latency(duration) | Fault::Delayed(duration) => {
                write!(f, ":{}ms", duration.as_millis())?
            }
            Fault::Refusal(code) | Fault::Status(code) => write!(f, ":{code}")?,
            _ => {}
        }
        if let Some(times) = self.times {
            write!(f, ",times={times}")?;
        }
        if self.every > NonZeroU32::MIN {
            write!(f, ",every={}", self.every)?;
        }
        match self.lasts {
            Some(lasts) => write!(f, ",for={}ms", lasts.as_millis()),
            None => Ok(()),
        }
    }
}
