//! The texts of e-mail, as Fluent messages (<https://projectfluent.org>): one folder per language
//! in `www/mail/texts`.

use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use std::sync::LazyLock;
use unic_langid::LanguageIdentifier;

/// The languages, each with its files. A text that a language does not have is in English.
const SOURCES: [(&str, &[&str]); 3] = [
    (
        "en",
        &[
            include_str!("../../../www/mail/texts/en/people.ftl"),
            include_str!("../../../www/mail/texts/en/alerts.ftl"),
            include_str!("../../../www/mail/texts/en/reports.ftl"),
            include_str!("../../../www/mail/texts/en/security.ftl"),
            include_str!("../../../www/mail/texts/en/payer.ftl"),
        ],
    ),
    (
        "fr",
        &[
            include_str!("../../../www/mail/texts/fr/people.ftl"),
            include_str!("../../../www/mail/texts/fr/alerts.ftl"),
            include_str!("../../../www/mail/texts/fr/reports.ftl"),
            include_str!("../../../www/mail/texts/fr/security.ftl"),
            include_str!("../../../www/mail/texts/fr/payer.ftl"),
        ],
    ),
    ("ar", &[include_str!("../../../www/mail/texts/ar/payer.ftl")]),
];

static BUNDLES: LazyLock<Vec<(&str, FluentBundle<FluentResource>)>> = LazyLock::new(|| {
    SOURCES.iter().map(|(language, sources)| (*language, bundle(language, sources))).collect()
});

fn bundle(language: &str, sources: &[&str]) -> FluentBundle<FluentResource> {
    // Decides which numbers are singular.
    let id: LanguageIdentifier = language.parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![id]);
    // The marks around arguments would be copied together with an id.
    bundle.set_use_isolating(false);
    for source in sources {
        let resource =
            FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(resource, errors)| {
                tracing::error!(?errors, "a file of texts is broken");
                resource
            });
        if let Err(errors) = bundle.add_resource(resource) {
            tracing::error!(?errors, "a text is there twice");
        }
    }
    bundle
}

/// The language among those that have texts, for a primary subtag; else English.
pub(super) fn known(language: &str) -> &'static str {
    BUNDLES.iter().map(|(known, _)| *known).find(|known| *known == language).unwrap_or("en")
}

/// The text with this key in this language, or in English. An unknown key is its own text.
pub(super) fn text(language: &str, key: &str, arguments: &[(&'static str, &str)]) -> String {
    let arguments: FluentArgs<'_> = arguments.iter().map(|(name, value)| (*name, *value)).collect();
    let of = |language: &str| {
        let (_, bundle) = BUNDLES.iter().find(|(known, _)| *known == language)?;
        let pattern = bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(&arguments), &mut errors).into_owned();
        errors.is_empty().then_some(text)
    };
    of(language).or_else(|| of("en")).unwrap_or_else(|| {
        tracing::error!(key, "a text of e-mail is missing");
        key.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The keys of a file, with the arguments of each text.
    fn keys(source: &str) -> BTreeMap<&str, Vec<&str>> {
        let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for line in source.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (key, text) =
                line.split_once(" = ").unwrap_or_else(|| panic!("one line for each text: {line}"));
            let mut arguments: Vec<&str> = text
                .split("{ $")
                .skip(1)
                .filter_map(|rest| rest.split_once(" }").map(|(name, _)| name))
                .collect();
            arguments.sort_unstable();
            arguments.dedup();
            assert!(keys.insert(key, arguments).is_none(), "{key} is there twice");
        }
        keys
    }

    #[test]
    fn every_language_has_the_same_texts_with_the_same_arguments() {
        // Arabic is for payers only, whose texts are the last file.
        for (language, sources) in SOURCES {
            for (english, translated) in SOURCES[0].1.iter().rev().zip(sources.iter().rev()) {
                assert!(FluentResource::try_new((*translated).to_owned()).is_ok(), "{language}");
                assert_eq!(keys(english), keys(translated), "{language}");
            }
        }
    }
}
