//! Errors of PostgreSQL and of the connection to it.

use crate::columns::Unreadable;
use deadpool_postgres::{PoolError, TimeoutType};
use std::{fmt, sync::Arc};
use tokio_postgres::error::SqlState;
use tua_domain::ports::StoreError;

/// A statement or a connection has failed.
///
/// `Display` explains it in one line. It omits the server's DETAIL, which quotes rows.
#[derive(Debug)]
pub enum Error {
    /// An error that the server or the driver reported.
    Database(tokio_postgres::Error),
    /// No pooled connection became free in time.
    PoolExhausted,
    /// The server did not accept a new connection in time.
    ConnectTimeout,
    /// A row holds a value that this version cannot read.
    Unreadable(Unreadable),
    /// A row that must exist does not.
    MissingRow,
    /// The connection broke, and the server rolled the transaction back.
    RolledBack,
    /// The connection broke during the commit, and its outcome is unknown.
    InDoubt,
}

/// The result of a statement, or of a connection.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    fn state(&self) -> Option<&SqlState> {
        match self {
            Self::Database(error) => error.code(),
            _ => None,
        }
    }

    /// Whether a retry of the same transaction may succeed: it was the victim of a serialization
    /// failure or deadlock, or its connection broke.
    pub fn is_transient(&self) -> bool {
        let lost = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
        match self {
            // A retry could write it twice.
            Self::InDoubt => false,
            _ => self.is_broken() || self.state().is_some_and(|state| lost.contains(state)),
        }
    }

    /// Whether PostgreSQL ended the transaction because of a deadlock. All of it is undone.
    pub fn is_deadlock(&self) -> bool {
        self.state() == Some(&SqlState::T_R_DEADLOCK_DETECTED)
    }

    /// Whether the connection is unusable, or could not be opened.
    pub fn is_broken(&self) -> bool {
        let Self::Database(error) = self else {
            return matches!(self, Self::ConnectTimeout | Self::RolledBack | Self::InDoubt);
        };
        match error.code() {
            Some(state) => {
                [
                    SqlState::ADMIN_SHUTDOWN,
                    SqlState::CRASH_SHUTDOWN,
                    SqlState::CANNOT_CONNECT_NOW,
                    SqlState::TOO_MANY_CONNECTIONS,
                    // After a failover this server is a standby; a new connection finds the
                    // primary.
                    SqlState::READ_ONLY_SQL_TRANSACTION,
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                ]
                .contains(state)
                    || state.code().starts_with("08")
            }
            // Without an SQLSTATE the error comes from the connection.
            None => error.is_closed() || has_io_error(error),
        }
    }

    /// Whether the server rejected a parameter's value (SQLSTATE 22023).
    pub fn is_out_of_range(&self) -> bool {
        self.state() == Some(&SqlState::INVALID_PARAMETER_VALUE)
    }

    /// Whether one request of a batch may have caused the error, so that each should be tried
    /// alone. An in-doubt batch must not be written again, and an unavailable server fails every
    /// request alike.
    pub fn is_request_specific(&self) -> bool {
        !matches!(self, Self::InDoubt | Self::PoolExhausted) && !self.is_transient()
    }

    /// Whether a later request may succeed.
    fn is_temporary(&self) -> bool {
        let busy = [
            SqlState::LOCK_NOT_AVAILABLE,
            SqlState::QUERY_CANCELED,
            SqlState::DISK_FULL,
            SqlState::OUT_OF_MEMORY,
        ];
        let temporary = matches!(self, Self::PoolExhausted) || self.is_transient();
        temporary || self.state().is_some_and(|state| busy.contains(state))
    }
}

fn has_io_error(error: &tokio_postgres::Error) -> bool {
    let source = std::error::Error::source(error);
    source.is_some_and(|source| source.is::<std::io::Error>())
        || error.to_string().starts_with("timeout")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Database(error) => f.write_str(&describe(error)),
            Self::PoolExhausted => f.write_str("no connection of the pool became free in time"),
            Self::ConnectTimeout => {
                f.write_str("the server cannot be reached: it does not respond")
            }
            Self::Unreadable(unreadable) => unreadable.fmt(f),
            Self::MissingRow => f.write_str("a required row does not exist"),
            Self::RolledBack => {
                f.write_str("the connection broke, and the transaction was rolled back")
            }
            Self::InDoubt => {
                f.write_str("the connection broke during a commit whose outcome is unknown")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Describes the error in one line, with advice where an operator can act on it.
fn describe(error: &tokio_postgres::Error) -> String {
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
        SqlState::TOO_MANY_CONNECTIONS => {
            "the server is out of connections; raise max_connections, or run fewer nodes"
        }
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
            PoolError::Backend(error)
            | PoolError::PostCreateHook(deadpool_postgres::HookError::Backend(error)) => {
                Self::Database(error)
            }
            PoolError::Timeout(TimeoutType::Create) => Self::ConnectTimeout,
            // The wait for a free connection timed out. The pool's configuration rules the other
            // variants out.
            _ => Self::PoolExhausted,
        }
    }
}

impl From<Error> for StoreError {
    fn from(error: Error) -> Self {
        store_error(Arc::new(error))
    }
}

/// An error that every request of a batch shares.
pub fn store_error(error: Arc<Error>) -> StoreError {
    match *error {
        Error::InDoubt => StoreError::Uncertain(error.into()),
        _ if error.is_temporary() => StoreError::unavailable(error),
        _ => StoreError::failed(error),
    }
}
