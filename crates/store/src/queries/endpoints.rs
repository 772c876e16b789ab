//! Webhook endpoints that secret keys add.

use super::new_requests;
use crate::payment_sql::{NewRecord, PaymentSql};
use tua_domain::{
    KeyId,
    audit::AuditContext,
    idempotency::{RepeatError, StoredResponse},
    webhook::{
        Endpoint,
        endpoint::{CreateEndpointError, MAX_ENDPOINTS},
    },
};
use tua_sql::{queries::webhooks, write_error::WriteError};

/// Inserts an endpoint, with the idempotency record of its request. Two requests at once may both
/// be the last that [`MAX_ENDPOINTS`] allows: the limit need not be exact.
pub(crate) async fn create<S: PaymentSql>(
    db: &S,
    endpoint: &Endpoint,
    created_by: &KeyId,
    response: Option<&StoredResponse>,
    by: &AuditContext,
) -> Result<(), WriteError<CreateEndpointError, S::Error>> {
    let record = response.map(|response| {
        NewRecord::of_response(response, endpoint.id.as_str(), endpoint.created_at)
    });
    if db.claim(record.as_ref()).await? {
        return Err(WriteError::Rejected(RepeatError::InProgress.into()));
    }
    if new_requests::lock_revoked(db, Some(created_by)).await? {
        return Err(WriteError::Rejected(CreateEndpointError::KeyRevoked));
    }
    if webhooks::count(db, &endpoint.scope).await? >= MAX_ENDPOINTS {
        return Err(WriteError::Rejected(CreateEndpointError::TooMany));
    }
    db.insert_record(record.as_ref()).await?;
    webhooks::add(db, endpoint, by).await?;
    Ok(())
}
