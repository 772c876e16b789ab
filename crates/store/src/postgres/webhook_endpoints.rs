//! Webhook endpoints that secret keys add.

use super::{
    accounts,
    idempotency::{self, NewRecord},
};
use tua_domain::{
    KeyId,
    audit::AuditContext,
    idempotency::{RepeatError, StoredResponse},
    webhook::{
        Endpoint,
        endpoint::{CreateEndpointError, MAX_ENDPOINTS},
    },
};
use tua_sql::{
    postgres::{db::Db, error::Error},
    queries::webhooks,
    write_error::WriteError,
};

/// Inserts an endpoint, with the idempotency record of its request. Two requests at once may both
/// be the last that [`MAX_ENDPOINTS`] allows: the limit need not be exact.
pub(super) async fn insert(
    db: &Db,
    endpoint: &Endpoint,
    created_by: &KeyId,
    response: Option<&StoredResponse>,
    by: &AuditContext,
) -> Result<(), WriteError<CreateEndpointError, Error>> {
    if let Some(StoredResponse { attempt, snapshot }) = response {
        let subject = endpoint.id.as_str();
        let now = endpoint.created_at;
        let record = NewRecord { attempt, subject, response: Some(*snapshot), now };
        if idempotency::insert_records(db, &[record]).await?.is_empty() {
            return Err(WriteError::Rejected(RepeatError::InProgress.into()));
        }
    }
    if !accounts::lock_revoked(db, &[created_by]).await?.is_empty() {
        return Err(WriteError::Rejected(CreateEndpointError::KeyRevoked));
    }
    if webhooks::count(db, &endpoint.scope).await? >= MAX_ENDPOINTS {
        return Err(WriteError::Rejected(CreateEndpointError::TooMany));
    }
    webhooks::add(db, endpoint, by).await?;
    Ok(())
}
