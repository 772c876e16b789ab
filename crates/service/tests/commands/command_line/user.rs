//! `tua user`: invitations of people whom other accounts have invited.

use tua_domain::{
    AccountId,
    people::{OtherAccess, Role, RoleChanger},
};
use tua_test_support::{
    TestApp,
    binary::{account, json, not_found, refused, run, tua},
    test_database,
};
use tua_use_cases::Inviter;

const CFO: &str = "cfo@example.com";

/// Whether the person of the only membership of this account is that of the other one.
fn is_same_person(folder: &std::path::Path, accounts: [&str; 2]) -> bool {
    let of =
        |account: &str| json(folder, &["user", "list", "--account", account])[0]["userId"].clone();
    of(accounts[0]) == of(accounts[1])
}

#[tokio::test(flavor = "multi_thread")]
async fn who_enrolled_through_other_accounts_is_named_and_joins_only_with_a_flag() {
    let app = TestApp::start().await;
    let here = app.account("Adom Stores").await;
    let there = app.account("Other shop").await;
    // An owner of the other shop invites the address in the dashboard, and enrols it.
    app.browser_of(&there, Role::Owner).await;
    let owner = app.running().store.members(&there).await.unwrap().remove(0).user.id;
    let inviter = Inviter {
        changer: RoleChanger::Person(owner),
        other_access: OtherAccess::Undecided,
        language: None,
    };
    let by = tua_domain::audit::AuditContext {
        actor: "owner@example.com (127.0.0.1)".to_owned(),
        source: tua_domain::audit::Source::Dashboard,
        ..app.audit()
    };
    let invite = app
        .running()
        .enrolments
        .invite(&CFO.parse().unwrap(), &there, Role::Finance, &inviter, &by)
        .await;
    assert!(invite.unwrap().is_some());
    let folder = app.folder.path();
    let enrol = format!("UPDATE users SET password = 'x' WHERE email = '{CFO}'");
    assert_eq!(test_database::execute(folder, &enrol), 1);
    let arguments = ["user", "invite", CFO, "--account", here.as_str(), "--role", "owner"];
    let fault = refused(tua(folder).args(arguments));
    for part in [
        there.as_str(),
        "Other shop",
        "as finance",
        "owner@example.com",
        "--enrolled-elsewhere",
        "--apart",
    ] {
        assert!(fault.contains(part), "{part}: {fault}");
    }
    assert!(app.running().store.members(&here).await.unwrap().is_empty(), "nothing was changed");
    let invite = |flag| json(folder, &[&arguments[..], &[flag]].concat());
    let apart = invite("--apart");
    assert!(apart["link"].as_str().is_some_and(|link| link.contains("/enrol/")), "{apart}");
    assert!(!is_same_person(folder, [here.as_str(), there.as_str()]));
    // Two people have the address now.
    let several = refused(tua(folder).args(["user", "reset", CFO]));
    assert!(several.contains("--account") && several.contains(here.as_str()), "{several}");
    let reset = json(folder, &["user", "reset", CFO, "--account", here.as_str()]);
    assert!(reset["link"].is_string(), "{reset}");

    let third: AccountId = app.account("Third shop").await;
    let joined = json(
        folder,
        &[
            "user",
            "invite",
            CFO,
            "--account",
            third.as_str(),
            "--role",
            "viewer",
            "--enrolled-elsewhere",
        ],
    );
    assert!(joined["link"].is_null(), "{joined}");
    assert!(is_same_person(folder, [third.as_str(), there.as_str()]));
    // A member is no case of other accounts.
    let again =
        json(folder, &["user", "invite", CFO, "--account", third.as_str(), "--role", "finance"]);
    assert!(again["link"].is_null(), "{again}");
}

#[test]
fn who_was_invited_by_commands_alone_is_one_person_with_one_link() {
    let folder = tempfile::tempdir().unwrap();
    let (first, ..) = account(folder.path());
    let (second, ..) = account(folder.path());
    for account in [&first, &second] {
        let invited =
            json(folder.path(), &["user", "invite", CFO, "--account", account, "--role", "viewer"]);
        assert!(invited["link"].is_string(), "{invited}");
    }
    assert!(is_same_person(folder.path(), [&first, &second]));
    let both = [
        "user",
        "invite",
        CFO,
        "--account",
        &first,
        "--role",
        "viewer",
        "--apart",
        "--enrolled-elsewhere",
    ];
    assert_eq!(run(folder.path(), &both).status.code(), Some(2));
}

#[test]
fn no_two_people_have_addresses_that_look_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (account, ..) = account(path);
    let invite = |email: &str| {
        let arguments =
            ["user", "invite", email, "--account", &account, "--role", "viewer", "--json"];
        run(path, &arguments).status.success()
    };
    for unseen in [
        '\u{3164}',
        '\u{ffa0}',
        '\u{115f}',
        '\u{1160}',
        '\u{2800}',
        '\u{17b4}',
        '\u{206a}',
        '\u{e0001}',
    ] {
        assert!(!invite(&format!("am{unseen}a@example.com")), "{:x}", u32::from(unseen));
        assert!(!invite(&format!("ama@exam{unseen}ple.com")), "{:x}", u32::from(unseen));
    }
    for email in [
        "ama@bücher.example",
        "ama@xn--bcher-kva.example",
        "ama@bu\u{308}cher.example",
        "AMA@BÜCHER.example",
        "ama@ｂücher.example",
    ] {
        assert!(invite(email), "{email}");
    }
    let people = json(path, &["user", "list", "--account", &account]);
    assert_eq!(people.as_array().unwrap().len(), 1, "{people}");
    assert_eq!(people[0]["email"], "ama@xn--bcher-kva.example");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_or_an_operator_that_does_not_exist_has_its_exit_code() {
    let app = TestApp::start().await;
    let account = app.account("Adom Stores").await;
    let folder = app.folder.path();
    let remove = ["user", "remove", CFO, "--account", account.as_str()];
    let fault = not_found(tua(folder).args(remove));
    assert!(fault.contains("no person with this address is in the account"), "{fault}");
    for verb in ["show", "check", "balance"] {
        let fault = not_found(tua(folder).args(["operator", verb, "mtn"]));
        assert!(fault.contains("neither the settings nor the dashboard have it"), "{fault}");
    }
}
