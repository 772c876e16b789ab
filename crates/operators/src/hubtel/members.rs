//! JSON objects of Hubtel, whose names are written in different cases.

use crate::exact::ExactText;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The members of a JSON object by their names in lower case: Hubtel writes `ResponseCode` in one
/// service and `responseCode` in the next, sometimes both in one response. Numbers keep their
/// digits.
#[derive(Debug, Default)]
pub(super) struct Members(BTreeMap<String, Box<RawValue>>);

impl Members {
    /// Reads a JSON object; `None` for anything else.
    pub(super) fn parse(json: &[u8]) -> Option<Self> {
        let members: BTreeMap<String, Box<RawValue>> = serde_json::from_slice(json).ok()?;
        Some(Self(
            members.into_iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect(),
        ))
    }

    /// The text, or the digits of the number, of a member with this name in lower case. An empty
    /// text is none.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text: ExactText = serde_json::from_str(self.0.get(name)?.get()).ok()?;
        Some(text.0).filter(|text| !text.trim().is_empty())
    }

    /// The truth value of a member.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        serde_json::from_str(self.0.get(name)?.get()).ok()
    }

    /// The object of a member.
    pub(super) fn object(&self, name: &str) -> Option<Self> {
        Self::parse(self.0.get(name)?.get().as_bytes())
    }

    /// The JSON of a member in lower case; empty where it is absent.
    pub(super) fn json(&self, name: &str) -> String {
        self.0.get(name).map(|value| value.get().to_lowercase()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_any_case_and_numbers_keep_their_digits() {
        let members = Members::parse(
            br#"{"ResponseCode":"0000","data":{"AMOUNT":0.80,"charges":null,"isFulfilled":true,"Meta":""}}"#,
        );
        let members = members.unwrap();
        assert_eq!(members.text("responsecode").as_deref(), Some("0000"));
        let data = members.object("data").unwrap();
        assert_eq!(data.text("amount").as_deref(), Some("0.80"));
        assert_eq!(
            (data.text("charges"), data.text("meta"), data.flag("isfulfilled")),
            (None, None, Some(true))
        );
        assert!(Members::parse(b"[1]").is_none() && Members::parse(b"<html>").is_none());
    }
}
