//! The metrics of the operators of the settings: circuit breakers, balances and access tokens.

use super::labels::{
    OperatorAccount, OperatorDirection, OperatorName, OperatorService, TokenRequest,
};
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};
use std::sync::atomic::Ordering;
use tua_contract::Network;
use tua_domain::{
    Kind,
    ports::AccessTokenStatus,
    routing::{BreakerScope, OperatorEntry, Operators},
};

#[derive(Debug, Default)]
pub(super) struct OperatorMetrics {
    breakers: Family<OperatorDirection, Gauge>,
    refusals: Family<OperatorService, Gauge>,
    balances: Family<OperatorAccount, Gauge>,
    read_times: Family<OperatorName, Gauge>,
    token_requests: Family<TokenRequest, Counter>,
    tokens_valid_until: Family<OperatorDirection, Gauge>,
}

/// The most balances of one operator that are shown. They are named by the operator, which must not
/// fill the memory of the program that reads the metrics.
const MAX_BALANCES: usize = 50;

/// The longest label that an operator may choose, in characters.
const LABEL_MAX_CHARS: usize = 64;

/// An operator's text as a label.
fn label(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LABEL_MAX_CHARS).collect()
}

impl OperatorMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "1 while an operator gets no new payments, because sends had no response";
        registry.register("operator_breaker_open", help, self.breakers.clone());
        let help =
            "1 while an operator gets no new payments of a network, because it refused all of them";
        registry.register("operator_refusing", help, self.refusals.clone());
        let help =
            "The merchant's money at an operator, in hundredths of the currency (GHS: pesewas)";
        registry.register("operator_balance", help, self.balances.clone());
        let help = "Unix time when the balances of an operator were read";
        registry.register_with_unit(
            "operator_balance_read_time",
            help,
            Unit::Seconds,
            self.read_times.clone(),
        );
        let help = "Requests for access tokens of operators";
        registry.register("operator_token_requests", help, self.token_requests.clone());
        let help = "Unix time until which the access token of an operator is valid; without a \
            token there is no sample";
        let valid_until = self.tokens_valid_until.clone();
        registry.register_with_unit("operator_token_not_after", help, Unit::Seconds, valid_until);
    }

    /// Sets the gauges to what the operators have now. Balances that an operator does not report
    /// any more are dropped.
    pub(super) fn set(&self, operators: &Operators) {
        self.balances.clear();
        for entry in operators.entries() {
            let operator = entry.unique_name().to_owned();
            for (scope, breaker) in Kind::ALL.iter().flat_map(|kind| entry.breakers(*kind)) {
                self.set_breaker(&operator, scope, breaker.is_open());
            }
            self.set_tokens(&entry);
            let Some(reading) = entry.float.last() else { continue };
            for balance in reading.balances.into_iter().take(MAX_BALANCES) {
                let account = label(&balance.account);
                let currency = label(&balance.currency);
                let labels = OperatorAccount { operator: operator.clone(), account, currency };
                self.balances.get_or_create(&labels).set(balance.minor_units);
            }
            self.read_times.get_or_create(&OperatorName { operator }).set(reading.at.as_second());
        }
    }

    fn set_breaker(
        &self,
        operator: &str,
        BreakerScope { kind, network }: BreakerScope,
        is_open: bool,
    ) {
        let operator = operator.to_owned();
        let kind = kind.as_str();
        let gauge = match network.map(Network::as_str) {
            Some(network) => {
                let service = OperatorService { operator, network, kind };
                self.refusals.get_or_create_owned(&service)
            }
            None => self.breakers.get_or_create_owned(&OperatorDirection { operator, kind }),
        };
        gauge.set(is_open.into());
    }

    fn set_tokens(&self, entry: &OperatorEntry) {
        let operator = entry.unique_name();
        for AccessTokenStatus { kind, fetched, failed, valid_until } in
            entry.operator.access_token_status()
        {
            let operator = operator.to_owned();
            let kind = kind.as_str();
            for (outcome, count) in [("fetched", fetched), ("failed", failed)] {
                let labels = TokenRequest { operator: operator.clone(), kind, outcome };
                // The connector counts, and never backwards.
                self.token_requests.get_or_create(&labels).inner().store(count, Ordering::Relaxed);
            }
            let labels = OperatorDirection { operator, kind };
            match valid_until {
                Some(at) => {
                    self.tokens_valid_until.get_or_create(&labels).set(at.as_second());
                }
                None => {
                    self.tokens_valid_until.remove(&labels);
                }
            }
        }
    }
}
