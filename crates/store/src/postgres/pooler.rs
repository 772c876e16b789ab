//! Finds a connection pooler that gives the statements of one client to several sessions of the
//! server.
//!
//! A node's membership is an advisory lock, and its notifications are a LISTEN: both belong to a
//! session of the server. Behind such a pooler (pgbouncer with `pool_mode = transaction` or
//! `statement`, RDS Proxy, pgcat) they end up in a session of another client. Nothing fails, but
//! notifications are lost, and a dead node counts as alive as long as the pooler keeps its session.

use super::connect::Connector;
use std::collections::HashSet;
use tokio_postgres::{Client, SimpleQueryMessage};
use tua_sql::postgres::error::{Error, Result};

/// Why a pooler is refused, and what to do.
const REFUSAL: &str = "a connection pooler (such as pgbouncer with pool_mode = transaction) gives \
    the statements of one connection to several sessions of the server, so notifications between \
    nodes would be lost; use pool_mode = session, or the server's own address";

/// How often two connections are asked for their sessions. A pooler that takes its sessions in turn
/// shows itself with the second question, one that takes the last one first with the first.
const ROUNDS: usize = 4;

/// Refuses such a pooler.
///
/// # Errors
/// One line: there is one, or the server does not respond.
pub(super) async fn refuse(
    connector: &Connector,
    client: &Client,
) -> std::result::Result<(), String> {
    match shares_sessions(connector, client).await {
        Ok(false) => Ok(()),
        Ok(true) => Err(REFUSAL.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether a connection changes its session between statements, or shares one with another
/// connection.
async fn shares_sessions(connector: &Connector, client: &Client) -> Result<bool> {
    let (other, _notifications) = connector.connect().await?;
    let mut of_client = HashSet::new();
    let mut of_other = HashSet::new();
    for _ in 0..ROUNDS {
        // Twice, so that taking turns among two sessions does not look like a session of one's own.
        of_client.insert(session(client).await?);
        of_client.insert(session(client).await?);
        of_other.insert(session(&other).await?);
    }
    Ok(of_client.len() > 1 || of_other.len() > 1 || !of_client.is_disjoint(&of_other))
}

/// The process of the server that executes the statements of a connection. Without a prepared
/// statement, which an older pooler does not find again.
async fn session(client: &Client) -> Result<String> {
    let messages = client.simple_query("SELECT pg_backend_pid()").await?;
    let row = messages.into_iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    row.ok_or(Error::MissingRow)
}
