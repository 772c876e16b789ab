//! What a payer reads where the page cannot be shown or a form was not taken: what happened,
//! whether money moved, what to do. These texts are not the component's, because the component
//! never shows such a page.

use super::{
    Address,
    page::{self, Merchant},
    texts::{text, written_in},
};
use crate::http::ApiError;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use tua_domain::{ports::StoreError, rate_limit::Exceeded};

/// What a refusal is to a payer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// Too much was asked for.
    Busy,
    /// The session cannot be read; nothing was begun.
    Down,
    /// Something was begun, and what came of it is not known.
    InDoubt,
    /// The form was not taken.
    NotTaken,
}

impl Meaning {
    /// The id of a text that says this.
    fn id(self, part: &str) -> String {
        let name = match self {
            Self::Busy => "busy",
            Self::Down => "down",
            Self::InDoubt => "in_doubt",
            Self::NotTaken => "not_taken",
        };
        format!("{name}.{part}")
    }
}

/// A request for the page that is answered without a session's screen.
#[derive(Debug)]
pub(super) struct PageError {
    meaning: Meaning,
    error: ApiError,
    /// Whose page it is, where the session was found.
    merchant: Option<Merchant>,
}

impl PageError {
    /// A failure after a charge may have started. A request that was shed has started nothing.
    pub(super) fn in_doubt(error: ApiError) -> Self {
        if error.overloaded {
            return error.into();
        }
        Self { meaning: Meaning::InDoubt, error, merchant: None }
    }

    /// The same error on the page of a session.
    pub(super) fn of(self, merchant: Merchant) -> Self {
        Self { merchant: Some(merchant), ..self }
    }

    /// The page that says so, with the status and the headers that the API would answer with.
    pub(super) fn page(self, address: &Address) -> Response {
        let language = written_in(address.language);
        let texts = ["title", "text", "on"].map(|part| text(language, &self.meaning.id(part)));
        // A form that brought the token is not sent again; the page of its session is looked at.
        let href = if address.is_bare && address.token.is_some() {
            address.to_string()
        } else {
            String::new()
        };
        // From its extensions a problem document would be written; only its head is wanted.
        let (head, _) = self.error.into_response().into_parts();
        let mut response = page::say(language, head.status, self.merchant.as_ref(), texts, &href);
        response.headers_mut().extend(head.headers);
        response
    }
}

impl From<ApiError> for PageError {
    fn from(error: ApiError) -> Self {
        let meaning = match error.status() {
            StatusCode::TOO_MANY_REQUESTS => Meaning::Busy,
            status if status.is_server_error() => Meaning::Down,
            _ => Meaning::NotTaken,
        };
        Self { meaning, error, merchant: None }
    }
}

impl From<StoreError> for PageError {
    fn from(error: StoreError) -> Self {
        ApiError::from(error).into()
    }
}

impl From<Exceeded> for PageError {
    fn from(exceeded: Exceeded) -> Self {
        ApiError::from(exceeded).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosted::language::{Language, NAMES};

    #[test]
    fn every_page_error_has_texts_in_every_complete_language() {
        for (code, _) in NAMES {
            let language = Language::asked(code).unwrap();
            for meaning in [Meaning::Busy, Meaning::Down, Meaning::InDoubt, Meaning::NotTaken] {
                for part in ["title", "text", "on"] {
                    assert_ne!(text(language, &meaning.id(part)), "", "{meaning:?} {part} {code}");
                }
            }
        }
    }
}
