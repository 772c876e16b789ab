//! Installs each file of a release in an empty place, and runs it there.

use super::binaries::{HOST, NAMES};
use super::{CHECKSUMS, Release, debian, version};
use crate::fault::{Result, fault};
use crate::paths;
use crate::postgres::free_port;
use crate::step::Step;
use crate::tools::{self, capture};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A version before every other one, for a package that is installed first.
const OLDER: &str = "0.0.1";

/// Builds a release of the tree as it is, for this machine's processor, and checks its files.
/// Returns how many checks passed.
pub fn check() -> Result<u64> {
    let release = Release::build(version()?, &[HOST])?;
    let checks: [fn(&Release) -> Result<()>; 4] = [checksums, archive, debian_package, npm_package];
    checks.iter().try_for_each(|check| check(&release))?;
    Ok(checks.len() as u64)
}

fn checksums(release: &Release) -> Result<()> {
    let step =
        Step::new("comparing the checksums", "sha256sum").args(["--strict", "--check", CHECKSUMS]);
    step.dir(&release.dir).run().map(drop)
}

/// The archive, unpacked into an empty folder: the service starts and answers, the companion says
/// what it lacks.
fn archive(release: &Release) -> Result<()> {
    let place = empty("archive")?;
    let name = format!("tua-{}-{}-linux", release.version, HOST.name);
    let file = release.dir.join(format!("{name}.tar.gz"));
    Step::new("unpacking the archive", "tar")
        .args(["--extract", "--file"])
        .args([&file])
        .dir(&place)
        .run()?;
    let folder = place.join(name);
    for program in NAMES {
        let printed = Step::new(format!("{program} --version"), folder.join(program))
            .args(["--version"])
            .run()?
            .log;
        if printed.trim() != format!("{program} {}", release.version) {
            return Err(fault!("{program} --version prints {}", printed.trim()));
        }
    }
    serve(&|title| Step::new(title, folder.join("tua")).dir(&place), "sqlite://tua.db")
}

/// The Debian package in an empty Debian: over an older one with a database, which stays and is
/// served.
fn debian_package(release: &Release) -> Result<()> {
    let root = debian_root()?;
    let older = empty("older-package")?;
    let packages = [
        debian::package(&HOST, OLDER, &older)?,
        release.dir.join(debian::file_name(&release.version, &HOST)),
    ];
    let inside = |title: &str, program: &str| {
        Step::new(title, "chroot")
            .args([root.as_os_str()])
            .args([program])
            .env("DEBIAN_FRONTEND", "noninteractive")
    };
    let database = "sqlite:///var/lib/tua-check.db";
    for (index, package) in packages.iter().enumerate() {
        fs::copy(package, root.join("tua.deb"))
            .map_err(|e| fault!("{}: {e}", paths::shown(package)))?;
        inside("installing the Debian package", "dpkg").args(["--install", "/tua.deb"]).run()?;
        let tua = |title: &str| inside(title, "/usr/bin/tua").env("TUA_DATABASE", database);
        if index == 0 {
            tua("creating an account with the older package")
                .args(["account", "create", "--name", "Adom"])
                .run()?;
        } else {
            let listed = tua("listing the accounts with the newer package")
                .args(["account", "list"])
                .run()?
                .log;
            if !listed.contains("Adom") {
                return Err(fault!(
                    "the newer package does not show the account: {}",
                    listed.trim()
                ));
            }
            serve(&tua, database)?;
        }
    }
    for file in [
        "etc/tua/tua.env",
        "usr/share/man/man1/tua-key-rotate.1.gz",
        "usr/share/bash-completion/completions/tua",
    ] {
        let file = root.join(file);
        fs::metadata(&file).map_err(|e| fault!("{}: {e}", paths::shown(&file)))?;
    }
    inside("removing the package", "dpkg").args(["--remove", "tua"]).run()?;
    if root.join("usr/bin/tua").exists() {
        Err(fault!("removing the package leaves /usr/bin/tua"))
    } else {
        Ok(())
    }
}

/// The npm package, installed from its file into an empty project and imported there.
fn npm_package(release: &Release) -> Result<()> {
    let place = empty("npm")?;
    fs::write(place.join("package.json"), "{\"private\":true,\"type\":\"module\"}\n")
        .map_err(|e| fault!("{}: {e}", paths::shown(&place)))?;
    let file = release.dir.join(format!("tua-checkout-{}.tgz", release.version));
    Step::new("installing the npm package", "npm")
        .args(["install", "--ignore-scripts", "--no-audit", "--no-fund"])
        .args([&file])
        .dir(&place)
        .run()?;
    let script =
        "import { mount } from 'tua-checkout'; if (typeof mount !== 'function') process.exit(1);";
    Step::new("importing the npm package", "node")
        .args(["--input-type=module", "--eval", script])
        .dir(&place)
        .run()?;
    Ok(())
}

/// Starts the service and asks it whether it is ready.
fn serve(tua: &dyn Fn(&str) -> Step, database: &str) -> Result<()> {
    let address = format!("127.0.0.1:{}", free_port()?);
    let step = |title: &str| tua(title).env("TUA_LISTEN", &address).env("TUA_DATABASE", database);
    let mut service = step("serving from the release").args(["serve"]).start()?;
    service.wait_for_line("tua listens on ", Duration::from_secs(20))?;
    step("asking whether it is ready").args(["ready"]).run()?;
    Ok(())
}

/// A Debian system with the essential packages only, of the same release as this machine.
fn debian_root() -> Result<PathBuf> {
    let root = empty("debian")?;
    tools::apt_program("debootstrap", "debootstrap")?;
    let suite = capture("sh", &["-c", ". /etc/os-release && echo $VERSION_CODENAME"])?;
    Step::new("making an empty Debian", "debootstrap")
        .args(["--variant=minbase", "--include=ca-certificates", suite.trim()])
        .args([&root])
        .about(90)
        .run()?;
    Ok(root)
}

fn empty(name: &str) -> Result<PathBuf> {
    let dir = paths::target().join("release-check").join(name);
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
    Ok(dir)
}
