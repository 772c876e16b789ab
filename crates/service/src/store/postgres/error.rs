//! What can go wrong on the way to PostgreSQL and in it.

use crate::store::{StoreError, columns::Unreadable};
use deadpool_postgres::{PoolError, TimeoutType};
use std::{fmt, sync::Arc};
use tokio_postgres::error::SqlState;

/// A statement, or the way to the server, has failed.
///
/// Says what is wrong in one line. The server's own details are left out: they quote rows.
#[derive(Debug)]
pub(in crate::store) enum Error {
    /// The server's word, or the connection's.
    Database(tokio_postgres::Error),
    /// No connection became free in time.
    Crowded,
    /// The server did not take a new connection in time.
    Slow,
    /// A row holds what this version does not know.
    Unreadable(Unreadable),
    /// A row is gone that must be there.
    Missing,
    /// The connection broke, and the server rolled the transaction back.
    Lost,
    /// The connection broke while the transaction was ending, and how it ended could not be learned.
    Uncertain,
}

pub(in crate::store) type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn state(&self) -> Option<&SqlState> {
        match self {
            Self::Database(error) => error.code(),
            _ => None,
        }
    }

    /// Whether the same transaction may succeed when it is begun again: it lost against another, or
    /// its connection broke.
    pub(super) fn may_pass(&self) -> bool {
        let lost = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
        match self {
            // It may have been written: a second time would be twice.
            Self::Uncertain => false,
            _ => self.is_broken() || self.state().is_some_and(|state| lost.contains(state)),
        }
    }

    /// Whether the connection is of no use any more, or never came about.
    pub(super) fn is_broken(&self) -> bool {
        let Self::Database(error) = self else { return matches!(self, Self::Slow | Self::Lost | Self::Uncertain) };
        match error.code() {
            Some(state) => {
                [
                    SqlState::ADMIN_SHUTDOWN,
                    SqlState::CRASH_SHUTDOWN,
                    SqlState::CANNOT_CONNECT_NOW,
                    SqlState::TOO_MANY_CONNECTIONS,
                    // A server that was the first and is a standby now; the others are looked for.
                    SqlState::READ_ONLY_SQL_TRANSACTION,
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                ]
                .contains(state)
                    || state.code().starts_with("08")
            }
            // Everything else that the server did not say was said by the connection.
            None => error.is_closed() || has_io_error(error),
        }
    }

    /// Whether the server was asked about something that it does not have.
    pub(super) fn is_out_of_range(&self) -> bool {
        self.state() == Some(&SqlState::INVALID_PARAMETER_VALUE)
    }

    /// Whether it may be the fault of one of those who shared a transaction, so that each is tried alone. What
    /// may have been written is not written again, and a server that is away is so for all of them.
    pub(super) fn is_of_one(&self) -> bool {
        !matches!(self, Self::Uncertain | Self::Crowded) && !self.may_pass()
    }

    /// Whether a later request may succeed where this one has failed.
    fn is_passing(&self) -> bool {
        let busy =
            [SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED, SqlState::DISK_FULL, SqlState::OUT_OF_MEMORY];
        let passing = matches!(self, Self::Crowded) || self.may_pass();
        passing || self.state().is_some_and(|state| busy.contains(state))
    }
}

fn has_io_error(error: &tokio_postgres::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<std::io::Error>()) || error.to_string().starts_with("timeout")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(error) => f.write_str(&said(error)),
            Self::Crowded => f.write_str("every connection of the pool is busy"),
            Self::Slow => f.write_str("the server cannot be reached: it does not answer"),
            Self::Unreadable(unreadable) => unreadable.fmt(f),
            Self::Missing => f.write_str("a row has vanished"),
            Self::Lost => f.write_str("the connection broke, and nothing was written"),
            Self::Uncertain => f.write_str("the connection broke while a transaction was ending"),
        }
    }
}

impl std::error::Error for Error {}

/// One line, with what to do about it where somebody can do something.
fn said(error: &tokio_postgres::Error) -> String {
    let Some(server) = error.as_db_error() else {
        return match std::error::Error::source(error) {
            Some(source) => format!("the server cannot be reached: {source}"),
            None => format!("the server cannot be reached: {error}"),
        };
    };
    let message = server.message().replace('\n', " ");
    let state = server.code();
    if [SqlState::INVALID_PASSWORD, SqlState::INVALID_AUTHORIZATION_SPECIFICATION].contains(state) {
        return format!("the server refuses this user or password: {message}");
    }
    let advice = match *state {
        SqlState::INVALID_CATALOG_NAME => "there is no such database; make it with `createdb`",
        SqlState::TOO_MANY_CONNECTIONS => "the server is out of connections; raise max_connections, or run fewer nodes",
        SqlState::READ_ONLY_SQL_TRANSACTION => "the server is read-only",
        SqlState::INSUFFICIENT_PRIVILEGE => "the user may not do this",
        _ => return format!("{message} ({})", state.code()),
    };
    format!("{advice}: {message}")
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error)
    }
}

impl From<Unreadable> for Error {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) | PoolError::PostCreateHook(deadpool_postgres::HookError::Backend(error)) => {
                Self::Database(error)
            }
            PoolError::Timeout(TimeoutType::Create) => Self::Slow,
            // A wait that was too long; the rest cannot be, as the pool is set up.
            _ => Self::Crowded,
        }
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        Arc::new(error).into()
    }
}

/// One fault of many.
impl From<Arc<Error>> for StoreError {
    fn from(error: Arc<Error>) -> Self {
        match *error {
            Error::Uncertain => Self::Uncertain(error.into()),
            _ if error.is_passing() => Self::unavailable(error),
            _ => Self::failed(error),
        }
    }
}
