//! `cargo xtask release`: everything that a release consists of, in one folder, with checksums.

mod binaries;
mod check;
mod debian;

pub use self::binaries::{HOST, static_binaries};
pub use self::check::check;

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::tools::{self, capture};
use crate::{container, dist, paths, sbom};
use binaries::Processor;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates, each after those that it depends on.
pub const CRATES: [&str; 4] = ["tua-contract", "tua-http-json", "tua-checkout", "tua-companion"];

/// The file of checksums, in the form that `sha256sum --check` reads.
const CHECKSUMS: &str = "SHA256SUMS";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Build from the tree as it is: with changes that are not committed, and without an entry in
    /// CHANGELOG.md
    #[arg(long)]
    snapshot: bool,
}

/// The release of a version.
#[derive(Debug)]
pub struct Release {
    version: String,
    /// The folder of its files.
    dir: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    let version = version()?;
    if !args.snapshot {
        check_tree(&version)?;
    }
    let release = Release::build(version, &Processor::ALL)?;
    for file in release.files()? {
        println!("{}", paths::shown(&file));
    }
    println!(
        "the files of version {} are in {}; nothing has been published",
        release.version,
        paths::shown(&release.dir)
    );
    Ok(())
}

/// The version of the workspace, which all packages share.
fn version() -> Result<String> {
    let id = capture("cargo", &["pkgid", "--locked", "--package", "tua-service"])?;
    let version = id.trim().rsplit_once(['#', '@']).map(|(_, version)| version.to_owned());
    version.ok_or_else(|| fault!("`cargo pkgid` names no version: {}", id.trim()))
}

/// A release is what a commit contains, and the changelog describes it.
fn check_tree(version: &str) -> Result<()> {
    let changed = capture("git", &["status", "--porcelain"])?;
    if let Some(first) = changed.lines().next() {
        let path = first.get(3..).unwrap_or(first);
        return Err(fault!(
            "release: {path} is not committed: commit or stash what has changed, or pass --snapshot"
        ));
    }
    let changelog = paths::root().join("CHANGELOG.md");
    let text =
        fs::read_to_string(&changelog).map_err(|e| fault!("{}: {e}", paths::shown(&changelog)))?;
    if text.lines().any(|line| line.starts_with(&format!("## [{version}] - "))) {
        return Ok(());
    }
    Err(fault!(
        "CHANGELOG.md: there is no `## [{version}] - YYYY-MM-DD`: describe the version there, or \
         pass --snapshot"
    ))
}

impl Release {
    /// Builds all files for these processors. The container's image is for the processor of this
    /// machine.
    fn build(version: String, processors: &[Processor]) -> Result<Self> {
        let release = Self { version, dir: paths::target().join("release-files") };
        let _ = fs::remove_dir_all(&release.dir);
        fs::create_dir_all(&release.dir)
            .map_err(|e| fault!("{}: {e}", paths::shown(&release.dir)))?;
        dist::build(false, &[])?;
        debian::write_manual()?;
        for processor in processors {
            let binaries = static_binaries(processor)?;
            release.archive(processor, &binaries)?;
            debian::package(processor, &release.version, &release.dir)?;
        }
        release.npm_package()?;
        release.crates()?;
        release.lists_of_parts()?;
        release.image()?;
        release.checksums()?;
        Ok(release)
    }

    /// The binaries in an archive that is the same for each build of a commit.
    fn archive(&self, processor: &Processor, binaries: &Path) -> Result<()> {
        let name = format!("tua-{}-{}-linux", self.version, processor.name);
        let folder = paths::target().join("release-archive").join(&name);
        let _ = fs::remove_dir_all(&folder);
        let root = paths::root();
        let copies = binaries::NAMES.map(|binary| binaries.join(binary)).into_iter().chain(
            [
                "LICENSE-MIT",
                "LICENSE-APACHE",
                // The fonts of the monthly report as PDF are in the binary.
                "crates/tables/LICENSE-DEJAVU",
                "CHANGELOG.md",
                "deploy/tua.service",
            ]
            .map(|file| root.join(file)),
        );
        fs::create_dir_all(&folder).map_err(|e| fault!("{}: {e}", paths::shown(&folder)))?;
        for from in copies {
            let to = folder.join(from.file_name().unwrap_or_default());
            fs::copy(&from, to).map_err(|e| fault!("{}: {e}", paths::shown(&from)))?;
        }
        Step::new(format!("packing {name}.tar.gz"), "tar")
            .args([
                "--create",
                "--use-compress-program=gzip --best --no-name",
                "--sort=name",
                "--mtime=@0",
            ])
            .args(["--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--file"])
            .args([self.dir.join(format!("{name}.tar.gz"))])
            .args([name.as_str()])
            .dir(folder.parent().unwrap_or(&folder))
            .run()
            .map(drop)
    }

    fn npm_package(&self) -> Result<()> {
        let packed = dist::pack(&self.dir)?;
        let named = self.dir.join(format!("tua-checkout-{}.tgz", self.version));
        fs::rename(&packed, &named).map_err(|e| fault!("{}: {e}", paths::shown(&named)))
    }

    /// The crates as cargo would upload them. `publish rehearsal` of the tests compiles them.
    fn crates(&self) -> Result<()> {
        let packages = CRATES.iter().flat_map(|name| ["--package", name]);
        let step =
            Step::cargo("packing the crates", "package").args(["--no-verify", "--allow-dirty"]);
        step.args(packages).about(20).run()?;
        for name in CRATES {
            let file = format!("{name}-{}.crate", self.version);
            let packed = paths::target().join("package").join(&file);
            fs::copy(&packed, self.dir.join(file))
                .map_err(|e| fault!("{}: {e}", paths::shown(&packed)))?;
        }
        Ok(())
    }

    fn lists_of_parts(&self) -> Result<()> {
        for list in sbom::write()? {
            let to = self.dir.join(list.file_name().unwrap_or_default());
            fs::copy(&list, to).map_err(|e| fault!("{}: {e}", paths::shown(&list)))?;
        }
        Ok(())
    }

    fn image(&self) -> Result<()> {
        tools::container()?;
        container::image(&static_binaries(&HOST)?)?;
        let file = self.dir.join(format!("tua-{}-{}-container.tar", self.version, HOST.name));
        container::write_archive(&file)?;
        Step::new("compressing the image", "gzip")
            .args(["--best", "--no-name"])
            .args([&file])
            .run()
            .map(drop)
    }

    fn checksums(&self) -> Result<()> {
        let names: Vec<String> = self.files()?.iter().map(|file| file_name(file)).collect();
        let done =
            Step::new("computing checksums", "sha256sum").args(names).dir(&self.dir).run()?;
        let path = self.dir.join(CHECKSUMS);
        fs::write(&path, done.log).map_err(|e| fault!("{}: {e}", paths::shown(&path)))
    }

    /// Its files, by name.
    fn files(&self) -> Result<Vec<PathBuf>> {
        let entries =
            fs::read_dir(&self.dir).map_err(|e| fault!("{}: {e}", paths::shown(&self.dir)))?;
        let mut files: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort_unstable();
        Ok(files)
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
