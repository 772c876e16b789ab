//! `cargo xtask upgrade`: an older program leaves pending work, and this one ends it, on SQLite and
//! on PostgreSQL.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, postgres, programs, tools};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of PostgreSQL's migrations. Those of SQLite have the same file names.
const MIGRATIONS_FOLDER: &str = "crates/store/migrations/postgres";

/// The pattern of release tags, for `git describe --match`.
const RELEASE_TAG_PATTERN: &str = "v[0-9]*";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// The commit or tag of the older program [default: the newest release; without one, the commit
    /// before the newest migration]
    #[arg(long, value_name = "REVISION")]
    from: Option<String>,
    /// Repeats the random choices of a run
    #[arg(long)]
    seed: Option<u64>,
}

pub fn run(args: &Args) -> Result<()> {
    for line in rehearse(args.from.as_deref(), args.seed)? {
        println!("{line}");
    }
    Ok(())
}

/// Rehearses the upgrade from the default revision. Returns the number of upgrades.
pub fn check() -> Result<u64> {
    Ok(rehearse(None, None)?.len() as u64)
}

/// Upgrades one node on SQLite, and two nodes one by one on PostgreSQL. Returns what was checked.
fn rehearse(from: Option<&str>, seed: Option<u64>) -> Result<Vec<String>> {
    let commit = match from {
        Some(revision) => commit_of(revision)?,
        None => default_commit()?,
    };
    let older = build(&commit)?;
    let built = programs::build()?;
    let server = postgres::Server::start()?;
    let short = &commit[..8.min(commit.len())];
    let step = |engine: &str| {
        let step = Step::new(format!("upgrading {engine} from {short}"), built.join("tua-crash"))
            .args(["--upgrade-from", &older.display().to_string()])
            .env("TUA_BIN", built.join("tua"))
            .about(120);
        match seed {
            Some(seed) => step.args(["--seed", &seed.to_string()]),
            None => step,
        }
    };
    let steps =
        [step("SQLite"), step("PostgreSQL").args(["--nodes", "2", "--database", &server.url()])];
    let mut reports = Vec::new();
    for step in steps {
        let log = step.run()?.log;
        let line = log.lines().find(|line| line.starts_with("upgraded "));
        reports
            .push(line.ok_or_else(|| fault!("tua-crash did not say what it checked"))?.to_owned());
    }
    Ok(reports)
}

/// The newest release that this commit contains. Without one, the commit before the newest
/// migration: the last that a database must be migrated from.
fn default_commit() -> Result<String> {
    let args = ["describe", "--tags", "--abbrev=0", "--match", RELEASE_TAG_PATTERN];
    if let Ok(release) = tools::capture("git", &args) {
        return commit_of(release.trim());
    }
    let newest = newest_migration()?;
    let args = ["log", "-1", "--format=%H", "--diff-filter=A", "--", &newest];
    let added = tools::capture("git", &args)?;
    match added.trim() {
        "" => commit_of("HEAD"),
        added => commit_of(&format!("{added}^")),
    }
}

/// The path of the newest migration: the file with the highest number.
fn newest_migration() -> Result<String> {
    let folder = paths::root().join(MIGRATIONS_FOLDER);
    let files = fs::read_dir(&folder).map_err(|e| fault!("{}: {e}", paths::shown(&folder)))?;
    let names = files.flatten().map(|file| file.file_name().to_string_lossy().into_owned());
    let newest = names.max().ok_or_else(|| fault!("{MIGRATIONS_FOLDER} has no migration"))?;
    Ok(format!("{MIGRATIONS_FOLDER}/{newest}"))
}

/// The hash of the commit that a revision names.
fn commit_of(revision: &str) -> Result<String> {
    let commit =
        tools::capture("git", &["rev-parse", "--verify", &format!("{revision}^{{commit}}")])?;
    Ok(commit.trim().to_owned())
}

/// Builds the program of a commit, with a target folder of its own, which is kept.
fn build(commit: &str) -> Result<PathBuf> {
    let folder = paths::target().join("upgrade");
    let source = folder.join("source");
    extract(commit, &folder, &source)?;
    let target = folder.join("build");
    Step::cargo(format!("building tua of {commit}"), "build")
        .args(["--package", "tua-service", "--bin", "tua"])
        .dir(&source)
        .env("CARGO_TARGET_DIR", &target)
        .about(300)
        .run()?;
    Ok(target.join("debug/tua"))
}

/// Writes the files of a commit, where the folder does not have them. They get the time of now:
/// with the commit's time, cargo would not see that a file has changed.
fn extract(commit: &str, folder: &Path, source: &Path) -> Result<()> {
    let stamp = folder.join("commit");
    if fs::read_to_string(&stamp).is_ok_and(|present| present == commit) {
        return Ok(());
    }
    let with_folder = |e: std::io::Error| fault!("{}: {e}", paths::shown(folder));
    let archive = folder.join("source.tar");
    if source.exists() {
        fs::remove_dir_all(source).map_err(with_folder)?;
    }
    fs::create_dir_all(source).map_err(with_folder)?;
    let archive_path = archive.display().to_string();
    tools::capture("git", &["archive", "--output", &archive_path, commit])?;
    let source_path = source.display().to_string();
    tools::capture(
        "tar",
        &["--extract", "--touch", "--file", &archive_path, "--directory", &source_path],
    )?;
    fs::remove_file(&archive).map_err(with_folder)?;
    fs::write(&stamp, commit).map_err(with_folder)
}
