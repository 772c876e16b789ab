//! Webhook endpoints that secret keys add. Writes are one after another, so nothing changes between
//! a check and its write.

use super::{accounts, idempotency};
use rusqlite::{Connection, Error};
use tua_domain::{
    KeyId,
    audit::AuditContext,
    idempotency::{RepeatError, StoredResponse},
    webhook::{
        Endpoint,
        endpoint::{CreateEndpointError, MAX_ENDPOINTS},
    },
};
use tua_sql::{queries::webhooks, sqlite::sql::ready, write_error::WriteError};

pub(super) fn insert(
    db: &Connection,
    endpoint: &Endpoint,
    created_by: &KeyId,
    response: Option<&StoredResponse>,
    by: &AuditContext,
) -> Result<(), WriteError<CreateEndpointError, Error>> {
    let attempt = response.map(|response| &response.attempt);
    if idempotency::exists(db, attempt)? {
        return Err(WriteError::Rejected(RepeatError::InProgress.into()));
    }
    if accounts::is_key_revoked(db, Some(created_by))? {
        return Err(WriteError::Rejected(CreateEndpointError::KeyRevoked));
    }
    if ready(webhooks::count(db, &endpoint.scope))? >= MAX_ENDPOINTS {
        return Err(WriteError::Rejected(CreateEndpointError::TooMany));
    }
    let snapshot = response.map(|response| response.snapshot);
    idempotency::insert(db, attempt, endpoint.id.as_str(), snapshot, endpoint.created_at)?;
    ready(webhooks::add(db, endpoint, by))?;
    Ok(())
}
