//! The hosted page, `/pay?key=<token>` (docs/reference/endpoints.md): the checkout as HTML with
//! plain forms, drawn from the component's own machine and views. Where scripts run, the component
//! takes it over.

mod facts;
mod find;
mod form;
mod hand_over;
mod language;
mod links;
mod page;
mod page_error;
mod refunds;
mod send;
mod server_flow;
mod texts;

use crate::http::BodyTimeout;
use axum::{
    Extension, Router,
    extract::{FromRequestParts, Query, State},
    http::{StatusCode, request::Parts},
    response::Response,
    routing::get,
};
use jiff::Timestamp;
use language::Language;
use page::Page;
use page_error::PageError;
use server_flow::{ServerFlow, TokenState};
use std::{convert::Infallible, fmt, sync::Arc};
use tower_http::compression::CompressionLayer;
use tua_domain::{
    Caller, Checkout, CheckoutSummary,
    checkout::EndedCheckout,
    ports::{Clock, StoreError},
    public_url::PublicUrl,
    quote::NetworkForPayers,
    refund::RefundForPayer,
    secret::{CHECKOUT_PREFIX, SecretDigest},
};
use tua_net::{Client, limits::Limiter};
use tua_use_cases::{Checkouts, Codes, FoundCheckout, Links, PayersSearch, Payments};

use send::handle_form;

/// The parsed query of the hosted page's address.
#[derive(Clone, Debug)]
pub struct Address {
    /// The token, where there is one and only one.
    token: Option<String>,
    /// The language of the parameter `lang`; `None` without one.
    requested_language: Option<Language>,
    /// The language of the page: the requested one, or the one that the browser prefers.
    language: Language,
    /// Whether the address asks for the form after a failed charge (`change`).
    wants_form: bool,
    /// Whether it has no key: then a posted form brings the token.
    is_bare: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Address {
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

impl Address {
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
    fn of_search(&self) -> String {
        format!("/pay/find?{}", self.query())
    }
}

/// The address again, as a form is answered with.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/pay?{}", self.query())?;
        f.write_str(if self.wants_form { "&change" } else { "" })
    }
}

/// What the page's handlers need.
#[derive(Clone, Debug)]
pub struct HostedState {
    /// Finds sessions by their tokens, with their networks and refunds.
    pub checkouts: Arc<Checkouts>,
    /// Begins the charges that payers ask for with the form.
    pub payments: Arc<Payments>,
    /// Passes passcodes and vouchers on.
    pub codes: Arc<Codes>,
    /// Reads payment links, and opens their sessions.
    pub links: Links,
    /// Finds payments for payers.
    pub payment_search: PayersSearch,
    /// Limits requests, sessions of links, searches, and wrong codes.
    pub limiter: Arc<Limiter>,
    /// How long a form may take to arrive.
    pub body_timeout: BodyTimeout,
    /// The time by which pages decide whether a session or link has expired.
    pub clock: Arc<dyn Clock>,
    /// The service's own address.
    pub public_url: PublicUrl,
}

/// The page's routes. The page differs for each payer, so it is compressed for each request.
pub fn router(state: HostedState) -> Router {
    Router::new()
        .route("/pay", get(show_checkout).post(handle_form))
        .merge(links::router(state.limiter.clone()))
        .merge(find::router())
        .layer(CompressionLayer::new())
        .with_state(state)
}

/// The session of a token, also of one that has ended.
#[derive(Clone, Debug)]
struct TokenSession {
    checkout: Checkout,
    summary: CheckoutSummary,
    /// What the token still shows once it has expired or its session was closed; `None` before.
    ended: Option<EndedCheckout>,
    /// The refunds of its charge.
    refunds: Vec<RefundForPayer>,
    /// How each network of `Network::ALL` is served, in its order.
    networks: [NetworkForPayers; 3],
}

impl TokenSession {
    async fn new(
        FoundCheckout { checkout, summary, ended }: FoundCheckout,
        state: &HostedState,
    ) -> Result<Self, StoreError> {
        let networks = state.checkouts.networks.for_payers(&checkout, summary.latest.as_ref());
        let refunds = state.checkouts.refunds(&summary).await?;
        Ok(Self { checkout, summary, ended, refunds, networks })
    }

    /// Counts the request as the API does: by its session, expired or not, or by its address where
    /// there is none.
    async fn counted(
        state: &HostedState,
        client: Client,
        token: Option<&String>,
    ) -> Result<Option<Self>, PageError> {
        let found = match token.map(|token| SecretDigest::of(token)) {
            Some(token) => {
                state.limiter.check_address(client.limited_address(), &token)?;
                match state.checkouts.find_by_token(token).await? {
                    Some(found) => {
                        state.limiter.note_valid(token);
                        Some(Self::new(found, state).await?)
                    }
                    None => None,
                }
            }
            None => None,
        };
        match &found {
            Some(found) if found.ended.is_some() => {
                state.limiter.count_expired_token(&found.checkout.id)?
            }
            Some(found) => state.limiter.count_request(&found.caller()).map(drop)?,
            None => state.limiter.count_bad_credential(client.limited_address())?,
        }
        Ok(found)
    }

    fn caller(&self) -> Caller {
        Caller::Token(Box::new(self.checkout.clone()))
    }

    /// What the state machine gets about the token.
    fn token_state(&self) -> TokenState {
        match &self.ended {
            Some(ended) => TokenState::ended(ended),
            None => TokenState::Valid(Box::new(facts::session(
                &self.checkout,
                &self.summary,
                &self.networks,
            ))),
        }
    }
}

/// `GET /pay`: the page of a session, or the page of an error.
async fn show_checkout(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    address: Address,
) -> Response {
    let now = state.clock.now();
    match TokenSession::counted(&state, client, address.token.as_ref()).await {
        Ok(found) => show(address, found, now).await,
        Err(error) => error.page(&address),
    }
}

/// The page of a session as it stands.
async fn show(address: Address, found: Option<TokenSession>, now: Timestamp) -> Response {
    let (status, token) = match &found {
        None => (StatusCode::NOT_FOUND, TokenState::Unknown),
        Some(found) if found.ended.is_some() => (StatusCode::UNAUTHORIZED, found.token_state()),
        Some(found) => (StatusCode::OK, found.token_state()),
    };
    let wants_form = address.wants_form;
    let language = address.language;
    // Its link has the token, and a page never shows an expired one: such a page is kept longer
    // than its session.
    let is_searchable =
        found.as_ref().is_some_and(|found| !found.summary.paid && found.ended.is_none());
    let search = is_searchable.then(|| address.of_search());
    let page = Page::of(address, status, found.as_ref().map(|found| (&found.checkout).into()));
    let page = page.with_search(search);
    // The screen of a session that has ended knows nothing of the session, so it has no link of its
    // own.
    let ended = found.as_ref().filter(|found| found.ended.is_some());
    let page = page.with_return_url(ended.and_then(|found| facts::return_url(&found.checkout)));
    let page = page.with_refunds(found.and_then(|found| {
        refunds::template_values(language, &found.refunds, found.ended.is_none())
    }));
    page.draw(
        move || {
            if wants_form { ServerFlow::to_form(token, now) } else { ServerFlow::to(token, now) }
        },
    )
    .await
}
