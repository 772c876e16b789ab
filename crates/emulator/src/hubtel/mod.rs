//! Hubtel: receiving and sending money on three networks, refunds, names of wallets.
//!
//! Hubtel's services have hosts of their own. Here each is a first segment below `/hubtel`, so that
//! one base URL is enough.

mod access;
mod names;
mod outcomes;
mod receive;
mod refund;
mod request;
mod responses;
mod send;
mod settings;
mod state;
mod values;

pub use settings::HubtelCredentials;
pub(crate) use state::Hubtel;

use responses::FORMAT;
use values::PLATFORM;

use crate::{
    callback::Callback,
    chaos::WireFormat,
    extract::{nest, with_fallbacks},
    guard::guard,
    operator::{Call, Operator},
    order::Order,
    phase::Kind,
    protocol::{Context, Protocol, Shared},
    statement,
};
use axum::{
    Router,
    http::Method,
    routing::{get, post},
};
use std::sync::Arc;

impl Protocol for Hubtel {
    fn operator(&self) -> Operator {
        Operator::HUBTEL
    }

    fn format(&self) -> &'static WireFormat {
        &FORMAT
    }

    /// The first segment stands for the host: `rmp.hubtel.com`, `api-txnstatus.hubtel.com`,
    /// `smp.hubtel.com`, `smrsc.hubtel.com`, `rnv.hubtel.com`, `refund-api.hubtel.com`.
    fn routes(self: Arc<Self>, shared: &Shared) -> Router {
        let guard = |call, routes| guard(shared, &*self, call, routes);
        let receive = Router::new().route(
            "/rmp/merchantaccount/merchants/{pos_sales_id}/receive/mobilemoney",
            post(receive::create),
        );
        let send = Router::new()
            .route("/smp/api/merchants/{prepaid_deposit_id}/send/mobilemoney", post(send::create));
        let status = Router::new()
            .route("/txnstatus/transactions/{pos_sales_id}/status", get(receive::status))
            .route(
                "/smrsc/api/merchants/{prepaid_deposit_id}/transactions/status",
                get(send::status),
            )
            // The documentation writes this path in both ways.
            .route("/smrsc/api/merchants/{prepaid_deposit_id}/status", get(send::status));
        let refund = Router::new()
            .route("/refund-api/refund/{pos_sales_id}/order/{order_id}", post(refund::create));
        let names = Router::new()
            .route(
                "/rnv/v2/merchantaccount/merchants/{pos_sales_id}/mobilemoney/verify",
                get(names::verify),
            )
            .route(
                "/rnv/v1/merchantaccount/merchants/{pos_sales_id}/mobilemoney/verify",
                get(names::verify_v1),
            );
        let routes = Router::new()
            .merge(guard(Call::Send, receive))
            .merge(guard(Call::Payout, send))
            .merge(guard(Call::Status, status))
            .merge(guard(Call::Refund, refund))
            .merge(guard(Call::Other, names));
        nest(PLATFORM, with_fallbacks(routes))
            .with_state(Context { shared: shared.clone(), protocol: self })
    }

    /// The callback about an outcome; none is signed.
    fn callback(&self, _: &Shared, order: &Order) -> Option<Callback> {
        let url = order.new.callback_url.clone().filter(|_| order.phase.is_final())?;
        let body = match order.new.kind {
            Kind::Charge => receive::callback_body(order),
            Kind::Payout => send::callback_body(order),
            Kind::Refund => refund::callback_body(order),
        };
        Some(Callback::new(order, Method::POST, url, body))
    }

    /// Hubtel takes no reference for a refund, so its line has that of the charge.
    fn statement(&self, shared: &Shared) -> Option<Vec<u8>> {
        let orders = shared.orders();
        statement::csv(&orders, Operator::HUBTEL, |order| {
            order.new.refund_of.and_then(|charge| orders.get(charge)).unwrap_or(order)
        })
    }
}
