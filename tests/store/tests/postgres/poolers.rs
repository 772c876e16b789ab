//! A connection pooler between the service and the server: a real pgbouncer.

use std::{
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};
use tua_test_support::{
    binary::{json, refused, run, tua},
    test_database,
};
use url::Url;

/// Where Debian installs it.
const PROGRAM: &str = "/usr/sbin/pgbouncer";

/// A running pgbouncer. Dropping it kills it.
struct Pgbouncer {
    process: Child,
    port: u16,
}

impl Pgbouncer {
    fn start(folder: &Path, pool_mode: &str, settings: &str) -> Self {
        let server = Url::parse(&std::env::var("TUA_TEST_DATABASE").unwrap()).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let host = server.host_str().unwrap();
        let server_port = server.port().unwrap_or(5432);
        let user = server.username();
        let password =
            server.password().map_or_else(String::new, |password| format!(" password={password}"));
        let file = folder.join(format!("pgbouncer-{port}.ini"));
        let text = format!(
            "[databases]\n* = host={host} port={server_port} user={user}{password}\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\n\
             unix_socket_dir =\n\
             pool_mode = {pool_mode}\nignore_startup_parameters = extra_float_digits,options\n\
             {settings}\n"
        );
        fs::write(&file, text).unwrap();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new(PROGRAM);
        // It refuses to run as root.
        if rustix::process::geteuid().is_root() {
            command.args(["-u", "nobody"]);
        }
        let process =
            command.arg("-q").arg(&file).stderr(Stdio::null()).stdout(Stdio::null()).spawn();
        let process = process
            .unwrap_or_else(|error| panic!("{PROGRAM}: {error}; run `apt-get install pgbouncer`"));
        let end = Instant::now() + Duration::from_secs(10);
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "pgbouncer does not listen");
            sleep(Duration::from_millis(20));
        }
        Self { process, port }
    }

    fn url(&self, folder: &Path) -> String {
        test_database::url_with(folder, |mut url| {
            url.set_host(Some("127.0.0.1")).unwrap();
            url.set_port(Some(self.port)).unwrap();
            url
        })
    }
}

impl Drop for Pgbouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_pooler_that_shares_sessions_is_refused_in_one_line_and_found_by_doctor() {
    if test_database::skip_on_sqlite("it is about servers") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for (pool_mode, settings) in [
        ("transaction", ""),
        ("transaction", "default_pool_size = 1"),
        ("transaction", "server_round_robin = 1\nmin_pool_size = 2\ndefault_pool_size = 2"),
        ("transaction", "server_round_robin = 1\nmin_pool_size = 5"),
        ("statement", ""),
    ] {
        let pgbouncer = Pgbouncer::start(path, pool_mode, settings);
        let url = pgbouncer.url(path);
        for arguments in [&["serve", "--listen", "127.0.0.1:0"][..], &["key", "list"]] {
            let fault = refused(tua(path).args(arguments).env("TUA_DATABASE", &url));
            let is_named = fault.contains("pool_mode = session")
                && fault.contains("notifications between nodes");
            assert!(is_named, "{pool_mode} {settings}: {fault}");
        }
        let doctor =
            tua(path).args(["doctor", "--json"]).env("TUA_DATABASE", &url).output().unwrap();
        let report = String::from_utf8(doctor.stdout).unwrap();
        assert_eq!(doctor.status.code(), Some(1), "{report}");
        assert!(report.contains("pool_mode = session"), "{report}");
    }
}

#[test]
fn a_pooler_that_keeps_sessions_and_the_server_itself_are_fine() {
    if test_database::skip_on_sqlite("it is about servers") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    json(path, &["account", "create", "--name", "Adom Stores"]);
    for _ in 0..10 {
        assert!(run(path, &["key", "list"]).status.success());
    }
    let pgbouncer = Pgbouncer::start(path, "session", "");
    let doctor = tua(path)
        .args(["doctor", "--json"])
        .env("TUA_DATABASE", pgbouncer.url(path))
        .output()
        .unwrap();
    let report = String::from_utf8(doctor.stdout).unwrap();
    assert!(!report.contains("pool"), "{report}");
}
