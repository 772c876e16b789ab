//! Which database the service works on.

pub use crate::database_lock::{DatabaseLock, lock_path};
pub use crate::open_error::OpenError;

use crate::{
    postgres::{PostgresStore, PostgresUrl},
    sqlite::SqliteStore,
};
use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};
use tua_domain::ports::Store;
use tua_metrics::StoreMetrics;
use tua_operators::sandbox::orders::SandboxOrders;
use tua_system::{
    files::{choose_temporary_folder, whole},
    private_file::beside,
};

/// A database, as `--database` names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Database {
    /// A file of one service.
    Sqlite(PathBuf),
    /// A server for many nodes.
    Postgres(Box<PostgresUrl>),
}

/// The two ports of an open database.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Where all data is stored.
    pub store: Arc<dyn Store>,
    /// Where the sandbox keeps its orders: the same place.
    pub orders: Arc<dyn SandboxOrders>,
}

impl Opened {
    fn new(store: impl Store + SandboxOrders) -> Self {
        let store = Arc::new(store);
        Self { orders: store.clone(), store }
    }
}

impl Database {
    /// Opens it, made or brought up to date where that is needed.
    ///
    /// # Errors
    /// [`OpenError`].
    pub async fn open(&self, metrics: StoreMetrics) -> Result<Opened, OpenError> {
        self.choose_temporary_folder();
        Ok(match self {
            Self::Sqlite(path) => Opened::new(SqliteStore::open_measured(path, metrics)?),
            Self::Postgres(url) => Opened::new(PostgresStore::open(url, metrics).await?),
        })
    }

    /// As [`Self::open`], with a fault injector around the calls of the store's ports.
    ///
    /// # Errors
    /// One line.
    #[cfg(feature = "fault-injection")]
    pub async fn open_with_faults(
        &self,
        metrics: StoreMetrics,
        faults: Arc<dyn crate::fault_injection::FaultInjector>,
    ) -> Result<Opened, String> {
        self.choose_temporary_folder();
        Ok(match self {
            Self::Sqlite(path) => {
                let mut store = SqliteStore::open_measured(path, metrics)?;
                store.faults = Some(faults);
                Opened::new(store)
            }
            Self::Postgres(url) => {
                let mut store = PostgresStore::open(url, metrics).await?;
                store.faults = Some(faults);
                Opened::new(store)
            }
        })
    }

    /// Chooses the folder of temporary files, which may be that of the database file.
    fn choose_temporary_folder(&self) {
        choose_temporary_folder(match self {
            Self::Sqlite(path) => path,
            Self::Postgres(_) => Path::new(""),
        });
    }

    /// Locks a file for one service; a server serves many.
    ///
    /// # Errors
    /// One line: another service runs on it, it has other names, or the lock file cannot be
    /// written.
    pub fn lock(&self) -> Result<Option<DatabaseLock>, String> {
        match self {
            Self::Sqlite(path) => DatabaseLock::lock(path)
                .map(Some)
                .map_err(|fault| format!("database {self}: {fault}")),
            Self::Postgres(_) => Ok(None),
        }
    }
}

/// Where the server key of a SQLite database is stored: next to its file.
#[must_use]
pub fn server_key_path(database: &Path) -> PathBuf {
    beside(database, ".key")
}

impl FromStr for Database {
    type Err = String;

    /// Reads `sqlite://<path>`, `postgres://…` or `postgresql://…`. What is wrong is said without
    /// the text where it may hold a password.
    fn from_str(text: &str) -> Result<Self, String> {
        const FORMS: &str = "sqlite://<path> or postgres://user:password@host:port/database";
        match text.split_once("://") {
            Some(("sqlite", path)) if !path.is_empty() && !path.contains('?') => {
                Ok(Self::Sqlite(PathBuf::from(path)))
            }
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(Box::new(text.parse()?))),
            _ if text.contains(['@', '?']) => Err(format!("database: this is not {FORMS}")),
            _ => Err(format!("database: {text:?} is not {FORMS}")),
        }
    }
}

/// Where it is, as a person finds it: the whole path of the file, or the server without its
/// password.
impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => whole(path).display().fmt(f),
            Self::Postgres(url) => url.fmt(f),
        }
    }
}

impl From<PathBuf> for Database {
    fn from(path: PathBuf) -> Self {
        Self::Sqlite(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_a_file_or_a_server() {
        assert_eq!("sqlite://a/tua.db".parse(), Ok(Database::Sqlite(PathBuf::from("a/tua.db"))));
        for text in ["postgres://tua@db.example/tua", "postgresql://tua@db.example/tua"] {
            let parsed: Database = text.parse().unwrap();
            assert_eq!(parsed.to_string(), "postgres://db.example/tua");
        }
    }

    #[test]
    fn a_password_is_not_repeated() {
        for text in [
            "mysql://tua:hunter2@db/tua",
            "tua:hunter2@db",
            "postgres://tua:hunter2@db",
            "sqlite://",
        ] {
            let fault = text.parse::<Database>().unwrap_err();
            assert!(fault.starts_with("database: ") && !fault.contains("hunter2"), "{fault}");
        }
    }
}
