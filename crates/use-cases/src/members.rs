//! The people of accounts: who has which role in which account, and how that changes.

use super::account_read_error::{AccountReadError, require_account};
use std::{collections::BTreeSet, sync::Arc};
use tua_domain::{
    AccountId, Mode, Scope, UserId,
    audit::AuditContext,
    people::{
        LinkDelivery, MemberAccess, Membership, Role, RoleChanger, StaffEmail, User, may_sign_out,
    },
    ports::{Accounts, MailOutbox, PayoutApprovals, People, RoleError, StoreError},
};

/// Reads and changes the roles of people in accounts.
#[derive(Clone, Debug)]
pub struct Members {
    /// Where people and their roles in accounts are stored.
    pub people: Arc<dyn People>,
    /// Has the accounts and their names.
    pub accounts: Arc<dyn Accounts>,
    /// Has the limits that decide whether payouts need a second person.
    pub payout_approvals: Arc<dyn PayoutApprovals>,
    /// Whether the service sends e-mail.
    pub mail_outbox: Arc<dyn MailOutbox>,
}

/// The person with an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PersonOfAddress {
    /// Exactly one person has it.
    One(User),
    /// No person has it.
    Nobody,
    /// Several people have it. These are the accounts of all who have it.
    Several(Vec<AccountId>),
}

impl Members {
    /// The people of an account, by address.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn of_account(&self, account: &AccountId) -> Result<Vec<Membership>, StoreError> {
        self.people.members(account).await
    }

    /// The last sign-ins of the people of an account, and until when their links work.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn access(&self, account: &AccountId) -> Result<Vec<MemberAccess>, StoreError> {
        self.people.member_access(account).await
    }

    /// Whether `changer` may end the sessions of a member. They are for all accounts of the person,
    /// so the changer must manage the person in each of them.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn may_sign_out(
        &self,
        member: &Membership,
        changer: &UserId,
    ) -> Result<bool, StoreError> {
        let of_changer = self.people.memberships(changer).await?;
        let of_person = self.people.memberships(&member.user.id).await?;
        Ok(may_sign_out(changer, &of_changer, &of_person))
    }

    /// Ends every session of a member, which is audited. The person can sign in again. Returns how
    /// many there were.
    ///
    /// # Errors
    /// A refusal where [`Self::may_sign_out`] is false, and those of the store.
    pub async fn sign_out(
        &self,
        member: &Membership,
        changer: &UserId,
        by: &AuditContext,
    ) -> Result<u64, RoleError> {
        self.people.sign_out(&member.user, changer, by).await
    }

    /// The people of an account, or of all accounts, oldest account first.
    ///
    /// # Errors
    /// [`AccountReadError`].
    pub async fn list(
        &self,
        account: Option<&AccountId>,
    ) -> Result<Vec<Membership>, AccountReadError> {
        require_account(self.accounts.as_ref(), account).await?;
        let accounts = match account {
            Some(account) => vec![account.clone()],
            None => self.accounts.accounts().await?.into_iter().map(|one| one.id).collect(),
        };
        let mut members = Vec::new();
        for account in accounts {
            members.extend(self.people.members(&account).await?);
        }
        Ok(members)
    }

    /// The member of an account with this id of a person; `None` if the account has none.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find(
        &self,
        account: &AccountId,
        user: &str,
    ) -> Result<Option<Membership>, StoreError> {
        let members = self.people.members(account).await?;
        Ok(members.into_iter().find(|one| one.user.id.as_str() == user))
    }

    /// The person with this address. Where an account is named, only its people count.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn find_by_address(
        &self,
        email: &StaffEmail,
        account: Option<&str>,
    ) -> Result<PersonOfAddress, StoreError> {
        let found = self.people.memberships_of_address(email).await?;
        let is_wanted =
            |one: &&Membership| account.is_none_or(|account| one.account.as_str() == account);
        let mut people: Vec<&User> = found.iter().filter(is_wanted).map(|one| &one.user).collect();
        people.dedup_by(|one, other| one.id == other.id);
        Ok(match people.as_slice() {
            [] => PersonOfAddress::Nobody,
            [only] => PersonOfAddress::One((*only).clone()),
            _ => PersonOfAddress::Several(found.into_iter().map(|one| one.account).collect()),
        })
    }

    /// The first person with this address.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn first_of_address(&self, email: &StaffEmail) -> Result<Option<User>, StoreError> {
        self.people.user_by_email(email).await
    }

    /// The name of an account in which somebody is a member; `None` if there is no such account.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn account_name(&self, account: &AccountId) -> Result<Option<String>, StoreError> {
        Ok(self.accounts.account(account).await?.map(|account| account.name))
    }

    /// Gives the person with this address a role in an account. Adds the person if the address is
    /// new.
    ///
    /// # Errors
    /// [`RoleError`].
    pub async fn set_role(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        role: Role,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<(), RoleError> {
        self.people.set_role(email, account, role, changer, by).await.map(drop)
    }

    /// Gives a member another role. Returns whether the link of the member's invitation has ended:
    /// with it, another person could enrol in the new role.
    ///
    /// # Errors
    /// [`RoleError`].
    pub async fn change_role(
        &self,
        member: &Membership,
        role: Role,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<bool, RoleError> {
        let email = &member.user.email;
        let user = self.people.set_role(email, &member.account, role, changer, by).await?;
        Ok(!user.is_enrolled && member.role != role)
    }

    /// Removes a person from an account. Who is in no account then is deleted.
    ///
    /// # Errors
    /// [`RoleError`].
    pub async fn remove(
        &self,
        email: &StaffEmail,
        account: &AccountId,
        changer: &RoleChanger,
        by: &AuditContext,
    ) -> Result<(), RoleError> {
        self.people.remove_member(email, account, changer, by).await
    }

    /// Whether who makes a link in an account for the person with this address sees it. A link that
    /// goes to the address alone is not shown, so that who makes it cannot enrol as the second
    /// person who approves, in this account or in another one of the person. Without a mail server
    /// in the settings file it is always shown: that of an account sends no links.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn is_link_shown(
        &self,
        account: &AccountId,
        email: &StaffEmail,
        delivery: LinkDelivery,
    ) -> Result<bool, StoreError> {
        if !self.mail_outbox.is_mail_on(None).await? {
            return Ok(true);
        }
        let memberships = self.people.memberships_of_address(email).await?;
        let accounts: BTreeSet<_> =
            memberships.into_iter().map(|one| one.account).chain([account.clone()]).collect();
        for account in accounts {
            for mode in Mode::ALL {
                let scope = Scope { account: account.clone(), mode: *mode };
                if self.payout_approvals.payout_controls(&scope).await?.needs_second_person() {
                    return Ok(delivery.is_shown(true));
                }
            }
        }
        Ok(delivery.is_shown(false))
    }
}
