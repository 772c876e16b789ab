//! Roles of people in accounts, and invitations.

use super::{audit, credentials, memberships, security_notices, users};
use crate::{audit_values, sql::Sql, write_error::WriteError};
use tua_domain::{
    AccountId, UserId,
    audit::{AuditChange, AuditContext},
    mail::{SecurityEvent, link_of},
    people::{
        Invitation, Invited, OtherAccess, Role, RoleChange, RoleChanger, RoleRefusal, RoleTarget,
        StaffEmail, User,
    },
    ports::RoleError,
};

/// Gives a person a role, who joins with the access of other accounts where there is one.
pub async fn set<S: Sql>(
    db: &S,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    changer: &RoleChanger,
    by: &AuditContext,
) -> Result<User, WriteError<RoleError, S::Error>> {
    let (user, changes) = give(db, email, account, role, (changer, OtherAccess::Join), by).await?;
    audit::append_all(db, by, &changes).await?;
    Ok(user)
}

/// Gives a person a role, and a link if they have not enrolled.
pub async fn invite<S: Sql>(
    db: &S,
    invitation: &Invitation,
    by: &AuditContext,
) -> Result<Invited, WriteError<RoleError, S::Error>> {
    let Invitation { email, account, role, changer, other_access, .. } = invitation;
    let (user, changes) = give(db, email, account, *role, (changer, *other_access), by).await?;
    audit::append_all(db, by, &changes).await?;
    let is_linked = !user.is_enrolled;
    if is_linked {
        let (link, mail) = link_of(invitation, &user, by.at);
        credentials::add_link(db, &link, Some(&mail), by).await?;
    }
    Ok(Invited { user, is_linked })
}

/// Returns the entries of the audit log too, which are appended last, because that locks the log.
async fn give<S: Sql>(
    db: &S,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    (changer, other_access): (&RoleChanger, OtherAccess),
    by: &AuditContext,
) -> Result<(User, Vec<AuditChange>), WriteError<RoleError, S::Error>> {
    let target = check(db, email, account, Some(role), (changer, other_access)).await?;
    let mut changes = Vec::new();
    let (user, before) = match target {
        RoleTarget::Member(user, before) if before == role => return Ok((user, changes)),
        RoleTarget::Member(user, before) => (user, Some(before)),
        RoleTarget::Split(user, before) => {
            memberships::delete(db, &user.id, account, by).await?;
            changes.push(audit_values::people::role_removed(&user, account, before));
            (users::add(db, &UserId::mint(), email, by).await?, None)
        }
        RoleTarget::Join(user) => (user, None),
        RoleTarget::New => (users::add(db, &UserId::mint(), email, by).await?, None),
    };
    if !user.is_enrolled {
        credentials::end_links(db, &user.id).await?;
    }
    memberships::insert(db, &user.id, account, role, given_by(changer, by), by).await?;
    security_notices::notify_of_role(db, SecurityEvent::RoleSet, &user, account, role, by).await?;
    changes.push(audit_values::people::role_set(&user, account, before, role));
    Ok((user, changes))
}

/// Who gives a role: a person of the dashboard.
fn given_by<'a>(changer: &RoleChanger, by: &'a AuditContext) -> Option<&'a str> {
    match changer {
        RoleChanger::CommandLine => None,
        RoleChanger::Person(_) => by.person(),
    }
}

async fn check<S: Sql>(
    db: &S,
    email: &StaffEmail,
    account: &AccountId,
    role: Option<Role>,
    (changer, other_access): (&RoleChanger, OtherAccess),
) -> Result<RoleTarget, WriteError<RoleError, S::Error>> {
    memberships::lock_people_of(db, account).await?;
    users::lock_address(db, email).await?;
    let of_address = memberships::of_address(db, email).await?;
    let of_changer = match changer {
        RoleChanger::CommandLine => None,
        RoleChanger::Person(id) => Some(memberships::of_user(db, id).await?),
    };
    let members = memberships::of_account(db, account).await?;
    let of_changer = of_changer.as_deref();
    let members = members.as_slice();
    let of_address = of_address.as_slice();
    RoleChange { account, members, of_address, role, of_changer, other_access }
        .check()
        .map_err(|refusal| WriteError::Rejected(refusal.into()))
}

/// Takes a person's role in an account away, and deletes a person who has no other.
pub async fn remove<S: Sql>(
    db: &S,
    email: &StaffEmail,
    account: &AccountId,
    changer: &RoleChanger,
    by: &AuditContext,
) -> Result<(), WriteError<RoleError, S::Error>> {
    let target = check(db, email, account, None, (changer, OtherAccess::Undecided)).await?;
    let RoleTarget::Member(person, role) = target else {
        return Err(WriteError::Rejected(RoleRefusal::NotMember.into()));
    };
    memberships::delete(db, &person.id, account, by).await?;
    security_notices::notify_of_role(db, SecurityEvent::RoleRemoved, &person, account, role, by)
        .await?;
    if memberships::of_user(db, &person.id).await?.is_empty() {
        users::delete(db, &person.id).await?;
    }
    audit::append(db, by, &audit_values::people::role_removed(&person, account, role)).await?;
    Ok(())
}
