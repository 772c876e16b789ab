//! Installing what is missing: each tool once, pinned, whole or not at all.

use crate::fault::{Fault, Result, fault};
use crate::paths;
use crate::step::{Step, together};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// The version in the lock file; `tua-bindgen` and `tua-embed` pin the same.
pub const WASM_BINDGEN: &str = "0.2.130";
const WASM_PACK: &str = "0.15.1";
/// wasm-opt, and the minifier of the JavaScript glue.
const NPM_PACKAGES: [&str; 2] = ["binaryen@132.0.0", "esbuild@0.28.2"];
/// What the looks are tested with: a reader of accessibility faults, letters that are the same everywhere, a comparer
/// of pictures, and a hand on the browser.
pub const LOOKS_PACKAGES: [&str; 5] =
    ["axe-core@4.14.1", "dejavu-fonts-ttf@2.37.3", "pixelmatch@7.2.0", "playwright-core@1.65.1", "pngjs@7.0.0"];
/// The lightest comparable checkout that was found, to be weighed beside ours.
pub const RIVAL_PACKAGES: [&str; 1] = ["@adyen/adyen-web@6.45.2"];

/// What a first build has to fetch, fetched side by side.
#[derive(Debug, Default)]
pub struct Missing {
    steps: Vec<Step>,
    /// (made here, renamed to there once whole)
    renames: Vec<(PathBuf, PathBuf)>,
}

impl Missing {
    /// The wasm target, and the standard library's source where it is compiled too.
    pub fn rust(mut self, with_source: bool) -> Result<Self> {
        let sysroot = capture("rustc", &["--print", "sysroot"])?;
        let lib = Path::new(sysroot.trim()).join("lib/rustlib");
        let mut missing = Vec::new();
        if !lib.join(WASM_TARGET).join("lib").is_dir() {
            missing.push(["target", "add", WASM_TARGET]);
        }
        if with_source && !lib.join("src/rust/library/Cargo.lock").is_file() {
            missing.push(["component", "add", "rust-src"]);
        }
        if missing.is_empty() {
            return Ok(self);
        }
        if capture("rustup", &["--version"]).is_err() {
            let wanted: Vec<String> = missing.iter().map(|args| format!("`rustup {}`", args.join(" "))).collect();
            return Err(fault!(
                "{}: this toolchain lacks {WASM_TARGET} or rust-src and there is no rustup to add it: install Rust from https://rustup.rs, then {}",
                sysroot.trim(),
                wanted.join(" and ")
            ));
        }
        // One after the other: rustup locks its own folder.
        let script = missing.iter().map(|args| format!("rustup {}", args.join(" "))).collect::<Vec<_>>().join(" && ");
        self.steps.push(Step::new("adding the wasm target to the toolchain", "sh").args(["-c", &script]).about(10));
        Ok(self)
    }

    /// wasm-opt and the minifier, from npm, into target/tools.
    pub fn npm(self) -> Result<Self> {
        self.npm_packages("installing wasm-opt and esbuild", &NPM_PACKAGES)
    }

    /// These packages from npm, together, into a folder of their own in target/tools.
    pub fn npm_packages(mut self, title: &str, packages: &[&str]) -> Result<Self> {
        let whole = npm_dir(packages);
        if whole.is_dir() {
            return Ok(self);
        }
        for program in ["node", "npm"] {
            if capture(program, &["--version"]).is_err() {
                return Err(fault!(
                    "`{program}` is not on the PATH: install Node.js 20 or later with npm (https://nodejs.org, or `apt-get install nodejs npm`)"
                ));
            }
        }
        let partial = whole.with_extension("partial");
        remake(&partial)?;
        self.steps.push(
            Step::new(title, "npm")
                .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix"])
                .args([&partial])
                .args(packages)
                .dir(&partial)
                .about(15),
        );
        self.renames.push((partial, whole));
        Ok(self)
    }

    pub fn install(self) -> Result<()> {
        if self.steps.is_empty() {
            return Ok(());
        }
        together(self.steps)?;
        for (from, to) in self.renames {
            fs::rename(&from, &to).map_err(|e| fault!("{}: {e}", paths::shown(&to)))?;
        }
        Ok(())
    }
}

/// Where these packages are, once they are installed.
pub fn npm_dir(packages: &[&str]) -> PathBuf {
    paths::tools().join(packages.join(" ").replace(['@', '.', ' ', '/'], "-"))
}

pub fn npm_versions() -> String {
    NPM_PACKAGES.join(" ")
}

/// `node` with one of the npm tools' programs.
pub fn npm_tool(title: &str, program: &str) -> Step {
    Step::new(title, "node").args([npm_dir(&NPM_PACKAGES).join("node_modules").join(program)])
}

pub const WASM_OPT: &str = "binaryen/bin/wasm-opt";
pub const ESBUILD: &str = "esbuild/bin/esbuild";

/// A program that cargo builds from its crate, once, into target/tools.
#[derive(Debug)]
pub struct CargoProgram {
    pub name: &'static str,
    pub package: &'static str,
    pub version: &'static str,
    /// Whether with the crate's own lock file.
    pub locked: bool,
    /// Roughly how long it takes on 2 cores.
    pub about_s: u32,
}

impl CargoProgram {
    /// The folder that it is in, installed if missing.
    pub fn dir(&self) -> Result<PathBuf> {
        let Self { name, package, version, locked, about_s } = *self;
        // `cargo install` puts a program into bin/ only once it is whole.
        let into = paths::tools().join(format!("{package}-{version}"));
        let dir = into.join("bin");
        if !dir.join(name).is_file() {
            Step::new(format!("installing {package} {version}"), "cargo")
                .args(["install", package, "--version", version])
                .args(locked.then_some("--locked"))
                .args([OsString::from("--root"), into.into_os_string()])
                .args([OsString::from("--target-dir"), paths::tools().join("build").into_os_string()])
                .without_env("RUSTFLAGS")
                .about(about_s)
                .run()?;
        }
        Ok(dir)
    }
}

/// cargo's own verb for libFuzzer, installed if missing.
pub fn cargo_fuzz() -> Result<PathBuf> {
    let program =
        CargoProgram { name: "cargo-fuzz", package: "cargo-fuzz", version: "0.13.2", locked: true, about_s: 100 };
    Ok(program.dir()?.join(program.name))
}

/// The folders to put before PATH so that wasm-pack and wasm-bindgen's test runner are found, installed if missing.
pub fn wasm_test_tools() -> Result<OsString> {
    let mut dirs = Vec::new();
    for program in [
        CargoProgram { name: "wasm-pack", package: "wasm-pack", version: WASM_PACK, locked: true, about_s: 100 },
        // Its lock file names a crate version that is no longer served.
        CargoProgram {
            name: "wasm-bindgen",
            package: "wasm-bindgen-cli",
            version: WASM_BINDGEN,
            locked: false,
            about_s: 130,
        },
    ] {
        let found = capture(program.name, &["--version"]).unwrap_or_default();
        if found.split_whitespace().nth(1) != Some(program.version) {
            dirs.push(program.dir()?);
        }
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(dirs.into_iter().chain(env::split_paths(&path))).map_err(|e| fault!("PATH: {e}"))
}

/// A Python of our own with what a requirements file names, in target/tools. Ready once the folder
/// holds the same file; anything else is made anew.
pub fn python(requirements: &Path) -> Result<PathBuf> {
    let wanted = fs::read(requirements).map_err(|e| fault!("{}: {e}", paths::shown(requirements)))?;
    let dir = paths::tools().join("python");
    let (python, done) = (dir.join("bin/python"), dir.join("requirements.txt"));
    if fs::read(&done).is_ok_and(|installed| installed == wanted) && python.is_file() {
        return Ok(python);
    }
    // Debian keeps what `venv` needs in a package of its own.
    if capture("python3", &["-c", "import venv, ensurepip"]).is_err() {
        apt_install("Python's venv", &["python3-venv"])?;
    }
    remake(&dir)?;
    Step::new("making a Python of our own", "python3").args(["-m", "venv"]).args([&dir]).about(5).run()?;
    Step::new("installing schemathesis", &python)
        .args(["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--requirement"])
        .args([requirements])
        .about(20)
        .run()?;
    fs::write(&done, wanted).map_err(|e| fault!("{}: {e}", paths::shown(&done)))?;
    Ok(python)
}

/// The service's allocator is built with it.
pub fn make() -> Result<()> {
    apt_program("make", "make")
}

/// One program from one Debian package.
pub fn apt_program(program: &str, package: &str) -> Result<()> {
    if on_path(program).is_some() { Ok(()) } else { apt_install(program, &[package]) }
}

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
        return Err(fault!("{what} is missing and `sudo` is not there or wants a password: {how}"));
    }
    let apt = |title: String, args: &[&str]| {
        let prefix = if is_root { &[][..] } else { &["sudo", "-n"] };
        let words = [prefix, &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"], args].concat();
        Step::new(title, words[0]).args(&words[1..])
    };
    let install = [&["install", "--yes", "--no-install-recommends"][..], packages].concat();
    let installed = (|| {
        apt("asking apt what it has".to_owned(), &["update"]).about(10).run()?;
        apt(format!("downloading {what}"), &[&install[..], &["--download-only"]].concat()).about(30).run()?;
        // Short, and not to be torn in the middle: dpkg would have to be repaired by hand.
        apt(format!("unpacking {what}"), &install).about(30).held().run()
    })();
    match installed {
        Err(Fault::Said(why)) => Err(fault!("{why}; {how}")),
        other => other.map(drop),
    }
}

pub fn on_path(program: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(program)).find(|path| path.is_file())
}

/// The standard output of a program that answers at once.
pub fn capture(program: &str, args: &[&str]) -> Result<String> {
    let out = Command::new(program)
        .args(args)
        .current_dir(paths::root())
        .stdin(Stdio::null())
        .output()
        .map_err(|e| fault!("`{program}`: {e}"))?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        let why = String::from_utf8_lossy(&out.stderr);
        Err(fault!("`{program} {}`: {}", args.join(" "), why.trim().lines().last().unwrap_or("failed")))
    }
}

fn remake(dir: &Path) -> Result<()> {
    if dir.exists() {
        fs::remove_dir_all(dir).map_err(|e| fault!("{}: {e}", paths::shown(dir)))?;
    }
    fs::create_dir_all(dir).map_err(|e| fault!("{}: {e}", paths::shown(dir)))
}
