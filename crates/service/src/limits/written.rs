//! Limits as an operator writes them: a word, or in the file a table.

use super::{Limits, Rates, WrittenRates};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::{convert::Infallible, fmt, str::FromStr};

/// Limits as they were written: a word, or in the file a table of rates.
#[derive(Clone, Debug)]
pub enum WrittenLimits {
    /// `default` or `off`, or a mistake.
    Word(String),
    /// Rates other than the usual ones.
    Rates(WrittenRates),
}

impl WrittenLimits {
    /// The command line before the file; its `default` means the file's rates, where it has any.
    pub(crate) fn or(flag: Option<Self>, file: Option<Self>) -> Option<Self> {
        match (flag, file) {
            (Some(Self::Word(word)), Some(Self::Rates(rates))) if word == "default" => Some(Self::Rates(rates)),
            (flag, file) => flag.or(file),
        }
    }

    /// What is meant.
    ///
    /// # Errors
    /// Every fault, each a sentence that names the setting.
    pub(crate) fn resolve(self) -> Result<Limits, Vec<String>> {
        match self {
            Self::Rates(rates) => rates.resolve().map(Limits::On),
            Self::Word(word) if word == "default" => Ok(Limits::On(Rates::default())),
            Self::Word(word) if word == "off" => Ok(Limits::Off),
            Self::Word(word) => Err(vec![format!("limits: {word:?} is neither default nor off")]),
        }
    }
}

impl FromStr for WrittenLimits {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::Word(text.to_owned()))
    }
}

/// By hand, since serde's own choice between forms does not say which name is unknown.
impl<'de> Deserialize<'de> for WrittenLimits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = WrittenLimits;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("default, off or a table of rates")
            }

            fn visit_str<E>(self, text: &str) -> Result<WrittenLimits, E> {
                Ok(WrittenLimits::Word(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<WrittenLimits, A::Error> {
                WrittenRates::deserialize(MapAccessDeserializer::new(map)).map(WrittenLimits::Rates)
            }
        }

        deserializer.deserialize_any(Either)
    }
}
