//! The messages of the state machine: every event that can change the state.

use super::facts::{Problem, Session, Transaction};
use tua_contract::Network;

/// An action of the payer, or an event of the page or the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Msg {
    /// The new text of the phone field.
    PhoneTyped(String),
    /// The payer picked a network.
    NetworkChosen(Network),
    /// The payer filled in the form before this state machine ran: on the hosted page, or while the
    /// component was loading. The text of the phone field, and the network if one was chosen.
    Filled(String, Option<Network>),
    /// The payer pressed Pay: the text of the phone field and the network that the form showed
    /// then. A value can change without an event, as that of a password manager does.
    Pay(String, Option<Network>),
    /// The new text of the code field.
    CodeTyped(String),
    /// The payer pressed the button that sends the code: the text of the code field then.
    SendCode(String),
    /// After a failure: charge the same number and network again.
    TryAgain,
    /// After a failure: return to the form.
    ChangeNumber,
    /// The payer asks for the current status.
    CheckNow,

    /// The payer asks to copy the receipt.
    CopyReceipt,
    /// Whether the receipt was copied. A page may have no permission to use the clipboard.
    Copied(bool),
    /// The payer asks to print the receipt.
    Print,

    /// The device reports that it is offline.
    Offline,
    /// The page became hidden, so polling stops.
    Hidden,
    /// The page is visible again, was restored from the back/forward cache, or the device is online
    /// again.
    Resumed,
    /// The time of the server's clock, in milliseconds since 1970.
    Tick(i64),

    /// The response to the request of this generation.
    Answered(u32, Box<ApiResponse>),
    /// The pause of this generation has ended.
    Slept(u32),
}

/// How a request ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ApiResponse {
    /// The session, from `GET /v1/checkout`.
    Session(Session),
    /// The transaction, from the response to a charge, a code or a status request.
    Transaction {
        /// The charge, as its response shows it.
        transaction: Transaction,
        /// The `ETag` of the response.
        etag: Option<String>,
        /// Whether the server delayed the response until a change (`Preference-Applied`).
        was_held: bool,
    },
    /// HTTP 304: the transaction has not changed.
    Unchanged {
        /// Whether the server delayed the response.
        was_held: bool,
    },
    /// The server refused the request.
    Refused(Problem),
    /// There is no response, or it cannot be read. It is not known whether the server processed the
    /// request.
    Lost,
}
