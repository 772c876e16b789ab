//! The compiled program `tua`.
//!
//! Cargo passes the path of a program to a test only if both are in one package. Other packages
//! find it by where cargo puts both: a test program is `target/debug/deps/payments-…`, and the
//! program is `target/debug/tua`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::SystemTime,
};

/// The command that compiles the program.
const BUILD: &str = "cargo build -p tua-service";

/// The path of the program. A warning in the output of the test says when the program is older than
/// its sources: cargo compiles it only with the whole workspace or with its own package. `cargo
/// build` lists the sources, `cargo test` does not; without the list there is no warning.
///
/// # Panics
/// The program is missing. The message names the command that compiles it.
pub fn path() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let test_program = env::current_exe().unwrap();
        test_program.ancestors().nth(2).unwrap().join("tua")
    });
    static NEWER_SOURCE: LazyLock<Option<String>> = LazyLock::new(|| newer_source(&PROGRAM));
    assert!(PROGRAM.is_file(), "{} is missing: run `{BUILD}`", PROGRAM.display());
    if let Some(source) = &*NEWER_SOURCE {
        eprintln!("warning: {} is older than {source}: run `{BUILD}`", PROGRAM.display());
    }
    &PROGRAM
}

/// A source file that was written after the program was compiled. Folders do not count: their time
/// changes with every file that comes or goes.
fn newer_source(program: &Path) -> Option<String> {
    let compiled_at = modified_at(program).ok()?;
    let rule = fs::read_to_string(program.with_extension("d")).ok()?;
    let is_newer = |source: &String| {
        let path = Path::new(source);
        path.is_file() && modified_at(path).is_ok_and(|at| at > compiled_at)
    };
    sources(&rule).into_iter().find(is_newer)
}

/// The sources in a rule that cargo writes for make: `program: source source …`, where a backslash
/// is before each space of a path.
fn sources(rule: &str) -> Vec<String> {
    let (_, sources) = rule.split_once(": ").unwrap_or_default();
    let sources = sources.trim_end().replace("\\ ", "\0");
    sources.split(' ').map(|source| source.replace('\0', " ")).collect()
}

fn modified_at(file: &Path) -> io::Result<SystemTime> {
    fs::metadata(file)?.modified()
}

#[cfg(test)]
mod tests {
    use super::{newer_source, sources};
    use std::{
        fs::{self, File},
        path::Path,
        time::{Duration, SystemTime},
    };

    fn write(file: &Path, modified_at: SystemTime) {
        File::create(file).unwrap().set_modified(modified_at).unwrap();
    }

    #[test]
    fn paths_with_spaces_are_one_source() {
        assert_eq!(sources("/t/tua: /my\\ code/a.rs /b.rs\n"), ["/my code/a.rs", "/b.rs"]);
    }

    #[test]
    fn a_newer_source_is_found_and_a_newer_folder_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("tua");
        let compiled_at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        write(&program, compiled_at);
        let source = folder.path().join("main.rs");
        let rule = format!("tua: {} {}\n", folder.path().display(), source.display());
        fs::write(folder.path().join("tua.d"), rule).unwrap();
        write(&source, compiled_at - Duration::from_secs(1));
        assert_eq!(newer_source(&program), None);
        write(&source, compiled_at + Duration::from_secs(1));
        assert_eq!(newer_source(&program).unwrap(), source.display().to_string());
    }
}
