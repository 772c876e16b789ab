//! The `limits` setting: a keyword, or in the file a table of rates.

use super::{Limits, RateSettings, Rates};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::{convert::Infallible, fmt, str::FromStr};

/// The `limits` setting before validation.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "it is read once, at start")]
pub enum LimitSettings {
    /// `default` or `off`; any other text is an error.
    Keyword(String),
    /// Rates that replace the default rates.
    Rates(RateSettings),
}

impl LimitSettings {
    /// Combines the command line with the file: the command line wins, but its `default` means the
    /// file's rates.
    pub fn or(flag: Option<Self>, file: Option<Self>) -> Option<Self> {
        match (flag, file) {
            (Some(Self::Keyword(keyword)), Some(Self::Rates(rates))) if keyword == "default" => {
                Some(Self::Rates(rates))
            }
            (flag, file) => flag.or(file),
        }
    }

    /// Validates the setting.
    ///
    /// # Errors
    /// Every invalid value, each as a sentence that names the setting.
    pub fn resolve(self) -> Result<Limits, Vec<String>> {
        match self {
            Self::Rates(rates) => rates.resolve().map(Limits::On),
            Self::Keyword(keyword) if keyword == "default" => Ok(Limits::On(Rates::default())),
            Self::Keyword(keyword) if keyword == "off" => Ok(Limits::Off),
            Self::Keyword(keyword) => {
                Err(vec![format!("limits: {keyword:?} is neither default nor off")])
            }
        }
    }
}

impl FromStr for LimitSettings {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self::Keyword(text.to_owned()))
    }
}

/// Written by hand, because the error of a derived untagged enum would not name an unknown rate.
impl<'de> Deserialize<'de> for LimitSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeywordOrTable;

        impl<'de> Visitor<'de> for KeywordOrTable {
            type Value = LimitSettings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("default, off or a table of rates")
            }

            fn visit_str<E>(self, text: &str) -> Result<LimitSettings, E> {
                Ok(LimitSettings::Keyword(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<LimitSettings, A::Error> {
                RateSettings::deserialize(MapAccessDeserializer::new(map)).map(LimitSettings::Rates)
            }
        }

        deserializer.deserialize_any(KeywordOrTable)
    }
}
