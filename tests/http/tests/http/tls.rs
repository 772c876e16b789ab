//! TLS of the service itself.

use rcgen::{CertificateParams, KeyPair, date_time_ymd, generate_simple_self_signed};
use reqwest::{Certificate, Client};
use std::{fs, path::Path, time::Duration};
use tokio::{io::AsyncReadExt, net::TcpStream, time::timeout};
use tua_domain::{Generation, Mode};
use tua_net::tls::TlsFiles;
use tua_system::clock::OffsetClock;
use tua_test_support::{
    ApiClient, TestApp,
    binary::{RunningService, account, refused, tua},
};

/// How often the service checks the files.
const LOOK: i64 = 10;

/// Writes a new certificate and its key.
fn write_certificate(files: &TlsFiles) -> Certificate {
    let made = generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    fs::write(&files.certificate, made.cert.pem()).unwrap();
    fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    Certificate::from_pem(made.cert.pem().as_bytes()).unwrap()
}

/// Writes a certificate whose validity is over, and its key.
fn write_expired_certificate(files: &TlsFiles) {
    let mut params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
    params.not_after = date_time_ymd(2020, 1, 1);
    let key = KeyPair::generate().unwrap();
    fs::write(&files.certificate, params.self_signed(&key).unwrap().pem()).unwrap();
    fs::write(&files.key, key.serialize_pem()).unwrap();
}

/// A new client that trusts only this certificate and resumes no TLS session.
fn client(trusted: &Certificate) -> Client {
    let builder =
        Client::builder().tls_certs_only([trusted.clone()]).timeout(Duration::from_secs(30));
    builder.build().unwrap()
}

fn files(folder: &Path) -> TlsFiles {
    TlsFiles { certificate: folder.join("tua.pem"), key: folder.join("tua.key") }
}

/// Files in a folder that is deleted with them.
struct HeldOrder {
    files: TlsFiles,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for HeldOrder {
    type Target = TlsFiles;

    fn deref(&self) -> &TlsFiles {
        &self.files
    }
}

/// A service with TLS and a stopped clock, its files, and its certificate.
async fn start(
    settings: impl FnOnce(&mut tua_config::Config),
) -> (TestApp, HeldOrder, Certificate) {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let certificate = write_certificate(&files);
    let with_tls = |config: &mut tua_config::Config| {
        config.tls = Some(files.clone());
        settings(config);
    };
    let app = TestApp::with_clock(OffsetClock::stopped(), with_tls, |operators| operators).await;
    (app, HeldOrder { files, _folder: folder }, certificate)
}

fn origin(app: &TestApp) -> String {
    format!("https://{}", app.running().local_addr())
}

async fn reaches(app: &TestApp, trusted: &Certificate) -> bool {
    client(trusted).get(format!("{}/healthz", origin(app))).send().await.is_ok()
}

/// Waits until the service has checked its files.
async fn wait_for_check(app: &TestApp) {
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(LOOK), 1).await;
    app.advance(LOOK.unsigned_abs());
    app.test_clock.wait_for_sleepers(app.test_clock.now_plus(LOOK), 1).await;
}

#[tokio::test]
async fn the_service_serves_tls_with_hsts() {
    let (app, _, certificate) = start(|_| {}).await;
    assert_eq!(app.running().public_url(), origin(&app));
    let live = app.merchant(Mode::Live, Generation::V2).await;
    let live = ApiClient { origin: origin(&app), http: client(&certificate), ..live };
    for path in ["/v1/transactions", "/v1/status/x", "/nowhere", "/healthz", "/pay"] {
        assert_eq!(
            live.get(path).await.header("strict-transport-security"),
            "max-age=31536000",
            "{path}"
        );
    }
    live.get("/v1/transactions").await.is(200);
}

#[tokio::test]
async fn plain_http_on_the_tls_port_is_told_to_use_https() {
    let (app, _, certificate) = start(|_| {}).await;
    let address = app.running().local_addr();
    let http = client(&certificate);
    for request in
        [http.get(format!("http://{address}/healthz")), http.post(format!("http://{address}/v1"))]
    {
        let answer = request.body("a".repeat(20_000)).send().await.unwrap();
        assert_eq!(answer.status(), 400);
        assert_eq!(answer.headers()["connection"], "close");
        let text = answer.text().await.unwrap();
        assert!(text.contains("Use an address that begins with https://"), "{text}");
    }
    assert!(reaches(&app, &certificate).await);
}

#[tokio::test]
async fn a_renewed_certificate_is_loaded_while_serving() {
    let (app, files, old) = start(|_| {}).await;
    let new = write_certificate(&files);
    assert!(reaches(&app, &old).await && !reaches(&app, &new).await);
    wait_for_check(&app).await;
    assert!(!reaches(&app, &old).await && reaches(&app, &new).await);
}

#[tokio::test]
async fn an_invalid_renewed_certificate_keeps_the_old_one() {
    let (app, files, old) = start(|_| {}).await;
    let good = fs::read(&files.certificate).unwrap();
    fs::write(&files.certificate, "nonsense").unwrap();
    wait_for_check(&app).await;
    assert!(reaches(&app, &old).await);
    fs::remove_file(&files.key).unwrap();
    wait_for_check(&app).await;
    assert!(reaches(&app, &old).await);
    // Half of a change: a new certificate with the old key.
    let new = write_certificate(&files);
    let certificate = fs::read(&files.certificate).unwrap();
    fs::write(&files.certificate, good).unwrap();
    wait_for_check(&app).await;
    assert!(reaches(&app, &old).await && !reaches(&app, &new).await);
    fs::write(&files.certificate, certificate).unwrap();
    wait_for_check(&app).await;
    assert!(reaches(&app, &new).await);
}

#[tokio::test]
async fn an_expired_certificate_is_a_fault_and_its_replacement_is_loaded_while_serving() {
    let (app, files, _) = start(|_| {}).await;
    write_expired_certificate(&files);
    wait_for_check(&app).await;
    let doctor = || {
        let mut command = tua(app.folder.path());
        command.arg("doctor").arg("--tls-cert").arg(&files.certificate);
        let output = command.arg("--tls-key").arg(&files.key).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let lines = doctor();
    let is_fault = |line: &str| line.starts_with("fault    tls") && line.contains("expired at");
    assert!(lines.lines().any(is_fault), "{lines}");
    let new = write_certificate(&files);
    assert!(!reaches(&app, &new).await, "the expired one is served");
    wait_for_check(&app).await;
    assert!(reaches(&app, &new).await);
    let lines = doctor();
    assert!(lines.lines().any(|line| line.starts_with("ok       tls")), "{lines}");
}

#[tokio::test]
async fn a_handshake_that_never_starts_times_out() {
    let (app, _, certificate) =
        start(|config| config.connection_limits.handshake_timeout = Duration::from_millis(150))
            .await;
    let mut silent = TcpStream::connect(app.running().local_addr()).await.unwrap();
    let mut read = Vec::new();
    let end = timeout(Duration::from_secs(9), silent.read_to_end(&mut read)).await;
    assert!(end.is_ok_and(|end| end.is_ok_and(|count| count == 0)));
    assert!(reaches(&app, &certificate).await);
}

#[tokio::test]
async fn shutdown_does_not_wait_for_handshakes() {
    let (mut app, _, _) = start(|_| {}).await;
    let silent = TcpStream::connect(app.running().local_addr()).await.unwrap();
    timeout(Duration::from_secs(9), app.running.take().unwrap().stop()).await.unwrap();
    drop(silent);
}

#[tokio::test]
async fn serve_accepts_tls_files() {
    let folder = tempfile::tempdir().unwrap();
    let files = files(folder.path());
    let certificate = write_certificate(&files);
    let (_, _, key) = account(folder.path());
    let serving = RunningService::start(folder.path(), |command| {
        command.arg("--tls-cert").arg(&files.certificate).env("TUA_TLS_KEY", &files.key);
    });
    assert!(serving.origin.starts_with("https://"), "{}", serving.origin);
    let actor = ApiClient { http: client(&certificate), ..serving.actor(&key) };
    actor.get("/v1/transactions").await.is(200);
    assert_eq!(serving.terminate(), Some(0));
}

#[test]
fn invalid_tls_files_are_named_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let one = files(folder.path());
    let other = TlsFiles {
        certificate: folder.path().join("other.pem"),
        key: folder.path().join("other.key"),
    };
    write_certificate(&one);
    write_certificate(&other);
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    let broken = folder.path().join("broken");
    fs::write(&broken, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    let absent = folder.path().join("absent");
    for (certificate, key, part) in [
        (&absent, &one.key, "tls-cert"),
        (&one.certificate, &absent, "tls-key"),
        (&empty, &one.key, "tls-cert"),
        (&broken, &one.key, "tls-cert"),
        (&one.key, &one.key, "tls-cert"),
        (&one.certificate, &empty, "tls-key"),
        (&one.certificate, &one.certificate, "tls-key"),
        (&one.certificate, &other.key, "tls-key"),
    ] {
        let mut command = tua(folder.path());
        command
            .args(["serve", "--listen", "127.0.0.1:0"])
            .arg("--tls-cert")
            .arg(certificate)
            .arg("--tls-key")
            .arg(key);
        let line = refused(&mut command);
        let wrong = if part == "tls-cert" { certificate } else { key };
        assert!(line.starts_with(&format!("tua: {part} {}: ", wrong.display())), "{line}");
        assert!(!line.contains("PRIVATE"), "{line}");
    }
    for (flag, missing) in [("--tls-cert", "--tls-key"), ("--tls-key", "--tls-cert")] {
        let line = refused(tua(folder.path()).args(["serve", flag, "tua.pem"]));
        assert!(line.contains(flag.trim_start_matches('-')) && line.contains(missing), "{line}");
    }
    assert!(!folder.path().join("tua.db").exists() && !folder.path().join("tua.db.lock").exists());
}
