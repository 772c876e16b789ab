//! Values on their way out of a row, of whichever engine.

use jiff::{Timestamp, civil::Date};
use std::fmt;
use tua_contract::{Amount, FailureCode, Network, Phone, State, Status, Step};
use tua_domain::{
    AccountId, Mode, Scope, TransactionId,
    calendar::day_of,
    encrypted_secret::EncryptedSecret,
    payout_controls::Ceiling,
    refund::{RefundMethod, RefundOf, RefundSums},
    secret::SecretDigest,
    transaction::{Conflict, Dispute},
};

/// A value that this version of the program cannot read: a newer version wrote it, or the database
/// is damaged.
#[derive(Debug)]
pub struct Unreadable(&'static str);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {} holds a value that this version does not know", self.0)
    }
}

impl std::error::Error for Unreadable {}

/// A row of either engine. Both keep text, integers and bytes, and nothing else.
pub trait Columns {
    /// The engine's own fault.
    type Error: From<Unreadable>;
    /// A text column; nothing where it is NULL.
    fn maybe_text(&self, column: &'static str) -> Result<Option<&str>, Self::Error>;
    /// An integer column; nothing where it is NULL.
    fn maybe_integer(&self, column: &'static str) -> Result<Option<i64>, Self::Error>;
    /// A column of bytes; nothing where it is NULL.
    fn maybe_bytes(&self, column: &'static str) -> Result<Option<&[u8]>, Self::Error>;
}

fn known<T, E: From<Unreadable>>(column: &'static str, value: Option<T>) -> Result<T, E> {
    value.ok_or_else(|| Unreadable(column).into())
}

/// Reads a text column through a parser.
pub fn word<R: Columns, T>(
    row: &R,
    column: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<T, R::Error> {
    known(column, row.maybe_text(column)?.and_then(parse))
}

/// As [`word`], for a column that may be NULL.
pub(super) fn maybe_word<R: Columns, T>(
    row: &R,
    column: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, R::Error> {
    row.maybe_text(column)?.map(|text| known(column, parse(text))).transpose()
}

/// Reads a text column.
pub fn text<R: Columns>(row: &R, column: &'static str) -> Result<String, R::Error> {
    word(row, column, |text| Some(text.to_owned()))
}

/// As [`text`], for a column that may be NULL.
pub fn maybe_text<R: Columns>(row: &R, column: &'static str) -> Result<Option<String>, R::Error> {
    row.maybe_text(column).map(|text| text.map(str::to_owned))
}

/// An integer that fits the type.
pub fn number<R: Columns, T: TryFrom<i64>>(row: &R, column: &'static str) -> Result<T, R::Error> {
    known(column, row.maybe_integer(column)?.and_then(|number| T::try_from(number).ok()))
}

/// As [`number`], for a column that may be NULL.
pub(super) fn maybe_number<R: Columns, T: TryFrom<i64>>(
    row: &R,
    column: &'static str,
) -> Result<Option<T>, R::Error> {
    row.maybe_integer(column)?.map(|number| known(column, T::try_from(number).ok())).transpose()
}

/// Bytes of a fixed length.
pub(super) fn bytes<R: Columns, const N: usize>(
    row: &R,
    column: &'static str,
) -> Result<[u8; N], R::Error> {
    known(column, row.maybe_bytes(column)?.and_then(|bytes| bytes.try_into().ok()))
}

/// A secret as it was encrypted; nothing where the column is NULL.
pub(super) fn maybe_secret<R: Columns>(
    row: &R,
    column: &'static str,
) -> Result<Option<EncryptedSecret>, R::Error> {
    let bytes = row.maybe_bytes(column)?;
    Ok(bytes.map(|bytes| EncryptedSecret::from_bytes(bytes.to_vec())))
}

/// The time that many milliseconds after 1970, unless it is beyond what times can be.
pub fn moment(milliseconds: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(milliseconds).ok()
}

/// Reads a column of milliseconds since 1970.
pub fn time<R: Columns>(row: &R, column: &'static str) -> Result<Timestamp, R::Error> {
    known(column, row.maybe_integer(column)?.and_then(moment))
}

/// As [`time`], for a column that may be NULL.
pub fn maybe_time<R: Columns>(
    row: &R,
    column: &'static str,
) -> Result<Option<Timestamp>, R::Error> {
    row.maybe_integer(column)?.map(|at| known(column, moment(at))).transpose()
}

/// A day as its column stores it: days since 1970, in UTC.
pub(super) fn day<R: Columns>(row: &R, column: &'static str) -> Result<Date, R::Error> {
    let start = row.maybe_integer(column)?.and_then(|days| moment(days.checked_mul(86_400_000)?));
    known(column, start.map(day_of))
}

/// As [`day`], for a column that may be NULL.
pub(super) fn maybe_day<R: Columns>(
    row: &R,
    column: &'static str,
) -> Result<Option<Date>, R::Error> {
    if row.maybe_integer(column)?.is_none() { Ok(None) } else { day(row, column).map(Some) }
}

pub(super) fn amount<R: Columns>(row: &R) -> Result<Amount, R::Error> {
    let pesewas = row.maybe_integer("amount")?;
    known("amount", pesewas.and_then(|pesewas| Amount::from_pesewas(pesewas).ok()))
}

pub(super) fn maybe_ceiling<R: Columns>(
    row: &R,
    column: &'static str,
) -> Result<Option<Ceiling>, R::Error> {
    row.maybe_integer(column)?
        .map(|pesewas| known(column, Ceiling::from_pesewas(pesewas)))
        .transpose()
}

pub(super) fn network<R: Columns>(row: &R) -> Result<Network, R::Error> {
    word(row, "network", Network::parse)
}

pub(super) fn phone<R: Columns>(row: &R) -> Result<Phone, R::Error> {
    word(row, "phone", |text| Phone::parse(text).ok())
}

pub(super) fn digest<R: Columns>(row: &R, column: &'static str) -> Result<SecretDigest, R::Error> {
    bytes(row, column).map(SecretDigest)
}

/// Reads the columns of an account and a mode.
pub fn scope<R: Columns>(row: &R) -> Result<Scope, R::Error> {
    Ok(Scope {
        account: AccountId::new(text(row, "account_id")?),
        mode: word(row, "mode", Mode::parse)?,
    })
}

pub(super) fn state<R: Columns>(row: &R) -> Result<State, R::Error> {
    Ok(match word(row, "status", Status::parse)? {
        Status::Pending => State::Pending(word(row, "next_action", Step::parse)?),
        Status::Successful => State::Successful,
        Status::Failed => State::Failed(word(row, "failure", FailureCode::parse)?),
    })
}

pub(super) fn conflict<R: Columns>(row: &R) -> Result<Option<Conflict>, R::Error> {
    let observed = maybe_word(row, "conflict_observed", Status::parse)?;
    let at = maybe_time(row, "conflict_at")?;
    let decision = maybe_word(row, "conflict_decision", Status::parse)?;
    Ok(observed.zip(at).map(|(observed, at)| Conflict { observed, at, decision }))
}

pub(super) fn dispute<R: Columns>(row: &R) -> Result<Option<Dispute>, R::Error> {
    let at = maybe_time(row, "disputed_at")?;
    let decision = maybe_word(row, "dispute_decision", Status::parse)?;
    Ok(at.map(|at| Dispute { at, decision }))
}

/// An amount in a column that may be NULL.
pub(super) fn maybe_amount<R: Columns>(
    row: &R,
    column: &'static str,
) -> Result<Option<Amount>, R::Error> {
    let amount = row.maybe_integer(column)?;
    amount.map(|pesewas| known(column, Amount::from_pesewas(pesewas).ok())).transpose()
}

/// What a refund returns; `None` for a charge or payout.
pub(super) fn refund<R: Columns>(row: &R) -> Result<Option<RefundOf>, R::Error> {
    let Some(charge) = maybe_text(row, "refund_of")?.map(TransactionId::new) else {
        return Ok(None);
    };
    Ok(Some(RefundOf { charge, method: word(row, "refund_method", RefundMethod::parse)? }))
}

/// The refunds of a charge.
pub fn refund_sums<R: Columns>(row: &R) -> Result<RefundSums, R::Error> {
    Ok(RefundSums {
        returned: number(row, "refunds_returned")?,
        counted: number(row, "refunds_counted")?,
        native: number(row, "refunds_native")?,
    })
}
