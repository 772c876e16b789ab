//! MTN's two platforms, and the products that each of them has.

use crate::{operator::Operator, phase::Kind, running::Running};

impl Operator {
    /// MTN MoMo Open API, collections and disbursements.
    pub const MTN_MOMO: Self = Self::new("mtn-momo");
}

/// The first segment of the first platform's paths.
pub(super) const FIRST_PLATFORM: &str = Operator::MTN_MOMO.as_str();
/// The first segment of the new platform's paths.
pub(super) const NEW_PLATFORM: &str = "mtn-momo-new";

impl Running {
    /// The base URL of MTN's new platform, which does not have the transactions of the first one.
    #[must_use]
    pub fn new_mtn_platform_url(&self) -> String {
        format!("http://{}/{NEW_PLATFORM}", self.address())
    }
}

/// The platform that a request reached, by its first segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Platform(pub(super) &'static str);

/// A product, with a subscription key and tokens of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Product {
    Collection,
    Disbursement,
}

/// What a request asks for. Each has a path of its own, under which its status is read too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operation {
    RequestToPay,
    Transfer,
    Deposit,
    Refund,
}

impl Operation {
    pub(super) const fn kind(self) -> Kind {
        match self {
            Self::RequestToPay => Kind::Charge,
            Self::Transfer | Self::Deposit => Kind::Payout,
            Self::Refund => Kind::Refund,
        }
    }
}
