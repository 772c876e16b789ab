//! Who may change whose role, and who the person with an address is.
//!
//! An address alone proves nothing: the person who invites gets a link with which somebody enrols,
//! and chooses the address. So a person joins another account with the same access only where the
//! one who invites may manage the people of every account that the access opens, or if the operator
//! of the service does it on the command line. Otherwise the new member is a separate user with the
//! same address and other credentials, and neither account shows the other.

use super::{Membership, Permission, Role, User};
use crate::{AccountId, UserId};

/// Who changes a role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoleChanger {
    /// The command line, which may change every role.
    CommandLine,
    /// A person in the dashboard.
    Person(UserId),
}

/// What becomes of an access that the person with the address has through other accounts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherAccess {
    /// Not decided: if the person has enrolled through another account, the change is refused.
    Undecided,
    /// It gets the role too: the person who has enrolled there can use it.
    Join,
    /// It stays as it is, and a person apart gets the role.
    Apart,
}

/// Who gets a role, or loses it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoleTarget {
    /// A member of the account, who has this role now.
    Member(User, Role),
    /// A member of the account who has not enrolled, and whose link would open accounts that the
    /// changer may not manage. The membership moves to a person apart.
    Split(User, Role),
    /// The person of other accounts.
    Join(User),
    /// A person who is added.
    New,
}

/// Why a role stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RoleRefusal {
    /// The person is the account's only owner.
    #[error("the last owner of an account keeps the role; make somebody else an owner first")]
    LastOwner,
    /// The person is not in the account.
    #[error("no person with this address is in the account")]
    NotMember,
    /// The changer may not give or take this role.
    #[error("only an owner may add, change or remove owners")]
    NotPermitted,
    /// Somebody has enrolled with this address through other accounts only: those of these
    /// memberships. It need not be the person who is meant.
    #[error("somebody has enrolled with this address through other accounts")]
    EnrolledElsewhere(Vec<Membership>),
    /// The person came by the claims of a sign-in provider, which sets the roles at each sign-in.
    #[error("the sign-in provider decides the roles of this person")]
    DecidedByProvider,
}

/// A change of a role, with what it is decided by. All of it is read in the transaction that makes
/// the change.
#[derive(Clone, Copy, Debug)]
pub struct RoleChange<'a> {
    /// The account in which the role changes.
    pub account: &'a AccountId,
    /// Every membership of the account, before the change.
    pub members: &'a [Membership],
    /// The memberships of everybody with the address, in all accounts, by person.
    pub of_address: &'a [Membership],
    /// The new role; `None` removes the person.
    pub role: Option<Role>,
    /// The accounts of the person who makes the change; `None` for the command line.
    pub of_changer: Option<&'a [Membership]>,
    /// What becomes of an access through other accounts.
    pub other_access: OtherAccess,
}

impl RoleChange<'_> {
    /// Who gets the role, or loses it.
    ///
    /// # Errors
    /// [`RoleRefusal`].
    pub fn check(&self) -> Result<RoleTarget, RoleRefusal> {
        let member = self.of_address.iter().find(|one| one.account == *self.account);
        let now = member.map(|one| one.role);
        if self.role.is_none() && now.is_none() {
            return Err(RoleRefusal::NotMember);
        }
        let is_owner_concerned = now == Some(Role::Owner) || self.role == Some(Role::Owner);
        if !self.changer_may(self.account, managing(is_owner_concerned)) {
            return Err(RoleRefusal::NotPermitted);
        }
        let is_managed = member.is_some_and(|one| one.user.is_managed());
        if is_managed && self.of_changer.is_some() {
            return Err(RoleRefusal::DecidedByProvider);
        }
        let loses_owner = now == Some(Role::Owner) && self.role != Some(Role::Owner);
        if loses_owner && !is_managed && self.local_owners() == 1 {
            return Err(RoleRefusal::LastOwner);
        }
        match member {
            Some(member) if self.role.is_some() && self.must_split(&member.user) => {
                Ok(RoleTarget::Split(member.user.clone(), member.role))
            }
            Some(member) => Ok(RoleTarget::Member(member.user.clone(), member.role)),
            None => self.find_elsewhere(),
        }
    }

    fn changer_may(&self, account: &AccountId, permission: Permission) -> bool {
        self.of_changer.is_none_or(|memberships| may(memberships, account, permission))
    }

    /// The owners whom no sign-in provider can take the role from.
    fn local_owners(&self) -> usize {
        self.members.iter().filter(|one| one.role == Role::Owner && !one.user.is_managed()).count()
    }

    fn of(&self, user: &User) -> impl Iterator<Item = &Membership> {
        self.of_address.iter().filter(|one| one.user.id == user.id)
    }

    /// Whether the changer may manage this person in every account: as an owner where the person is
    /// one.
    fn manages(&self, user: &User) -> bool {
        self.of_changer.is_none_or(|changer| manages_everywhere(changer, self.of(user)))
    }

    /// Who has enrolled gets no link, so their other accounts do not matter.
    fn must_split(&self, member: &User) -> bool {
        !member.is_enrolled && !self.manages(member)
    }

    /// The person of other accounts who gets the role in this one too.
    fn find_elsewhere(&self) -> Result<RoleTarget, RoleRefusal> {
        if self.other_access == OtherAccess::Apart {
            return Ok(RoleTarget::New);
        }
        let mut people: Vec<&User> = self.of_address.iter().map(|one| &one.user).collect();
        people.dedup_by(|one, other| one.id == other.id);
        let enrolled =
            people.iter().copied().filter(|user| user.is_enrolled && self.may_join(user));
        let enrolled: Vec<&User> = enrolled.collect();
        match (enrolled.as_slice(), self.other_access) {
            ([], _) => {}
            ([only], OtherAccess::Join) => return Ok(RoleTarget::Join((*only).clone())),
            _ => {
                let theirs = self
                    .of_address
                    .iter()
                    .filter(|one| enrolled.iter().any(|user| user.id == one.user.id));
                return Err(RoleRefusal::EnrolledElsewhere(theirs.cloned().collect()));
            }
        }
        let waiting = people.into_iter().find(|user| !user.is_enrolled && self.may_join(user));
        Ok(waiting.map_or(RoleTarget::New, |user| RoleTarget::Join(user.clone())))
    }

    /// Whether this person of other accounts can be meant. A person whom other accounts have
    /// invited, and who has not enrolled, is anybody to whom they give their link.
    fn may_join(&self, user: &User) -> bool {
        match self.of_changer {
            Some(_) => !user.is_managed() && self.manages(user),
            None => user.is_enrolled || self.of(user).all(|one| one.given_by.is_none()),
        }
    }
}

/// Whether `changer` may end the sessions of another person. They are for all accounts of the
/// person, so the changer must manage the person in each of them. Whose last role was taken is
/// nobody's to manage.
#[must_use]
pub fn may_sign_out(changer: &UserId, of_changer: &[Membership], of_person: &[Membership]) -> bool {
    let is_another = of_person.iter().all(|one| one.user.id != *changer);
    is_another && !of_person.is_empty() && manages_everywhere(of_changer, of_person)
}

/// Whether somebody with these memberships may manage a person with those in every account: as an
/// owner where the person is one.
fn manages_everywhere<'a>(
    of_changer: &[Membership],
    of_person: impl IntoIterator<Item = &'a Membership>,
) -> bool {
    let mut memberships = of_person.into_iter();
    memberships.all(|one| may(of_changer, &one.account, managing(one.role == Role::Owner)))
}

fn may(memberships: &[Membership], account: &AccountId, permission: Permission) -> bool {
    memberships.iter().any(|one| one.account == *account && one.role.may(permission))
}

const fn managing(is_owner: bool) -> Permission {
    if is_owner { Permission::ManageOwners } else { Permission::ManagePeople }
}

#[cfg(test)]
mod tests;
