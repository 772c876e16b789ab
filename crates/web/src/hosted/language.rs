//! The page's language, and how it writes money and times.

use crate::http::by_preference;
use axum::http::{HeaderMap, header};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use std::{collections::HashMap, sync::LazyLock};
use tua_checkout::locale::{Format, LANGUAGES, Texts};

/// The languages that a browser's preference can choose. The others are previews, which no native
/// speaker has reviewed: only the parameter `lang` of an address chooses them.
const COMPLETE: [&str; 3] = ["en", "fr", "ar"];

/// The complete languages: code, and name in the language itself.
pub const NAMES: [(&str, &str); 3] = [("en", "English"), ("fr", "Français"), ("ar", "العربية")];

/// A language that there are texts in, by its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Language(&'static str);

impl Language {
    /// The default language.
    pub const ENGLISH: Self = Self("en");

    /// The language of a tag such as `fr-CA`, also a preview; `None` where there are no texts in
    /// it.
    #[must_use]
    pub fn parse(tag: &str) -> Option<Self> {
        let code = primary(tag);
        LANGUAGES.iter().find(|language| language.0 == code).map(|language| Self(language.0))
    }

    /// The complete language that the browser prefers (`Accept-Language`); else English.
    #[must_use]
    pub fn preferred(headers: &HeaderMap) -> Self {
        let mut codes = by_preference(headers, header::ACCEPT_LANGUAGE).map(primary);
        codes
            .find_map(|code| COMPLETE.into_iter().find(|known| *known == code))
            .map_or(Self::ENGLISH, Self)
    }

    /// The primary language subtag (RFC 5646), such as `en`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// The component's texts in this language; English ones where a translation is missing.
    #[must_use]
    pub fn texts(self) -> Texts {
        let found = |language: &str, id: &str| TEXTS.get(language)?.get(id).cloned();
        Texts::read(|id| found(self.0, id).or_else(|| found("en", id)))
    }
}

static TEXTS: LazyLock<HashMap<&'static str, HashMap<String, String>>> = LazyLock::new(|| {
    LANGUAGES
        .into_iter()
        .map(|(code, json)| (code, serde_json::from_str(json).unwrap_or_default()))
        .collect()
});

/// The primary subtag of a language tag in lower case: `fr` of `FR-ca`.
fn primary(tag: &str) -> String {
    tag.trim().split('-').next().unwrap_or_default().to_ascii_lowercase()
}

impl Format for Language {
    fn money(&self, amount: &str, currency: &str) -> String {
        let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
        let figure =
            |separator, point| format!("{}{point}{fraction:0<2}", grouped(whole, separator));
        match (self.0, currency) {
            ("fr", _) => format!("{}\u{a0}{currency}", figure("\u{202f}", ',')),
            ("ar", _) => format!("\u{200f}{}\u{a0}{currency}", figure(",", '.')),
            ("ha", _) => format!("{currency}\u{a0}{}", figure(",", '.')),
            (_, "GHS") => format!("GH₵{}", figure(",", '.')),
            _ => format!("{currency}\u{a0}{}", figure(",", '.')),
        }
    }

    /// By Ghana's clock, which shows UTC all the year, and as browsers write it (CLDR 48, medium
    /// date and short time), so that nothing changes when the component takes over. ICU4X writes
    /// the same, for 1.2 MB of binary; here it is twelve words.
    fn moment(&self, iso: &str) -> String {
        let Ok(at) = iso.parse::<Timestamp>() else { return iso.to_owned() };
        let at: DateTime = at.to_zoned(TimeZone::UTC).datetime();
        match self.0 {
            "en" => format!("{}, {}", at.strftime("%-d %b %Y"), by_half_days(at, ["am", "pm"])),
            "fr" => {
                let month = FRENCH_MONTHS
                    .get(usize::from(at.month().unsigned_abs()) - 1)
                    .copied()
                    .unwrap_or_default();
                format!("{} {month} {}", at.day(), at.strftime("%Y, %H:%M"))
            }
            "ar" => format!(
                "{}، {}",
                at.strftime("%d\u{200f}/%m\u{200f}/%Y"),
                by_half_days(at, ["ص", "م"])
            ),
            _ => at.strftime("%Y-%m-%d, %H:%M").to_string(),
        }
    }
}

const FRENCH_MONTHS: [&str; 12] = [
    "janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.",
    "déc.",
];

/// The time on a clock of twelve hours, with the name of the half of the day.
fn by_half_days(at: DateTime, [morning, evening]: [&str; 2]) -> String {
    let half = if at.hour() < 12 { morning } else { evening };
    format!("{}:{:02} {half}", (at.hour() + 11) % 12 + 1, at.minute())
}

/// Separates groups of three digits: `1234567` becomes `1,234,567`.
fn grouped(whole: &str, separator: &str) -> String {
    let places = whole.len();
    let digits = whole.chars().enumerate();
    digits.fold(String::new(), |mut grouped, (place, digit)| {
        if place > 0 && (places - place).is_multiple_of(3) {
            grouped.push_str(separator);
        }
        grouped.push(digit);
        grouped
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn preferred(list: &'static str) -> &'static str {
        Language::preferred(&HeaderMap::from_iter([(
            header::ACCEPT_LANGUAGE,
            HeaderValue::from_static(list),
        )]))
        .code()
    }

    #[test]
    fn a_browser_gets_the_complete_language_that_it_likes_best() {
        assert_eq!(preferred("fr-CI,fr;q=0.9,en;q=0.8"), "fr");
        assert_eq!(preferred("en;q=0.2, AR;q=0.25"), "ar");
        assert_eq!(preferred("de, fr;q=0.1"), "fr");
        assert_eq!(preferred("fr;q=0, ar"), "ar");
        for list in ["", "tw", "ee,ha", "*", "de", "fr;q=0", "fr;q=x", ";;;", ","] {
            assert_eq!(preferred(list), "en", "{list}");
        }
        assert_eq!(Language::preferred(&HeaderMap::new()).code(), "en");
    }

    #[test]
    fn an_address_may_ask_for_a_preview_and_not_for_what_there_is_not() {
        for (tag, code) in
            [("tw", Some("tw")), ("FR-fr", Some("fr")), ("", None), ("xx", None), ("../en", None)]
        {
            assert_eq!(Language::parse(tag).map(Language::code), code, "{tag}");
        }
    }

    #[test]
    fn money_is_written_as_the_language_does() {
        let written = |code, amount| Language::parse(code).unwrap().money(amount, "GHS");
        assert_eq!(written("en", "1"), "GH₵1.00");
        assert_eq!(written("en", "0.5"), "GH₵0.50");
        assert_eq!(written("en", "1000000000.01"), "GH₵1,000,000,000.01");
        assert_eq!(written("fr", "1234.5"), "1\u{202f}234,50\u{a0}GHS");
        assert_eq!(written("ar", "999.99"), "\u{200f}999.99\u{a0}GHS");
        assert_eq!(written("ha", "1234"), "GHS\u{a0}1,234.00");
    }

    #[test]
    fn a_moment_is_written_by_ghanas_clock() {
        let written = |code, iso| Language::parse(code).unwrap().moment(iso);
        assert_eq!(written("en", "2026-11-21T14:03:05.123Z"), "21 Nov 2026, 2:03 pm");
        assert_eq!(written("en", "2026-01-02T00:00:00Z"), "2 Jan 2026, 12:00 am");
        assert_eq!(written("en", "2026-01-02T12:00:00Z"), "2 Jan 2026, 12:00 pm");
        assert_eq!(written("fr", "2026-11-21T14:03:05Z"), "21 nov. 2026, 14:03");
        assert_eq!(written("fr", "2026-05-02T04:05:00Z"), "2 mai 2026, 04:05");
        assert_eq!(written("fr", "2026-12-31T23:59:59Z"), "31 déc. 2026, 23:59");
        assert_eq!(written("ar", "2026-11-21T14:03:05Z"), "21\u{200f}/11\u{200f}/2026، 2:03 م");
        assert_eq!(written("ar", "2026-01-02T00:05:00Z"), "02\u{200f}/01\u{200f}/2026، 12:05 ص");
        assert_eq!(written("tw", "2026-11-21T14:03:05Z"), "2026-11-21, 14:03");
        assert_eq!(written("en", "later"), "later");
    }

    #[test]
    fn every_language_has_its_texts_and_english_for_what_a_preview_lacks() {
        use tua_checkout::locale::Text;
        for (code, _) in LANGUAGES {
            let texts = Language::parse(code).unwrap().texts();
            assert!(Text::ALL.iter().all(|text| texts.get(*text) != text.id()), "{code}");
        }
        assert_eq!(
            Language::parse("tw").unwrap().texts().get(Text::FormPhone),
            "Mobile money nɔma"
        );
    }
}
