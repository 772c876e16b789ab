//! A PostgreSQL server for tests: in a folder below target/ and on a free port, deleted afterwards.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, tools};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's package, and the account that it creates. The server does not run as root.
pub const PACKAGE: &str = "postgresql";
const ACCOUNT: &str = "postgres";

/// Debian puts each version's programs into a folder of its own, which is not on the PATH.
const VERSIONS: &str = "/usr/lib/postgresql";

/// The defaults (fsync on), but for many tests at once: each service opens up to 17 connections,
/// and some tests start twenty services. Each test creates about forty files, so checkpoints are
/// rare.
const SETTINGS: [&str; 5] = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=1000",
    "checkpoint_timeout=1h",
    "max_wal_size=8GB",
];

/// Local connections need no password, except those of one user.
const ACCESS: &str =
    "host all tua_password 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";

/// A running server. Dropping it stops it and deletes its folder.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Server {
    pub fn start() -> Result<Self> {
        let port = free_port()?;
        let server = Self { programs: programs()?, folder: folder(port)?, port };
        let data = server.data();
        server
            .step("creating a database server", "initdb")
            .args([std::ffi::OsStr::new("--pgdata"), data.as_os_str()])
            .args(["--username=tua", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"])
            .about(5)
            .run()?;
        fs::write(data.join("pg_hba.conf"), ACCESS)
            .map_err(|e| fault!("{}: {e}", paths::shown(&data)))?;
        server
            .step("starting the database server", "pg_ctl")
            .args(server.starting())
            .about(2)
            .run()?;
        Ok(server)
    }

    /// The URL of its database.
    pub fn url(&self) -> String {
        format!("postgres://tua@127.0.0.1:{}/postgres", self.port)
    }

    /// The id of its main process.
    pub fn process(&self) -> Result<u32> {
        let file = self.data().join("postmaster.pid");
        let text = fs::read_to_string(&file).map_err(|e| fault!("{}: {e}", paths::shown(&file)))?;
        let id = text.lines().next().and_then(|line| line.trim().parse().ok());
        id.ok_or_else(|| fault!("{}: its first line is no number", paths::shown(&file)))
    }

    /// A shell command that stops it without a checkpoint, as a power failure does, and starts it
    /// again.
    pub fn restart_command(&self) -> String {
        let run = |arguments: Vec<String>| {
            let words: Vec<String> = self.command("pg_ctl").into_iter().chain(arguments).collect();
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
        };
        format!("{} && {}", run(self.stopping()), run(self.starting()))
    }

    fn starting(&self) -> Vec<String> {
        let settings: Vec<String> =
            SETTINGS.iter().map(|setting| format!("-c {setting}")).collect();
        let options = format!("{} -c port={}", settings.join(" "), self.port);
        let log = self.folder.join("log").display().to_string();
        ["start", "-w", "-D", &self.data().display().to_string(), "-l", &log, "-o", &options]
            .map(str::to_owned)
            .to_vec()
    }

    fn stopping(&self) -> Vec<String> {
        ["stop", "-w", "-m", "immediate", "-D", &self.data().display().to_string()]
            .map(str::to_owned)
            .to_vec()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// A command with one of its programs, run as its account.
    fn command(&self, program: &str) -> Vec<String> {
        let program = self.programs.join(program).display().to_string();
        let account = [
            format!("--reuid={ACCOUNT}"),
            format!("--regid={ACCOUNT}"),
            "--init-groups".to_owned(),
        ];
        if is_root() {
            ["setpriv".to_owned()].into_iter().chain(account).chain([program]).collect()
        } else {
            vec![program]
        }
    }

    fn step(&self, title: &str, program: &str) -> Step {
        let command = self.command(program);
        Step::new(title, &command[0]).args(&command[1..]).dir(&self.folder)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let command = self.command("pg_ctl");
        // It fails if the server never started.
        let _ = Command::new(&command[0])
            .args(&command[1..])
            .args(self.stopping())
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// The folder of the newest server's programs, installed if missing.
fn programs() -> Result<PathBuf> {
    if let Some(found) = find_programs() {
        return Ok(found);
    }
    tools::apt_install("PostgreSQL", &[PACKAGE])?;
    find_programs().ok_or_else(|| {
        fault!("apt installed {PACKAGE}, but there is no initdb in {VERSIONS}/*/bin")
    })
}

/// Whether a server is installed.
pub fn is_installed() -> bool {
    find_programs().is_some()
}

/// Installs a server if there is none.
pub fn install() -> Result<()> {
    programs().map(drop)
}

fn find_programs() -> Option<PathBuf> {
    let versions = fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let number = |path: &Path| {
        path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok())
    };
    let newest = versions
        .map(|entry| entry.path())
        .filter(|path| number(path).is_some())
        .max_by_key(|path| number(path));
    let debian =
        newest.map(|version| version.join("bin")).filter(|bin| bin.join("initdb").is_file());
    debian.or_else(|| tools::on_path("initdb")?.parent().map(Path::to_path_buf))
}

/// A new folder that the server's account can access: below target/ if possible.
fn folder(port: u16) -> Result<PathBuf> {
    let name = format!("postgres-{port}");
    for place in [paths::target(), std::env::temp_dir()] {
        let folder = place.join(&name);
        let made = fs::create_dir_all(&folder).and_then(|()| folder.canonicalize());
        let folder = made.map_err(|e| fault!("{}: {e}", paths::shown(&folder)))?;
        if !is_root() {
            return Ok(folder);
        }
        let shown = folder.display().to_string();
        tools::capture("chown", &[ACCOUNT, &shown])?;
        let reached = format!("--reuid={ACCOUNT}");
        if tools::capture("setpriv", &[&reached, "--clear-groups", "test", "-w", &shown]).is_ok() {
            return Ok(folder);
        }
        let _ = fs::remove_dir_all(&folder);
    }
    Err(fault!(
        "the account `{ACCOUNT}` can access neither target/ nor the folder for temporary files"
    ))
}

/// A port that nothing listens on.
pub fn free_port() -> Result<u16> {
    let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    bound.map(|address| address.port()).map_err(|e| fault!("a free port: {e}"))
}
