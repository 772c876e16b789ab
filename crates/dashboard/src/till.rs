//! The till: the page to ask payers for money on a phone that is shared at a counter. It can be
//! installed like an app, and shows the code of a payment link for payers to scan.

use super::{
    ask_form::AskForm,
    asking::{self, AskPage, Asked},
    error::{DashboardError, redirect},
    fields::Fields,
    money_form::Faults,
    payment::PathValues,
    security_headers,
    state::DashboardState,
    views,
    visitor::Visitor,
};
use axum::{
    extract::{Query, State},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use minijinja::{Value, context};
use serde::Deserialize;
use serde_json::json;
use tua_domain::{
    LinkId,
    link::{LinkPageRequest, LinkStatus, LinkUses, LinkWithTotals},
};
use tua_web::http::{PAGE as ASSETS, qr_code};

const PAGE: AskPage = AskPage::Till;

/// How many of the newest links the till looks at.
const READ_LINKS: u32 = 50;

/// The query of `GET /till`.
#[derive(Debug, Default, Deserialize)]
pub(super) struct TillQuery {
    /// The charge that the form is filled in like.
    #[serde(default)]
    again: String,
    /// The payment link whose code is shown.
    #[serde(default)]
    link: String,
}

/// `GET /till`: the form with a keypad, the newest charges of the day, and the code of a link.
pub(super) async fn show(
    State(state): State<DashboardState>,
    visitor: Visitor,
    Query(TillQuery { again, link }): Query<TillQuery>,
) -> Result<Response, DashboardError> {
    let form = asking::form_like(&state, &visitor, &again).await?;
    page(&state, &visitor, &form, &Faults::default(), &link).await
}

/// `POST /till`: the payer gets a prompt.
pub(super) async fn begin(
    State(state): State<DashboardState>,
    visitor: Visitor,
    fields: Fields,
) -> Result<Response, DashboardError> {
    let form = AskForm::of(&fields);
    let response = begin_once(&state, &visitor, form.clone()).await;
    form.repeatable(PAGE.path()).or_form_again(&visitor, response)
}

async fn begin_once(
    state: &DashboardState,
    visitor: &Visitor,
    form: AskForm,
) -> Result<Response, DashboardError> {
    match asking::begin(state, visitor, form).await? {
        Asked::Begun(id) => Ok(redirect(&visitor.href(&format!("{}/{id}", PAGE.path())))),
        Asked::Refused(form, faults) => page(state, visitor, &form, &faults, "").await,
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
    chosen: &str,
) -> Result<Response, DashboardError> {
    let wanted = LinkPageRequest { limit: READ_LINKS, after: None };
    let mut links = state.links.list(&visitor.scope, wanted).await?;
    // A link that can be paid once is for one payer.
    links.retain(|found| is_open(state, found) && found.link.terms.uses == LinkUses::Many);
    let link = links.iter().find(|found| found.link.id.as_str() == chosen).or(links.first());
    let choice = if links.len() > 1 { links.as_slice() } else { &[] };
    let more = context! {
        link => link.map(link_value),
        links => choice.iter().map(link_value).collect::<Vec<_>>(),
    };
    PAGE.show(state, visitor, form, faults, more).await
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
