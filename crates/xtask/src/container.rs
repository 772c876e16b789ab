//! `cargo xtask container`: the service as a container image without a base image.

use crate::fault::{Result, fault};
use crate::postgres::free_port;
use crate::release::{HOST, static_binaries};
use crate::step::{Done, Step};
use crate::tools::{self, capture};
use crate::{dist, paths};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Debian's root certificates, which the image contains.
pub const ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";

/// The image's name, in the storage below target/ and in archives.
const IMAGE: &str = "localhost/tua";

/// The health check of deploy/Containerfile, as `buildah inspect` prints it.
const HEALTH_CHECK: &str = "[CMD /usr/local/bin/tua ready]";

/// The user of the image (deploy/Containerfile).
const USER: &str = "10001:10001";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to write the image: any destination of `buildah push`, instead of the file target/container/tua.tar
    #[arg(long)]
    to: Option<String>,
}

pub fn run(args: &Args) -> Result<()> {
    tools::container()?;
    build()?;
    let to = match &args.to {
        Some(to) => {
            push(to)?;
            to.clone()
        }
        None => {
            write_archive(&archive())?;
            paths::shown(&archive())
        }
    };
    println!("the image is at {to}");
    Ok(())
}

fn build() -> Result<()> {
    dist::build(false, &[])?;
    image(&static_binaries(&HOST)?)
}

/// Writes the image into a file that `podman load` and `docker load` read. In Docker's format with its name: buildah
/// writes OCI archives without the health check and without the name.
pub fn write_archive(file: &Path) -> Result<()> {
    // buildah does not write over an archive in this format.
    let _ = fs::remove_file(file);
    push(&format!("docker-archive:{}:{IMAGE}:latest", file.display()))
}

fn push(to: &str) -> Result<()> {
    buildah("writing the image", &["push", IMAGE, to]).map(drop)
}

/// Builds the image of the programs in this folder, in a storage below target/.
pub fn image(binaries: &Path) -> Result<()> {
    let context = dir().join("context");
    let _ = fs::remove_dir_all(&context);
    let made = fs::create_dir_all(context.join("data"))
        .and_then(|()| fs::copy(binaries.join("tua"), context.join("tua")))
        .and_then(|_| fs::copy(ROOTS, context.join("ca-certificates.crt")))
        .and_then(|_| fs::set_permissions(context.join("ca-certificates.crt"), fs::Permissions::from_mode(0o644)));
    made.map_err(|e| fault!("{}: {e}", paths::shown(&context)))?;
    let file = paths::root().join("deploy/Containerfile").display().to_string();
    // Otherwise the storage would also keep the image of each earlier build.
    buildah("deleting older images", &["rmi", "--all", "--force"])?;
    // Docker's format, because the other one has no health check. The timestamp makes the layer reproducible.
    let args =
        ["build", "--network", "none", "--format", "docker", "--timestamp", "0", "--tag", IMAGE, "--file", &file];
    buildah("building the image", &[&args[..], &[&context.display().to_string()]].concat())?;
    Ok(())
}

/// Builds the image, and runs it from its archive: as its user, without any other file of this machine.
pub fn check() -> Result<()> {
    build()?;
    write_archive(&archive())?;
    buildah("deleting the image", &["rmi", "--all", "--force"])?;
    buildah("loading the image from its archive", &["pull", &format!("docker-archive:{}", archive().display())])?;
    let health_check = ["inspect", "--type", "image", "--format", "{{.Docker.Config.Healthcheck.Test}}", IMAGE];
    let inspected = buildah("reading its health check", &health_check)?;
    if last_line(&inspected) != HEALTH_CHECK {
        return Err(fault!("the health check of the image is {}", last_line(&inspected)));
    }
    let container = last_line(&buildah("creating a container", &["from", IMAGE])?).to_owned();
    let mounted = PathBuf::from(last_line(&buildah("mounting the container", &["mount", &container])?));
    let result = serve(&mounted);
    buildah("deleting the container", &["rm", &container])?;
    result
}

fn serve(mounted: &Path) -> Result<()> {
    let address = format!("127.0.0.1:{}", free_port()?);
    let inside = |title: &str, args: &[&str]| {
        let root = mounted.as_os_str().to_owned();
        let chroot = [OsString::from(format!("--userspec={USER}")), root];
        let step = Step::new(title, "chroot").args(chroot).args(["/usr/local/bin/tua"]).args(args);
        step.env("TUA_LISTEN", &address).env("TUA_DATABASE", "sqlite:///var/lib/tua/tua.db")
    };
    let files = capture("find", &[&mounted.display().to_string(), "-type", "f", "-printf", "/%P\\n"])?;
    let mut files: Vec<&str> = files.lines().collect();
    files.sort_unstable();
    if files != [ROOTS, "/usr/local/bin/tua"] {
        return Err(fault!("the image contains other files: {}", files.join(" ")));
    }
    inside("creating an account in the container", &["account", "create", "--name", "Adom"]).run()?;
    let mut service = inside("serving in the container", &["serve"]).start()?;
    service.wait_for_line("tua listens on ", std::time::Duration::from_secs(10))?;
    inside("its health check", &["ready"]).run()?;
    Ok(())
}

fn buildah(title: &str, args: &[&str]) -> Result<Done> {
    let storage = |name: &str| dir().join(name).into_os_string();
    // Of all drivers this one needs no kernel module; everything is below target/.
    let common = ["--storage-driver".into(), "vfs".into(), "--root".into(), storage("storage"), "--runroot".into()];
    Step::new(title, "buildah").args(common).args([storage("run")]).args(args).about(10).run()
}

/// Its answer; warnings come before it.
fn last_line(done: &Done) -> &str {
    done.log.lines().last().unwrap_or_default().trim()
}

fn archive() -> PathBuf {
    dir().join("tua.tar")
}

fn dir() -> PathBuf {
    paths::target().join("container")
}
