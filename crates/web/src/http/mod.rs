//! The API over HTTP. `routes/` has one file per route, and what routes share is beside it. Status
//! codes appear only here.
//!
//! A request comes from [`tua_net`] with the address of its client. It passes, from the outside
//! in: `load_shed`, `response_layer` (request id, log line, problem documents, `credential_facts`,
//! panics), CORS, the size limit of bodies, and its route. The route authenticates the caller and
//! counts the request (`auth`), parses the body (`body`) and calls the domain.

mod assets;
mod auth;
mod bearer;
mod begin_refusals;
mod body;
mod branding;
mod callbacks;
mod coding;
mod companion_errors;
mod compressed;
mod cors;
mod credential_facts;
mod document;
mod error_codes;
mod error_help;
mod error_page;
mod event_query;
mod event_view;
mod form_sender;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzzing;
mod idempotent;
mod json_response;
mod key_exposure;
mod load_shed;
mod logged_resource;
mod openapi;
mod page_limit;
mod paging;
mod payment_response;
mod phone;
mod poll;
mod problem;
mod qr_code;
mod quality_values;
mod query_values;
mod rate_headers;
mod redirect;
mod refusals;
mod response_layer;
mod route;
mod routes;
mod security_headers;
mod segment;
mod state;
mod templates;
mod trace_context;
mod unknown_credential;
mod unknown_path;

use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, FromRef},
    middleware::from_fn_with_state,
    routing::{any, get},
};
use futures_util::future::Either;
use std::{future::ready, sync::Arc};
use tower::{Service, service_fn};
use tower_http::catch_panic::CatchPanicLayer;
use tua_contract::ErrorCode;
use tua_domain::{admission::AdmissionControl, ports::Clock, public_url::PublicUrl};
use tua_http_json::body::BODY_MAX_BYTES;
use tua_metrics::Metrics;
use tua_net::{HttpService, limits::Limiter};

use load_shed::LoadShed;
use response_layer::LayerState;
use unknown_path::unknown_path;

pub use assets::{PAGE, SDK, content_type, is_component_built};
pub use body::read_body;
pub use callbacks::CallbackState;
pub use compressed::CompressedOnce;
pub use document::openapi_document;
pub use form_sender::FormSender;
pub use page_limit::count_page;
pub use phone::PhoneState;
pub use problem::ApiError;
pub use qr_code::qr_code;
pub use quality_values::by_preference;
pub use redirect::{RedirectState, router as redirect_router};
pub use refusals::internal;
pub use security_headers::{NO_DEVICES, PERMISSIONS_POLICY, POLICY_WITHOUT_SCRIPT};
pub use segment::Segment;
pub use state::{BodyTimeout, EndpointAddresses, HttpState, StateParts};
pub use templates::{
    environment as html_environment, not_shown, render, write_value as write_html_value,
};

/// What the HTTP interface needs.
#[derive(Debug)]
pub struct HttpParts {
    /// The state of the API.
    pub state: HttpState,
    /// Counts responses by method, route and status, with their durations.
    pub metrics: Arc<Metrics>,
    /// Refuses requests under overload.
    pub admission: Arc<AdmissionControl>,
    /// The time for load shedding.
    pub clock: Arc<dyn Clock>,
    /// The simulated phone, where it is served.
    pub phone: Option<PhoneState>,
    /// The hosted page's routes.
    pub hosted: Router,
    /// What operators' callbacks need.
    pub callbacks: CallbackState,
}

/// Everything that the service answers, and refuses under overload.
pub fn service(parts: HttpParts) -> impl HttpService {
    let HttpParts { state, metrics, admission, clock, phone, hosted, callbacks } = parts;
    let layer_state = LayerState { metrics, public_url: PublicUrl::from_ref(&state) };
    let load_shed = Arc::new(LoadShed { admission, clock, layer_state: layer_state.clone() });
    let router = router(state, phone, hosted.merge(callbacks::router(callbacks)), layer_state);
    service_fn(move |request| match load_shed.refusal(&request) {
        Some(response) => Either::Left(ready(Ok(response))),
        None => Either::Right(router.clone().call(request)),
    })
}

fn router(
    state: HttpState,
    phone: Option<PhoneState>,
    hosted: Router,
    layer_state: LayerState,
) -> Router {
    let v1 = routes::versioned()
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        // Inside CORS, so that a page can read the response to a panic too.
        .layer((cors::layer(), CatchPanicLayer::custom(response_layer::panicked)));

    // The loader fetches the WebAssembly: a page whose `fetch` adds headers sends a preflight for
    // it too. Each response is the same for every origin, so that caches keep it once.
    let sdk = Router::new()
        .route("/sdk/{*file}", get(assets::sdk_file))
        .method_not_allowed_fallback(wrong_method)
        .layer(cors::layer().vary([]));

    // The paths of these folders themselves belong to neither of the routers above.
    let folders = Router::new()
        .route("/v1/", any(unknown_path))
        .route("/sdk/", any(unknown_path))
        .layer(cors::layer());

    // Built-in files were compressed when the service was built, and the document is compressed
    // once.
    let document = Arc::new(document::served_document(&PublicUrl::from_ref(&state)));
    let counted = from_fn_with_state(<Arc<Limiter>>::from_ref(&state), count_page);
    let mut router: Router = Router::new()
        .nest("/v1", v1)
        .merge(routes::unversioned().layer(Extension(document)))
        .route("/assets/{*file}", get(assets::page_file))
        .route("/branding/{file}", get(branding::read_branding).layer(counted.clone()))
        .merge(sdk)
        .merge(folders)
        .route("/docs/errors/{code}", get(error_page::explain_error).layer(counted))
        .with_state(state)
        .merge(hosted);
    if let Some(phone) = phone {
        router = router.nest("/sandbox/phone", phone::router(phone));
    }
    router
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer((
            CatchPanicLayer::custom(response_layer::panicked),
            DefaultBodyLimit::max(BODY_MAX_BYTES),
        ))
        .layer(response_layer::layer(layer_state))
}

/// What a listener of its own for the dashboard answers.
pub fn dashboard_service(
    dashboard: Router,
    metrics: Arc<Metrics>,
    public_url: PublicUrl,
) -> Router {
    Router::new()
        .route("/assets/{*file}", get(assets::page_file))
        .merge(dashboard)
        .fallback(unknown_path)
        .method_not_allowed_fallback(wrong_method)
        .layer((
            CatchPanicLayer::custom(response_layer::panicked),
            DefaultBodyLimit::max(BODY_MAX_BYTES),
        ))
        .layer(response_layer::layer(LayerState { metrics, public_url }))
}

async fn wrong_method() -> ApiError {
    ApiError::new(
        ErrorCode::MethodNotAllowed,
        "This path does not support this method. See the Allow header.",
    )
}
