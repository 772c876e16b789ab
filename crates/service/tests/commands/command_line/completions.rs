//! Completions of shells and manual pages, which the program makes from its command line.

use super::arguments::assert_error_contains;
use std::fs;
use tua_test_support::binary::{json, run, tua};

#[test]
fn completions_and_manual_pages_have_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let output = run(folder.path(), &["completions", shell]);
        assert!(output.status.success(), "{output:?}");
        let script = String::from_utf8(output.stdout).unwrap();
        for part in ["server-key", "rotate", "sandbox-speed"] {
            assert!(script.contains(part), "{shell}: {part}");
        }
    }
    assert_error_contains(tua(folder.path()).args(["completions", "csh"]), &["csh", "bash"]);

    let output = run(folder.path(), &["manual", "pages/en"]);
    assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    for (page, text) in [("tua.1", "payments for Ghana"), ("tua-key-rotate.1", "overlap")] {
        let path = folder.path().join("pages/en").join(page);
        assert!(fs::read_to_string(&path).unwrap().contains(text), "{page}");
    }
    let script = json(folder.path(), &["completions", "bash"]);
    assert_eq!(script["shell"], "bash");
    assert!(script["script"].as_str().unwrap().contains("sandbox-speed"), "{script}");
    assert_eq!(json(folder.path(), &["manual", "pages/fr"])["folder"], "pages/fr");
    assert!(folder.path().join("pages/fr/tua.1").exists());
    fs::write(folder.path().join("file"), "").unwrap();
    assert_error_contains(tua(folder.path()).args(["manual", "file"]), &["folder", "file"]);
}
