//! What the shell must do.

use super::facts::{SessionStanding, Typed};
use tua_contract::{FailureCode, Network, Phone};

/// An effect, which the shell runs.
///
/// There is one job at a time: `Ask` and `Sleep` replace the previous one, which is dropped. The answer of an older
/// generation is ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Send a request; answer with `Msg::Answered(generation, …)`.
    Ask(u32, Request),
    /// Let about this time pass, in milliseconds, give or take a jitter; then `Msg::Slept(generation)`.
    Sleep(u32, u32),
    /// Drop the job.
    Stop,
    /// Move the focus once the screen is drawn.
    Focus(Focus),
    /// Emit an event to the merchant's page.
    Emit(Event),
    /// Put the receipt on the clipboard; then `Msg::Copied`.
    CopyReceipt,
    /// Print the receipt.
    Print,
}

/// A request to the service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// `GET /v1/checkout`.
    Checkout,
    /// `POST /v1/charge`. The same attempt, sent again, carries the same idempotency key.
    Charge {
        /// Which attempt this is, counted within the component's life.
        attempt: u32,
        /// The payer's number.
        phone: Phone,
        /// The payer's network.
        network: Network,
    },
    /// `POST /v1/submit-otp`.
    Code {
        /// As for a charge.
        attempt: u32,
        /// The transaction that asked for it.
        transaction_id: String,
        /// The code.
        code: Typed,
    },
    /// `GET /v1/status/{id}`.
    Status {
        /// Which transaction.
        transaction_id: String,
        /// The `ETag` of what is known, if it is.
        etag: Option<String>,
        /// Whether the server is asked to answer at once or to hold the request back.
        at_once: bool,
    },
}

/// Where the focus goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// The screen's own container, so that it is read out from its heading.
    Screen,
    /// The number field.
    Phone,
    /// The network group.
    Network,
    /// The code field.
    Code,
}

/// An event for the merchant's page: one DOM event (docs/reference/component.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Which event.
    pub kind: EventKind,
    /// The transaction, once there is one.
    pub transaction_id: Option<String>,
    /// The merchant's reference, once it is known.
    pub reference: Option<String>,
    /// The session, once it is known.
    pub checkout_id: Option<String>,
    /// The exact decimal text of the amount, in cedis.
    pub amount: Option<String>,
    /// The currency's ISO code.
    pub currency: Option<String>,
}

/// Which event, and what only that event carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// `tua-ready`: the session is known and shown.
    Ready,
    /// `tua-pending`: a charge has begun.
    Pending,
    /// `tua-successful`: the server says that the money has moved.
    Successful,
    /// `tua-failed`: the server says that it has not and will not.
    Failed(FailureCode),
    /// `tua-expired`: the token's time is over.
    Expired(SessionStanding),
    /// `tua-error` (`invalid_token`): the server does not know the token.
    InvalidToken,
    /// `tua-error` (`unreachable`): the server cannot be reached.
    Unreachable,
}

impl EventKind {
    /// The DOM event's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ready => "tua-ready",
            Self::Pending => "tua-pending",
            Self::Successful => "tua-successful",
            Self::Failed(_) => "tua-failed",
            Self::Expired(_) => "tua-expired",
            Self::InvalidToken | Self::Unreachable => "tua-error",
        }
    }

    /// `detail.status`: the transaction's word for it, or how an expired session stood.
    #[must_use]
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::Pending => Some("PENDING"),
            Self::Successful => Some("SUCCESSFUL"),
            Self::Failed(_) => Some("FAILED"),
            Self::Expired(standing) => Some(standing.as_str()),
            Self::Ready | Self::InvalidToken | Self::Unreachable => None,
        }
    }

    /// `detail.code`: why it failed, or what went wrong.
    #[must_use]
    pub const fn code(self) -> Option<&'static str> {
        match self {
            Self::Failed(code) => Some(code.as_str()),
            Self::InvalidToken => Some("invalid_token"),
            Self::Unreachable => Some("unreachable"),
            Self::Ready | Self::Pending | Self::Successful | Self::Expired(_) => None,
        }
    }
}
