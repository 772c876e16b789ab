//! Rows of operators that people connected.

use crate::columns::{Columns, maybe_secret, maybe_text, maybe_time, number, text, time};
use tua_domain::{
    AccountId, ConnectedOperatorId,
    connected_operator::{ConnectedOperator, ConnectedRoutes},
    encrypted_secret::EncryptedSecret,
    routing::OperatorName,
};

pub(crate) fn connected_operator<R: Columns>(row: &R) -> Result<ConnectedOperator, R::Error> {
    Ok(ConnectedOperator {
        id: ConnectedOperatorId::new(text(row, "id")?),
        account: AccountId::new(text(row, "account_id")?),
        name: OperatorName::of_row(text(row, "name")?),
        connector: text(row, "connector")?,
        credentials: maybe_secret(row, "credentials")?
            .unwrap_or_else(|| EncryptedSecret::from_bytes(Vec::new())),
        replacement: maybe_secret(row, "replacement")?,
        routes: ConnectedRoutes::of_row(&text(row, "routes")?),
        supersedes: maybe_text(row, "supersedes")?.map(ConnectedOperatorId::new),
        version: number(row, "version")?,
        created_at: time(row, "created_at")?,
        checked_at: maybe_time(row, "checked_at")?,
        retired_at: maybe_time(row, "retired_at")?,
    })
}
