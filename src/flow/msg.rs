//! What can happen.

use super::facts::{Problem, Session, Transaction};
use tua_contract::Network;

/// An action of the payer, or an event of the page or the server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Msg {
    /// The text of the number field is now this.
    PhoneTyped(String),
    /// The payer picked a network.
    NetworkChosen(Network),
    /// The form was filled in before this machine ran: on the server's page, or while the component was on its
    /// way. The number's text, and the network where one was chosen.
    Filled(String, Option<Network>),
    /// The payer asks to pay with what is in the form.
    Pay,
    /// The text of the code field is now this.
    CodeTyped(String),
    /// The payer asks to send the code.
    SendCode,
    /// After a failure: the same number and network once more.
    TryAgain,
    /// After a failure: back to the form.
    ChangeNumber,
    /// The payer wants to know now.
    CheckNow,

    /// The payer wants to keep the receipt.
    CopyReceipt,
    /// Whether the receipt is on the clipboard, which a page may be forbidden to.
    Copied(bool),
    /// The payer wants the receipt on paper.
    Print,

    /// The device says that it has no connection.
    Offline,
    /// The page went out of sight: nobody looks, so nothing is asked.
    Hidden,
    /// The page is in sight again, was restored, or is back online.
    Awake,
    /// What time the server's clock shows, in milliseconds since 1970.
    Tick(i64),

    /// The request of this generation was answered.
    Answered(u32, Box<Answer>),
    /// The pause of this generation is over.
    Slept(u32),
}

/// How a request ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The session, from `GET /v1/checkout`.
    Session(Session),
    /// The transaction, from a charge, a code or a status.
    Transaction {
        /// What the server says of it.
        transaction: Transaction,
        /// Its `ETag`, to ask for news only.
        etag: Option<String>,
        /// Whether the server held the request back until there was news.
        held: bool,
    },
    /// 304: no news.
    Unchanged {
        /// As above.
        held: bool,
    },
    /// The server understood and refused.
    Refused(Problem),
    /// No answer, or none that can be read: what the server did is not known.
    Lost,
}
