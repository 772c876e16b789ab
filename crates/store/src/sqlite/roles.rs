//! Roles of people in accounts, and invitations.

use super::credentials;
use super::sql::ready;
use crate::audit_values;
use crate::queries::audit;
use crate::queries::security_notices;
use crate::queries::{memberships, users};
use rusqlite::{Connection, Result};
use tua_domain::{
    AccountId, UserId,
    audit::AuditContext,
    mail::SecurityEvent,
    people::{
        Invitation, Invited, OtherAccess, Role, RoleChange, RoleChanger, RoleRefusal, RoleTarget,
        StaffEmail, User,
    },
};

type Changed<T> = Result<std::result::Result<T, RoleRefusal>>;

/// Gives a person a role, who joins with the access of other accounts where there is one.
pub(super) fn set(
    db: &Connection,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    changer: &RoleChanger,
    by: &AuditContext,
) -> Changed<User> {
    give(db, email, account, role, (changer, OtherAccess::Join), by)
}

/// Gives a person a role, and a link if they have not enrolled.
pub(super) fn invite(
    db: &Connection,
    invitation: &Invitation,
    by: &AuditContext,
) -> Changed<Invited> {
    let Invitation { email, account, role, changer, other_access, .. } = invitation;
    let user = match give(db, email, account, *role, (changer, *other_access), by)? {
        Ok(user) => user,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let is_linked = !user.is_enrolled;
    if is_linked {
        let (link, mail) = invitation.link_of(&user, by.at);
        credentials::add_link(db, &link, Some(&mail), by)?;
    }
    Ok(Ok(Invited { user, is_linked }))
}

fn give(
    db: &Connection,
    email: &StaffEmail,
    account: &AccountId,
    role: Role,
    (changer, other_access): (&RoleChanger, OtherAccess),
    by: &AuditContext,
) -> Changed<User> {
    let target = match check(db, email, account, Some(role), (changer, other_access))? {
        Ok(target) => target,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (user, before) = match target {
        RoleTarget::Member(user, before) if before == role => return Ok(Ok(user)),
        RoleTarget::Member(user, before) => (user, Some(before)),
        RoleTarget::Split(user, before) => {
            ready(memberships::delete(db, &user.id, account, by))?;
            ready(audit::append(
                db,
                by,
                &audit_values::people::role_removed(&user, account, before),
            ))?;
            (ready(users::add(db, &UserId::mint(), email, by))?, None)
        }
        RoleTarget::Join(user) => (user, None),
        RoleTarget::New => (ready(users::add(db, &UserId::mint(), email, by))?, None),
    };
    if !user.is_enrolled {
        credentials::end_links(db, &user.id)?;
    }
    ready(memberships::insert(db, &user.id, account, role, given_by(changer, by), by))?;
    ready(audit::append(db, by, &audit_values::people::role_set(&user, account, before, role)))?;
    ready(security_notices::tell_role(db, SecurityEvent::RoleSet, &user, account, role, by))?;
    Ok(Ok(user))
}

/// Who gives a role: a person of the dashboard.
fn given_by<'a>(changer: &RoleChanger, by: &'a AuditContext) -> Option<&'a str> {
    match changer {
        RoleChanger::CommandLine => None,
        RoleChanger::Person(_) => by.person(),
    }
}

fn check(
    db: &Connection,
    email: &StaffEmail,
    account: &AccountId,
    role: Option<Role>,
    (changer, other_access): (&RoleChanger, OtherAccess),
) -> Changed<RoleTarget> {
    let of_address = ready(memberships::of_address(db, email))?;
    let of_changer = match changer {
        RoleChanger::CommandLine => None,
        RoleChanger::Person(id) => Some(ready(memberships::of_user(db, id))?),
    };
    let members = ready(memberships::of_account(db, account))?;
    let of_changer = of_changer.as_deref();
    let members = members.as_slice();
    let of_address = of_address.as_slice();
    Ok(RoleChange { account, members, of_address, role, of_changer, other_access }.check())
}

pub(super) fn remove(
    db: &Connection,
    email: &StaffEmail,
    account: &AccountId,
    changer: &RoleChanger,
    by: &AuditContext,
) -> Changed<()> {
    let (person, role) = match check(db, email, account, None, (changer, OtherAccess::Undecided))? {
        Ok(RoleTarget::Member(person, role)) => (person, role),
        Ok(_) => return Ok(Err(RoleRefusal::NotMember)),
        Err(refusal) => return Ok(Err(refusal)),
    };
    ready(memberships::delete(db, &person.id, account, by))?;
    ready(audit::append(db, by, &audit_values::people::role_removed(&person, account, role)))?;
    ready(security_notices::tell_role(db, SecurityEvent::RoleRemoved, &person, account, role, by))?;
    if ready(memberships::of_user(db, &person.id))?.is_empty() {
        ready(users::delete(db, &person.id))?;
    }
    Ok(Ok(()))
}
