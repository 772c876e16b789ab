//! The compiled program `tua`.
//!
//! Cargo tells a test the path of a program only where both are in one package. Other packages find
//! it by where cargo puts both: a test program is `target/debug/deps/payments-…`, and the program
//! is `target/debug/tua`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::LazyLock,
    time::SystemTime,
};

/// The command that compiles the program.
const BUILD: &str = "cargo build -p tua-service";

/// The path of the program.
///
/// # Panics
/// The program is missing, or older than its sources. The message names the command that compiles
/// it.
pub fn path() -> &'static Path {
    static PROGRAM: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let test_program = env::current_exe().unwrap();
        let program = test_program.ancestors().nth(2).unwrap().join("tua");
        match fault(&program) {
            Some(fault) => Err(format!("{}: {fault}: run `{BUILD}`", program.display())),
            None => Ok(program),
        }
    });
    PROGRAM.as_ref().unwrap_or_else(|fault| panic!("{fault}"))
}

/// Why tests must not start the program.
fn fault(program: &Path) -> Option<String> {
    let Ok(compiled_at) = modified_at(program) else { return Some("it is missing".to_owned()) };
    let Ok(rule) = fs::read_to_string(program.with_extension("d")) else {
        return Some("cargo has not listed its sources".to_owned());
    };
    let is_outdated =
        |source: &String| modified_at(Path::new(source)).is_ok_and(|at| at > compiled_at);
    let newer = sources(&rule).into_iter().find(is_outdated)?;
    Some(format!("it is older than {newer}"))
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
    use super::{fault, sources};
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
    fn a_program_that_is_missing_or_older_than_a_source_has_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("tua");
        assert_eq!(fault(&program).unwrap(), "it is missing");
        let compiled_at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
        write(&program, compiled_at);
        let source = folder.path().join("main.rs");
        fs::write(folder.path().join("tua.d"), format!("tua: {}\n", source.display())).unwrap();
        write(&source, compiled_at - Duration::from_secs(1));
        assert_eq!(fault(&program), None);
        write(&source, compiled_at + Duration::from_secs(1));
        assert_eq!(fault(&program).unwrap(), format!("it is older than {}", source.display()));
    }
}
