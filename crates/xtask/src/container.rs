//! `cargo xtask container`: the service as a container image without a base image.

use crate::fault::{Result, fault};
use crate::postgres::free_port;
use crate::release::{HOST, static_binaries};
use crate::step::{Step, StepOutput};
use crate::tools::{self, ROOT_CERTIFICATES, capture};
use crate::{dist, paths};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The image's name, in the storage below target/ and in archives.
const IMAGE: &str = "localhost/tua";

/// The health check of deploy/Containerfile, as `buildah inspect` prints it.
const HEALTH_CHECK: &str = "[CMD /usr/local/bin/tua ready]";

/// The user of the image (deploy/Containerfile).
const USER: &str = "10001:10001";

/// Runs `tua` in the root directory `$0` as the user `$1`, with the arguments that follow. The root
/// is read-only, as with `--read-only`, except the volume.
const READ_ONLY: &str = "mount --bind \"$0\" \"$0\"; mount \
    --bind \"$0/var/lib/tua\" \"$0/var/lib/tua\"; mount -o remount,bind,ro \"$0\"; user=\"$1\"; \
    shift; exec chroot --userspec=\"$user\" \"$0\" /usr/local/bin/tua \"$@\"";

/// A statement of pawaPay with a line that moved no money.
const STATEMENT: &str = "Transaction ID,Transaction Type,Status,Currency,Amount,Fee,Completed \
    At,Provider Transaction ID\n\
    00000000-0000-4000-8000-000000000001,DEPOSIT,FAILED,GHS,1.00,,2026-01-01T00:00:00Z,\n";

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Where to write the image: any destination of `buildah push`, instead of the file
    /// target/container/tua.tar
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

/// Writes the image into a file that `podman load` and `docker load` read. In Docker's format with
/// its name: buildah writes OCI archives without the health check and without the name.
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
        .and_then(|_| fs::copy(ROOT_CERTIFICATES, context.join("ca-certificates.crt")))
        .and_then(|_| {
            let notice = paths::root().join("crates/tables/LICENSE-DEJAVU");
            fs::copy(notice, context.join("LICENSE-DEJAVU"))
        })
        .and_then(|_| {
            fs::set_permissions(
                context.join("ca-certificates.crt"),
                fs::Permissions::from_mode(0o644),
            )
        });
    made.map_err(|e| fault!("{}: {e}", paths::shown(&context)))?;
    let file = paths::root().join("deploy/Containerfile").display().to_string();
    // Otherwise the storage would also keep the image of each earlier build.
    buildah("deleting older images", &["rmi", "--all", "--force"])?;
    // Docker's format, because the other one has no health check. The timestamp makes the layer
    // reproducible.
    let args = [
        "build",
        "--network",
        "none",
        "--format",
        "docker",
        "--timestamp",
        "0",
        "--tag",
        IMAGE,
        "--file",
        &file,
    ];
    buildah("building the image", &[&args[..], &[&context.display().to_string()]].concat())?;
    Ok(())
}

/// Builds the image, and runs it from its archive: as its user, without any other file of this
/// machine.
pub fn check() -> Result<()> {
    build()?;
    write_archive(&archive())?;
    buildah("deleting the image", &["rmi", "--all", "--force"])?;
    buildah(
        "loading the image from its archive",
        &["pull", &format!("docker-archive:{}", archive().display())],
    )?;
    let health_check =
        ["inspect", "--type", "image", "--format", "{{.Docker.Config.Healthcheck.Test}}", IMAGE];
    let inspected = buildah("reading its health check", &health_check)?;
    if last_line(&inspected) != HEALTH_CHECK {
        return Err(fault!("the health check of the image is {}", last_line(&inspected)));
    }
    let container = last_line(&buildah("creating a container", &["from", IMAGE])?).to_owned();
    let mounted =
        PathBuf::from(last_line(&buildah("mounting the container", &["mount", &container])?));
    let result = serve(&mounted);
    buildah("deleting the container", &["rm", &container])?;
    result
}

fn serve(mounted: &Path) -> Result<()> {
    let address = format!("[::]:{}", free_port()?);
    let inside = |title: &str, args: &[&str]| {
        let step = Step::new(title, "unshare").args(["--mount", "sh", "-ec", READ_ONLY]);
        let step = step.args([mounted.as_os_str(), OsStr::new(USER)]).args(args);
        step.env("TUA_LISTEN", &address)
            .env("TUA_DATABASE", "sqlite:///var/lib/tua/tua.db")
            .without_env("TMPDIR")
    };
    let files =
        capture("find", &[&mounted.display().to_string(), "-type", "f", "-printf", "/%P\\n"])?;
    let mut files: Vec<&str> = files.lines().collect();
    files.sort_unstable();
    if files != [ROOT_CERTIFICATES, "/usr/local/bin/tua"] {
        return Err(fault!("the image contains other files: {}", files.join(" ")));
    }
    inside("creating an account in the container", &["account", "create", "--name", "Adom"])
        .run()?;
    check_files(mounted, &inside)?;
    let mut service = inside("serving in the container", &["serve"]).start()?;
    service.wait_for_line("tua listens on ", std::time::Duration::from_secs(10))?;
    inside("its health check", &["ready"]).run()?;
    Ok(())
}

/// Writes an XLSX file and imports a statement. Both need temporary files, and only the volume can
/// be written.
fn check_files(mounted: &Path, inside: &impl Fn(&str, &[&str]) -> Step) -> Result<()> {
    let export = [
        "export",
        "transactions",
        "--from",
        "2026-01-01",
        "--to",
        "2026-12-31",
        "--format",
        "xlsx",
    ];
    let exported = [&export[..], &["--output", "/var/lib/tua/export.xlsx"]].concat();
    inside("writing an XLSX file in the container", &exported).run()?;
    let printed = inside(
        "printing settings in the container",
        &["emulate", "--print-config", "--listen", "127.0.0.1:9"],
    );
    let settings = printed.run()?.log;
    for (name, contents) in [("tua.toml", settings.as_str()), ("statement.csv", STATEMENT)] {
        let file = mounted.join("var/lib/tua").join(name);
        fs::write(&file, contents).map_err(|e| fault!("{}: {e}", paths::shown(&file)))?;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644))
            .map_err(|e| fault!("{}: {e}", paths::shown(&file)))?;
    }
    let import =
        ["statement", "import", "--operator", "pawapay", "--config", "/var/lib/tua/tua.toml"];
    let imported = [&import[..], &["/var/lib/tua/statement.csv"]].concat();
    inside("importing a statement in the container", &imported).run()?;
    Ok(())
}

fn buildah(title: &str, args: &[&str]) -> Result<StepOutput> {
    let storage = |name: &str| dir().join(name).into_os_string();
    // Of all drivers this one needs no kernel module; everything is below target/.
    let common = [
        "--storage-driver".into(),
        "vfs".into(),
        "--root".into(),
        storage("storage"),
        "--runroot".into(),
    ];
    Step::new(title, "buildah").args(common).args([storage("run")]).args(args).about(10).run()
}

/// Its answer; warnings come before it.
fn last_line(done: &StepOutput) -> &str {
    done.log.lines().last().unwrap_or_default().trim()
}

fn archive() -> PathBuf {
    dir().join("tua.tar")
}

fn dir() -> PathBuf {
    paths::target().join("container")
}
