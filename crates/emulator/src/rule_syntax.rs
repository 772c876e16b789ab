//! Parses a rule of faults, as flags and the page write it.

use crate::{
    chaos::{Fault, Rule},
    operator::{Call, Operator},
    protocols,
};
use std::{num::NonZeroU32, str::FromStr, time::Duration};

/// Why a text is not a [`Rule`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The text has no `=`.
    #[error("expected [OPERATOR/]CALL=FAULT, for example mtn-momo/send=error-after")]
    NoFault,
    /// No operator has this name.
    #[error("unknown operator `{0}`: {names} or all", names = protocols::names())]
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
        /// The name of the fault.
        fault: &'static str,
    },
    /// An option is unknown or has a wrong value.
    #[error("wrong option `{0}`: times=N, every=N or for=DURATION")]
    Option(String),
}

impl FromStr for Rule {
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
        let fault = parse_fault(fault).ok_or_else(|| RuleError::Fault(fault.to_owned()))?;
        let is_possible = match call {
            Some(Call::Callback) => fault.is_of_callbacks(),
            Some(_) => fault.is_of_responses(),
            None => true,
        };
        if let Some(call) = call.filter(|_| !is_possible) {
            return Err(RuleError::NotPossible { call: call.as_str(), fault: fault.as_str() });
        }
        let mut rule =
            Self { operator, call, fault, times: None, every: NonZeroU32::MIN, lasts: None };
        for option in parts {
            set_option(&mut rule, option).ok_or_else(|| RuleError::Option(option.to_owned()))?;
        }
        Ok(rule)
    }
}

fn set_option(rule: &mut Rule, option: &str) -> Option<()> {
    match option.split_once('=')? {
        ("times", number) => rule.times = Some(number.parse().ok()?),
        ("every", number) => rule.every = number.parse().ok()?,
        ("for", duration) => rule.lasts = Some(parse_duration(duration)?),
        _ => return None,
    }
    Some(())
}

/// Parses a fault with its argument: `latency:300ms`, `refusal:4103`.
fn parse_fault(text: &str) -> Option<Fault> {
    let (name, duration) =
        text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
    match (name, duration) {
        ("refusal", code) => return protocols::find_error_code(code?).map(Fault::Refusal),
        ("status", word) => return protocols::find_status(word?).map(Fault::Status),
        _ => {}
    }
    let fault = Fault::ALL.into_iter().find(|fault| fault.as_str() == name)?;
    match duration {
        Some(duration) => with_duration(fault, parse_duration(duration)?),
        None => Some(fault),
    }
}

/// The fault with this duration; `None` for a fault without one.
fn with_duration(fault: Fault, duration: Duration) -> Option<Fault> {
    match fault {
        Fault::Latency(_) => Some(Fault::Latency(duration)),
        Fault::Delayed(_) => Some(Fault::Delayed(duration)),
        _ => None,
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
