//! pawaPay, an aggregator: deposits, payouts and refunds on three networks
//! (docs/operators/pawapay.md).

mod active_conf;
mod authorization;
mod callback;
mod check;
mod connect;
mod connector;
mod convert;
mod keys;
mod reasons;
mod response_error;
pub mod settings;
pub mod signatures;
mod statement;
mod wire;

use super::{connection::Call, minor_units::minor_units};
use active_conf::ActiveConf;
use async_trait::async_trait;
use connector::ACTIVE_CONF_PATH;
pub use connector::PawaPay;
use convert::CURRENCY;
use reasons::OrderKind;
use reqwest::{StatusCode, header::CONTENT_LENGTH};
use response_error::unexpected;
#[cfg(test)]
pub(crate) use signatures::tests::KEY as TEST_KEY;
use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};
use tua_contract::{Code, Network, lifecycle::Observation};
use tua_domain::{
    Kind,
    capabilities::{Availability, Capabilities, RefundCapability},
    ports::{
        Balance, CallbackRefusal, CallbackRequest, CancelResponse, CheckResult, CodeResponse,
        Operator, Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder,
        StatusResponse, VerifiedCallback,
    },
    prompt_instructions::PromptInstructions,
    statement::period::StatementPeriod,
};
use wire::{BalancesBody, RefundBody};

/// pawaPay documents that `NOT_FOUND` is final after this time.
const NEVER_RECEIVED_IS_FINAL_AFTER: Duration = Duration::from_secs(15 * 60);

const fn order_kind(kind: Kind) -> OrderKind {
    match kind {
        Kind::Charge => OrderKind::Deposit,
        Kind::Payout => OrderKind::Payout,
    }
}

#[async_trait]
impl Operator for PawaPay {
    fn capabilities(&self) -> Capabilities {
        let defaults = Capabilities::serving(&Network::ALL, Kind::ALL);
        Capabilities {
            services: self.conf().map_or_else(|| defaults.services.clone(), |conf| conf.services()),
            refuses_repeats: true,
            never_received_is_final_after: Some(NEVER_RECEIVED_IS_FINAL_AFTER),
            has_balances: true,
            has_statements: true,
            cancels: vec![Kind::Payout],
            refunds: RefundCapability::Partial { within: None },
            has_one_refund_at_a_time: true,
            ..defaults
        }
    }

    fn availability(&self, network: Network, kind: Kind) -> Availability {
        self.conf().map_or(Availability::Operational, |conf| conf.availability(network, kind))
    }

    fn prompt_instructions(&self, network: Network) -> PromptInstructions {
        self.conf().map(|conf| conf.instructions(network)).unwrap_or_default()
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        self.post(order_kind(order.transfer.kind), &order.reference, &self.body(order), permit)
            .await
    }

    /// pawaPay has no codes: payers approve on the phone only. Nothing is sent, so no response
    /// arrives.
    async fn submit_code(&self, _: &SentOrder, _: &Code) -> CodeResponse {
        CodeResponse::Unanswered
    }

    async fn query_status(&self, order: &SentOrder) -> StatusResponse {
        self.fetch_status(order_kind(order.transfer.kind), &order.reference).await
    }

    /// A payout that pawaPay holds back because its provider is delayed can be cancelled; nothing
    /// else can.
    async fn cancel(&self, order: &SentOrder) -> CancelResponse {
        if order.transfer.kind != Kind::Payout {
            return CancelResponse::NotConfirmed;
        }
        let path = format!("{}/fail-enqueued/{}", OrderKind::Payout.path(), order.reference);
        // Gateways require the length of a request without a body.
        let call = self
            .authorize(Call::post(path))
            .header(CONTENT_LENGTH, "0")
            .record_for(&order.reference);
        let reply = self.connection.call(call).await;
        if !convert::is_cancellation_accepted(&reply) {
            return CancelResponse::NotConfirmed;
        }
        // An accepted cancellation may still fail, so the status is queried.
        match self.query_status(order).await {
            StatusResponse::Known(report)
                if matches!(report.observation, Observation::Failed(_)) =>
            {
                CancelResponse::Confirmed
            }
            StatusResponse::Known(_)
            | StatusResponse::NeverReceived
            | StatusResponse::Unanswered => CancelResponse::NotConfirmed,
        }
    }

    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal> {
        self.verify(request).await
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        let response = self.get("/v2/wallet-balances?country=GHA").await?;
        let body: Option<BalancesBody> =
            response.json().filter(|_| response.status == StatusCode::OK);
        let body = body.ok_or_else(|| unexpected(&response))?;
        let balance = |balance: wire::BalanceBody| {
            let provider = balance.provider.filter(|provider| !provider.is_empty());
            Some(Balance {
                account: provider.unwrap_or(balance.country),
                minor_units: minor_units(balance.balance.as_str())?,
                currency: balance.currency,
                pays_out: true,
            })
        };
        let balances: Option<Vec<_>> = body.balances.into_iter().map(balance).collect();
        balances.ok_or_else(|| unexpected(&response))
    }

    async fn statement(
        &self,
        period: &StatementPeriod,
        time_limit: Duration,
    ) -> Result<Vec<u8>, ReadError> {
        self.read_statement(period, time_limit).await
    }

    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        let body = RefundBody {
            refund_id: &refund.reference,
            deposit_id: &refund.charge.reference,
            amount: refund.amount.to_string(),
            currency: CURRENCY,
        };
        self.post(OrderKind::Refund, &refund.reference, &body, permit).await
    }

    async fn query_refund_status(&self, refund: &RefundOrder) -> StatusResponse {
        self.fetch_status(OrderKind::Refund, &refund.reference).await
    }

    async fn refresh(&self) {
        let response = self.get(ACTIVE_CONF_PATH).await.ok();
        let body = response
            .filter(|response| response.status == StatusCode::OK)
            .and_then(|response| response.json());
        if let Some(conf) = body.map(ActiveConf::from_body) {
            *self.conf.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(conf));
        }
        if self.settings.signed_callbacks {
            self.keys.fetch().await;
        }
    }

    async fn check(&self) -> Vec<CheckResult> {
        self.check_settings().await
    }
}
