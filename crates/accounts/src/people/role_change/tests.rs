//! Who may give and take roles, and whom an address joins.

use super::*;
use crate::people::ProviderUse;
use jiff::Timestamp;

fn membership(id: &str, account: &AccountId, role: Role, is_enrolled: bool) -> Membership {
    let user = User {
        id: UserId::new(id),
        email: format!("{id}@example.com").parse().unwrap(),
        name: None,
        created_at: Timestamp::UNIX_EPOCH,
        is_enrolled,
        has_password: is_enrolled,
        has_passkey: false,
        provider: ProviderUse::None,
        language: None,
    };
    Membership {
        user,
        account: account.clone(),
        role,
        given_by: Some("ama@example.com".to_owned()),
    }
}

fn accounts() -> [AccountId; 2] {
    ["acc_1", "acc_2"].map(AccountId::new)
}

/// Who gets a role in the first account. Kofi has these roles in the two accounts, or it is the
/// command line.
fn target(
    kofi: Option<[Option<Role>; 2]>,
    of_address: &[Membership],
    role: Option<Role>,
    other_access: OtherAccess,
) -> Result<RoleTarget, RoleRefusal> {
    let [account, elsewhere] = &accounts();
    let of_changer = kofi.map(|roles| {
        let pairs = roles.into_iter().zip([account, elsewhere]);
        pairs
            .filter_map(|(role, account)| Some(membership("kofi", account, role?, true)))
            .collect::<Vec<_>>()
    });
    let own = of_address.iter().filter(|one| one.account == *account);
    let members: Vec<_> = own.chain(of_changer.iter().flatten()).cloned().collect();
    let of_changer = of_changer.as_deref();
    RoleChange { account, members: &members, of_address, role, of_changer, other_access }.check()
}

#[test]
fn only_owners_change_owners_and_the_last_one_stays() {
    let [here, _] = &accounts();
    let change = |kofi: Option<Role>, esi: Option<Role>, role| {
        let esi: Vec<_> = esi.map(|role| membership("esi", here, role, true)).into_iter().collect();
        target(kofi.map(|role| [Some(role), None]), &esi, role, OtherAccess::Undecided).map(drop)
    };
    assert_eq!(change(Some(Role::Admin), None, Some(Role::Viewer)), Ok(()));
    assert_eq!(change(Some(Role::Admin), None, Some(Role::Owner)), Err(RoleRefusal::NotPermitted));
    assert_eq!(change(Some(Role::Admin), Some(Role::Owner), None), Err(RoleRefusal::NotPermitted));
    assert_eq!(
        change(Some(Role::Finance), None, Some(Role::Viewer)),
        Err(RoleRefusal::NotPermitted)
    );
    assert_eq!(change(Some(Role::Owner), Some(Role::Owner), None), Ok(()));
    assert_eq!(change(None, Some(Role::Owner), Some(Role::Admin)), Err(RoleRefusal::LastOwner));
    assert_eq!(change(None, None, None), Err(RoleRefusal::NotMember));
}

#[test]
fn a_provider_decides_the_roles_of_those_who_came_by_it_and_the_last_local_owner_stays() {
    let [account, _] = &accounts();
    let kofi = membership("kofi", account, Role::Owner, true);
    let mut ama = membership("ama", account, Role::Owner, true);
    ama.user.provider = ProviderUse::Roles;
    let members = [kofi.clone(), ama.clone()];
    let check = |person: &Membership, changer: Option<&Membership>| {
        let of_changer = changer.map(|one| vec![one.clone()]);
        let of_address = [person.clone()];
        let of_changer = of_changer.as_deref();
        let other_access = OtherAccess::Undecided;
        let change = RoleChange {
            account,
            members: &members,
            of_address: &of_address,
            role: None,
            of_changer,
            other_access,
        };
        change.check().map(drop)
    };
    assert_eq!(check(&ama, Some(&kofi)), Err(RoleRefusal::DecidedByProvider));
    assert_eq!(check(&kofi, Some(&ama)), Err(RoleRefusal::LastOwner));
    assert_eq!(check(&ama, None), Ok(()), "the command line may");
}

#[test]
fn a_link_opens_no_account_whose_people_or_owners_the_inviter_may_not_manage() {
    let [here, there] = &accounts();
    let owner = Role::Owner;
    let admin = Role::Admin;
    let viewer = Role::Viewer;
    // The inviter's roles in both accounts, the person's role in the other one, and whether it
    // is the same person.
    for (inviter, there_as, is_joined) in [
        ([Some(owner), None], viewer, false),
        ([Some(admin), Some(admin)], viewer, true),
        ([Some(admin), Some(admin)], owner, false),
        ([Some(owner), Some(admin)], owner, false),
        ([Some(admin), Some(owner)], owner, true),
        ([Some(owner), Some(Role::Developer)], viewer, false),
    ] {
        let elsewhere = membership("esi", there, there_as, false);
        let case = format!("{inviter:?} {there_as:?}");
        let invited = |of_address: &[Membership]| {
            target(Some(inviter), of_address, Some(viewer), OtherAccess::Undecided).unwrap()
        };
        let user = elsewhere.user.clone();
        let joined = if is_joined { RoleTarget::Join(user.clone()) } else { RoleTarget::New };
        assert_eq!(invited(std::slice::from_ref(&elsewhere)), joined, "{case}");
        let member = if is_joined { RoleTarget::Member } else { RoleTarget::Split };
        let both = [membership("esi", here, viewer, false), elsewhere];
        assert_eq!(invited(&both), member(user, viewer), "{case}");
    }
    // Who has enrolled gets no link.
    let both = [membership("esi", here, viewer, true), membership("esi", there, owner, true)];
    let changed =
        target(Some([Some(owner), None]), &both, Some(Role::Finance), OtherAccess::Undecided);
    assert_eq!(changed, Ok(RoleTarget::Member(both[0].user.clone(), viewer)));
}

#[test]
fn who_enrolled_elsewhere_is_joined_only_by_a_decision_of_who_may_know_it() {
    let [_, there] = &accounts();
    let elsewhere = [membership("esi", there, Role::Finance, true)];
    let user = elsewhere[0].user.clone();
    let role = Some(Role::Admin);
    let refused = Err(RoleRefusal::EnrolledElsewhere(elsewhere.to_vec()));
    for inviter in [None, Some([Some(Role::Owner), Some(Role::Owner)])] {
        let target = |other_access| target(inviter, &elsewhere, role, other_access);
        assert_eq!(target(OtherAccess::Undecided), refused);
        assert_eq!(target(OtherAccess::Join), Ok(RoleTarget::Join(user.clone())));
        assert_eq!(target(OtherAccess::Apart), Ok(RoleTarget::New));
    }
    for other_access in [OtherAccess::Undecided, OtherAccess::Join] {
        let stranger = target(Some([Some(Role::Owner), None]), &elsewhere, role, other_access);
        assert_eq!(stranger, Ok(RoleTarget::New), "the other account stays unknown");
    }
    let two = [elsewhere[0].clone(), membership("esi2", there, Role::Finance, true)];
    let both = target(None, &two, role, OtherAccess::Join);
    assert_eq!(
        both,
        Err(RoleRefusal::EnrolledElsewhere(two.to_vec())),
        "which of them is not clear"
    );
}

#[test]
fn the_command_line_joins_who_was_invited_by_it_alone() {
    let [_, there] = &accounts();
    let invited = |given_by: Option<&str>| {
        let given_by = given_by.map(str::to_owned);
        let waiting = Membership { given_by, ..membership("esi", there, Role::Viewer, false) };
        target(None, std::slice::from_ref(&waiting), Some(Role::Owner), OtherAccess::Undecided)
            .map(|one| (one, waiting.user))
    };
    let (target, user) = invited(None).unwrap();
    assert_eq!(target, RoleTarget::Join(user));
    assert_eq!(invited(Some("kofi@example.com")).unwrap().0, RoleTarget::New);
}

#[test]
fn a_person_is_managed_everywhere_only_by_those_who_may_in_each_account() {
    let [here, elsewhere] = &accounts();
    let of = |roles: [Option<Role>; 2]| {
        let pairs = roles.into_iter().zip([here, elsewhere]);
        let memberships =
            pairs.filter_map(|(role, account)| Some(membership("ama", account, role?, true)));
        memberships.collect::<Vec<_>>()
    };
    let viewer = Some(Role::Viewer);
    let admin = Some(Role::Admin);
    let owner = Some(Role::Owner);
    for (changer, person, expected) in [
        ([admin, None], [viewer, None], true),
        ([admin, None], [owner, None], false),
        ([owner, None], [owner, None], true),
        ([viewer, None], [viewer, None], false),
        ([owner, None], [viewer, viewer], false),
        ([owner, admin], [viewer, viewer], true),
        ([owner, admin], [viewer, owner], false),
    ] {
        let found = manages_everywhere(&of(changer), &of(person));
        assert_eq!(found, expected, "{changer:?} and {person:?}");
    }
    let ama = of([owner, None]);
    assert!(!may_sign_out(&ama[0].user.id, &ama, &ama), "not oneself");
    assert!(may_sign_out(&UserId::mint(), &ama, &ama));
    assert!(!may_sign_out(&UserId::mint(), &ama, &[]), "nobody manages who has no role");
}
