//! Checks of the settings against MTN, without moving money.

use super::{api::Product, connector::MtnMomo, response_error::describe, wire::BalanceBody};
use crate::{
    callback_address::check_callback_address,
    clock_check::compare_clocks,
    connection::{Call, Response},
};
use reqwest::StatusCode;
use secrecy::ExposeSecret;
use std::sync::atomic::Ordering;
use tua_domain::ports::{CheckResult, ReadError};

impl MtnMomo {
    pub(super) async fn check_settings(&self) -> Vec<CheckResult> {
        let mut results = Vec::new();
        let mut clock = None;
        for product in self.products() {
            let token = product.tokens.get().await;
            let credentials = token.map(|_| "accepted".to_owned()).map_err(|error| {
                format!(
                    "{error}; user, key and subscription-key belong to one product and one platform"
                )
            });
            let are_accepted = credentials.is_ok();
            let name = format!("{} credentials", product.name);
            results.push(CheckResult::new(name, credentials));
            // Without a token every other call is refused for that reason alone.
            if are_accepted {
                let path = format!("/{}/v1_0/account/balance", product.name);
                let response = product.read(|| Call::get(&path)).await;
                if let Ok(response) = &response {
                    clock = clock.or_else(|| {
                        compare_clocks(&response.headers, self.connection.clock().now())
                    });
                }
                let name = format!("{} target environment", product.name);
                let outcome = self.check_environment(product, response);
                results.push(CheckResult::new(name, outcome));
            }
        }
        results.push(self.check_callbacks());
        results.extend(clock);
        results
    }

    /// A balance read needs the right target environment, and shows the currency.
    fn check_environment(
        &self,
        product: &Product,
        response: Result<Response, ReadError>,
    ) -> Result<String, String> {
        let response = response.map_err(|error| error.to_string())?;
        let body: Option<BalanceBody> =
            response.json().filter(|_| response.status == StatusCode::OK);
        match body {
            Some(body) if body.currency == self.currency => {
                Ok(format!("accepted, in {}", self.currency))
            }
            Some(body) => Err(format!(
                "the account is in {}, but orders are sent in {}; look at `environment` and \
                 `target-environment`",
                body.currency, self.currency
            )),
            None => Err(format!("{}; look at `target-environment`", describe(product, &response))),
        }
    }

    fn check_callbacks(&self) -> CheckResult {
        let mut result = check_callback_address(self.callback_url.expose_secret());
        if self.is_callback_host_refused.load(Ordering::Relaxed) {
            let fault = "MTN has refused its host, so orders name no callback address; have the \
                host of the public URL registered for this API user, then restart";
            result.outcome = Err(fault.to_owned());
        }
        result.outcome = result.outcome.map(|found| {
            format!(
                "{found}: it must be the one that is registered at MTN, which only an order shows"
            )
        });
        result
    }
}
