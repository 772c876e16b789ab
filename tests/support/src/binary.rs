//! The `tua` binary in a process and a folder of its own.

use crate::{ApiClient, client, program, test_database};
use serde_json::Value;
use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

/// `tua` in this folder with an empty environment, on the folder's database.
pub fn tua(folder: &Path) -> Command {
    let mut command = Command::new(program::path());
    command.current_dir(folder).env_clear();
    test_database::set_environment(&mut command, folder);
    command
}

/// Runs `tua` with these arguments to its end, as [`tua`] prepares it.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    tua(folder).args(arguments).output().unwrap()
}

/// The standard output of a command with `--json`, which must be only JSON.
#[track_caller]
pub fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}"))
}

/// The single line on standard error of a command that exits with code 2.
#[track_caller]
pub fn refused(command: &mut Command) -> String {
    fault(command, 2)
}

/// As [`refused`], of a command that names something which does not exist.
#[track_caller]
pub fn not_found(command: &mut Command) -> String {
    fault(command, 3)
}

/// As [`refused`], of a command that cannot reach the database or the API.
#[track_caller]
pub fn unreachable(command: &mut Command) -> String {
    fault(command, 4)
}

/// The single line on standard error of a command that exits with this code. With `--json`,
/// standard output has the same as the object of the fault.
#[track_caller]
fn fault(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{command:?}: {stderr}");
    let one_line =
        stderr.strip_suffix('\n').filter(|line| !line.contains('\n') && line.starts_with("tua: "));
    let line = one_line.unwrap_or_else(|| panic!("{command:?} prints {stderr:?}")).to_owned();
    if command.get_args().any(|argument| argument == "--json") {
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        let message = printed["error"]["message"].as_str().unwrap();
        assert_eq!(format!("tua: {message}"), line, "{command:?}");
    } else {
        assert_eq!(output.stdout, b"", "{command:?}");
    }
    line
}

/// Creates an account; returns its id, its v1 and its v2 test key.
pub fn account(folder: &Path) -> (String, String, String) {
    let made = json(folder, &["account", "create", "--name", "Adom Stores"]);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["accountId"]), text(&made["keys"]["testV1"]), text(&made["keys"]["testV2"]))
}

/// A running `tua serve`. Dropping it kills it.
#[derive(Debug)]
pub struct RunningService {
    child: Child,
    /// The origin that it printed, without a trailing slash.
    pub origin: String,
    log: PathBuf,
}

impl RunningService {
    /// Starts on a free port; the log is appended to `tua.log`.
    pub fn start(folder: &Path, settings: impl FnOnce(&mut Command)) -> Self {
        Self::start_on(folder, "127.0.0.1:0", settings)
    }

    /// As [`Self::start`], on this address.
    pub fn start_on(folder: &Path, listen: &str, settings: impl FnOnce(&mut Command)) -> Self {
        let log = folder.join("tua.log");
        let stderr = File::options().create(true).append(true).open(&log).unwrap();
        let mut command = tua(folder);
        command.args(["serve", "--json", "--listen", listen]).stdout(Stdio::piped()).stderr(stderr);
        settings(&mut command);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap_or_else(|error| {
            panic!("{error}: {line:?}: {}", fs::read_to_string(&log).unwrap())
        });
        Self { child, origin: ready["publicUrl"].as_str().unwrap().to_owned(), log }
    }

    /// The id of its process.
    pub fn process_id(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    /// A client with this credential.
    pub fn actor(&self, credential: &str) -> ApiClient {
        ApiClient { credential: credential.to_owned(), origin: self.origin.clone(), http: client() }
    }

    /// What it has written to standard error.
    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Ends the process with SIGKILL, and waits until it has ended.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM and returns the exit code. The service must exit within ten seconds; the test
    /// waits two more.
    pub fn terminate(mut self) -> Option<i32> {
        let sent = Command::new("sh")
            .args(["-c", &format!("kill -TERM {}", self.child.id())])
            .status()
            .unwrap();
        assert!(sent.success());
        let end = Instant::now() + Duration::from_secs(12);
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("still running twelve seconds after SIGTERM");
    }
}

impl Drop for RunningService {
    fn drop(&mut self) {
        // Fails if the test ended it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
