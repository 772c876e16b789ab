//! What `tua doctor` finds on the network: programs on the address of the service, clocks, and the
//! servers of operators.

use super::doctor::{Visit, doctor};
use std::{
    fs,
    io::{Read, Write},
    net::TcpListener,
    path::Path,
};
use tua_test_support::binary::{RunningService, account, tua};

/// Another program on a port, which sends this response once.
fn other_program(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let _ = connection.read(&mut [0; 1024]);
        let _ = connection.write_all(answer.as_bytes());
    });
    format!("http://{address}")
}

#[test]
fn another_programs_response_and_a_wrong_clock_are_findings() {
    let folder = tempfile::tempdir().unwrap();
    let visit = |answer| doctor(folder.path(), &["--live", "--public-url", &other_program(answer)]);
    let page = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello";
    visit(page).assert_check("reachable", "fault", &["another program responds there"]);
    visit("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n").assert_check(
        "reachable",
        "fault",
        &["502"],
    );
    let moved = "HTTP/1.1 301 Moved\r\nlocation: /x\r\ncontent-length: 0\r\n\r\n";
    visit(moved).assert_check("reachable", "fault", &["another program responds there"]);
    visit("SSH-2.0-nothing\r\n").assert_check("reachable", "fault", &["--public-url"]);
    let long_ago = "HTTP/1.1 200 OK\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\ncontent-length: 3\r\n\
        connection: close\r\n\r\nok\n";
    let visit = visit(long_ago);
    visit.assert_check("reachable", "ok", &[]);
    visit.assert_check("clock", "fault", &["differs from", "NTP"]);
}

/// Settings with one live operator, which lists addresses, at this base URL.
fn write_operator(folder: &Path, base_url: &str) {
    let settings = format!(
        "[operators.hubtel]\nconnector = \"hubtel\"\nmode = \"live\"\n\
         environment = \"production\"\n\
         merchant = \"adom-stores\"\nbase-url = \"{base_url}\"\napi-id = \"abc\"\n\
         api-key = \"hunter2\"\n\
         pos-sales-id = \"11684\"\n[routes.live]\nMTN = [\"hubtel\"]\n"
    );
    fs::write(folder.join("tua.toml"), settings).unwrap();
}

#[test]
fn with_live_the_certificate_of_each_operator_is_checked_and_the_address_of_calls_named() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    fs::write(folder.path().join("operator.pem"), made.cert.pem()).unwrap();
    fs::write(folder.path().join("operator.key"), made.signing_key.serialize_pem()).unwrap();
    // Any server with TLS can stand for an operator's address.
    let operator = tempfile::tempdir().unwrap();
    account(operator.path());
    let serving = RunningService::start(operator.path(), |command| {
        command.arg("--tls-cert").arg(folder.path().join("operator.pem"));
        command.env("TUA_TLS_KEY", folder.path().join("operator.key"));
    });
    write_operator(folder.path(), &serving.origin);
    let arguments = ["doctor", "--live", "--config", "tua.toml"];
    let untrusted = Visit::of(tua(folder.path()).args(arguments));
    untrusted.assert_check(
        "operator address",
        "fault",
        &["hubtel", &serving.origin, "root certificates"],
    );
    untrusted.assert_check("egress address", "ok", &["hubtel", "on this machine"]);
    let trusted =
        Visit::of(tua(folder.path()).args(arguments).env("SSL_CERT_FILE", "operator.pem"));
    trusted.assert_check("operator address", "ok", &["hubtel", &serving.origin, "more days"]);
    let checked = trusted.checks.iter().filter(|check| check["check"] == "operator address");
    assert_eq!(checked.count(), 6, "each of Hubtel's services has an address");

    drop(serving);
    let gone = Visit::of(tua(folder.path()).args(arguments).env("SSL_CERT_FILE", "operator.pem"));
    gone.assert_check("operator address", "fault", &["refused"]);
    let settings = fs::read_to_string(folder.path().join("tua.toml")).unwrap();
    let proxy = "outbound-proxy = \"http://user:hunter2@127.0.0.1:9\"\n[routes.live]";
    fs::write(folder.path().join("tua.toml"), settings.replace("[routes.live]", proxy)).unwrap();
    let proxied = Visit::of(tua(folder.path()).args(arguments));
    proxied.assert_check("egress address", "ok", &["proxy 127.0.0.1"]);
    assert!(!format!("{:?}", proxied.checks).contains("hunter2"));
}
