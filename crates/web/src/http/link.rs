//! Payment links: `POST /v1/links`, `POST /v1/links/{linkId}/close` and `…/reopen`
//! (docs/reference/links.md).

use super::{
    access,
    auth::Authenticated,
    body::{JsonBody, read_no_members},
    idempotent,
    problem::ApiError,
    refusals::END_IS_PAST,
    segment::Segment,
    state::BodyTimeout,
};
use axum::{
    Json,
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::Deserialize;
use tua_api::{
    resources::LinkView,
    values::{Amount, Description, FutureTime, LinkUses, Metadata, Reference, Title},
};
use tua_contract::ErrorCode;
use tua_domain::{
    LinkId,
    link::{
        self, LinkAmount, LinkChange, LinkFigures, LinkStatus, LinkTerms, LinkWithFigures, NewLink,
    },
    public_url::PublicUrl,
};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::Links;
use utoipa::ToSchema;

/// A new payment link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct LinkRequest {
    title: Title,
    /// What each payer pays. Absent: the payer chooses the amount.
    amount: Option<Amount>,
    /// The smallest amount that a payer may choose. Not beside `amount`.
    min_amount: Option<Amount>,
    /// The largest amount that a payer may choose. Not beside `amount`.
    max_amount: Option<Amount>,
    description: Option<Description>,
    uses: Option<LinkUses>,
    /// When the link ends, in the future. Absent: never.
    expires_at: Option<FutureTime>,
    reference: Option<Reference>,
    metadata: Option<Metadata>,
}

/// `POST /v1/links`: creates a link in the account and mode of the key.
pub(super) async fn create_link(
    State(links): State<Links>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::CREATE_LINK)?;
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let new = NewLink::from(LinkRequest::read(body.object()?, links.now())?);
    let created = links.create(holder, new, key).await?;
    // As it was created, so that a repeated request gets the same body.
    let view = LinkView::new(&created.value, LinkFigures::default(), LinkStatus::Open, &public_url);
    idempotent::response(StatusCode::CREATED, &view, created.is_replay)
}

/// Closes a link: it takes no further payment.
pub(super) async fn close_link(
    State(links): State<Links>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::CLOSE_LINK)?;
    read_no_members(request, timeout).await?;
    let changed = links.change(&holder, &LinkId::new(id), LinkChange::Close).await?;
    Ok(respond(&changed, links.now(), &public_url))
}

/// Opens a closed link again.
pub(super) async fn reopen_link(
    State(links): State<Links>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(access::REOPEN_LINK)?;
    read_no_members(request, timeout).await?;
    let changed = links.change(&holder, &LinkId::new(id), LinkChange::Reopen).await?;
    Ok(respond(&changed, links.now(), &public_url))
}

/// A link as it stands.
pub(super) fn respond(found: &LinkWithFigures, now: Timestamp, public_url: &PublicUrl) -> Response {
    let view = LinkView::new(&found.link, found.figures, found.link.status(now), public_url);
    ([(header::CACHE_CONTROL, "no-store")], Json(view)).into_response()
}

impl LinkRequest {
    /// Reads the link that a key creates, with all faults. If the end in the past is the only one,
    /// the use case finds it: a replay does not depend on the time.
    fn read(object: JsonObject<'_>, now: Timestamp) -> Result<Self, ApiError> {
        let is_future = |at: &FutureTime| {
            if at.0 > now { Ok(()) } else { Err(Refusal::new(ErrorCode::InvalidTime, END_IS_PAST)) }
        };
        let min: Option<Amount> = object.get("minAmount");
        let is_in_order = |max: &Amount| {
            if min.is_none_or(|min| min.0 <= max.0) {
                Ok(())
            } else {
                Err(Refusal::new(
                    ErrorCode::InvalidAmount,
                    "This must not be smaller than minAmount.",
                ))
            }
        };
        let limits: &[&str] = if object.get::<Amount>("amount").is_some() {
            &["minAmount", "maxAmount"]
        } else {
            &[]
        };
        let detail =
            "A link with an amount has no limits, because the payer does not choose the amount.";
        let object = object.forbid(limits, detail).require("maxAmount", is_in_order);
        object.read().or_else(|_| Ok(object.require("expiresAt", is_future).read()?))
    }
}

impl From<LinkRequest> for NewLink {
    fn from(request: LinkRequest) -> Self {
        let amount = match request.amount {
            Some(amount) => LinkAmount::Fixed(amount.0),
            None => LinkAmount::Open {
                min: request.min_amount.map(|amount| amount.0),
                max: request.max_amount.map(|amount| amount.0),
            },
        };
        Self {
            reference: request.reference.map(|Reference(text)| text),
            terms: LinkTerms {
                title: request.title.0,
                description: request.description.map(|Description(text)| text),
                amount,
                uses: request.uses.map_or(link::LinkUses::Many, |uses| uses.0),
                expires_at: request.expires_at.map(|at| at.0),
                metadata: request.metadata.map(|Metadata(text)| text),
            },
        }
    }
}
