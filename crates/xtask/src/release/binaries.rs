//! `tua` and `tua-companion` with everything linked in, the C library too, so that they need no
//! file of a system.

use crate::fault::{Result, fault};
use crate::paths;
use crate::step::Step;
use crate::tools::{self, Missing};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The programs of a release.
pub const NAMES: [&str; 2] = ["tua", "tua-companion"];

/// A processor that a release is built for.
#[derive(Debug)]
pub struct Processor {
    /// Its name in file names, as `uname -m` prints it.
    pub name: &'static str,
    /// Its name in Debian's packages, such as `amd64`.
    pub debian: &'static str,
    /// The target of the Rust toolchain. musl, because glibc loads parts of itself at run time to
    /// look up names.
    pub target: &'static str,
    /// Settings of the build for this processor alone.
    env: &'static [(&'static str, &'static str)],
}

const X86_64: Processor =
    Processor { name: "x86_64", debian: "amd64", target: "x86_64-unknown-linux-musl", env: &[] };

const AARCH64: Processor = Processor {
    name: "aarch64",
    debian: "arm64",
    target: "aarch64-unknown-linux-musl",
    // Some kernels for this processor have pages of 64 KiB. An allocator for smaller ones does not
    // start there.
    env: &[("JEMALLOC_SYS_WITH_LG_PAGE", "16")],
};

/// The processor of this machine.
#[cfg(target_arch = "x86_64")]
pub const HOST: Processor = X86_64;
/// The processor of this machine.
#[cfg(target_arch = "aarch64")]
pub const HOST: Processor = AARCH64;

impl Processor {
    /// All that releases are built for.
    pub const ALL: [Self; 2] = [X86_64, AARCH64];
}

/// Compiles the programs for a processor, and returns their folder.
pub fn static_binaries(processor: &Processor) -> Result<PathBuf> {
    tools::make()?;
    Missing::default().rust(processor.target, false)?.install()?;
    let zigbuild = tools::RELEASE.program("cargo-zigbuild")?;
    let packages = ["--package", "tua-service", "--package", "tua-companion"];
    let binaries = NAMES.iter().flat_map(|name| ["--bin", name]);
    let step = Step::new(format!("compiling static programs for {}", processor.name), &zigbuild)
        .args(["zigbuild", "--locked", "--release", "--target", processor.target])
        .args(packages)
        .args(binaries)
        // It finds zig beside the Python of the same folder.
        .env("PATH", path_with(zigbuild.parent())?)
        .without_env("RUSTFLAGS")
        .about(600);
    processor.env.iter().fold(step, |step, (key, value)| step.env(key, value)).run()?;
    let dir = paths::target().join(processor.target).join("release");
    NAMES.iter().try_for_each(|name| check_static(&dir.join(name)))?;
    Ok(dir)
}

fn path_with(dir: Option<&Path>) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(dir.map(Path::to_path_buf).into_iter().chain(env::split_paths(&path)))
        .map_err(|e| fault!("PATH: {e}"))
}

fn check_static(binary: &Path) -> Result<()> {
    tools::apt_program("readelf", "binutils")?;
    let linked = Step::new("checking that it is static", "readelf")
        .args([OsString::from("--program-headers"), binary.as_os_str().to_owned()])
        .run()?;
    if linked.log.contains("INTERP") {
        Err(fault!("{}: it needs a dynamic linker", paths::shown(binary)))
    } else {
        Ok(())
    }
}
