//! The members of a JSON object without duplicate names, each with the text of its value.

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use std::{borrow::Cow, collections::HashSet, fmt};

/// From how many members on their names are compared by a hash table. Fewer are compared one by
/// one, without one.
const HASHED_MEMBERS: usize = 16;

/// The members of a JSON object: their names, which all differ, and the texts of their values, in
/// the order in which they were sent.
#[derive(Clone, Debug)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a str)>);

impl<'a> Members<'a> {
    /// Parses the text of an object.
    ///
    /// # Errors
    /// That of the text. Its category is `Data` where two members have the same name.
    pub(crate) fn parse(object: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(object)
    }

    /// The names and values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), *value))
    }

    /// The value of the member with this name; `None` where there is none.
    pub(crate) fn find(&self, name: &str) -> Option<&'a str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Keeps the members whose name and value have this property.
    pub(crate) fn retain(&mut self, keep: impl Fn(&str, &str) -> bool) {
        self.0.retain(|(name, value)| keep(name, value));
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::<(Cow<'de, str>, &'de str)>::with_capacity(8);
                let mut hashed = HashSet::new();
                while let Some((Name(name), value)) =
                    map.next_entry::<Name<'de>, &'de RawValue>()?
                {
                    if members.len() == HASHED_MEMBERS {
                        hashed.extend(members.iter().map(|(name, _)| name.clone()));
                    }
                    let is_duplicate = match members.len() {
                        HASHED_MEMBERS.. => !hashed.insert(name.clone()),
                        _ => members.iter().any(|(other, _)| *other == name),
                    };
                    if is_duplicate {
                        return Err(A::Error::custom("duplicate name"));
                    }
                    members.push((name, value.get()));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

/// A member's name, borrowed from the body where it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);
