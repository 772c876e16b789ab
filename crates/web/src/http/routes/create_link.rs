//! `POST /v1/links` (docs/reference/links.md).

use crate::http::{
    auth::Authenticated,
    body::JsonBody,
    idempotent,
    openapi::{
        errors::{BODY, IDEMPOTENCY},
        examples::{self, Examples},
        headers::IDEMPOTENCY_REPLAYED,
        link_examples,
        messages::{LinkSpec, RequestBodySpec, ResponseSpec},
        open_to::OpenTo,
        operation::OperationSpec,
        parameters::idempotency_key,
    },
    problem::ApiError,
    refusals::END_IS_PAST,
    route::Route,
    state::BodyTimeout,
};
use axum::{
    extract::{FromRequest, Request, State},
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::on,
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use tua_api::{
    resources::LinkView,
    values::{Amount, Description, FutureTime, LinkUses, Metadata, Question, Reference, Title},
};
use tua_contract::ErrorCode::{self, *};
use tua_domain::{
    KeyScope,
    link::{self, LinkAmount, LinkStatus, LinkTerms, LinkTotals, NewLink},
    public_url::PublicUrl,
};
use tua_http_json::{JsonObject, Refusal};
use tua_use_cases::Links;
use utoipa::{ToSchema, openapi::HttpMethod};

/// A key needs one of these scopes.
const SCOPES: &[KeyScope] = &[KeyScope::Collect];

pub(super) const ROUTE: Route = Route {
    handler: |method| on(method, create_link),
    operation: OperationSpec {
        method: HttpMethod::Post,
        path: "/v1/links",
        id: "createLink",
        tag: "Links",
        summary: "Create a payment link",
        description: "Creates a page with a short address on which anybody who has it can pay. The \
            page opens a checkout session for each payer.",
        open_to: OpenTo::V2Key(SCOPES),
        parameters: &[idempotency_key],
        body: Some(RequestBodySpec::of::<LinkRequest>(
            "What the payer pays, and for what.",
            request_examples,
        )),
        responses: &[ResponseSpec::json::<LinkView<'static>>(
            "201",
            "Created. Send `url` to payers, or print `qr`.",
            response_examples,
        )
        .with_headers(&[IDEMPOTENCY_REPLAYED])
        .with_links(&[
            LinkSpec {
                name: "follow",
                to: "readLink",
                description: "Read the link and its payments.",
                parameters: &[("linkId", "$response.body#/linkId")],
                body: None,
            },
            LinkSpec {
                name: "close",
                to: "closeLink",
                description: "Close the link.",
                parameters: &[("linkId", "$response.body#/linkId")],
                body: None,
            },
        ])],
        errors: &[
            IDEMPOTENCY,
            BODY,
            &[
                InvalidAmount,
                TooLong,
                InvalidText,
                InvalidParameter,
                InvalidTime,
                InvalidMetadata,
                FieldNotAllowed,
            ],
            &[AccountSuspended],
        ],
    },
};

/// A new payment link.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LinkRequest {
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
    question: Option<Question>,
}

/// `POST /v1/links`: creates a link in the account and mode of the key.
async fn create_link(
    State(links): State<Links>,
    State(timeout): State<BodyTimeout>,
    State(public_url): State<PublicUrl>,
    caller: Authenticated,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, ApiError> {
    let holder = caller.v2_key(SCOPES)?;
    let key = idempotent::key(&headers)?;
    let body = JsonBody::from_request(request, &timeout).await?;
    let new = NewLink::from(LinkRequest::read(body.object()?, links.now())?);
    let created = links.create(holder, new, key).await?;
    // As it was created, so that a repeated request gets the same body.
    let view = LinkView::new(&created.value, LinkTotals::default(), LinkStatus::Open, &public_url);
    idempotent::response(StatusCode::CREATED, &view, created.is_replay)
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
                question: request.question.map(|Question(text)| text),
            },
        }
    }
}

fn request_examples() -> Examples {
    let fixed = json!({ "title": "Adom choir: robe", "amount": 10.5, "reference": "choir-2026" });
    let open = json!({
        "title": "Harvest offering",
        "minAmount": 1,
        "maxAmount": 1000,
        "expiresAt": "2099-12-31T23:59:59Z",
    });
    vec![
        ("fixed", fixed),
        ("open", open),
        ("single", json!({ "title": "Invoice 17", "amount": 250, "uses": "single" })),
        (
            "question",
            json!({ "title": "School fees", "amount": 1200, "question": "Name of the pupil" }),
        ),
    ]
}

fn response_examples() -> Examples {
    vec![(
        "open",
        examples::json(&LinkView::new(
            &link_examples::link(),
            LinkTotals::default(),
            LinkStatus::Open,
            link_examples::PUBLIC_URL,
        )),
    )]
}
