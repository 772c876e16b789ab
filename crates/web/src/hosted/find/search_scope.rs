//! Where a payment is searched, and what the pages of the search show.

use crate::hosted::{page::Merchant, page_address::PageAddress, token_session::TokenSession};
use tua_domain::{CheckoutId, Scope, Transaction, link::PublicLink};
use tua_net::Client;

/// The field with the ID.
pub(super) const FIELD: &str = "operatorTransactionId";

/// The scope of a search, and what its pages show.
pub(super) struct SearchScope {
    pub(super) merchant: Merchant,
    pub(super) scope: Scope,
    /// The key of the rate limit: a session, or the visitors of a link from one address, so
    /// that one of them cannot use up the searches of all.
    pub(super) limiter_key: String,
    /// The session, and its latest charge.
    pub(super) session: Option<(CheckoutId, Option<Transaction>)>,
    /// The path and query of this search page.
    pub(super) address: String,
    /// The page of the session or link.
    pub(super) back: String,
    /// The part of the address that names the session.
    pub(super) key: String,
}

impl SearchScope {
    pub(super) fn of_session(address: &PageAddress, found: &TokenSession) -> Self {
        Self {
            merchant: (&found.checkout).into(),
            scope: found.checkout.scope.clone(),
            limiter_key: found.checkout.id.as_str().to_owned(),
            session: Some((found.checkout.id.clone(), found.summary.latest.clone())),
            address: address.of_search(),
            back: address.to_string(),
            key: format!("key={}&", address.token.as_deref().unwrap_or_default()),
        }
    }

    pub(super) fn of_link(address: &PageAddress, public: &PublicLink, client: Client) -> Self {
        let language = address
            .requested_language
            .map_or_else(String::new, |language| format!("?lang={}", language.code()));
        let code = &public.link.code;
        Self {
            merchant: public.into(),
            scope: public.link.scope.clone(),
            limiter_key: format!("{} {}", public.link.id, client.address),
            session: None,
            address: format!("/l/{code}/find{language}"),
            back: format!("/l/{code}{language}"),
            key: String::new(),
        }
    }
}
