//! A rule: which fault occurs on which calls, and how often.

use super::documented;
use crate::operator::{Call, Operator};
use std::{fmt, num::NonZeroU32, time::Duration};

/// A fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The response is delayed, in real time.
    Latency(Duration),
    /// HTTP 500 in the operator's own format; the request has no effect.
    ErrorBefore,
    /// HTTP 500 in the operator's own format, although the request has had its effect.
    ErrorAfter,
    /// HTTP 503 in the operator's own format; the request has no effect.
    Unavailable,
    /// The operator's own error with this code, which it documents; the request has no effect.
    Refusal(&'static str),
    /// This status of the order, which the operator documents, in place of the present one.
    Status(&'static str),
    /// The connection is closed; the request has no effect.
    CloseBefore,
    /// The connection is closed before the response, although the request has had its effect.
    CloseAfter,
    /// The connection is closed in the middle of the response's body.
    CloseInBody,
    /// A page of HTML with status 200 in place of the response.
    Html,
    /// The first half of the response's JSON, as if it were all.
    HalfJson,
    /// Another amount than the order's.
    WrongAmount,
    /// Another currency than the order's.
    WrongCurrency,
    /// Another reference than the order's.
    WrongReference,
    /// A status that the operator does not document.
    UnknownStatus,
    /// HTTP 429; the request has no effect.
    TooManyRequests,
    /// HTTP 403 with a page of HTML, as to an address that is not on the operator's list.
    OffList,
    /// The operator's answer for an order that does not exist.
    NotFound,
    /// The callback is not sent.
    Lost,
    /// The callback is sent twice.
    Doubled,
    /// The callback is sent after the operator's next one, or after 30 s if there is none.
    Reordered,
    /// The callback is sent later, on the virtual clock.
    Delayed(Duration),
    /// When an order is accepted, a callback arrives at once that reports its success, with a wrong
    /// signature where the operator signs.
    Forged,
}

/// The usual argument of faults that have one.
const USUAL_DURATION: Duration = Duration::from_secs(5);

impl Fault {
    /// All faults, with the usual duration of those that have one, and without those that name a
    /// code or a status.
    pub const ALL: [Self; 21] = [
        Self::Latency(USUAL_DURATION),
        Self::ErrorBefore,
        Self::ErrorAfter,
        Self::Unavailable,
        Self::CloseBefore,
        Self::CloseAfter,
        Self::CloseInBody,
        Self::Html,
        Self::HalfJson,
        Self::WrongAmount,
        Self::WrongCurrency,
        Self::WrongReference,
        Self::UnknownStatus,
        Self::TooManyRequests,
        Self::OffList,
        Self::NotFound,
        Self::Lost,
        Self::Doubled,
        Self::Reordered,
        Self::Delayed(USUAL_DURATION),
        Self::Forged,
    ];

    /// The name in flags and forms.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Latency(_) => "latency",
            Self::ErrorBefore => "error-before",
            Self::ErrorAfter => "error-after",
            Self::Unavailable => "unavailable",
            Self::Refusal(_) => "refusal",
            Self::Status(_) => "status",
            Self::CloseBefore => "close-before",
            Self::CloseAfter => "close-after",
            Self::CloseInBody => "close-in-body",
            Self::Html => "html",
            Self::HalfJson => "half-json",
            Self::WrongAmount => "wrong-amount",
            Self::WrongCurrency => "wrong-currency",
            Self::WrongReference => "wrong-reference",
            Self::UnknownStatus => "unknown-status",
            Self::TooManyRequests => "too-many-requests",
            Self::OffList => "off-list",
            Self::NotFound => "not-found",
            Self::Lost => "lost",
            Self::Doubled => "doubled",
            Self::Reordered => "reordered",
            Self::Delayed(_) => "delayed",
            Self::Forged => "forged",
        }
    }

    /// Whether callbacks can have this fault.
    #[must_use]
    pub const fn is_of_callbacks(self) -> bool {
        matches!(
            self,
            Self::Lost
                | Self::Doubled
                | Self::Reordered
                | Self::Delayed(_)
                | Self::Forged
                | Self::Html
                | Self::HalfJson
                | Self::WrongAmount
                | Self::WrongCurrency
                | Self::WrongReference
                | Self::UnknownStatus
                | Self::Status(_)
        )
    }

    /// Whether responses can have this fault.
    #[must_use]
    pub const fn is_of_responses(self) -> bool {
        !matches!(
            self,
            Self::Lost | Self::Doubled | Self::Reordered | Self::Delayed(_) | Self::Forged
        )
    }

    /// The code of a refusal.
    pub(super) const fn refusal(&self) -> Option<&'static str> {
        match self {
            Self::Refusal(code) => Some(code),
            _ => None,
        }
    }

    fn with_duration(self, duration: Duration) -> Option<Self> {
        match self {
            Self::Latency(_) => Some(Self::Latency(duration)),
            Self::Delayed(_) => Some(Self::Delayed(duration)),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (name, duration) =
            text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        match (name, duration) {
            ("refusal", code) => return documented::refusal(code?).map(Self::Refusal),
            ("status", word) => return documented::status(word?).map(Self::Status),
            _ => {}
        }
        let fault = Self::ALL.into_iter().find(|fault| fault.as_str() == name)?;
        match duration {
            Some(duration) => fault.with_duration(parse_duration(duration)?),
            None => Some(fault),
        }
    }
}

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
    /// The fault.
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

    pub(super) fn matches(&self, operator: Operator, call: Call) -> bool {
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

/// Why a text is not a [`Rule`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The text has no `=`.
    #[error("expected [OPERATOR/]CALL=FAULT, for example mtn-momo/send=error-after")]
    NoFault,
    /// No operator has this name.
    #[error("unknown operator `{0}`: mtn-momo, paystack, pawapay, hubtel or all")]
    Operator(String),
    /// No kind of call has this name.
    #[error(
        "unknown call `{0}`: token, send, code, status, payout, refund, other, callback or all"
    )]
    Call(String),
    /// No fault has this name, or its duration is wrong.
    #[error(
        "unknown fault `{0}`, or its duration is not one such as 5s or 10m, or no operator \
         documents its code"
    )]
    Fault(String),
    /// This kind of call cannot have this fault.
    #[error("a {call} cannot have the fault `{fault}`")]
    NotPossible {
        /// The kind of call.
        call: &'static str,
        /// The fault.
        fault: &'static str,
    },
    /// An option is unknown or has a wrong value.
    #[error("wrong option `{0}`: times=N, every=N or for=DURATION")]
    Option(String),
}

impl std::str::FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let (calls, faults) = text.split_once('=').ok_or(RuleError::NoFault)?;
        let (operator, call) = calls.split_once('/').unwrap_or(("all", calls));
        let operator = match operator {
            "all" => None,
            name => {
                Some(Operator::parse(name).ok_or_else(|| RuleError::Operator(name.to_owned()))?)
            }
        };
        let call = match call {
            "all" => None,
            name => Some(Call::parse(name).ok_or_else(|| RuleError::Call(name.to_owned()))?),
        };
        let mut parts = faults.split(',');
        let fault = parts.next().unwrap_or_default();
        let fault = Fault::parse(fault).ok_or_else(|| RuleError::Fault(fault.to_owned()))?;
        let is_possible = match call {
            Some(Call::Callback) => fault.is_of_callbacks(),
            Some(_) => fault.is_of_responses(),
            None => true,
        };
        if let (false, Some(call)) = (is_possible, call) {
            return Err(RuleError::NotPossible { call: call.as_str(), fault: fault.as_str() });
        }
        let mut rule =
            Self { operator, call, fault, times: None, every: NonZeroU32::MIN, lasts: None };
        for option in parts {
            rule.set_option(option).ok_or_else(|| RuleError::Option(option.to_owned()))?;
        }
        Ok(rule)
    }
}

impl Rule {
    fn set_option(&mut self, option: &str) -> Option<()> {
        match option.split_once('=')? {
            ("times", number) => self.times = Some(number.parse().ok()?),
            ("every", number) => self.every = number.parse().ok()?,
            ("for", duration) => self.lasts = Some(parse_duration(duration)?),
            _ => return None,
        }
        Some(())
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

/// Parses a whole number with a unit: `300ms`, `5s`, `2m`, `1h`.
fn parse_duration(text: &str) -> Option<Duration> {
    let unit_at = text.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = text.split_at(unit_at);
    let number = number.parse::<u32>().ok()?;
    let unit_ms = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    Some(Duration::from_millis(u64::from(number) * unit_ms))
}

#[cfg(test)]
mod tests;
