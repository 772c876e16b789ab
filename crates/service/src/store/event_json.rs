//! Events as JSON text, the form in which every engine keeps them.
//!
//! Add fields and kinds; never change or remove one: events are kept for ever.

use crate::domain::{
    AccountId, CheckoutId, Details, Event, KeyId, Kind, Mode, NewTransaction, Scope, TransactionId, Transfer,
    review::Note,
};
use serde::{Deserialize, Serialize};
use tua_contract::{Amount, FailureCode, Network, Phone, State, Status, Step};

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Written {
    Begun(Box<Begun>),
    HandedOver,
    HandOverWithdrawn,
    Moved { status: String, next_action: Option<String>, failure: Option<String> },
    CodeAttempted,
    Contradicted { observed: String },
    Reviewed { note: String },
    Approved { by: String },
    ApprovalRefused { by: String, note: String },
    Reversed,
}

#[derive(Serialize, Deserialize)]
struct Begun {
    id: String,
    account: String,
    mode: String,
    transaction_kind: String,
    amount_pesewas: i64,
    network: String,
    phone: String,
    reference: String,
    checkout: Option<String>,
    email: Option<String>,
    metadata: Option<String>,
    payer_message: Option<String>,
    payee_note: Option<String>,
    handed_over: bool,
    key: Option<String>,
    #[serde(default)]
    needs_approval: bool,
}

/// Writes an event.
pub(crate) fn write(event: &Event) -> String {
    let written = match event {
        Event::Begun { new, is_handed_over } => Written::Begun(Box::new(write_begun(new, *is_handed_over))),
        Event::HandedOver => Written::HandedOver,
        Event::HandOverWithdrawn => Written::HandOverWithdrawn,
        Event::Moved(state) => {
            let (next_action, failure) = match state {
                State::Pending(step) => (Some(step.as_str().to_owned()), None),
                State::Successful => (None, None),
                State::Failed(code) => (None, Some(code.as_str().to_owned())),
            };
            Written::Moved { status: state.status().as_str().to_owned(), next_action, failure }
        }
        Event::CodeAttempted => Written::CodeAttempted,
        Event::Contradicted(observed) => Written::Contradicted { observed: observed.as_str().to_owned() },
        Event::Reviewed(note) => Written::Reviewed { note: note.as_str().to_owned() },
        Event::Approved(by) => Written::Approved { by: by.as_str().to_owned() },
        Event::ApprovalRefused { by, note } => {
            Written::ApprovalRefused { by: by.as_str().to_owned(), note: note.as_str().to_owned() }
        }
        Event::Reversed => Written::Reversed,
    };
    #[expect(clippy::expect_used, reason = "strings and integers always have a JSON form")]
    serde_json::to_string(&written).expect("plain data")
}

/// Reads an event; nothing where this version does not know it.
pub(crate) fn read(text: &str) -> Option<Event> {
    Some(match serde_json::from_str(text).ok()? {
        Written::Begun(begun) => {
            let is_handed_over = begun.handed_over;
            Event::Begun { new: Box::new(read_begun(*begun)?), is_handed_over }
        }
        Written::HandedOver => Event::HandedOver,
        Written::HandOverWithdrawn => Event::HandOverWithdrawn,
        Written::Moved { status, next_action, failure } => Event::Moved(match Status::parse(&status)? {
            Status::Pending => State::Pending(Step::parse(&next_action?)?),
            Status::Successful => State::Successful,
            Status::Failed => State::Failed(FailureCode::parse(&failure?)?),
        }),
        Written::CodeAttempted => Event::CodeAttempted,
        Written::Contradicted { observed } => Event::Contradicted(Status::parse(&observed)?),
        Written::Reviewed { note } => Event::Reviewed(Note::parse(&note).ok()?),
        Written::Approved { by } => Event::Approved(by.parse().ok()?),
        Written::ApprovalRefused { by, note } => {
            Event::ApprovalRefused { by: by.parse().ok()?, note: Note::parse(&note).ok()? }
        }
        Written::Reversed => Event::Reversed,
    })
}

fn write_begun(new: &NewTransaction, handed_over: bool) -> Begun {
    Begun {
        id: new.id.as_str().to_owned(),
        account: new.scope.account.as_str().to_owned(),
        mode: new.scope.mode.as_str().to_owned(),
        transaction_kind: new.transfer.kind.as_str().to_owned(),
        amount_pesewas: new.transfer.amount.pesewas(),
        network: new.transfer.network.as_str().to_owned(),
        phone: new.transfer.phone.as_str().to_owned(),
        reference: new.reference.clone(),
        checkout: new.checkout.as_ref().map(|id| id.as_str().to_owned()),
        email: new.details.email.clone(),
        metadata: new.details.metadata.clone(),
        payer_message: new.details.payer_message.clone(),
        payee_note: new.details.payee_note.clone(),
        handed_over,
        key: new.key.as_ref().map(|key| key.as_str().to_owned()),
        needs_approval: new.needs_approval,
    }
}

fn read_begun(begun: Begun) -> Option<NewTransaction> {
    Some(NewTransaction {
        id: TransactionId::new(begun.id),
        scope: Scope { account: AccountId::new(begun.account), mode: Mode::parse(&begun.mode)? },
        reference: begun.reference,
        checkout: begun.checkout.map(CheckoutId::new),
        transfer: Transfer {
            kind: Kind::parse(&begun.transaction_kind)?,
            amount: Amount::from_pesewas(begun.amount_pesewas).ok()?,
            network: Network::parse(&begun.network)?,
            phone: Phone::parse(&begun.phone).ok()?,
        },
        details: Details {
            email: begun.email,
            metadata: begun.metadata,
            payer_message: begun.payer_message,
            payee_note: begun.payee_note,
        },
        key: begun.key.map(KeyId::new),
        needs_approval: begun.needs_approval,
    })
}
