//! The effects of the state machine, which the shell runs.

use super::facts::{SecretText, SessionStatus};
use tua_contract::{FailureCode, Network, Phone};

/// An effect, which the shell runs.
///
/// There is one job at a time: `Send` and `Sleep` replace the previous one, which is dropped. Each
/// job has a generation, and the result of an older generation is ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Send a request. `Msg::Answered(generation, …)` reports its response.
    Send(u32, Request),
    /// Pause for this time in milliseconds, plus a random jitter. `Msg::Slept(generation)` reports
    /// its end.
    Sleep(u32, u32),
    /// End the current job: abort its request, or cancel its pause.
    Stop,
    /// Move the focus after the next rendering.
    Focus(Focus),
    /// Emit an event to the merchant's page.
    Emit(Event),
    /// Copy the receipt to the clipboard. `Msg::Copied` reports the result.
    CopyReceipt,
    /// Open the browser's print dialog with the receipt.
    Print,
}

/// A request to the service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// `GET /v1/checkout`, whose response is the session.
    Checkout,
    /// `POST /v1/charge`. A repeated request of one attempt has the same idempotency key.
    Charge {
        /// The number of the attempt in this component, from 1.
        attempt: u32,
        /// The payer's wallet number, from the form.
        phone: Phone,
        /// The network of the wallet, as hinted by the number or chosen by the payer.
        network: Network,
        /// What the payer was shown, as decimal text in cedis.
        payer_pays: String,
    },
    /// `POST /v1/submit-otp`: the code that the payer got from the operator.
    Code {
        /// The number of the attempt, as for a charge.
        attempt: u32,
        /// The transaction that requires the code.
        transaction_id: String,
        /// The code, as typed.
        code: SecretText,
    },
    /// `GET /v1/status/{id}`, which polls a pending charge.
    Status {
        /// The charge whose status is read.
        transaction_id: String,
        /// The `ETag` of the last response, for `If-None-Match`.
        etag: Option<String>,
        /// Whether the server responds at once. Otherwise it waits for a change (`Prefer: wait`).
        at_once: bool,
        /// For how many seconds it waits at most.
        hold_s: u32,
    },
}

/// The element that gets the focus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Focus {
    /// The container of the screen, so that screen readers begin at its heading.
    Screen,
    /// The text field for the phone number.
    Phone,
    /// The chosen network, or the first that is enabled.
    Network,
    /// The text field for the code.
    Code,
}

/// An event for the merchant's page: one DOM event (docs/reference/component.md).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// What happened, from which the DOM event has its name.
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

/// The kind of an event, and the data that only this kind has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// `tua-ready`: the session is known and shown.
    Ready,
    /// `tua-pending`: a charge has begun.
    Pending,
    /// `tua-successful`: the server reported that the money has moved.
    Successful,
    /// `tua-failed`: the server reported that no money moved, and none will.
    Failed(FailureCode),
    /// `tua-expired`: the token has expired.
    Expired(SessionStatus),
    /// `tua-error` (`invalid_token`): the server refused the token as invalid.
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

    /// `detail.status`: the status of the transaction, or of a session when its token expired.
    #[must_use]
    pub const fn status(self) -> Option<&'static str> {
        match self {
            Self::Pending => Some("PENDING"),
            Self::Successful => Some("SUCCESSFUL"),
            Self::Failed(_) => Some("FAILED"),
            Self::Expired(status) => Some(status.as_str()),
            Self::Ready | Self::InvalidToken | Self::Unreachable => None,
        }
    }

    /// `detail.code`: the failure code, or the error.
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
