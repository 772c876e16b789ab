//! Turns a body's fields into the domain's types, collecting every fault on the way.

use super::problem::{ApiError, Fault};
use super::values::string;
use serde_json::value::RawValue;
use std::borrow::Cow;
use tua_contract::ErrorCode;

/// Why one value was refused.
pub(super) type Refusal = (ErrorCode, Cow<'static, str>);

/// The fields of a body that have not been taken yet, and the faults found so far.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    left: Vec<(String, &'a RawValue)>,
    faults: Vec<Fault>,
    /// Every name that was asked for, and whether it was required: what the document must say.
    #[cfg(test)]
    asked: Vec<(&'static str, bool)>,
}

impl<'a> Fields<'a> {
    pub(super) const fn new(members: Vec<(String, &'a RawValue)>) -> Self {
        Self {
            left: members,
            faults: Vec::new(),
            #[cfg(test)]
            asked: Vec::new(),
        }
    }

    /// Takes a field that must be there.
    pub(super) fn required<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        #[cfg(test)]
        self.asked.push((name, true));
        match self.take(name).filter(|value| !is_null(value)) {
            Some(value) => self.parsed(name, value, parse),
            None => {
                self.fault(name, (ErrorCode::FieldRequired, format!("{name} is required.").into()));
                None
            }
        }
    }

    /// Takes a field that may be left out; null is as good as absent.
    pub(super) fn optional<T>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        #[cfg(test)]
        self.asked.push((name, false));
        let value = self.take(name).filter(|value| !is_null(value))?;
        self.parsed(name, value, parse)
    }

    /// GHS is the only currency, on every route; left out, it is meant.
    pub(super) fn currency(&mut self) {
        self.optional("currency", |value| match string(value)?.as_str() {
            "GHS" => Ok(()),
            _ => Err((ErrorCode::UnsupportedCurrency, "Only the currency GHS is supported.".into())),
        });
    }

    /// Refuses fields that exist, but not for this credential.
    pub(super) fn forbid(&mut self, names: &[&'static str], why: &'static str) {
        for &name in names {
            if self.take(name).is_some() {
                self.fault(name, (ErrorCode::FieldNotAllowed, why.into()));
            }
        }
    }

    /// Notes a fault that only the caller can see.
    pub(super) fn fault(&mut self, name: &str, (code, detail): Refusal) {
        self.faults.push(Fault { pointer: pointer(name), code, detail });
    }

    /// Refuses what is left, and everything that was found wrong, at once.
    pub(super) fn finish(&mut self) -> Result<(), ApiError> {
        for (name, _) in std::mem::take(&mut self.left) {
            self.fault(&name, (ErrorCode::UnknownField, "This field does not exist.".into()));
        }
        match std::mem::take(&mut self.faults) {
            faults if faults.is_empty() => Ok(()),
            faults => Err(ApiError::faults(faults)),
        }
    }

    /// The names that a parser has asked for, and which of them it requires.
    #[cfg(test)]
    pub(super) fn asked(&self) -> &[(&'static str, bool)] {
        &self.asked
    }

    fn parsed<T>(
        &mut self,
        name: &str,
        value: &RawValue,
        parse: impl FnOnce(&RawValue) -> Result<T, Refusal>,
    ) -> Option<T> {
        parse(value).map_err(|refusal| self.fault(name, refusal)).ok()
    }

    fn take(&mut self, name: &str) -> Option<&'a RawValue> {
        let at = self.left.iter().position(|(left, _)| left == name)?;
        Some(self.left.remove(at).1)
    }
}

/// The JSON pointer (RFC 6901) to a member of the body, or by the same sign to a query parameter.
pub(super) fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}
