//! `tua privacy`: prints and erases what is held about a person (docs/operations.md, "Personal
//! data").

use reqwest::Method;
use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_domain::{
    TransactionId,
    ports::EraseError,
    privacy::{DIGESTS, EraseRefused, PLACES, Person, RETENTION_LIVE, Retention, STAFF},
};
use tua_test_support::{
    ApiClient, TestApp,
    binary::{RunningService, account, json, refused, run, tua},
    test_database,
};

const NUMBER: &str = "0241234567";
const OTHER: &str = "0241234568";
const EMAIL: &str = "ama.mensah@example.com";

/// Whether any file of the folder, or any row on a server, has this text.
fn is_anywhere(folder: &Path, text: &str) -> bool {
    if let Some(rows) = test_database::rows_as_text(folder) {
        return rows.contains(text);
    }
    fs::read_dir(folder).unwrap().any(|file| {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

/// Waits for the outcome of a payment by long polls, within the rate limits.
async fn outcome(shop: &ApiClient, id: &str) {
    let path = format!("/v1/status/{id}");
    let read = async || shop.send(Method::GET, &path, &[("prefer", "wait=10")], None).await;
    while read().await.is(200).json()["status"] == "PENDING" {}
}

/// A shop where one person has paid in many ways, and another one once.
async fn shop_with_payments(serving: &RunningService, key: &str) -> Vec<String> {
    let shop = serving.actor(key);
    let mut ids = Vec::new();
    for number in 0..40 {
        let body = json!({
            "amount": 1.5,
            "phoneNumber": NUMBER,
            "network": "MTN",
            "reference": format!("order {number} of {NUMBER}"),
            "payerMessage": format!("Ama Mensah +233241234567 {}", "x".repeat(number * 3)),
            "payeeNote": "from Ama Mensah",
        });
        ids.push(shop.post("/v1/charge", &body).await.is(202).id());
    }
    let payout =
        json!({ "amount": 2, "phoneNumber": NUMBER, "network": "MTN", "payeeNote": "for Ama" });
    ids.push(shop.post("/v1/payout", &payout).await.is(202).id());
    let mention = json!({
        "amount": 3,
        "phoneNumber": OTHER,
        "network": "MTN",
        "payeeNote": format!("for {NUMBER}"),
    });
    ids.push(shop.post("/v1/charge", &mention).await.is(202).id());
    for id in &ids {
        outcome(&shop, id).await;
    }
    let session = json!({ "amount": 4, "email": EMAIL, "metadata": { "customer": "Ama Mensah" } });
    let link = json!({ "title": format!("Invoice for {NUMBER}"), "metadata": { "for": NUMBER } });
    shop.post("/v1/links", &link).await.is(201);
    let opened = shop.post("/v1/checkout", &session).await.is(201).json();
    let payer: ApiClient = serving.actor(opened["checkoutToken"].as_str().unwrap());
    let paid = payer
        .post("/v1/charge", &json!({ "phoneNumber": NUMBER, "network": "MTN" }))
        .await
        .is(202)
        .id();
    outcome(&shop, &paid).await;
    ids.push(paid);
    ids
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_number_is_nowhere_and_the_amounts_stay() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (id, _, key) = account(path);
    let url = "http://127.0.0.1:9/hooks";
    json(path, &["webhook", "add", "--account", &id, "--mode", "test", "--url", url]);
    let serving = RunningService::start(path, |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let ids = shop_with_payments(&serving, &key).await;
    assert!(
        is_anywhere(path, NUMBER) && is_anywhere(path, EMAIL) && is_anywhere(path, "Ama Mensah")
    );
    // An exchange with an operator, whose text the redaction cannot know.
    let insert = format!(
        "INSERT INTO operator_exchanges (id, transaction_id, operator, at, method, path, \
         duration_ms, request)
         VALUES ('exchange-1', '{}', 'mtn', 4102444800000, 'POST', '/', 0, 'payerMessage: Ama \
         Mensah')",
        ids[0]
    );
    assert_eq!(test_database::execute(path, &insert), 1);
    // What a merchant's server wrote about a webhook, whose event another node with a clock an hour
    // behind wrote.
    let created_ms = u64::from_str_radix(&ids[1][4..16], 16).unwrap();
    let respond = format!(
        "UPDATE webhook_deliveries
         SET response = 'no order of Ama Mensah {NUMBER}', id = 'whd_{:012x}{}'
         WHERE id = (SELECT min(id) FROM webhook_deliveries WHERE subject = '{}')",
        created_ms - 3_600_000,
        &ids[1][16..],
        ids[1]
    );
    assert_eq!(test_database::execute(path, &respond), 1);
    let totals = "SELECT CAST(sum(amount) * 1000 + count(*) AS BIGINT) FROM transactions";
    let before = test_database::query_number(path, totals);

    let exported = json(path, &["privacy", "export", "--phone", "+233 24 123 4567"]);
    assert_eq!(exported["transactions"].as_array().unwrap().len(), ids.len());
    assert_eq!(
        (&exported["checkouts"][0]["email"], exported["counters"].as_array().unwrap().len()),
        (&json!(EMAIL), 2)
    );
    // The session can still be paid.
    let said = refused(tua(path).args(["privacy", "erase", "--phone", NUMBER]));
    assert!(said.contains("must be kept until"), "{said}");
    assert!(is_anywhere(path, NUMBER), "nothing is erased by halves");
    test_database::execute(path, "UPDATE checkouts SET expires_at = 1");

    let erased = json(path, &["privacy", "erase", "--phone", NUMBER, "--as", "Esi"]);
    assert_eq!((&erased["transactions"], &erased["checkouts"]), (&json!(ids.len()), &json!(1)));
    assert_eq!((&erased["links"], exported["links"].as_array().unwrap().len()), (&json!(1), 1));
    for text in [NUMBER, "241234567", EMAIL, "Ama Mensah", "for Ama"] {
        assert!(!is_anywhere(path, text), "{text} is still there");
    }
    assert_eq!(test_database::query_number(path, totals), before);
    let shop = serving.actor(&key);
    let status = shop.status(&ids[0]).await;
    assert_eq!(
        (&status["phoneNumber"], &status["reference"]),
        (&json!("0000000000"), &json!("order 0 of erased"))
    );
    assert_eq!(
        (&status["status"], &status["amount"], &status["payerMessage"]),
        (&json!("SUCCESSFUL"), &json!(1.5), &Value::Null)
    );
    let mention = shop.status(&ids[41]).await;
    assert_eq!((&mention["phoneNumber"], &mention["payeeNote"]), (&json!(OTHER), &Value::Null));
    let entry = json(path, &["audit", "list"]).as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&entry["action"], &entry["after"]["transactions"]),
        (&json!("privacy.erased"), &json!(ids.len()))
    );
    assert!(
        entry["actor"].as_str().unwrap().starts_with("Esi (")
            && !entry.to_string().contains("241234567")
    );
    assert!(run(path, &["audit", "verify"]).status.success());
    let nothing = json(path, &["privacy", "export", "--phone", NUMBER]);
    assert_eq!(nothing["transactions"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_is_erased_in_any_script_with_any_separators_and_is_in_no_idempotency_key() {
    const SPELLINGS: [&str; 7] = [
        "\u{660}\u{662}\u{664}\u{661}\u{662}\u{663}\u{664}\u{665}\u{666}\u{667}",
        "０２４１２３４５６７",
        "024_123_4567",
        "024/123/4567",
        "02 412 34 567",
        "+233 (0) 24 123 4567",
        "0241234567",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |command| {
        command.args(["--sandbox-speed", "100"]);
    });
    let shop = serving.actor(&key);
    let mut ids = Vec::new();
    for (number, spelling) in SPELLINGS.iter().enumerate() {
        for phone in [NUMBER, OTHER] {
            let reference = format!("order {number} of {spelling}");
            let body = json!({
                "amount": 1.5, "phoneNumber": phone, "network": "MTN", "reference": reference,
                "payeeNote": format!("for {spelling}"),
            });
            // A key is ASCII.
            let written = if spelling.is_ascii() { spelling } else { NUMBER };
            let key = format!("pay {phone} {number} {written}");
            let body = body.to_string();
            let key = [("idempotency-key", key.as_str())];
            let send = async || {
                shop.send(Method::POST, "/v1/charge", &key, Some(&body)).await.is(202).id()
            };
            let id = send().await;
            assert_eq!(send().await, id, "the key is recognised");
            ids.push(id);
        }
        let link = json!({
            "title": format!("For {spelling}"),
            "amount": 1,
            "metadata": { "of": spelling },
        });
        shop.post("/v1/links", &link).await.is(201);
    }
    for id in &ids {
        outcome(&shop, id).await;
    }
    for keys in test_database::query_texts(path, "SELECT key FROM attempts") {
        assert!(!keys.contains("241234567") && !keys.contains("pay"), "{keys}");
    }
    assert!(SPELLINGS.iter().all(|spelling| is_anywhere(path, spelling)));

    let erased = json(path, &["privacy", "erase", "--phone", NUMBER]);
    assert_eq!(
        (&erased["transactions"], &erased["links"]),
        (&json!(ids.len()), &json!(SPELLINGS.len())),
        "{erased}"
    );
    for spelling in SPELLINGS {
        assert!(!is_anywhere(path, spelling), "{spelling} is still there");
    }
    let others = shop.status(&ids[1]).await;
    assert_eq!(
        (&others["phoneNumber"], &others["reference"]),
        (&json!(OTHER), &json!("order 0 of erased"))
    );
    let nothing = json(path, &["privacy", "export", "--phone", NUMBER]);
    assert_eq!((&nothing["transactions"], &nothing["links"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn what_is_pending_or_must_be_kept_is_not_erased() {
    let app = TestApp::with_stopped_clock(|operators| operators).await;
    let shop = app.shop().await;
    let body = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    let pending = shop.post("/v1/payout", &body).await.is(202).id();
    let failed = app.payer(&shop).await.charge("0241230006", "MTN").await.is(202).id();
    let erase = async |person: Person| {
        app.running().store.erase_person(&person, RETENTION_LIVE, &app.audit()).await
    };
    let phone = |number: &str| Person::Phone(tua_contract::Phone::parse(number).unwrap());
    let refused = erase(phone("0241230007")).await;
    assert!(
        matches!(refused, Err(EraseError::Refused(EraseRefused::Pending(id))) if id == pending)
    );
    app.advance(1800);
    erase(phone("0241230006")).await.unwrap();

    // The same payment in live mode.
    let folder = app.folder.path();
    test_database::execute(folder, "UPDATE transactions SET mode = 'live', phone = '0241230006'");
    test_database::execute(
        folder,
        "UPDATE transactions SET status = 'FAILED', failure = 'unspecified', next_action = 'NONE'",
    );
    let stored =
        app.running().store.transaction(&TransactionId::new(&failed)).await.unwrap().unwrap();
    match erase(phone("0241230006")).await {
        Err(EraseError::Refused(EraseRefused::Retained { until, .. })) => {
            assert!(until >= RETENTION_LIVE.end(stored.updated_at), "{until}");
        }
        other => panic!("{other:?}"),
    }
    let now = app
        .running()
        .store
        .erase_person(&phone("0241230006"), Retention::Days(0), &app.audit())
        .await;
    assert_eq!(now.unwrap().transactions, 2);
}

#[test]
fn every_column_is_known_to_hold_personal_data_or_none() {
    /// Columns that hold no personal data. A new column must be added here, or to
    /// `domain::privacy`.
    const WITHOUT: &str = include_str!("columns_without_personal_data.txt");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    json(path, &["migrate"]);
    let sql = if test_database::is_sqlite() {
        "SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
         WHERE m.type = 'table'"
    } else {
        "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE \
         table_schema = current_schema()"
    };
    let known = |column: &str| {
        WITHOUT.lines().any(|line| line == column)
            || PLACES.iter().any(|place| format!("{}.{}", place.table, place.column) == column)
            || [DIGESTS, STAFF]
                .concat()
                .iter()
                .any(|(table, digest)| format!("{table}.{digest}") == column)
    };
    let unknown: Vec<String> =
        test_database::query_texts(path, sql).into_iter().filter(|column| !known(column)).collect();
    assert!(unknown.is_empty(), "does it hold personal data? {unknown:#?}");
}

#[test]
fn the_command_takes_exactly_one_person() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    account(path);
    for arguments in [
        &["privacy", "erase"][..],
        &["privacy", "erase", "--phone", NUMBER, "--email", EMAIL],
        &["privacy", "erase", "--phone", "024123456"],
        &["privacy", "export", "--email", "ama"],
        &["privacy", "erase", "--phone", NUMBER, "--retention-live", "soon"],
    ] {
        let said = refused(tua(path).args(arguments));
        for typed in ["24123456", EMAIL, "\"ama\""] {
            assert!(!said.contains(typed), "{said}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_found_in_any_case_of_any_alphabet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let (_, _, key) = account(path);
    let serving = RunningService::start(path, |_| {});
    let shop = serving.actor(&key);
    for (number, email) in
        ["Élodie@Example.com", "ÉLODIE@example.com", "elodie@example.com"].iter().enumerate()
    {
        let session =
            json!({ "amount": 4, "email": email, "reference": format!("order {number}") });
        shop.post("/v1/checkout", &session).await.is(201);
    }
    drop(serving);
    let exported = json(path, &["privacy", "export", "--email", "élodie@example.com"]);
    let mut references: Vec<&str> = exported["checkouts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["reference"].as_str().unwrap())
        .collect();
    references.sort_unstable();
    assert_eq!(references, ["order 0", "order 1"]);
}
