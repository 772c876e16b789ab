//! The language of the pages: the one that the person has chosen, else the one that the browser prefers.

use super::cookies;
use crate::http::quality_values;
use axum::http::{HeaderMap, header};
use std::cmp::Reverse;

/// A language that the dashboard has all texts in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Language {
    /// English, also where the browser asks for none of these.
    #[default]
    English,
    /// French.
    French,
}

/// All languages.
pub(super) const LANGUAGES: [Language; 2] = [Language::English, Language::French];

impl Language {
    /// The language with this primary subtag (RFC 5646).
    pub(super) fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        LANGUAGES.into_iter().find(|one| one.code().eq_ignore_ascii_case(primary))
    }

    /// The language of this request.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        cookies::language(headers).and_then(|code| Self::parse(&code)).unwrap_or_else(|| {
            let mut wanted: Vec<(&str, u32)> = quality_values(headers, header::ACCEPT_LANGUAGE).collect();
            // The sort is stable: of two with the same weight the first counts.
            wanted.sort_by_key(|(_, weight)| Reverse(*weight));
            wanted.iter().filter(|(_, weight)| *weight > 0).find_map(|(tag, _)| Self::parse(tag)).unwrap_or_default()
        })
    }

    /// Its code.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// Its name in itself.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::French => "Français",
        }
    }
}
