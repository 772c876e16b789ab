//! The cells of a transaction.

use jiff::{Timestamp, civil::Date};
use tua_contract::State;
use tua_domain::{Transaction, TransactionOrder, transfer::NoteAudience};
use tua_use_cases::payees::{metadata_of_shop, typed_name};

/// The value of a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// The transaction has no value for this column.
    Empty,
    /// A text. A spreadsheet program must not read it as a formula.
    Text(String),
    /// A sum in pesewas, which is shown in cedis.
    Money(i64),
    /// A number of things.
    Count(u64),
    /// A number of things, of which more can be taken back than were added.
    Number(i64),
    /// A moment: in CSV in RFC 3339, in a workbook a date of the spreadsheet program.
    Time(Timestamp),
    /// A day: in CSV in ISO 8601, in a workbook a date of the spreadsheet program.
    Day(Date),
}

/// The names of the columns.
pub const HEADER: [&str; 26] = [
    "transactionId",
    "createdAt",
    "updatedAt",
    "mode",
    "type",
    "status",
    "failure",
    "amount",
    "settledAmount",
    "payerPays",
    "currency",
    "network",
    "phoneNumber",
    "email",
    "reference",
    "checkoutId",
    "operator",
    "operatorTransactionId",
    "operatorFee",
    "expectedFee",
    "metadata",
    "accountId",
    "refundOf",
    "publicNote",
    "privateNote",
    "answer",
];

/// The cells of a transaction, one for each column. Times are in UTC, which is Ghana's zone.
#[must_use]
pub fn cells(transaction: &Transaction) -> [Cell; HEADER.len()] {
    let order = &transaction.order;
    let public = notes(order, false);
    let private = notes(order, true);
    let text = |text: &str| Cell::Text(text.to_owned());
    let maybe = |value: Option<&str>| value.map_or(Cell::Empty, text);
    let failure = match transaction.state {
        State::Failed(code) => text(code.as_str()),
        State::Pending(_) | State::Successful => Cell::Empty,
    };
    [
        text(order.id.as_str()),
        Cell::Time(transaction.created_at),
        Cell::Time(transaction.updated_at),
        text(order.scope.mode.as_str()),
        text(order.transaction_type().as_str()),
        text(transaction.state.status().as_str()),
        failure,
        Cell::Money(order.transfer.amount.pesewas()),
        transaction.settled_amount.map_or(Cell::Empty, |sum| Cell::Money(sum.pesewas())),
        Cell::Money(order.price.payer_pays.pesewas()),
        text("GHS"),
        text(order.transfer.network.as_str()),
        text(order.transfer.phone.as_str()),
        maybe(order.details.email.as_deref()),
        text(&order.reference),
        maybe(order.checkout.as_ref().map(tua_domain::CheckoutId::as_str)),
        maybe(transaction.operator.as_ref().map(|pin| pin.name.as_str())),
        maybe(transaction.details.transaction_id.as_deref()),
        transaction.details.fee_pesewas.map_or(Cell::Empty, Cell::Money),
        order.price.fee_pesewas.map_or(Cell::Empty, Cell::Money),
        maybe(order.details.metadata.as_deref()),
        text(order.scope.account.as_str()),
        maybe(order.refund.as_ref().map(|of| of.charge.as_str())),
        maybe(public.as_deref()),
        maybe(private.as_deref()),
        maybe(order.details.answer.as_deref()),
    ]
}

/// The names of the columns of a table for people: those of [`HEADER`], and the name of the
/// recipient after the number.
#[must_use]
pub fn people_header() -> Vec<&'static str> {
    let mut header = HEADER.to_vec();
    header.insert(behind_phone(), "recipientName");
    header
}

/// The cells of a transaction for people: the name that was typed for the recipient has a cell of
/// its own, and `metadata` what the shop itself sent. `word` translates types, states and the mode.
#[must_use]
pub fn people_cells(transaction: &Transaction, word: impl Fn(&str) -> String) -> Vec<Cell> {
    let order = &transaction.order;
    let mut cells = Vec::from(cells(transaction));
    for (name, cell) in HEADER.into_iter().zip(&mut cells) {
        match (name, cell) {
            ("mode" | "type" | "status" | "failure" | "network", Cell::Text(text)) => {
                *text = word(text);
            }
            ("metadata", cell) => *cell = metadata_of_shop(order).map_or(Cell::Empty, Cell::Text),
            _ => {}
        }
    }
    cells.insert(behind_phone(), typed_name(order).map_or(Cell::Empty, Cell::Text));
    cells
}

/// The place behind the phone number, from 0.
fn behind_phone() -> usize {
    column_of(&HEADER, "phoneNumber").map_or(HEADER.len(), |phone| phone + 1)
}

/// The place of a column, from 0; `None` if the table has none of this name.
pub(super) fn column_of(header: &[&str], name: &str) -> Option<usize> {
    header.iter().position(|one| *one == name)
}

/// The notes with these readers, divided by line breaks.
fn notes(order: &TransactionOrder, is_private: bool) -> Option<String> {
    let notes = order.notes().into_iter();
    let wanted = notes.filter(|note| (note.audience == NoteAudience::Shop) == is_private);
    let texts: Vec<&str> = wanted.map(|note| note.text).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// A sum in cedis with two decimals: `10.50`.
#[must_use]
pub fn cedis(pesewas: i64) -> String {
    let sign = if pesewas < 0 { "-" } else { "" };
    let pesewas = pesewas.unsigned_abs();
    format!("{sign}{}.{:02}", pesewas / 100, pesewas % 100)
}
