//! The binary: what it prints, and how it ends.
#![cfg(unix)]

use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

const KEY: &str = "tua_test_v2_hush0123456789abcdef";

fn companion(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tua-companion"));
    command
        .current_dir(directory)
        .env_clear()
        .env("TUA_SECRET_KEY", KEY)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// A directory with a good `shop.toml`.
fn shop() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("shop.toml"), "[items.a]\nname = 'A'\nprice = '1'\n")
        .expect("a catalogue");
    directory
}

/// One line on stderr, nothing on stdout, exit code 2; the line.
fn refused(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("to run");
    let line = String::from_utf8(stderr).expect("text");
    assert_eq!(status.code(), Some(2), "{line}");
    assert!(stdout.is_empty() && line.lines().count() == 1 && !line.contains(KEY), "{line}");
    line
}

#[test]
fn a_bad_start_is_one_line_that_says_what_and_where() {
    let shop = shop();
    let directory = shop.path();
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text).unwrap();
    write(
        "bad.toml",
        "[items.a]\nname = 'A'\nprice = 1.5\n[items.b]\nname = ''\nprice = '1'\n[items.c]\n\
         name = 'C'\nprice = 'x'\n",
    );
    write("broken.toml", "[items.a\n");
    let busy = TcpListener::bind("127.0.0.1:0").unwrap();
    let busy = busy.local_addr().unwrap().to_string();
    for (flags, says) in [
        (&["--listen", "nowhere"][..], &["--listen", "nowhere"][..]),
        (&["--nonsense"], &["--nonsense"]),
        (&["--catalogue", "gone.toml"], &["gone.toml", "No such file"]),
        (&["--catalogue", "bad.toml"], &["items.a.price", "items.b.name", "items.c.price"]),
        (&["--catalogue", "broken.toml"], &["broken.toml: line 1"]),
        (&["--base-url", "nonsense", "--allow-origin", "*"], &["--base-url", "--allow-origin"]),
        (
            &["--return-url", "orders/{reference}", "--base-url", "nonsense"],
            &["--return-url", "--base-url"],
        ),
        (
            &["--return-url", "https://{reference}.example/"],
            &["--return-url", "only after the host"],
        ),
        (&["--secret-key-file", "gone.key"], &["--secret-key-file gone.key"]),
        (&["--listen", &busy], &["--listen", &busy]),
    ] {
        let line = refused(companion(directory).args(flags));
        assert!(says.iter().all(|word| line.contains(word)), "{flags:?} gave {line}");
    }
    let line = refused(companion(directory).env_remove("TUA_SECRET_KEY"));
    assert!(line.contains("TUA_SECRET_KEY") && line.contains("--secret-key-file"), "{line}");
    let line = refused(companion(directory).env("TUA_SECRET_KEY", "sk_test_abc"));
    assert!(line.contains("v2") && !line.contains("sk_test_abc"), "{line}");
    let line = refused(
        companion(directory).env("TUA_CATALOGUE", "gone.toml").env("TUA_LISTEN", "127.0.0.1:0"),
    );
    assert!(line.contains("gone.toml"), "{line}");
}

/// Ends the companion whatever happens to the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_signal_ends_it_cleanly() {
    for signal in ["-TERM", "-INT"] {
        let shop = shop();
        std::fs::write(shop.path().join("key"), format!("{KEY}\n")).unwrap();
        let mut command = companion(shop.path());
        command.env_remove("TUA_SECRET_KEY").args([
            "--listen",
            "127.0.0.1:0",
            "--secret-key-file",
            "key",
        ]);
        let mut running = Running(command.spawn().unwrap());
        let mut line = String::new();
        BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("http://127.0.0.1:"), "{line}");
        let kill =
            Command::new("kill").args([signal, &running.0.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(running.0.wait().unwrap().code(), Some(0), "{signal}");
    }
}

#[test]
fn an_empty_variable_counts_as_unset() {
    let shop = shop();
    let line = refused(companion(shop.path()).env("TUA_SECRET_KEY", ""));
    assert!(line.contains("no secret key: set TUA_SECRET_KEY"), "{line}");
    let mut command = companion(shop.path());
    for variable in
        ["TUA_BASE_URL", "TUA_CATALOGUE", "TUA_RETURN_URL", "TUA_SECRET_KEY_FILE", "TUA_CLIENT_IP"]
    {
        command.env(variable, "");
    }
    // Only the address is wrong.
    let line = refused(command.env("TUA_MAX_OPEN_SESSIONS", "").args(["--listen", "192.0.2.1:80"]));
    assert!(line.starts_with("tua-companion: --listen 192.0.2.1:80: "), "{line}");
}

#[test]
fn help_and_version_are_no_faults() {
    let shop = shop();
    let help = companion(shop.path()).arg("--help").output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(help.status.success());
    for word in ["--allow-origin", "TUA_SECRET_KEY", "TUA_BASE_URL"] {
        assert!(text.contains(word), "{word}");
    }
    assert!(!text.contains(KEY));
}
