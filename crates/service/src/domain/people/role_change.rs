//! Who may change whose role.

use super::{Membership, Permission, Role};
use crate::domain::{AccountId, UserId};

/// Who changes a role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoleChanger {
    /// The command line, which may change every role.
    CommandLine,
    /// A person in the dashboard.
    Person(UserId),
}

/// Why a role stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
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
    /// The person is in another account, whose people the changer may not manage. An invitation would let its holder
    /// enrol as that person, and so use the other account.
    #[error("the person is in another account; `tua user invite` can add them")]
    InAnotherAccount,
    /// The person came by the claims of a sign-in provider, which sets the roles at each sign-in.
    #[error("the sign-in provider decides the roles of this person")]
    DecidedByProvider,
}

/// A change of a role, with what it is decided by. All of it is read in the transaction that makes the change.
#[derive(Clone, Copy, Debug)]
pub struct RoleChange<'a> {
    /// The account.
    pub account: &'a AccountId,
    /// Its people.
    pub members: &'a [Membership],
    /// The accounts of the person whose role changes; none if the person is new.
    pub of_person: &'a [Membership],
    /// The new role; `None` removes the person.
    pub role: Option<Role>,
    /// The accounts of the person who makes the change; `None` for the command line.
    pub of_changer: Option<&'a [Membership]>,
}

impl RoleChange<'_> {
    /// The role that the person has now.
    ///
    /// # Errors
    /// [`RoleRefusal`].
    pub fn check(&self) -> Result<Option<Role>, RoleRefusal> {
        let now = self.of_person.iter().find(|one| one.account == *self.account).map(|one| one.role);
        if self.role.is_none() && now.is_none() {
            return Err(RoleRefusal::NotMember);
        }
        let is_owner_concerned = now == Some(Role::Owner) || self.role == Some(Role::Owner);
        let needed = if is_owner_concerned { Permission::ManageOwners } else { Permission::ManagePeople };
        if !self.changer_may(self.account, needed) {
            return Err(RoleRefusal::NotPermitted);
        }
        let is_managed = self.of_person.iter().any(|one| one.user.is_managed());
        if is_managed && self.of_changer.is_some() {
            return Err(RoleRefusal::DecidedByProvider);
        }
        let loses_owner = now == Some(Role::Owner) && self.role != Some(Role::Owner);
        if loses_owner && !is_managed && self.local_owners() == 1 {
            return Err(RoleRefusal::LastOwner);
        }
        if self.role.is_some() && !self.is_person_theirs(now) {
            return Err(RoleRefusal::InAnotherAccount);
        }
        Ok(now)
    }

    fn changer_may(&self, account: &AccountId, permission: Permission) -> bool {
        self.of_changer
            .is_none_or(|memberships| memberships.iter().any(|one| one.account == *account && one.role.may(permission)))
    }

    /// The owners whom no sign-in provider can take the role from.
    fn local_owners(&self) -> usize {
        self.members.iter().filter(|one| one.role == Role::Owner && !one.user.is_managed()).count()
    }

    /// Whether the person is in no account whose people the changer may not manage. A member who has enrolled gets no
    /// link, so other accounts do not matter.
    fn is_person_theirs(&self, now: Option<Role>) -> bool {
        let is_enrolled_member = now.is_some() && self.of_person.iter().all(|one| one.user.is_enrolled);
        is_enrolled_member || self.of_person.iter().all(|one| self.changer_may(&one.account, Permission::ManagePeople))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::people::{ProviderUse, User};
    use jiff::Timestamp;

    fn membership(email: &str, account: &AccountId, role: Role, is_enrolled: bool) -> Membership {
        let (id, email) = (UserId::new(email), email.parse().unwrap());
        let (created_at, provider) = (Timestamp::UNIX_EPOCH, ProviderUse::None);
        let user = User {
            id,
            email,
            name: None,
            created_at,
            is_enrolled,
            has_password: is_enrolled,
            has_passkey: false,
            provider,
            language: None,
        };
        Membership { user, account: account.clone(), role }
    }

    /// What becomes of a change of Esi's role by Kofi, who has this role in the account.
    fn change(kofi: Option<Role>, esi: &[(&AccountId, Role, bool)], role: Option<Role>) -> Result<(), RoleRefusal> {
        let account = &AccountId::new("acc_1");
        let of_changer = kofi.map(|role| vec![membership("kofi@example.com", account, role, true)]);
        let of_person: Vec<_> = esi.iter().map(|(a, r, e)| membership("esi@example.com", a, *r, *e)).collect();
        let own = of_person.iter().filter(|one| one.account == *account);
        let members: Vec<_> = own.chain(of_changer.iter().flatten()).cloned().collect();
        let of_changer = of_changer.as_deref();
        RoleChange { account, members: &members, of_person: &of_person, role, of_changer }.check().map(drop)
    }

    #[test]
    fn only_owners_change_owners_and_the_last_one_stays() {
        let here = &AccountId::new("acc_1");
        assert_eq!(change(Some(Role::Admin), &[], Some(Role::Viewer)), Ok(()));
        assert_eq!(change(Some(Role::Admin), &[], Some(Role::Owner)), Err(RoleRefusal::NotPermitted));
        assert_eq!(change(Some(Role::Admin), &[(here, Role::Owner, true)], None), Err(RoleRefusal::NotPermitted));
        assert_eq!(change(Some(Role::Finance), &[], Some(Role::Viewer)), Err(RoleRefusal::NotPermitted));
        assert_eq!(change(Some(Role::Owner), &[(here, Role::Owner, true)], None), Ok(()));
        assert_eq!(change(None, &[(here, Role::Owner, true)], Some(Role::Admin)), Err(RoleRefusal::LastOwner));
        assert_eq!(change(None, &[], None), Err(RoleRefusal::NotMember));
    }

    #[test]
    fn a_provider_decides_the_roles_of_those_who_came_by_it_and_the_last_local_owner_stays() {
        let account = &AccountId::new("acc_1");
        let kofi = membership("kofi@example.com", account, Role::Owner, true);
        let mut ama = membership("ama@example.com", account, Role::Owner, true);
        ama.user.provider = ProviderUse::Roles;
        let members = [kofi.clone(), ama.clone()];
        let of_person = |one: &Membership| vec![one.clone()];
        let check = |person: &Membership, changer: Option<&Membership>| {
            let of_changer = changer.map(of_person);
            let of_person = of_person(person);
            let (of_person, of_changer) = (of_person.as_slice(), of_changer.as_deref());
            RoleChange { account, members: &members, of_person, role: None, of_changer }.check().map(drop)
        };
        assert_eq!(check(&ama, Some(&kofi)), Err(RoleRefusal::DecidedByProvider));
        assert_eq!(check(&kofi, Some(&ama)), Err(RoleRefusal::LastOwner));
        assert_eq!(check(&ama, None), Ok(()), "the command line may");
    }

    #[test]
    fn a_person_of_another_account_is_not_invited_by_a_person() {
        let (here, there) = (&AccountId::new("acc_1"), &AccountId::new("acc_2"));
        let (owner, viewer) = (Some(Role::Owner), Some(Role::Viewer));
        for is_enrolled in [false, true] {
            let elsewhere = [(there, Role::Owner, is_enrolled)];
            assert_eq!(change(owner, &elsewhere, viewer), Err(RoleRefusal::InAnotherAccount));
            assert_eq!(change(None, &elsewhere, viewer), Ok(()), "the command line may");
        }
        let both = |is_enrolled| [(here, Role::Viewer, is_enrolled), (there, Role::Owner, is_enrolled)];
        assert_eq!(change(owner, &both(false), viewer), Err(RoleRefusal::InAnotherAccount));
        assert_eq!(change(owner, &both(true), Some(Role::Finance)), Ok(()));
        assert_eq!(change(owner, &both(false), None), Ok(()));
    }
}
