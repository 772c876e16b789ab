//! What is sent to a server, and with which account.

/// A unit of work whose rate and cost are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Workload {
    /// A charge with a secret key, without an `Idempotency-Key`, for an account without webhooks
    Charge,
    /// The same with an `Idempotency-Key`
    ChargeWithKey,
    /// A charge without an `Idempotency-Key`, for an account with a webhook endpoint
    ChargeWithEndpoint,
    /// A charge with both
    ChargeWithBoth,
    /// A checkout session, with an `Idempotency-Key`
    Session,
    /// The status of a transaction
    Status,
    /// A session, its charge by token, two polls by token, the outcome, and its webhook delivered
    Payment,
}

/// The webhook endpoint of an account of the measured service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endpoint {
    None,
    /// It accepts connections and never responds.
    Unresponsive,
    /// It accepts every delivery.
    Accepting,
}

impl Workload {
    pub const ALL: [Self; 7] = [
        Self::Charge,
        Self::ChargeWithKey,
        Self::ChargeWithEndpoint,
        Self::ChargeWithBoth,
        Self::Session,
        Self::Status,
        Self::Payment,
    ];

    pub const fn title(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::ChargeWithKey => "charge, Idempotency-Key",
            Self::ChargeWithEndpoint => "charge, endpoint",
            Self::ChargeWithBoth => "charge, key and endpoint",
            Self::Session => "session",
            Self::Status => "status",
            Self::Payment => "whole payment",
        }
    }

    /// The name of the requests in `load.lua`.
    pub(super) const fn requests(self) -> &'static str {
        match self {
            Self::Charge | Self::ChargeWithEndpoint => "charge",
            Self::ChargeWithKey | Self::ChargeWithBoth => "charge-with-key",
            Self::Session => "session",
            Self::Status => "status",
            Self::Payment => "payment",
        }
    }

    pub const fn endpoint(self) -> Endpoint {
        match self {
            Self::Charge | Self::ChargeWithKey | Self::Session | Self::Status => Endpoint::None,
            Self::ChargeWithEndpoint | Self::ChargeWithBoth => Endpoint::Unresponsive,
            Self::Payment => Endpoint::Accepting,
        }
    }

    /// Whether it needs a merchant's v2 key.
    pub const fn needs_v2_key(self) -> bool {
        matches!(self, Self::Session | Self::Status | Self::Payment)
    }

    /// Whether handlers that store nothing can be measured with it.
    pub fn has_bare_handlers(self) -> bool {
        self != Self::Payment
    }
}
