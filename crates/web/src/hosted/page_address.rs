//! The address of the hosted page: its token, its language, and what it shows.

use super::language::Language;
use axum::{
    extract::{FromRequestParts, Query},
    http::request::Parts,
};
use std::{convert::Infallible, fmt};
use tua_domain::secret::CHECKOUT_PREFIX;

/// The parsed query of the hosted page's address.
#[derive(Clone, Debug)]
pub(super) struct PageAddress {
    /// The token, where there is one and only one.
    pub(super) token: Option<String>,
    /// The language of the parameter `lang`; `None` without one.
    pub(super) requested_language: Option<Language>,
    /// The language of the page: the requested one, or the one that the browser prefers.
    pub(super) language: Language,
    /// Whether the address asks for the form after a failed charge (`change`).
    pub(super) wants_form: bool,
    /// Whether it has no key: then a posted form brings the token.
    pub(super) is_bare: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for PageAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let query =
            Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).map(|Query(query)| query);
        let query = query.unwrap_or_default();
        let is_bare = !query.iter().any(|(name, _)| name == "key");
        let mut keys = query.iter().filter(|(name, _)| name == "key").map(|(_, key)| key);
        // A key that stands twice is no link of ours.
        let key = keys.next().filter(|_| keys.next().is_none());
        let requested_language =
            query.iter().find(|(name, _)| name == "lang").and_then(|(_, tag)| Language::parse(tag));
        Ok(Self {
            // Only a token is looked up: a secret key in an address would be a leak, not a session.
            token: key
                .map(|key| token_in(key))
                .filter(|key| key.starts_with(CHECKOUT_PREFIX))
                .map(str::to_owned),
            requested_language,
            language: requested_language.unwrap_or_else(|| Language::preferred(&parts.headers)),
            wants_form: query.iter().any(|(name, _)| name == "change"),
            is_bare,
        })
    }
}

/// The key without the punctuation that follows an address in a sentence. No token ends with such a
/// character.
fn token_in(key: &str) -> &str {
    key.trim_end_matches(|character: char| {
        !(character.is_ascii_alphanumeric() || "-_".contains(character))
    })
}

impl PageAddress {
    /// The query with the token and the language. Both are of letters, digits, - and _ only:
    /// nothing is to be escaped.
    fn query(&self) -> String {
        let token = self.token.as_deref().unwrap_or_default();
        let language = self
            .requested_language
            .map_or_else(String::new, |language| format!("&lang={}", language.code()));
        format!("key={token}{language}")
    }

    /// The page that finds a payment by its transaction ID.
    pub(super) fn of_search(&self) -> String {
        format!("/pay/find?{}", self.query())
    }
}

/// The address again, as a form is answered with.
impl fmt::Display for PageAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/pay?{}", self.query())?;
        f.write_str(if self.wants_form { "&change" } else { "" })
    }
}
