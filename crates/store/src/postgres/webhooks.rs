//! The endpoints that deliveries are inserted for.

use super::batch_ops::column;
use std::collections::HashMap;
use tua_domain::{EndpointId, Scope, webhook::Recipient};
use tua_sql::{
    columns,
    postgres::{db::Db, error::Result},
};

/// The endpoints of scopes, locked against removal until the transaction ends.
pub(super) async fn lock_endpoints(
    db: &Db,
    scopes: &[&Scope],
) -> Result<HashMap<Scope, Vec<Recipient>>> {
    let found = db
        .query(
            "SELECT id, account_id, mode, disabled_at FROM webhook_endpoints
             JOIN unnest($1::text[], $2::text[]) AS endpoint_ids (account_id, mode) USING \
             (account_id, mode)
             WHERE removed_at IS NULL ORDER BY id FOR KEY SHARE OF webhook_endpoints",
            &[
                &column(scopes, |scope| scope.account.as_str()),
                &column(scopes, |scope| scope.mode.as_str()),
            ],
        )
        .await?;
    let mut recipients: HashMap<Scope, Vec<Recipient>> = HashMap::new();
    for row in found {
        let id = EndpointId::new(columns::text(&row, "id")?);
        let is_enabled = columns::maybe_time(&row, "disabled_at")?.is_none();
        recipients.entry(columns::scope(&row)?).or_default().push(Recipient { id, is_enabled });
    }
    Ok(recipients)
}
