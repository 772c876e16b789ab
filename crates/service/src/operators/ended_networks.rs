//! The table `[networks]` of the settings, and operators that know the payments of a network as another's.

use crate::domain::{
    Kind,
    capabilities::{Availability, Capabilities, Service},
    operator_transaction_id::OperatorTransactionId,
    ports::{
        AccessTokens, Answer, Balance, CallbackRefusal, CallbackRequest, Cancelled, CheckResult, CodeAnswer, Operator,
        Order, ReadError, RefundOrder, SendPermit, SendResponse, SentOrder, VerifiedCallback,
    },
    prompt_instructions::PromptInstructions,
    routing::{EndedNetworks, NetworkEnd},
    statement::period::StatementPeriod,
};
use async_trait::async_trait;
use std::{sync::Arc, time::Duration};
use toml::Table;
use tua_contract::{Code, Network, Phone};

/// The value of a network that takes no new payments.
const RETIRED: &str = "retired";

/// Reads the table `[networks]`: for each network that has ended `"retired"`, or the network that it became a part of.
///
/// # Errors
/// Every fault, each as a sentence that names the setting.
pub fn read_ended_networks(table: Table) -> Result<EndedNetworks, Vec<String>> {
    let (mut ended, mut faults) = (EndedNetworks::default(), Vec::new());
    for (name, value) in table {
        let end = value.as_str().and_then(|text| match (text, Network::parse(text)) {
            (RETIRED, _) => Some(NetworkEnd::Retired),
            (_, Some(other)) => Some(NetworkEnd::MovedTo(other)),
            (_, None) => None,
        });
        match (Network::parse(&name), end) {
            (None, _) => {
                faults.push(format!("networks.{name}: there is no such network; there are MTN, TELECEL and AIRTELTIGO"))
            }
            (Some(_), None) => {
                faults.push(format!("networks.{name}: must be \"{RETIRED}\", or the network that it became a part of"));
            }
            (Some(network), Some(end)) => ended = ended.with(network, end),
        }
    }
    let chained = ended.moved().filter(|(_, other)| ended.end_of(*other).is_some());
    faults.extend(
        chained
            .map(|(network, other)| format!("networks.{network}: {other} has ended too; name a network that goes on")),
    );
    if faults.is_empty() { Ok(ended) } else { Err(faults) }
}

/// An operator that knows the payments of moved networks as those of the networks that they became a part of.
#[derive(Debug)]
struct MovedNetworks {
    operator: Arc<dyn Operator>,
    ended: EndedNetworks,
}

/// The operator with these networks moved.
#[must_use]
pub fn with_moved_networks(operator: Arc<dyn Operator>, ended: EndedNetworks) -> Arc<dyn Operator> {
    match ended.moved().next() {
        Some(_) => Arc::new(MovedNetworks { operator, ended }),
        None => operator,
    }
}

impl MovedNetworks {
    fn sent(&self, order: &SentOrder) -> SentOrder {
        let mut order = order.clone();
        order.transfer.network = self.ended.sent_as(order.transfer.network);
        order
    }

    fn refund_of(&self, refund: &RefundOrder) -> RefundOrder {
        RefundOrder { charge: self.sent(&refund.charge), ..refund.clone() }
    }
}

#[async_trait]
impl Operator for MovedNetworks {
    fn capabilities(&self) -> Capabilities {
        let mut capabilities = self.operator.capabilities();
        for (network, other) in self.ended.moved() {
            capabilities.services.retain(|service| service.network != network);
            let of_other = capabilities.services.iter().filter(|service| service.network == other);
            let moved: Vec<Service> = of_other.map(|service| Service { network, ..service.clone() }).collect();
            capabilities.services.extend(moved);
        }
        capabilities
    }

    fn availability(&self, network: Network, kind: Kind) -> Availability {
        self.operator.availability(self.ended.sent_as(network), kind)
    }

    fn prompt_instructions(&self, network: Network) -> PromptInstructions {
        self.operator.prompt_instructions(self.ended.sent_as(network))
    }

    fn access_tokens(&self) -> Vec<AccessTokens> {
        self.operator.access_tokens()
    }

    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse {
        let mut order = order.clone();
        order.transfer.network = self.ended.sent_as(order.transfer.network);
        self.operator.send(&order, permit).await
    }

    async fn submit_code(&self, order: &SentOrder, code: &Code) -> CodeAnswer {
        self.operator.submit_code(&self.sent(order), code).await
    }

    async fn ask(&self, order: &SentOrder) -> Answer {
        self.operator.ask(&self.sent(order)).await
    }

    async fn cancel(&self, order: &SentOrder) -> Cancelled {
        self.operator.cancel(&self.sent(order)).await
    }

    async fn verify_callback(&self, request: &CallbackRequest) -> Result<VerifiedCallback, CallbackRefusal> {
        self.operator.verify_callback(request).await
    }

    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        self.operator.balances().await
    }

    async fn statement(&self, period: &StatementPeriod, time_limit: Duration) -> Result<Vec<u8>, ReadError> {
        self.operator.statement(period, time_limit).await
    }

    async fn account_name(&self, network: Network, phone: &Phone) -> Result<Option<String>, ReadError> {
        self.operator.account_name(self.ended.sent_as(network), phone).await
    }

    async fn find_charge(&self, id: &OperatorTransactionId) -> Result<Option<String>, ReadError> {
        self.operator.find_charge(id).await
    }

    async fn refund(&self, refund: &RefundOrder, permit: &SendPermit) -> SendResponse {
        self.operator.refund(&self.refund_of(refund), permit).await
    }

    async fn ask_refund(&self, refund: &RefundOrder) -> Answer {
        self.operator.ask_refund(&self.refund_of(refund)).await
    }

    async fn refresh(&self) {
        self.operator.refresh().await;
    }

    async fn check(&self) -> Vec<CheckResult> {
        self.operator.check().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_retired_or_moved_to_one_that_goes_on() {
        let read = |text: &str| read_ended_networks(text.parse().unwrap());
        assert_eq!(read(""), Ok(EndedNetworks::default()));
        let moved = read("AIRTELTIGO = \"TELECEL\"").unwrap();
        assert_eq!(moved.sent_as(Network::AirtelTigo), Network::Telecel);
        assert_eq!(moved.sent_as(Network::Mtn), Network::Mtn);
        let retired = read("AIRTELTIGO = \"retired\"").unwrap();
        assert_eq!(retired.end_of(Network::AirtelTigo), Some(NetworkEnd::Retired));
        assert_eq!(retired.moved().count(), 0);
        for text in [
            "AIRTELTIGO = \"AIRTELTIGO\"",
            "AIRTELTIGO = \"TELECEL\"\nTELECEL = \"retired\"",
            "AIRTELTIGO = \"gone\"",
            "AIRTELTIGO = true",
            "AT = \"TELECEL\"",
        ] {
            let faults = read(text).unwrap_err();
            assert!(faults.len() == 1 && faults[0].starts_with("networks."), "{text}: {faults:?}");
        }
    }
}
