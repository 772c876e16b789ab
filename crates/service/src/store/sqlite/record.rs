//! Values on their way into and out of SQLite.

use crate::{
    domain::{AccountId, Scope, transaction::Conflict},
    secret::SecretDigest,
};
use jiff::Timestamp;
use rusqlite::{Row, types::Type};
use std::fmt;
use tua_contract::{Amount, FailureCode, Network, Phone, State, Status, Step};

/// A value that this version of the program cannot read: a newer version wrote it, or the file is damaged.
#[derive(Debug)]
struct Unreadable(&'static str);

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {} holds a value that this version does not know", self.0)
    }
}

impl std::error::Error for Unreadable {}

fn unreadable(column: &'static str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(Unreadable(column)))
}

/// Reads a text column through a parser.
pub(super) fn word<T>(
    row: &Row<'_>,
    column: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    parse(row.get_ref(column)?.as_str()?).ok_or_else(|| unreadable(column))
}

/// As [`word`], for a column that may be NULL.
pub(super) fn maybe_word<T>(
    row: &Row<'_>,
    column: &'static str,
    parse: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<Option<T>> {
    match row.get_ref(column)?.as_str_or_null()? {
        Some(text) => parse(text).map(Some).ok_or_else(|| unreadable(column)),
        None => Ok(None),
    }
}

pub(super) fn time(row: &Row<'_>, column: &'static str) -> rusqlite::Result<Timestamp> {
    moment(row.get(column)?).ok_or_else(|| unreadable(column))
}

pub(super) fn maybe_time(row: &Row<'_>, column: &'static str) -> rusqlite::Result<Option<Timestamp>> {
    let milliseconds: Option<i64> = row.get(column)?;
    milliseconds.map(|at| moment(at).ok_or_else(|| unreadable(column))).transpose()
}

pub(super) fn moment(milliseconds: i64) -> Option<Timestamp> {
    Timestamp::from_millisecond(milliseconds).ok()
}

pub(super) fn amount(row: &Row<'_>) -> rusqlite::Result<Amount> {
    Amount::from_pesewas(row.get("amount")?).map_err(|_| unreadable("amount"))
}

pub(super) fn network(row: &Row<'_>) -> rusqlite::Result<Network> {
    word(row, "network", Network::parse)
}

pub(super) fn phone(row: &Row<'_>) -> rusqlite::Result<Phone> {
    word(row, "phone", |text| Phone::parse(text).ok())
}

pub(super) fn digest(row: &Row<'_>, column: &'static str) -> rusqlite::Result<SecretDigest> {
    row.get(column).map(SecretDigest)
}

pub(super) fn scope(row: &Row<'_>) -> rusqlite::Result<Scope> {
    Ok(Scope {
        account: AccountId::new(row.get::<_, String>("account_id")?),
        mode: word(row, "mode", crate::domain::Mode::parse)?,
    })
}

pub(super) fn state(row: &Row<'_>) -> rusqlite::Result<State> {
    Ok(match word(row, "status", Status::parse)? {
        Status::Pending => State::Pending(word(row, "next_action", Step::parse)?),
        Status::Successful => State::Successful,
        Status::Failed => State::Failed(word(row, "failure", FailureCode::parse)?),
    })
}

pub(super) fn conflict(row: &Row<'_>) -> rusqlite::Result<Option<Conflict>> {
    let observed = maybe_word(row, "conflict_observed", Status::parse)?;
    Ok(observed.zip(maybe_time(row, "conflict_at")?).map(|(observed, at)| Conflict { observed, at }))
}
