//! E-mail over a real SMTP server: `tua mail test` and `tua doctor` (docs/reference/mail.md).

use serde_json::{Value, json};
use std::{fs, path::Path, process::Output};
use tua_test_support::{
    binary::{refused, tua},
    smtp_server::{Behaviour, CREDENTIALS, Encrypted, SmtpServer},
};

/// Writes the settings file, and runs a command with it.
fn with_mail(folder: &Path, url: &str, root: Option<&SmtpServer>, arguments: &[&str]) -> Output {
    let root = root
        .map(|server| format!("root = {:?}\n", server.root.to_str().unwrap()))
        .unwrap_or_default();
    let settings =
        format!("[mail]\nurl = {url:?}\nfrom = \"Adom Stores <pay@shop.example>\"\n{root}");
    fs::write(folder.join("tua.toml"), settings).unwrap();
    let output =
        tua(folder).args(arguments).args(["--config", "tua.toml", "--json"]).output().unwrap();
    let printed = [&output.stdout[..], &output.stderr].concat();
    assert!(!String::from_utf8(printed).unwrap().contains("hunter2"), "the password: {output:?}");
    output
}

const TEST: [&str; 3] = ["mail", "test", "ama@example.com"];

#[track_caller]
fn not_sent(output: &Output, is_refused: bool, part: &str) {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&printed["sent"], &printed["refused"]),
        (&json!(false), &json!(is_refused)),
        "{printed}"
    );
    let fault = printed["fault"].as_str().unwrap();
    assert!(fault.contains(part) && !fault.contains("ama@example.com"), "{fault}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_delivered_over_tls_and_over_starttls() {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, encrypted) in
        [("smtps", Encrypted::FromTheStart), ("smtp", Encrypted::AfterStartTls)]
    {
        let server = SmtpServer::start(encrypted, Behaviour::Accepts).await;
        let url = format!("{scheme}://{CREDENTIALS}@127.0.0.1:{}", server.port);
        let sent = with_mail(folder.path(), &url, Some(&server), &TEST);
        assert!(sent.status.success(), "{scheme}: {sent:?}");
        let received = server.received();
        assert_eq!(received.len(), 1);
        for part in [
            "From: \"Adom Stores\" <pay@shop.example>",
            "To: ama@example.com",
            "Subject: A test message of Tua",
            "Content-Type: multipart/alternative",
            "text/plain",
            "text/html",
        ] {
            assert!(received[0].contains(part), "{part}: {}", received[0]);
        }
        let wrong = url.replace("hunter2", "hunter3");
        not_sent(&with_mail(folder.path(), &wrong, Some(&server), &TEST), true, "535");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_for_good_is_told_apart_from_what_may_work_later() {
    let folder = tempfile::tempdir().unwrap();
    for (behaviour, is_refused, part) in [
        (Behaviour::Refuses, true, "the recipient is unknown here"),
        (Behaviour::Greylists, false, "try again later"),
        (Behaviour::Hangs, false, "not taken now"),
    ] {
        let server = SmtpServer::start(Encrypted::Never, behaviour).await;
        let url = format!("smtp://127.0.0.1:{}", server.port);
        not_sent(&with_mail(folder.path(), &url, None, &TEST), is_refused, part);
        assert!(server.received().is_empty());
    }
    not_sent(&with_mail(folder.path(), "smtp://127.0.0.1:1", None, &TEST), false, "refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_to_a_server_with_an_unknown_certificate() {
    let folder = tempfile::tempdir().unwrap();
    for (scheme, encrypted) in
        [("smtps", Encrypted::FromTheStart), ("smtp", Encrypted::AfterStartTls)]
    {
        let server = SmtpServer::start(encrypted, Behaviour::Accepts).await;
        let url = format!("{scheme}://{CREDENTIALS}@127.0.0.1:{}", server.port);
        not_sent(&with_mail(folder.path(), &url, None, &TEST), false, "certificate");
        assert!(server.received().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_connects_and_signs_in() {
    let folder = tempfile::tempdir().unwrap();
    let server = SmtpServer::start(Encrypted::FromTheStart, Behaviour::Accepts).await;
    let severity = |url: &str, root| {
        let output = with_mail(folder.path(), url, root, &["doctor"]);
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let check = report["checks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|check| check["check"] == "mail")
            .unwrap()
            .clone();
        check["severity"].as_str().unwrap().to_owned()
    };
    let url = format!("smtps://{CREDENTIALS}@127.0.0.1:{}", server.port);
    assert_eq!(severity(&url, Some(&server)), "ok");
    assert_eq!(severity(&url, None), "fault");
    assert!(server.received().is_empty());
}

#[test]
fn wrong_settings_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    assert!(refused(tua(folder.path()).args(TEST)).contains("mail: not configured"));
    fs::write(folder.path().join("tua.toml"), "[mail]\nurl = \"http://a:hunter2@b\"\n").unwrap();
    let line = refused(tua(folder.path()).args(TEST).args(["--config", "tua.toml"]));
    assert!(line.contains("mail.url: must be smtps://") && line.contains("mail.from"), "{line}");
    assert!(!line.contains("hunter2"));
    refused(tua(folder.path()).args(["mail", "test", "nobody"]));
}
