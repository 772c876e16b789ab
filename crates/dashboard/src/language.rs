//! The language of the pages: the one that the person has chosen, else the one that the browser
//! prefers.

use super::cookies;
use axum::http::{HeaderMap, header};
use tua_domain::language::LanguageTag;
use tua_web::http::by_preference;

/// A language that the dashboard has all texts in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Language {
    /// English, also where the browser asks for none of these.
    #[default]
    English,
    /// French, where the person has chosen it or the browser prefers it.
    French,
}

/// The languages that a person can choose, in the order of the list.
pub(super) const LANGUAGES: [Language; 2] = [Language::English, Language::French];

impl Language {
    /// The language with this primary subtag (RFC 5646).
    pub(super) fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        LANGUAGES.into_iter().find(|one| one.code().eq_ignore_ascii_case(primary))
    }

    /// The language of this request.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let chosen = cookies::language(headers).and_then(|code| Self::parse(&code));
        chosen
            .or_else(|| by_preference(headers, header::ACCEPT_LANGUAGE).find_map(Self::parse))
            .unwrap_or_default()
    }

    /// The primary language subtag (RFC 5646), `en` or `fr`.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::French => "fr",
        }
    }

    /// Its tag, as it is stored.
    pub(super) fn tag(self) -> Option<LanguageTag> {
        LanguageTag::parse(self.code())
    }

    /// Its name in itself.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::French => "Français",
        }
    }
}
