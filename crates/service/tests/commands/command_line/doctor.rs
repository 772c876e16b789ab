//! `tua doctor`: findings about settings, database and network, with what to do.

use serde_json::{Value, json};
use std::{fs, net::TcpListener, os::unix::fs::PermissionsExt, path::Path, process::Command};
use tua_test_support::{
    binary::{RunningService, account, json, refused, run, tua},
    test_database,
};

/// The report of `tua doctor`, and whether it has errors.
pub(super) struct Visit {
    pub(super) checks: Vec<Value>,
    faults: bool,
}

impl Visit {
    #[track_caller]
    pub(super) fn of(command: &mut Command) -> Self {
        let output = command.arg("--json").output().unwrap();
        let said: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let checks = said["checks"].as_array().unwrap().clone();
        let faults = checks.iter().filter(|check| check["severity"] == "fault").count();
        assert_eq!(
            (said["faults"].as_u64(), output.status.code()),
            (Some(faults as u64), Some(i32::from(faults > 0)))
        );
        for check in &checks {
            assert_eq!(check["remedy"].is_string(), check["severity"] != "ok", "{check}");
        }
        Self { checks, faults: faults > 0 }
    }

    /// Asserts the status of a check, and that its text contains all of these.
    #[track_caller]
    pub(super) fn assert_check(&self, check: &str, severity: &str, parts: &[&str]) {
        let found = self.checks.iter().find(|one| one["check"] == check);
        let found = found.unwrap_or_else(|| panic!("{check} is not in {:?}", self.checks));
        let text = found.to_string();
        assert!(
            found["severity"] == severity && parts.iter().all(|part| text.contains(part)),
            "{text}: {parts:?}"
        );
    }
}

pub(super) fn doctor(folder: &Path, arguments: &[&str]) -> Visit {
    Visit::of(tua(folder).arg("doctor").args(arguments))
}

#[test]
fn a_healthy_running_service_has_no_findings() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let serving = RunningService::start(folder.path(), |_| {});
    let visit = doctor(folder.path(), &["--public-url", &serving.origin]);
    assert!(!visit.faults, "{:?}", visit.checks);
    for check in [
        "configuration",
        "server key",
        "database",
        "service",
        "transactions",
        "test operator",
        "reachable",
    ] {
        visit.assert_check(check, "ok", &[]);
    }
    visit.assert_check("service", "ok", &["runs on this database"]);
    visit.assert_check("clock", "ok", &["the same as the public URL's"]);
    if test_database::is_sqlite() {
        visit.assert_check("disk", "ok", &["MiB free"]);
    }
    visit.assert_check("callbacks", "warning", &["only this machine"]);

    let people = run(folder.path(), &["doctor", "--public-url", &serving.origin]);
    let text = String::from_utf8(people.stdout).unwrap();
    assert!(people.status.success() && text.lines().count() <= 24, "{text}");
    assert!(
        text.lines().any(|line| line.starts_with("ok       database"))
            && text.contains("faults: 0"),
        "{text}"
    );
}

#[test]
fn before_the_first_start_doctor_creates_nothing_and_has_no_findings() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let visit = doctor(folder.path(), &["--listen", "127.0.0.1:0"]);
    assert!(!visit.faults, "{:?}", visit.checks);
    visit.assert_check("listen", "ok", &["free"]);
    visit.assert_check("database", "warning", &["does not exist", "--database"]);
    visit.assert_check("reachable", "warning", &["127.0.0.1:0/healthz", "start the service"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "doctor changes nothing");
}

#[test]
fn an_address_in_use_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    for setting in ["listen", "metrics-listen"] {
        let flag = format!("--{setting}");
        doctor(folder.path(), &[&flag, &address]).assert_check(
            setting,
            "fault",
            &[&address, &flag],
        );
    }
}

#[test]
fn an_unreadable_certificate_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let visit = doctor(folder.path(), &["--tls-cert", "absent.pem", "--tls-key", "absent.key"]);
    visit.assert_check("tls", "fault", &["absent.pem"]);
    visit.assert_check("configuration", "ok", &["https://127.0.0.1:8080"]);
}

#[test]
fn with_live_each_network_without_an_operator_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let (id, ..) = account(folder.path());
    assert!(
        !doctor(folder.path(), &[]).checks.iter().any(|check| check["check"] == "live operator")
    );
    json(
        folder.path(),
        &["key", "create", "--account", &id, "--mode", "live", "--generation", "v2"],
    );
    let visit = doctor(folder.path(), &[]);
    visit.assert_check("live operator", "warning", &["MTN", "1 live keys", "503"]);
    visit.assert_check("live keys", "fault", &[&id, "1 live keys", "tua key revoke"]);
    doctor(folder.path(), &["--limits", "off"]).assert_check(
        "limits",
        "fault",
        &["live keys", "--limits"],
    );
    let visit = doctor(folder.path(), &["--live", "--listen", "127.0.0.1:0"]);
    let faults = visit
        .checks
        .iter()
        .filter(|check| check["check"] == "live operator" && check["severity"] == "fault");
    assert_eq!(faults.count(), 3);
    visit.assert_check("callbacks", "fault", &["only this machine", "--public-url"]);
    visit.assert_check("reachable", "fault", &[]);
}

#[test]
fn a_live_key_of_an_account_that_no_operator_serves_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let ((served, ..), (other, ..)) = (account(folder.path()), account(folder.path()));
    let routes = format!(
        "[operators.paystack]\nconnector = \"paystack\"\nmode = \"live\"\n\
         environment = \"production\"\n\
         merchant = \"adom\"\naccounts = [\"{served}\"]\nsecret-key = \"sk_live_1\"\n\
         email-fallback = \"shop@adom.example\"\n[routes.live]\nMTN = [\"paystack\"]\n"
    );
    fs::write(folder.path().join("tua.toml"), routes).unwrap();
    let live_key = |id: &str| {
        json(folder.path(), &["key", "create", "--account", id, "--mode", "live"])["keyId"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let is_found = || {
        let visit = doctor(folder.path(), &["--config", "tua.toml"]);
        visit.checks.iter().any(|check| check["check"] == "live keys").then_some(visit)
    };
    live_key(&served);
    assert!(is_found().is_none(), "MTN is routed to an operator that serves it");
    let key = live_key(&other);
    is_found().unwrap().assert_check("live keys", "fault", &[&other, "revoke"]);
    json(folder.path(), &["key", "revoke", &key]);
    assert!(is_found().is_none(), "a revoked key needs no operator");
}

#[test]
fn a_damaged_newer_or_foreign_database_is_a_finding() {
    if test_database::skip_on_postgres("it is about files") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let path = folder.path().join("tua.db");
    let database = rusqlite::Connection::open(&path).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    doctor(folder.path(), &[]).assert_check("database", "fault", &["newer version", "99 of"]);
    database.pragma_update(None, "user_version", 0).unwrap();
    doctor(folder.path(), &[]).assert_check("database", "warning", &["older version", "0 of"]);
    drop(database);
    fs::write(&path, "hunter2".repeat(1000)).unwrap();
    doctor(folder.path(), &[]).assert_check(
        "database",
        "fault",
        &["not an SQLite database", "backup"],
    );
    let nowhere = doctor(folder.path(), &["--database", "sqlite://nowhere/tua.db"]);
    nowhere.assert_check("disk", "fault", &["nowhere"]);
}

#[test]
fn a_missing_or_world_readable_server_key_is_a_finding() {
    if test_database::skip_on_postgres("the key is in no file") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    drop(RunningService::start(folder.path(), |_| {}));
    let path = folder.path().join("tua.db.key");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    doctor(folder.path(), &[]).assert_check(
        "server key",
        "fault",
        &["mode 640", "chmod 600 tua.db.key"],
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&path, "hunter2").unwrap();
    let visit = doctor(folder.path(), &[]);
    visit.assert_check("server key", "fault", &["tua.db.key"]);
    assert!(!format!("{:?}", visit.checks).contains("hunter2"));
    fs::remove_file(&path).unwrap();
    doctor(folder.path(), &[]).assert_check("server key", "fault", &["missing", "copy"]);
}

#[tokio::test]
async fn flagged_transactions_and_risky_settings_are_findings() {
    use tua_domain::{
        TransactionId,
        ports::{Clock, NextStatusQuery},
    };
    use tua_metrics::StoreMetrics;
    use tua_system::clock::SystemClock;
    let folder = tempfile::tempdir().unwrap();
    let serving = RunningService::start(folder.path(), |_| {});
    let (.., key) = account(folder.path());
    let payment = json!({ "amount": 1, "phoneNumber": "0241230007", "network": "MTN" });
    let id = serving.actor(&key).post("/v1/charge", &payment).await.is(202).id();
    let store =
        test_database::database(folder.path()).open(StoreMetrics::default()).await.unwrap().store;
    let flagged = NextStatusQuery { at: None, is_flagged: true };
    store
        .schedule_status_query(&TransactionId::new(&id), 30, flagged, SystemClock.now())
        .await
        .unwrap();
    serving.actor(&key).post("/v1/charge", &payment).await.is(202);
    let risky = ["--limits", "off", "--sandbox-phone", "--public-url", "http://192.0.2.1:9"];
    let visit = doctor(folder.path(), &risky);
    visit.assert_check(
        "transactions",
        "warning",
        &["2 pending, 1 of them flagged", "tua review settle"],
    );
    visit.assert_check("limits", "warning", &["off"]);
    visit.assert_check("sandbox phone", "warning", &["--sandbox-phone"]);
    visit.assert_check("callbacks", "warning", &["unencrypted", "https"]);
    visit.assert_check("reachable", "fault", &["192.0.2.1"]);
}

#[test]
fn an_invalid_flag_or_file_is_one_line_with_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tua.toml"), "limits = \"some\"\n").unwrap();
    for arguments in [
        &["--listne"][..],
        &["--limits", "some"],
        &["--config", "tua.toml"],
        &["--database", "mysql://x"],
    ] {
        refused(tua(folder.path()).arg("doctor").args(arguments));
    }
}
