//! The JSON of pinned operators and payout routes, as stored events contain it.

use serde::{Deserialize, Serialize};
use tua_contract::Network;
use tua_domain::{
    payout_route::PayoutRoute,
    refund::RefundMethod,
    routing::{OperatorFingerprint, OperatorName, PinnedOperator},
};

/// The operator that serves a payment. Both fields are absent where none is pinned.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct PinnedOperatorJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    operator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_fingerprint: Option<String>,
}

impl PinnedOperatorJson {
    pub(super) fn from_domain(pin: Option<&PinnedOperator>) -> Self {
        Self {
            operator: pin.map(|pin| pin.name.as_str().to_owned()),
            operator_fingerprint: pin.map(|pin| pin.fingerprint.as_str().to_owned()),
        }
    }

    pub(super) fn into_domain(self) -> Option<PinnedOperator> {
        let (name, fingerprint) = self.operator.zip(self.operator_fingerprint)?;
        Some(PinnedOperator {
            name: OperatorName::of_row(name),
            fingerprint: OperatorFingerprint::of_row(fingerprint),
        })
    }
}

/// The route that an approval chose for a payout or refund.
#[derive(Serialize, Deserialize)]
pub(super) struct PayoutRouteJson {
    #[serde(flatten)]
    operator: PinnedOperatorJson,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected_fee_pesewas: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund_method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moved_to: Option<String>,
}

impl PayoutRouteJson {
    pub(super) fn from_domain(route: &PayoutRoute) -> Self {
        Self {
            operator: PinnedOperatorJson::from_domain(route.operator.as_ref()),
            expected_fee_pesewas: route.fee_pesewas,
            refund_method: route.refund_method.map(|method| method.as_str().to_owned()),
            moved_to: route.moved_to.map(|network| network.as_str().to_owned()),
        }
    }

    /// `None` where this version does not know the method or the network.
    pub(super) fn into_domain(self) -> Option<PayoutRoute> {
        let refund_method = match self.refund_method {
            Some(method) => Some(RefundMethod::parse(&method)?),
            None => None,
        };
        let moved_to = match self.moved_to {
            Some(network) => Some(Network::parse(&network)?),
            None => None,
        };
        let operator = self.operator.into_domain();
        Some(PayoutRoute {
            operator,
            fee_pesewas: self.expected_fee_pesewas,
            refund_method,
            moved_to,
        })
    }
}
