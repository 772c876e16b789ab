//! The metrics of the operators of the settings: circuit breakers and balances.

use super::labels::{OperatorAccount, OperatorDirection, OperatorName};
use crate::domain::{Kind, routing::Operators};
use prometheus_client::{
    metrics::{family::Family, gauge::Gauge},
    registry::{Registry, Unit},
};

#[derive(Debug, Default)]
pub(super) struct OperatorMetrics {
    breakers: Family<OperatorDirection, Gauge>,
    balances: Family<OperatorAccount, Gauge>,
    read_times: Family<OperatorName, Gauge>,
}

impl OperatorMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        let help = "1 while an operator gets no new payments, because sends had no response";
        registry.register("operator_breaker_open", help, self.breakers.clone());
        let help = "The merchant's money at an operator, in hundredths of the currency (GHS: pesewas)";
        registry.register("operator_balance", help, self.balances.clone());
        let help = "Unix time when the balances of an operator were read";
        registry.register_with_unit("operator_balance_read_time", help, Unit::Seconds, self.read_times.clone());
    }

    /// Sets the gauges to what the operators have now.
    pub(super) fn set(&self, operators: &Operators) {
        for entry in operators.entries() {
            let operator = entry.pin.name.as_str().to_owned();
            for kind in Kind::ALL {
                let labels = OperatorDirection { operator: operator.clone(), kind: kind.as_str() };
                self.breakers.get_or_create(&labels).set(entry.breaker(*kind).is_open().into());
            }
            let Some(reading) = entry.float.last() else { continue };
            for balance in reading.balances {
                let (account, currency) = (balance.account, balance.currency);
                let labels = OperatorAccount { operator: operator.clone(), account, currency };
                self.balances.get_or_create(&labels).set(balance.minor_units);
            }
            self.read_times.get_or_create(&OperatorName { operator }).set(reading.at.as_second());
        }
    }
}
