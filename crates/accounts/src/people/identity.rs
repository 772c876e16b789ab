//! Identities: people as a sign-in provider names them (OpenID Connect Core 1.0), and the roles
//! that its claims give.

use super::{Membership, Role, StaffEmail};
use crate::{AccountId, IdentityId};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// How much the provider's clock may be behind ours.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_secs(30);

/// One person at one provider. Unlike an e-mail address, it is never given to another person
/// (OpenID Connect Core 1.0, section 5.7).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The provider's issuer URL, the `iss` claim of its ID tokens.
    pub issuer: String,
    /// The provider's identifier of the person.
    pub subject: String,
}

/// The claims of the provider about a person at a sign-in. Their signature was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdentityClaims {
    /// Issuer and subject of the ID token, which name the person at the provider.
    pub identity: Identity,
    /// The e-mail address, if the provider has verified it.
    pub email: Option<StaffEmail>,
    /// The `name` claim without control characters, cut to a limit; `None` if absent or empty.
    pub name: Option<String>,
    /// The groups that are mapped to roles.
    pub groups: Vec<String>,
    /// When the person last entered credentials at the provider; `None` if the claim is absent.
    pub authenticated_at: Option<Timestamp>,
}

impl IdentityClaims {
    /// Whether the person gave credentials to the provider after this time.
    #[must_use]
    pub fn is_authenticated_since(&self, begun_at: Timestamp) -> bool {
        self.authenticated_at.is_some_and(|at| at + CLOCK_SKEW >= begun_at)
    }
}

/// An identity that is linked to a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkedIdentity {
    /// The id of the link, which gives no access.
    pub id: IdentityId,
    /// The provider's issuer and its identifier of the person.
    pub identity: Identity,
    /// When it was linked.
    pub created_at: Timestamp,
    /// When it was last used for a sign-in.
    pub used_at: Option<Timestamp>,
}

/// A group of the provider, and the role that its members have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoleMapping {
    /// The value of the claim.
    pub group: String,
    /// The account in which the members of the group have the role.
    pub account: AccountId,
    /// The role in it.
    pub role: Role,
}

/// Why a provider signed nobody in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IdentityRefusal {
    /// The identity is linked to nobody, and no group of it has a role.
    #[error("the identity has no role")]
    NoRole,
    /// The identity is new, and the provider names no verified e-mail address.
    #[error("the provider names no verified e-mail address")]
    NoEmail,
    /// The identity is new, and its e-mail address is that of another person. An address alone
    /// links nobody.
    #[error("the e-mail address is that of a person whose access is not linked")]
    EmailTaken,
    /// The identity is another person's, the person has one already, or the session has ended.
    #[error("the identity cannot be linked to this person")]
    NotLinked,
    /// The link to enrol with has ended.
    #[error("the link to enrol with has ended")]
    LinkEnded,
    /// The claims do not prove that the person entered credentials just now.
    #[error("the provider did not ask for credentials")]
    NotFresh,
}

/// The role in each account. Where several groups have a role in one account, the first mapping
/// counts, because a person has one role in each account.
#[must_use]
pub fn mapped_roles(mappings: &[RoleMapping], groups: &[String]) -> BTreeMap<AccountId, Role> {
    let mut roles = BTreeMap::new();
    for mapping in mappings.iter().filter(|mapping| groups.contains(&mapping.group)) {
        roles.entry(mapping.account.clone()).or_insert(mapping.role);
    }
    roles
}

/// What must change so that a person has exactly these roles: account, role before, role after.
#[must_use]
pub fn role_changes(
    before: &[Membership],
    after: &BTreeMap<AccountId, Role>,
) -> Vec<(AccountId, Option<Role>, Option<Role>)> {
    let before: BTreeMap<_, _> = before.iter().map(|one| (one.account.clone(), one.role)).collect();
    let gone = before.iter().filter(|(account, _)| !after.contains_key(account));
    let gone = gone.map(|(account, role)| (account.clone(), Some(*role), None));
    let set = after
        .iter()
        .map(|(account, role)| (account.clone(), before.get(account).copied(), Some(*role)));
    gone.chain(set.filter(|(_, before, after)| before != after)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        UserId,
        people::{ProviderUse, User},
    };

    fn mapping(group: &str, account: &str, role: Role) -> RoleMapping {
        RoleMapping { group: group.to_owned(), account: AccountId::new(account), role }
    }

    #[test]
    fn the_first_mapping_of_an_account_counts() {
        let mappings = [
            mapping("heads", "acc_1", Role::Admin),
            mapping("staff", "acc_1", Role::Viewer),
            mapping("staff", "acc_2", Role::Support),
        ];
        let of = |groups: &[&str]| {
            let groups: Vec<String> = groups.iter().map(|&one| one.to_owned()).collect();
            mapped_roles(&mappings, &groups).into_values().collect::<Vec<_>>()
        };
        assert_eq!(of(&["staff", "heads"]), [Role::Admin, Role::Support]);
        assert_eq!(of(&["staff"]), [Role::Viewer, Role::Support]);
        assert_eq!(of(&["Staff", ""]), []);
    }

    #[test]
    fn roles_are_added_changed_and_removed() {
        let user = User {
            id: UserId::new("usr_1"),
            email: "ama@example.com".parse().unwrap(),
            name: None,
            created_at: Timestamp::UNIX_EPOCH,
            is_enrolled: true,
            has_password: false,
            has_passkey: false,
            provider: ProviderUse::Roles,
            language: None,
        };
        let before = [("acc_1", Role::Admin), ("acc_2", Role::Viewer), ("acc_3", Role::Viewer)]
            .map(|(account, role)| Membership {
                user: user.clone(),
                account: AccountId::new(account),
                role,
                given_by: None,
            });
        let after = [("acc_2", Role::Viewer), ("acc_3", Role::Finance), ("acc_4", Role::Support)];
        let after =
            after.map(|(account, role)| (AccountId::new(account), role)).into_iter().collect();
        let expected = [
            ("acc_1", Some(Role::Admin), None),
            ("acc_3", Some(Role::Viewer), Some(Role::Finance)),
            ("acc_4", None, Some(Role::Support)),
        ];
        assert_eq!(
            role_changes(&before, &after),
            expected.map(|(id, old, new)| (AccountId::new(id), old, new))
        );
    }

    #[test]
    fn only_credentials_that_were_given_after_the_question_are_fresh() {
        let begun_at = Timestamp::from_second(1_000).unwrap();
        let claims = |second: Option<i64>| IdentityClaims {
            identity: Identity { issuer: String::new(), subject: String::new() },
            email: None,
            name: None,
            groups: Vec::new(),
            authenticated_at: second.map(|second| Timestamp::from_second(second).unwrap()),
        };
        for (second, is_fresh) in
            [(None, false), (Some(969), false), (Some(970), true), (Some(1_001), true)]
        {
            assert_eq!(claims(second).is_authenticated_since(begun_at), is_fresh, "{second:?}");
        }
    }
}
