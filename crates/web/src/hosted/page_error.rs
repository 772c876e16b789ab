//! What a payer reads where the page cannot be shown or a form was not taken: what happened,
//! whether money moved, what to do. These texts are not the component's, because the component
//! never shows such a page.

use super::{
    page::{self, Merchant},
    page_address::PageAddress,
    texts::{text, written_in},
};
use crate::http::ApiError;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use tua_domain::{ports::StoreError, rate_limit::Exceeded};

/// What an error means to a payer, which chooses the texts of its page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ErrorKind {
    /// A rate limit was exceeded.
    Busy,
    /// The session cannot be read; nothing was begun.
    Down,
    /// A charge may have begun, and its outcome is unknown.
    InDoubt,
    /// The form was refused, and had no effect.
    NotTaken,
}

impl ErrorKind {
    /// The id of the text for this part of the page: `title`, `text` or `on`.
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
    kind: ErrorKind,
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
        Self { kind: ErrorKind::InDoubt, error, merchant: None }
    }

    /// The same error on the page of a session.
    pub(super) fn with_merchant(self, merchant: Merchant) -> Self {
        Self { merchant: Some(merchant), ..self }
    }

    /// The page that says so, with the status and the headers that the API would answer with.
    pub(super) fn page(self, address: &PageAddress) -> Response {
        let language = written_in(address.language);
        let texts = ["title", "text", "on"].map(|part| text(language, &self.kind.id(part)));
        // A form that brought the token is not sent again; the page of its session is looked at.
        let href = if address.is_bare && address.token.is_some() {
            address.to_string()
        } else {
            String::new()
        };
        // From its extensions a problem document would be written; only its head is wanted.
        let (head, _) = self.error.into_response().into_parts();
        let mut response =
            page::message_page(language, head.status, self.merchant.as_ref(), texts, &href);
        response.headers_mut().extend(head.headers);
        response
    }
}

impl From<ApiError> for PageError {
    fn from(error: ApiError) -> Self {
        let kind = match error.status() {
            StatusCode::TOO_MANY_REQUESTS => ErrorKind::Busy,
            status if status.is_server_error() => ErrorKind::Down,
            _ => ErrorKind::NotTaken,
        };
        Self { kind, error, merchant: None }
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
            let language = Language::parse(code).unwrap();
            for kind in [ErrorKind::Busy, ErrorKind::Down, ErrorKind::InDoubt, ErrorKind::NotTaken]
            {
                for part in ["title", "text", "on"] {
                    assert_ne!(text(language, &kind.id(part)), "", "{kind:?} {part} {code}");
                }
            }
        }
    }
}
