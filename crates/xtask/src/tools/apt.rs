//! Programs from Debian packages.

use super::{capture, make_empty, on_path};
use crate::fault::{Fault, Result, fault};
use crate::paths;
use crate::step::Step;
use std::fs;
use std::path::Path;

/// Installs `make` if it is missing. The build of the service's allocator runs it.
pub fn make() -> Result<()> {
    apt_program("make", "make")
}

/// One program from one Debian package, installed if missing.
pub fn apt_program(program: &str, package: &str) -> Result<()> {
    if on_path(program).is_some() { Ok(()) } else { apt_install(program, &[package]) }
}

/// Installs Debian packages, as root or with a `sudo` that needs no password.
pub fn apt_install(what: &str, packages: &[&str]) -> Result<()> {
    let how = format!(
        "install {what} (on Debian and Ubuntu: `sudo apt-get install {}`) and put it on the PATH",
        packages.join(" ")
    );
    can_install(what, &how)?;
    let install = [&["install", "--yes", "--no-install-recommends"][..], packages].concat();
    let installed = (|| {
        update()?;
        apt(format!("downloading {what}"), &[&install[..], &["--download-only"]].concat())
            .about(30)
            .run()?;
        // An interrupted dpkg must be repaired by hand.
        apt(format!("unpacking {what}"), &install).about(30).uninterruptible().run()
    })();
    match installed {
        Err(Fault::Message(why)) => Err(fault!("{why}; {how}")),
        other => other.map(drop),
    }
}

/// Unpacks Debian packages into a folder. None of their scripts runs.
pub fn apt_unpack(what: &str, packages: &[&str], folder: &Path) -> Result<()> {
    can_install(what, "they are unpacked from Debian's packages")?;
    update()?;
    let unfinished = folder.with_extension("unfinished");
    make_empty(&unfinished)?;
    Step::new(format!("downloading {what}"), "apt-get")
        .args([&["download"], packages].concat())
        .dir(&unfinished)
        .about(30)
        .run()?;
    Step::new(format!("unpacking {what}"), "sh")
        .args(["-ec", r#"for deb in *.deb; do dpkg-deb --extract "$deb" .; rm "$deb"; done"#])
        .dir(&unfinished)
        .about(10)
        .run()?;
    fs::rename(&unfinished, folder).map_err(|e| fault!("{}: {e}", paths::shown(folder)))
}

/// Those of some Debian packages that are not installed.
pub fn missing_packages<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    const STATUS: &str = "--showformat=${db:Status-Status}";
    let is_missing = |package: &&str| {
        let status = capture("dpkg-query", &["--show", STATUS, package]);
        !status.is_ok_and(|status| status == "installed")
    };
    packages.iter().copied().filter(is_missing).collect()
}

/// Fails where apt is missing or may not be run. `how` is what people do instead.
fn can_install(what: &str, how: &str) -> Result<()> {
    if on_path("apt-get").is_none() {
        return Err(fault!("{what} is missing and there is no apt-get: {how}"));
    }
    if !is_root() && capture("sudo", &["-n", "true"]).is_err() {
        return Err(fault!("{what} is missing, and `sudo` is missing or needs a password: {how}"));
    }
    Ok(())
}

fn update() -> Result<()> {
    let step = apt("updating the package lists of apt".to_owned(), &["update"]);
    step.about(10).run().map(drop)
}

/// A command of apt, as root.
fn apt(title: String, args: &[&str]) -> Step {
    let prefix = if is_root() { &[][..] } else { &["sudo", "-n"] };
    let words = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat();
    Step::new(title, words[0]).args(&words[1..])
}

fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}
