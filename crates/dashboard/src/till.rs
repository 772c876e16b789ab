//! The till: the page to ask payers for money on a phone that is shared at a counter. It can be
//! installed like an app, and shows the code of a payment link for payers to scan.

use super::{
    ask_form::AskForm,
    asking::{self, AskPage, Asked},
    cookies::{self, CookieNames},
    error::{DashboardError, redirect},
    fields::Fields,
    links,
    money_form::Faults,
    payment::PathValues,
    security_headers,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use jiff::SignedDuration;
use minijinja::{Value, context};
use serde::Deserialize;
use serde_json::json;
use tua_domain::{
    LinkId,
    link::{LinkPageRequest, LinkStatus, LinkWithTotals},
};
use tua_web::http::{PAGE as ASSETS, qr_code};

const PAGE: AskPage = AskPage::Till;

/// Has the id of the link whose code this browser shows: one, of whatever account and mode.
const COOKIE: CookieNames =
    CookieNames { secure: "__Host-tua-till-link", loopback: "tua-till-link" };

/// For how long a browser keeps the choice.
const COOKIE_MAX_AGE: SignedDuration = SignedDuration::from_hours(24 * 365);

/// How many of the newest links the till looks at.
const READ_LINKS: u32 = 50;

/// The query of `GET /till`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TillQuery {
    /// The charge that the form is filled in like.
    #[serde(default)]
    again: String,
    /// The payment link whose code the person chooses to show, or nothing to show none. Without it
    /// the browser's earlier choice counts.
    link: Option<String>,
}

/// `GET /till`: the form with a keypad, the newest charges of the day, and the code of the link
/// that the person has chosen.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    headers: HeaderMap,
    Query(TillQuery { again, link }): Query<TillQuery>,
) -> Result<Response, DashboardError> {
    let form = asking::form_like(&state, &visitor, &again).await?;
    let links = TillLinks::read(&state, &visitor, &headers, link.as_deref()).await?;
    let mut response = page(&state, &visitor, &form, &Faults::default(), &links).await?;
    if link.is_some() {
        links.keep(response.headers_mut(), state.is_https());
    }
    Ok(response)
}

/// `POST /till`: the payer gets a prompt.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    visitor: Visitor,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = AskForm::of(&fields);
    let response = begin_once(&state, &visitor, &headers, form.clone()).await;
    form.repeatable(PAGE.path()).or_form_again(&visitor, response)
}

async fn begin_once(
    state: &DashboardState,
    visitor: &Visitor,
    headers: &HeaderMap,
    form: AskForm,
) -> Result<Response, DashboardError> {
    match asking::begin(state, visitor, form).await? {
        Asked::Begun(id) => Ok(redirect(&visitor.href(&format!("{}/{id}", PAGE.path())))),
        Asked::Refused(form, faults) => {
            let links = TillLinks::read(state, visitor, headers, None).await?;
            page(state, visitor, &form, &faults, &links).await
        }
    }
}

/// `GET /till/{id}`: what became of a charge.
pub(super) async fn follow(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    PAGE.follow(&state, &visitor, &path).await
}

/// `POST /till/{id}/code`: the code that the payer has told.
pub(super) async fn submit_code(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
    fields: Fields,
) -> Result<Response, DashboardError> {
    PAGE.submit_code(&state, &visitor, &path, &fields).await
}

/// `GET /till/links/{id}/qr.svg`: the code of an open link.
pub(super) async fn draw_code(
    State(state): State<DashboardState>,
    visitor: Visitor,
    path: PathValues,
) -> Result<Response, DashboardError> {
    let id = LinkId::new(path.get("id").ok_or(DashboardError::NotFound)?);
    let found = state.links.find(Some(&visitor.scope), &id).await?;
    let found = found.filter(|found| is_open(&state, found)).ok_or(DashboardError::NotFound)?;
    let mut response = qr_code(&found.link.address(&state.payer_url));
    security_headers::add(response.headers_mut());
    Ok(response)
}

/// `GET /till/manifest.webmanifest`: what a browser needs to install the till (W3C Web Application
/// Manifest).
pub(super) async fn manifest(visitor: Visitor) -> Response {
    let start = visitor.href(PAGE.path());
    let manifest = json!({
        "id": start,
        "start_url": start,
        "scope": "/dashboard/",
        "name": visitor.account.name,
        "short_name": visitor.account.name,
        "lang": visitor.person.language.code(),
        "display": "standalone",
        "background_color": "#f6f4ef",
        "theme_color": "#14513c",
        "icons": [{ "src": format!("{ASSETS}/icon.svg"), "sizes": "any", "type": "image/svg+xml" }],
    });
    let mut response = manifest.to_string().into_response();
    security_headers::add(response.headers_mut());
    let media_type = HeaderValue::from_static("application/manifest+json");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}

async fn page(
    state: &DashboardState,
    visitor: &Visitor,
    form: &AskForm,
    faults: &Faults,
    links: &TillLinks,
) -> Result<Response, DashboardError> {
    let more = context! {
        link => links.chosen().map(link_value),
        links => links.open.iter().map(link_value).collect::<Vec<_>>(),
    };
    PAGE.show(state, visitor, form, faults, more).await
}

/// The open links that can be paid more than once, and the one whose code customers see. No code is
/// shown until a person chooses one: the newest link may be meant for somebody else.
struct TillLinks {
    open: Vec<LinkWithTotals>,
    /// The id of the chosen link; it may have been closed since.
    chosen: String,
}

impl TillLinks {
    /// The links, with the one that is wanted now, or that this browser has chosen before.
    async fn read(
        state: &DashboardState,
        visitor: &Visitor,
        headers: &HeaderMap,
        wanted: Option<&str>,
    ) -> Result<Self, DashboardError> {
        let request = LinkPageRequest { limit: READ_LINKS, after: None };
        let mut open = state.links.list(&visitor.scope, request).await?;
        // A link that can be paid once is for one payer.
        let may_show = |found: &LinkWithTotals| links::is_open_to_many(state, found);
        open.retain(may_show);
        let kept = || cookies::find(headers, COOKIE, state.is_https()).unwrap_or_default();
        let mut links = Self { open, chosen: wanted.map_or_else(kept, str::to_owned) };
        // A shop that makes a link for each customer soon has newer ones than that of its counter.
        let is_id = !links.chosen.is_empty() && !links.chosen.contains('\0');
        if links.chosen().is_none() && is_id {
            let id = LinkId::new(&links.chosen);
            let found = state.links.find(Some(&visitor.scope), &id).await?;
            links.open.extend(found.filter(may_show));
        }
        Ok(links)
    }

    fn chosen(&self) -> Option<&LinkWithTotals> {
        self.open.iter().find(|found| found.link.id.as_str() == self.chosen)
    }

    /// Keeps the choice in this browser.
    fn keep(&self, headers: &mut HeaderMap, is_https: bool) {
        match self.chosen() {
            Some(found) => {
                let id = found.link.id.as_str().to_owned();
                cookies::keep(headers, COOKIE, id, COOKIE_MAX_AGE, is_https);
            }
            None => cookies::end(headers, COOKIE, is_https),
        }
    }
}

fn is_open(state: &DashboardState, found: &LinkWithTotals) -> bool {
    found.link.status(state.clock.now()) == LinkStatus::Open
}

fn link_value(found: &LinkWithTotals) -> Value {
    let terms = &found.link.terms;
    context! {
        id => found.link.id.as_str(),
        title => &terms.title,
        amount => terms.amount.fixed().map(|amount| views::cedis(amount.pesewas())),
        code => found.link.code.spaced(),
    }
}
