//! New links for people who have enrolled and can no longer sign in.

use super::{audit, credentials, sessions, users};
use crate::{sql::Sql, write_error::WriteError};
use tua_domain::{
    UserId,
    audit::AuditContext,
    mail::QueuedMail,
    people::{EnrolmentLink, RoleRefusal, User},
    ports::RoleError,
};

/// Inserts a link with which a person who has enrolled enrols again, and the message with it, for
/// another one who must still manage the person everywhere. All sessions of the person end, because
/// somebody may be signed in on the lost device.
pub async fn reset<S: Sql>(
    db: &S,
    user: &User,
    changer: &UserId,
    (link, mail): (&EnrolmentLink, &QueuedMail),
    by: &AuditContext,
) -> Result<(), WriteError<RoleError, S::Error>> {
    sessions::lock_managed(db, user, changer).await?;
    if users::by_id(db, &user.id).await?.is_none_or(|now| now.is_managed()) {
        return Err(WriteError::Rejected(RoleRefusal::DecidedByProvider.into()));
    }
    let ended = sessions::delete_all(db, user).await?;
    credentials::add_link(db, link, Some(mail), by).await?;
    Ok(audit::append_all(db, by, &ended).await?)
}
