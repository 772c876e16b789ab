//! The database of a test: a file in its folder, or with `TUA_TEST_DATABASE=postgres://…` a schema
//! on that server. The same tests run on both.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{Mutex, PoisonError},
};
use tokio_postgres::{Client, NoTls};
use tua_domain::secret::{SecretDigest, ServerKey};
use tua_store::database::Database;
use url::Url;

/// The server key of all test services on PostgreSQL.
const SERVER_KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn server() -> Option<String> {
    std::env::var("TUA_TEST_DATABASE").ok().filter(|url| !url.is_empty())
}

/// Whether the database is a SQLite file.
pub fn is_sqlite() -> bool {
    server().is_none()
}

/// Returns whether the tests run on PostgreSQL, where this test does not apply, and prints the
/// reason.
pub fn skip_on_postgres(reason: &str) -> bool {
    let is_skipped = !is_sqlite();
    if is_skipped {
        eprintln!("not on PostgreSQL: {reason}");
    }
    is_skipped
}

/// The number of schemas in a database. Each has some 180 tables and indexes, and the more a
/// database has, the longer PostgreSQL works for each of them.
const SCHEMAS_OF_A_DATABASE: usize = 32;

/// The schemas of this process, in the order in which they were created.
static SCHEMAS: Mutex<Vec<Schema>> = Mutex::new(Vec::new());

/// The schema of a folder.
struct Schema {
    folder: PathBuf,
    database: String,
    url: String,
}

/// The URL of this folder's database. On a server its schema is created if it does not exist.
fn url(folder: &Path) -> String {
    let Some(server) = server() else {
        return format!("sqlite://{}", folder.join("tua.db").display());
    };
    // A test that fails while it creates a schema fails no other one.
    let mut schemas = SCHEMAS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = schemas.iter().find(|schema| schema.folder == folder) {
        return found.url.clone();
    }
    let digest = SecretDigest::of(&folder.display().to_string()).0;
    let name = digest[..8].iter().fold("t".to_owned(), |name, byte| format!("{name}{byte:02x}"));
    let execute = |url: &str, sql: String| {
        with_client(url, async |client| client.batch_execute(&sql).await.unwrap());
    };
    let is_full = schemas.len().is_multiple_of(SCHEMAS_OF_A_DATABASE);
    let database = match schemas.last() {
        Some(last) if !is_full => last.database.clone(),
        _ => {
            execute(&server, format!("CREATE DATABASE {name}"));
            name.clone()
        }
    };
    let mut url: Url = server.parse().unwrap();
    url.set_path(&database);
    execute(url.as_str(), format!("CREATE SCHEMA {name}"));
    let url = format!("{url}?options=-c%20search_path%3D{name}");
    schemas.push(Schema { folder: folder.to_owned(), database, url: url.clone() });
    url
}

/// The database of this folder.
pub fn database(folder: &Path) -> Database {
    url(folder).parse().unwrap()
}

/// The server key that a service on a server needs.
pub fn server_keys() -> Vec<ServerKey> {
    server().map_or_else(Vec::new, |_| ServerKey::parse_list(SERVER_KEY).unwrap())
}

/// The server key of a service that was started in this folder.
pub fn server_key_text(folder: &Path) -> String {
    server().map_or_else(
        || std::fs::read_to_string(folder.join("tua.db.key")).unwrap(),
        |_| SERVER_KEY.to_owned(),
    )
}

/// All rows of all tables on a server; `None` for a file, which a test can read.
pub fn rows_as_text(folder: &Path) -> Option<String> {
    server()?;
    Some(with_client(&url(folder), async |client| {
        let mut text = String::new();
        let tables =
            "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()";
        for table in client.query(tables, &[]).await.unwrap() {
            let table: String = table.get(0);
            for row in
                client.query(&format!("SELECT one::text FROM {table} AS one"), &[]).await.unwrap()
            {
                text.push_str(row.get(0));
            }
        }
        assert!(text.contains("acc_"), "there is nothing to search");
        text
    }))
}

/// An SQL literal of bytes that no server key decrypts, for a column of encrypted secrets.
pub fn undecryptable() -> &'static str {
    if is_sqlite() { "X'00ff'" } else { r"'\x00ff'" }
}

/// Sets the environment variables by which a command finds this folder's database.
pub fn set_environment(command: &mut Command, folder: &Path) {
    match server() {
        Some(_) => command.env("TUA_DATABASE", url(folder)).env("TUA_SERVER_KEY", SERVER_KEY),
        None => command.env("TUA_DATABASE", "sqlite://tua.db"),
    };
}

/// Returns whether the tests run on SQLite, where this test does not apply, and prints the reason.
pub fn skip_on_sqlite(reason: &str) -> bool {
    if is_sqlite() {
        eprintln!("not on SQLite: {reason}");
    }
    is_sqlite()
}

/// The URL of this folder's database, with another user, name or parameter.
pub fn url_with(folder: &Path, change: impl FnOnce(Url) -> Url) -> String {
    change(url(folder).parse().unwrap()).to_string()
}

/// The number that a query returns, on a connection of the test.
pub fn query_number(folder: &Path, sql: &str) -> i64 {
    match server() {
        Some(_) => with_client(&url(folder), async |client| {
            client.query_one(sql, &[]).await.unwrap().get(0)
        }),
        None => connect(folder).query_row(sql, [], |row| row.get(0)).unwrap(),
    }
}

/// The column of texts that a query returns, on a connection of the test.
pub fn query_texts(folder: &Path, sql: &str) -> Vec<String> {
    match server() {
        Some(_) => with_client(&url(folder), async |client| {
            client.query(sql, &[]).await.unwrap().iter().map(|row| row.get(0)).collect()
        }),
        None => {
            let connection = connect(folder);
            let mut statement = connection.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        }
    }
}

/// Executes a statement on a connection of the test; returns the number of changed rows.
pub fn execute(folder: &Path, sql: &str) -> u64 {
    match server() {
        Some(_) => {
            with_client(&url(folder), async |client| client.execute(sql, &[]).await.unwrap())
        }
        None => u64::try_from(connect(folder).execute(sql, []).unwrap()).unwrap(),
    }
}

/// As [`execute`], of a statement that fails; returns the error.
pub fn try_execute(folder: &Path, sql: &str) -> String {
    match server() {
        Some(_) => with_client(&url(folder), async |client| {
            let error = client.execute(sql, &[]).await.unwrap_err();
            error.as_db_error().unwrap().message().to_owned()
        }),
        None => connect(folder).execute(sql, []).unwrap_err().to_string(),
    }
}

fn connect(folder: &Path) -> rusqlite::Connection {
    let connection = rusqlite::Connection::open(folder.join("tua.db")).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(5)).unwrap();
    connection
}

/// Runs in a runtime of its own, so that synchronous tests can use it.
fn with_client<T: Send>(url: &str, work: impl AsyncFnOnce(&Client) -> T + Send) -> T {
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
            tokio::spawn(connection);
            work(&client).await
        })
    };
    std::thread::scope(|scope| scope.spawn(run).join().unwrap())
}
