//! No secret is in the log, the database or a list (docs/reference/credentials.md,
//! docs/reference/errors.md).

use reqwest::Method;
use serde_json::json;
use std::{fs, os::unix::fs::PermissionsExt, path::Path};
use tua_test_support::{
    binary::{RunningService, account, json, run},
    test_database,
};

/// A code, an e-mail address and numbers that occur nowhere else.
const CODE: &str = "ZQ7XK91M";
const EMAIL: &str = "ama.confidential@example.com";
const PHONES: [&str; 3] = ["0209876001", "0249876543", "0279876012"];

const PREFIXES: [&str; 4] = ["sk_test_", "tua_test_v2_", "tua_live_v2_", "tua_checkout_"];

/// The secrets that must not be found, with their names.
struct Secrets(Vec<(&'static str, String)>);

impl Secrets {
    #[track_caller]
    fn assert_absent_from(&self, place: &str, bytes: &[u8]) {
        for (name, secret) in &self.0 {
            // The prefix is not secret.
            let prefix = PREFIXES
                .iter()
                .find(|prefix| secret.starts_with(**prefix))
                .map_or(0, |prefix| prefix.len());
            let secret = &secret[prefix..];
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{name} is in {place}");
        }
    }

    /// Without the values that a database must contain.
    fn only_credentials(self) -> Self {
        let personal = ["a phone number", "an e-mail address"];
        Self(self.0.into_iter().filter(|(name, _)| !personal.contains(name)).collect())
    }
}

/// Sends every kind of request, with mistakes, and returns the secrets that were sent.
async fn send_every_request(serving: &RunningService, folder: &Path) -> Secrets {
    let (id, v1, v2) = account(folder);
    let live =
        json(folder, &["key", "create", "--account", &id, "--mode", "live", "--generation", "v2"]);
    let live = live["key"].as_str().unwrap().to_owned();
    let shop = serving.actor(&v2);
    let old = serving.actor(&v1);
    let mut secrets = vec![
        ("a v1 key", v1),
        ("a v2 key", v2),
        ("a live key", live.clone()),
        ("a code", CODE.to_owned()),
    ];
    secrets.push(("an e-mail address", EMAIL.to_owned()));
    // Without the 0, so that the international form is found, too.
    secrets.extend(PHONES.map(|phone| ("a phone number", phone[1..].to_owned())));
    let server_key = test_database::server_key_text(folder);
    secrets.push(("the server key", server_key.trim().to_owned()));

    for (phone, network) in PHONES.into_iter().zip(["TELECEL", "MTN", "AIRTELTIGO"]) {
        let opened =
            shop.post("/v1/checkout", &json!({ "amount": 2, "email": EMAIL })).await.is(201);
        let token = opened.json()["checkoutToken"].as_str().unwrap().to_owned();
        let payer = serving.actor(&token);
        let key = [("idempotency-key", phone.get(..5).unwrap())];
        let body = json!({ "phoneNumber": phone, "network": network }).to_string();
        let id = payer.send(Method::POST, "/v1/charge", &key, Some(&body)).await.is(202).id();
        payer.charge(phone, network).await.is(409);
        payer.get("/v1/checkout").await.is(200);
        for actor in [&payer, &shop] {
            actor.get(&format!("/v1/status/{id}")).await.is(200);
            let code = json!({ "transactionId": id, "otp": CODE }).to_string();
            actor.send(Method::POST, "/v1/submit-otp", &key, Some(&code)).await;
        }
        let charge = json!({ "amount": 1, "phoneNumber": phone, "network": network });
        let mut payout = charge.clone();
        payout["email"] = EMAIL.into();
        old.post("/v1/payout", &payout).await.is(202);
        // Mistakes: secrets in the wrong places.
        payer.get(&format!("/pay?key={token}")).await.is(200);
        payer.get(&format!("/nowhere/{token}?key={token}")).await.is(404);
        payer.get(&format!("/v1/status/{token}")).await.is(404);
        payer
            .post("/v1/charge", &json!({ "phoneNumber": phone, phone: token, "network": token }))
            .await
            .is(422);
        payer
            .send(
                Method::POST,
                "/v1/charge",
                &[],
                Some(&format!("{{\"otp\": {CODE} {phone} {token}")),
            )
            .await
            .is(400);
        payer
            .post("/v1/submit-otp", &json!({ "transactionId": token, "otp": CODE, CODE: 1 }))
            .await
            .is(422);
        payer.send(Method::GET, "/v1/checkout", &[("x-api-key", &live)], None).await.is(401);
        serving
            .actor(&live)
            .send(Method::GET, "/v1/status/x", &[("origin", "https://x.example")], None)
            .await
            .is(403);
        serving.actor(&live).post("/v1/charge", &charge).await.is(503);
        let guessed = format!("{token}x");
        serving.actor(&guessed).get("/v1/checkout").await.is(401);
        secrets.push(("a token", token));
    }
    Secrets(secrets)
}

#[tokio::test]
async fn no_credential_code_address_or_full_number_is_logged() {
    for level in ["debug", "trace"] {
        let folder = tempfile::tempdir().unwrap();
        let serving = RunningService::start(folder.path(), |command| {
            command.env("TUA_LOG", level).env("TUA_SANDBOX_SPEED", "100");
        });
        let secrets = send_every_request(&serving, folder.path()).await;
        let log = serving.log();
        assert!(
            log.contains("transaction moved") && log.contains("001"),
            "there is no log to search: {log}"
        );
        secrets.assert_absent_from(&format!("the log of level {level}"), log.as_bytes());
    }
}

#[tokio::test]
async fn no_credential_or_code_is_in_the_database_or_a_listing() {
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let secrets = send_every_request(&serving, folder.path()).await.only_credentials();
    let mut searched = Vec::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name != "tua.db.key" {
            secrets.assert_absent_from(&name, &fs::read(&path).unwrap());
            searched.push(name);
        }
    }
    match test_database::rows_as_text(folder.path()) {
        Some(rows) => secrets.assert_absent_from("the tables", rows.as_bytes()),
        None => assert!(
            ["tua.db", "tua.db-wal"].iter().all(|name| searched.contains(&(*name).to_owned()))
        ),
    }
    for arguments in [&["key", "list"][..], &["key", "list", "--json"]] {
        let listed = run(folder.path(), arguments);
        assert!(listed.status.success() && !listed.stdout.is_empty());
        secrets.assert_absent_from("the listing", &listed.stdout);
    }
    assert_eq!(serving.terminate(), Some(0));
    if let Ok(file) = fs::read(folder.path().join("tua.db")) {
        secrets.assert_absent_from("tua.db after the end", &file);
    }
}

#[test]
fn only_the_owner_can_read_the_database_and_the_server_key() {
    if test_database::skip_on_postgres("they are in no file") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let _serving = RunningService::start(folder.path(), |_| {});
    account(folder.path());
    for name in ["tua.db", "tua.db-wal", "tua.db-shm", "tua.db.key"] {
        let mode = fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}
