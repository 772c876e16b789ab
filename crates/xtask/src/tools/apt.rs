//! Programs from Debian packages.

use super::{capture, on_path};
use crate::fault::{Fault, Result, fault};
use crate::step::Step;

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
    if on_path("apt-get").is_none() {
        return Err(fault!("{what} is missing and there is no apt-get: {how}"));
    }
    let is_root = nix::unistd::geteuid().is_root();
    if !is_root && capture("sudo", &["-n", "true"]).is_err() {
        return Err(fault!("{what} is missing, and `sudo` is missing or needs a password: {how}"));
    }
    let apt = |title: String, args: &[&str]| {
        let prefix = if is_root { &[][..] } else { &["sudo", "-n"] };
        let words = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat();
        Step::new(title, words[0]).args(&words[1..])
    };
    let install = [&["install", "--yes", "--no-install-recommends"][..], packages].concat();
    let installed = (|| {
        apt("updating the package lists of apt".to_owned(), &["update"]).about(10).run()?;
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
