//! The pages of payment links (docs/reference/links.md): `/l`, `/l/<code>` and `/l/<code>.svg`.
//! They need no script, and reading them changes nothing: a preview of the address in a chat opens
//! no session.

mod amount;
mod fields;
mod page;

use super::{
    form::{read_form, refuse_other_site},
    page_address::PageAddress,
    page_error::PageError,
    state::HostedState,
};
use crate::http::{ApiError, count_page, internal, qr_code};
use axum::{
    Extension, Router,
    extract::{
        FromRequestParts, Path, Query, Request, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::{HeaderValue, StatusCode, header, request::Parts},
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::get,
};
use page::{PageLanguage, UnpayableReason};
use std::{convert::Infallible, sync::Arc};
use tua_contract::ErrorCode;
use tua_domain::{
    link::{LinkCode, LinkStatus, PublicLink},
    ports::OpenError,
    secret::SecretDigest,
};
use tua_net::{Client, limits::Limiter};
use tua_use_cases::LinkPayer;

/// What a QR code's picture may load: nothing.
const PICTURE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// The routes of the pages.
pub(super) fn router(limiter: Arc<Limiter>) -> Router<HostedState> {
    let link = || get(show_link).post(open_session);
    Router::new()
        .route("/l", get(enter_code))
        .route("/l/", get(enter_code))
        .route("/l/{code}", link())
        // With a slash: a person or a program has added it to the address.
        .route("/l/{code}/", link())
        .route("/l/{code}/{*rest}", get(leave_rest))
        .layer(from_fn_with_state(limiter, count_page))
}

impl<S: Send + Sync> FromRequestParts<S> for PageLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let PageAddress { requested_language, language, .. } =
            PageAddress::from_request_parts(parts, state).await?;
        Ok(Self { requested: requested_language, language })
    }
}

/// `GET /l`: a field for a code, and the way to its link's page.
async fn enter_code(
    page_language: PageLanguage,
    query: Result<Query<Vec<(String, String)>>, QueryRejection>,
) -> Response {
    let query = query.map(|Query(query)| query).unwrap_or_default();
    let Some((_, typed)) = query.into_iter().find(|(name, _)| name == "code") else {
        return page::enter(page_language, StatusCode::OK, None);
    };
    match LinkCode::parse_in_address(&typed) {
        Some(code) => see_other(&format!("/l/{code}{}", page_language.query())),
        None => page::enter(page_language, StatusCode::UNPROCESSABLE_ENTITY, Some(&typed)),
    }
}

/// `GET /l/<code>/…`: an address with more behind it, such as a second slash, leads to the link's
/// page.
async fn leave_rest(
    page_language: PageLanguage,
    code: Result<Path<(String, String)>, PathRejection>,
) -> Response {
    let typed = code.map(|Path((code, _))| code).unwrap_or_default();
    match LinkCode::parse_in_address(&typed) {
        Some(code) => see_other(&format!("/l/{code}{}", page_language.query())),
        None => page::enter(page_language, StatusCode::NOT_FOUND, Some(&typed)),
    }
}

/// The page for a code that no link has.
pub(super) fn unknown(address: &PageAddress) -> Response {
    page::enter(
        PageLanguage { requested: address.requested_language, language: address.language },
        StatusCode::NOT_FOUND,
        Some(""),
    )
}

/// `GET /l/<code>` and `GET /l/<code>.svg`.
async fn show_link(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    page_language: PageLanguage,
    address: PageAddress,
    code: Result<Path<String>, PathRejection>,
) -> Response {
    let typed = code.map(|Path(code)| code).unwrap_or_default();
    // An address in a sentence is followed by punctuation.
    let address_end = typed.trim_end_matches(|character: char| !character.is_alphanumeric());
    if let Some(code) = address_end.strip_suffix(".svg") {
        return match find(&state, client, code).await {
            Ok(Some(public)) => picture(&public.link.address(&state.public_url)),
            Ok(None) => {
                ApiError::new(ErrorCode::NotFound, "There is no payment link with this code.")
                    .into_response()
            }
            Err(error) => error.page(&address),
        };
    }
    match find(&state, client, &typed).await {
        Ok(Some(public)) => show(&state, page_language, &public, StatusCode::OK),
        Ok(None) => page::enter(page_language, StatusCode::NOT_FOUND, Some(&typed)),
        Err(error) => error.page(&address),
    }
}

/// `POST /l/<code>`: opens a checkout session, and goes to its page.
async fn open_session(
    State(state): State<HostedState>,
    Extension(client): Extension<Client>,
    page_language: PageLanguage,
    address: PageAddress,
    code: Result<Path<String>, PathRejection>,
    request: Request,
) -> Response {
    let typed = code.map(|Path(code)| code).unwrap_or_default();
    let opened = match find(&state, client, &typed).await {
        Ok(Some(public)) => open(&state, client, page_language, &public, request).await,
        Ok(None) => Ok(page::enter(page_language, StatusCode::NOT_FOUND, Some(&typed))),
        Err(error) => Err(error),
    };
    opened.unwrap_or_else(|error| error.page(&address))
}

/// The link with a code. An address that has asked for too many unknown codes is refused, except
/// for codes that somebody has used: thousands of payers may share an address.
pub(super) async fn find(
    state: &HostedState,
    client: Client,
    typed: &str,
) -> Result<Option<PublicLink>, PageError> {
    // What is no code can be no guess, so it does not count as one.
    let Some(code) = LinkCode::parse_in_address(typed) else { return Ok(None) };
    let digest = SecretDigest::of(&format!("payment link {code}"));
    state.limiter.check_address(client.limited_address(), &digest)?;
    let found = state.links.find_by_code(&code).await?;
    match &found {
        Some(_) => state.limiter.note_valid(digest),
        None => state.limiter.count_bad_credential(client.limited_address())?,
    }
    Ok(found)
}

/// Why a link takes no payment now, and the status of its page. `None` where it can be paid.
fn unpayable_reason(
    state: &HostedState,
    public: &PublicLink,
) -> Option<(UnpayableReason, StatusCode)> {
    match public.link.status(state.clock.now()) {
        _ if public.is_suspended => Some((UnpayableReason::Suspended, StatusCode::GONE)),
        LinkStatus::Open if public.is_in_use => Some((UnpayableReason::Pending, StatusCode::OK)),
        LinkStatus::Open => None,
        ended => Some((UnpayableReason::Ended(ended), StatusCode::GONE)),
    }
}

/// A link's page. `refused` is the status where a form was refused for what the page says.
fn show(
    state: &HostedState,
    page_language: PageLanguage,
    public: &PublicLink,
    refused: StatusCode,
) -> Response {
    match unpayable_reason(state, public) {
        None => page::open(page_language, public, &state.public_url, None),
        Some((reason, StatusCode::OK)) => page::unpayable(page_language, public, reason, refused),
        Some((reason, status)) => page::unpayable(page_language, public, reason, status),
    }
}

async fn open(
    state: &HostedState,
    client: Client,
    page_language: PageLanguage,
    public: &PublicLink,
    request: Request,
) -> Result<Response, PageError> {
    refuse_other_site(state, request.headers())?;
    let filled = if fields::has_any(public) {
        fields::parse(&read_form(request, state).await?, public)
    } else {
        fields::parse(&[], public)
    };
    if unpayable_reason(state, public).is_some() {
        return Ok(show(state, page_language, public, StatusCode::CONFLICT));
    }
    match filled {
        Err(refused) => Ok(page::open(page_language, public, &state.public_url, Some(&refused))),
        Ok(filled) => begin(state, client, page_language, public, filled).await,
    }
}

async fn begin(
    state: &HostedState,
    client: Client,
    page_language: PageLanguage,
    public: &PublicLink,
    payer: LinkPayer,
) -> Result<Response, PageError> {
    state.limiter.count_link_session(client.limited_address())?;
    match state.links.open_session(public, payer).await {
        Ok(opened) => {
            // Its payer may be behind an address that is over its limit.
            state.limiter.note_valid(SecretDigest::of(&opened.token));
            let language = page_language
                .requested
                .map_or_else(String::new, |language| format!("&lang={}", language.code()));
            Ok(see_other(&format!("/pay?key={}{language}", opened.token)))
        }
        // It was closed, used or suspended since it was read.
        Err(OpenError::LinkNotOpen | OpenError::AccountSuspended) => {
            let code = &public.link.code;
            let now = state.links.find_by_code(code).await?.ok_or_else(internal)?;
            Ok(show(state, page_language, &now, StatusCode::CONFLICT))
        }
        Err(OpenError::NetworkUnavailable | OpenError::NoOperator(_)) => Ok(page::unpayable(
            page_language,
            public,
            UnpayableReason::Unavailable,
            StatusCode::SERVICE_UNAVAILABLE,
        )),
        Err(
            error @ (OpenError::KeyRevoked
            | OpenError::Repeat(_)
            | OpenError::Overloaded(_)
            | OpenError::Store(_)),
        ) => Err(ApiError::from(error).into()),
    }
}

pub(super) fn see_other(location: &str) -> Response {
    let headers =
        [(header::LOCATION, location.to_owned()), (header::CACHE_CONTROL, "no-store".to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// A link's address as a QR code, which everybody may keep for an hour.
fn picture(url: &str) -> Response {
    let mut response = qr_code(url);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PICTURE_POLICY));
    response
}
