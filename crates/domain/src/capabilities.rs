//! What operators can do: data by which payments are routed, and which is tested against the
//! connectors' behaviour.

use super::Kind;
use jiff::SignedDuration;
use std::{ops::RangeInclusive, time::Duration};
use tua_contract::{Amount, Network};

/// How long a send to an operator takes at most.
pub const MAX_SEND_TIME: SignedDuration = SignedDuration::from_secs(30);

/// What an operator documents, as far as the service depends on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capabilities {
    /// What it serves; everything else is never routed to it.
    pub services: Vec<Service>,
    /// Whether the operator documents that it refuses a second order with the same reference, and
    /// never executes it. Only then an order that it reports as never received is sent again.
    pub refuses_repeats: bool,
    /// How long a send takes at most. Until then it may still be under way, and nothing is
    /// concluded from an order that is not there yet.
    pub max_send_time: Duration,
    /// The time after which the operator documents that
    /// [`crate::ports::StatusResponse::NeverReceived`] is final, counted from the deadline of the
    /// last send. `None` where it documents no such time; then people decide.
    pub never_received_is_final_after: Option<Duration>,
    /// Whether payers may have to enter a code in our form.
    pub has_codes: bool,
    /// Whether it reports the names of wallets' owners.
    pub has_account_names: bool,
    /// Whether it reports the merchant's balance.
    pub has_balances: bool,
    /// Whether it finds a charge by the id that the payer's SMS shows
    /// ([`crate::ports::Operator::find_charge`]).
    pub finds_charges_by_own_id: bool,
    /// Whether its statements can be read through its API.
    pub has_statements: bool,
    /// The directions in which an order that waits can be cancelled at the operator. No operator
    /// with real money lists charges: a payer's screen that waits therefore has no button for it,
    /// and says that the request ends by itself.
    pub cancels: Vec<Kind>,
    /// What it can do to return the money of a charge.
    pub refunds: RefundCapability,
    /// Whether it takes one refund of a charge at a time, or cannot tell two of them apart.
    pub has_one_refund_at_a_time: bool,
    /// Whether it must not prompt a number that the merchant has not verified
    /// (docs/operators/hubtel.md).
    pub needs_verified_numbers: bool,
}

/// A network and direction that an operator serves, with its limits for one payment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Service {
    /// The network of the wallets that are charged or paid.
    pub network: Network,
    /// Whether it collects from payers or pays recipients on this network.
    pub kind: Kind,
    /// The smallest and the largest amount.
    pub amounts: RangeInclusive<Amount>,
}

/// How an operator returns the money of a charge to its payer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefundCapability {
    /// It has no refunds, so the money returns by a payout to the payer's wallet.
    None,
    /// The whole amount only, within this time after the charge.
    Full {
        /// `None`: no limit is documented.
        within: Option<Duration>,
    },
    /// The whole amount or parts of it, within this time after the charge.
    Partial {
        /// `None`: no limit is documented.
        within: Option<Duration>,
    },
}

/// Whether an operator serves a network and direction now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Availability {
    /// It responds as usual, and takes payments.
    Operational,
    /// Slower than usual; payments are accepted.
    Degraded,
    /// It takes no payments of this network and direction now.
    Down,
}

impl Availability {
    /// The name that the API uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operational => "OPERATIONAL",
            Self::Degraded => "DEGRADED",
            Self::Down => "DOWN",
        }
    }
}

/// Every amount that the service accepts.
#[must_use]
pub fn any_amount() -> RangeInclusive<Amount> {
    const fn of(pesewas: i64) -> Amount {
        match Amount::from_pesewas(pesewas) {
            Ok(amount) => amount,
            Err(_) => panic!("within the limits of Amount"),
        }
    }
    const MIN_AMOUNT: Amount = of(1);
    const MAX_AMOUNT: Amount = of(Amount::MAX_PESEWAS);
    MIN_AMOUNT..=MAX_AMOUNT
}

impl Capabilities {
    /// An operator that serves these networks in these directions without limits of its own, and
    /// documents nothing else.
    #[must_use]
    pub fn serving(networks: &[Network], kinds: &[Kind]) -> Self {
        let service = |network: &Network, kind: &Kind| Service {
            network: *network,
            kind: *kind,
            amounts: any_amount(),
        };
        Self {
            services: networks
                .iter()
                .flat_map(|network| kinds.iter().map(move |kind| service(network, kind)))
                .collect(),
            refuses_repeats: false,
            max_send_time: MAX_SEND_TIME.unsigned_abs(),
            never_received_is_final_after: None,
            has_codes: false,
            has_account_names: false,
            has_balances: false,
            finds_charges_by_own_id: false,
            has_statements: false,
            cancels: Vec::new(),
            refunds: RefundCapability::None,
            has_one_refund_at_a_time: false,
            needs_verified_numbers: false,
        }
    }

    /// The limits of a network and direction; `None` where it is not served.
    #[must_use]
    pub fn amounts(&self, network: Network, kind: Kind) -> Option<RangeInclusive<Amount>> {
        let service = self
            .services
            .iter()
            .find(|service| service.network == network && service.kind == kind)?;
        Some(service.amounts.clone())
    }
}
