//! A database transaction on PostgreSQL that is open while requests run, as of another node.

use super::{TestApp, eventually, test_database};
use tokio_postgres::{Client, NoTls};

/// A database transaction that has begun. Dropping it rolls it back.
#[derive(Debug)]
pub struct OpenTransaction {
    client: Client,
    /// The process of the server that executes it.
    pid: i32,
}

impl OpenTransaction {
    /// Executes these statements without a commit. They hold their locks.
    pub async fn begin(app: &TestApp, statements: &str) -> Self {
        let url = test_database::url_with(app.folder.path(), |url| url);
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("BEGIN; {statements}")).await.unwrap();
        let pid = client.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
        Self { client, pid }
    }

    /// Commits when so many others wait for it, directly or behind one another.
    pub async fn commit_when_waited_for(self, app: &TestApp, count: i64) {
        let waiting = format!(
            "WITH RECURSIVE waiting AS (
                 SELECT {} AS pid
                 UNION SELECT one.pid FROM pg_stat_activity AS one JOIN waiting ON waiting.pid = \
             ANY (pg_blocking_pids(one.pid))
             ) SELECT count(*) - 1 FROM waiting",
            self.pid
        );
        eventually("others wait for the transaction", async || app.query_number(&waiting) == count)
            .await;
        self.client.batch_execute("COMMIT").await.unwrap();
    }
}
