//! MTN MoMo Open API: collections and disbursements, on two platforms that do not share their
//! transactions.

mod access;
mod accounts;
mod outcomes;
mod payments;
mod platform;
mod provisioning;
mod responses;
mod settings;
mod state;
mod status;

pub use settings::{MtnCallbacks, MtnCredentials, MtnProductCredentials, MtnProfile, MtnSettings};
pub(crate) use state::MtnMomo;

use platform::{FIRST_PLATFORM, NEW_PLATFORM, Platform, Product};
use responses::FORMAT;

use crate::{
    callback::{CALLBACK_TIMEOUT, Callback},
    chaos::WireFormat,
    extract::{nest, with_fallbacks},
    guard::guard,
    operator::{Call, Operator},
    order::Order,
    protocol::{Context, Protocol, Shared},
    settings::Settings,
};
use axum::{
    Extension, Router,
    extract::Request,
    http::{StatusCode, header},
    middleware::{Next, from_fn},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use std::{sync::Arc, time::Duration};

/// How long a repeated callback waits for a response.
const REPEATED_TIMEOUT: Duration = Duration::from_secs(2);

impl Protocol for MtnMomo {
    fn operator(&self) -> Operator {
        Operator::MTN_MOMO
    }

    fn format(&self) -> &'static WireFormat {
        &FORMAT
    }

    fn routes(self: Arc<Self>, shared: &Shared) -> Router {
        let new_platform = self.platform(shared, NEW_PLATFORM).layer(from_fn(refuse_user_agent));
        nest(FIRST_PLATFORM, self.platform(shared, FIRST_PLATFORM))
            .merge(nest(NEW_PLATFORM, new_platform))
            .with_state(Context { shared: shared.clone(), protocol: self })
    }

    fn callback(&self, shared: &Shared, order: &Order) -> Option<Callback> {
        status::callback(shared, order)
    }

    fn callback_timeout(&self, settings: &Settings) -> Duration {
        match settings.operators.get::<MtnSettings>().callbacks {
            MtnCallbacks::Once => CALLBACK_TIMEOUT,
            MtnCallbacks::Repeated => REPEATED_TIMEOUT,
        }
    }

    fn retry_delay(&self, settings: &Settings, attempt: u32) -> Option<Duration> {
        match (settings.operators.get::<MtnSettings>().callbacks, attempt) {
            (MtnCallbacks::Repeated, 1..=20) => Some(Duration::from_secs(1)),
            (MtnCallbacks::Repeated, 21..=50) => Some(Duration::from_secs(2 * 60)),
            (MtnCallbacks::Repeated, 51..=74) => Some(Duration::from_secs(3600)),
            _ => None,
        }
    }

    fn revoke_tokens(&self) {
        self.tokens().clear();
    }
}

impl MtnMomo {
    /// The routes of one platform, below its segment.
    fn platform(&self, shared: &Shared, name: &'static str) -> Router<Context<Self>> {
        let guard = |call, routes| guard(shared, self, call, routes);
        let collection = Router::new()
            .merge(guard(
                Call::Send,
                Router::new().route("/v1_0/requesttopay", post(payments::request_to_pay)),
            ))
            .merge(guard(
                Call::Status,
                Router::new().route("/v1_0/requesttopay/{reference}", get(status::charge)),
            ))
            .merge(self.product(shared))
            .layer(Extension(Product::Collection));
        let disbursement = Router::new()
            .merge(guard(
                Call::Payout,
                Router::new()
                    .route("/v1_0/transfer", post(payments::transfer))
                    .route("/v1_0/deposit", post(payments::deposit)),
            ))
            .merge(guard(
                Call::Status,
                Router::new()
                    .route("/v1_0/transfer/{reference}", get(status::payout))
                    .route("/v1_0/deposit/{reference}", get(status::deposit)),
            ))
            .merge(guard(Call::Refund, Router::new().route("/v1_0/refund", post(payments::refund))))
            .merge(guard(
                Call::Status,
                Router::new().route("/v1_0/refund/{reference}", get(status::refund)),
            ))
            .merge(self.product(shared))
            .layer(Extension(Product::Disbursement));
        let provisioning = Router::new()
            .route("/v1_0/apiuser", post(provisioning::create_user))
            .route("/v1_0/apiuser/{user}", get(provisioning::read_user))
            .route("/v1_0/apiuser/{user}/apikey", post(provisioning::create_key));
        let routes = Router::new()
            .nest("/collection", collection)
            .nest("/disbursement", disbursement)
            .merge(guard(Call::Other, provisioning));
        with_fallbacks(routes).layer(Extension(Platform(name)))
    }

    /// The routes that both products have.
    fn product(&self, shared: &Shared) -> Router<Context<Self>> {
        let guard = |call, routes| guard(shared, self, call, routes);
        let token = Router::new()
            .route("/token/", post(access::issue_token))
            .route("/token", post(access::issue_token));
        let accounts = Router::new()
            .route("/v1_0/account/balance", get(accounts::balance))
            .route("/v1_0/account/balance/{currency}", get(accounts::balance_in))
            .route(
                "/v1_0/accountholder/msisdn/{number}/basicuserinfo",
                get(accounts::basic_user_info),
            )
            .route("/v1_0/accountholder/{id_type}/{id}/active", get(accounts::active));
        guard(Call::Token, token).merge(guard(Call::Other, accounts))
    }
}

/// The gateway of the new platform refuses this client with a page of HTML.
async fn refuse_user_agent(request: Request, next: Next) -> Response {
    let user_agent = request
        .headers()
        .get(header::USER_AGENT)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    if !user_agent.contains("python-requests") {
        return next.run(request).await;
    }
    let title = "Microsoft-Azure-Application-Gateway/v2";
    let page = format!(
        "<html><head><title>403 Forbidden</title></head><body><center><h1>403 \
         Forbidden</h1></center><hr>\
         <center>{title}</center></body></html>"
    );
    (StatusCode::FORBIDDEN, Html(page)).into_response()
}
