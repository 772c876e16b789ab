//! Which networks are served now.

use crate::domain::{
    Kind, Scope,
    capabilities::Availability,
    routing::{NetworkService, Operators, ServiceRequest},
};
use tua_contract::Network;

/// Reads how networks are served.
#[derive(Clone, Debug)]
pub struct Networks {
    /// The operators.
    pub operators: Operators,
}

impl Networks {
    /// How each network is served for this account and mode: charges, and payouts. MTN, TELECEL and AIRTELTIGO, in this
    /// order. `is_by_payer`: payers type the number.
    #[must_use]
    pub fn services(&self, scope: &Scope, is_by_payer: bool) -> [(Network, NetworkService, NetworkService); 3] {
        let (mode, account) = (scope.mode, &scope.account);
        let service =
            |network, kind| self.operators.service(ServiceRequest { mode, account, network, kind, is_by_payer });
        Network::ALL.map(|network| (network, service(network, Kind::Charge), service(network, Kind::Payout)))
    }

    /// How each network is served for the charges of payers with a checkout token, in the same order.
    #[must_use]
    pub fn for_payers(&self, scope: &Scope) -> [(Network, Availability); 3] {
        self.services(scope, true).map(|(network, charges, _)| (network, charges.availability))
    }

    /// Whether any network is configured for the charges of payers with a checkout token. One that is down now still counts.
    #[must_use]
    pub fn can_charge(&self, scope: &Scope) -> bool {
        self.services(scope, true).iter().any(|(_, charges, _)| charges.amounts.is_some())
    }
}
