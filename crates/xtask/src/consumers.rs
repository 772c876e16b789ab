//! The npm package in projects as merchants have them: installed from what `npm pack` packs, built
//! for production, and paid in.

use crate::browsers::Chromium;
use crate::fault::{Result, fault};
use crate::harness::{self, Harness};
use crate::step::Step;
use crate::tools::{self, Missing};
use crate::{dist, paths, wasm};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The projects below tests/consumers that are built; each pins what it needs by exact versions.
const BUILT: [&str; 5] = ["vite", "webpack", "react", "vue", "next"];
/// The one that looks at the package itself.
const PACKAGE: &str = "package";

/// What the package says of itself, held against what it is: types, manifest, exports, Node.
pub fn package() -> Result<Step> {
    dist::pack(&dir())?;
    let project = Project::new(PACKAGE)?;
    project.install()?;
    let step = Step::new("the package, as it says of itself", "npm");
    Ok(step
        .args(["run", "--silent", "check"])
        .dir(&project.dir)
        .without_env("FORCE_COLOR")
        .env("TUA_ROOT", paths::root())
        .about(15))
}

/// A payer in every project. The service is the real one, and ends with what is handed back beside
/// the step.
pub fn payer(chromium: &Chromium) -> Result<(Step, Harness)> {
    dist::pack(&dir())?;
    Missing::default()
        .npm_packages("installing axe and playwright", &tools::LOOKS_PACKAGES)?
        .install()?;
    // After pkg/ is built, since what the service serves is built into it.
    let service = harness::start()?;
    for name in BUILT {
        let project = Project::new(name)?;
        project.install()?;
        project.build(&service.api)?;
    }
    wasm::build_yew_example(&dir().join("yew/dist"))?;
    let step = Step::node_tests("a payer in every project", &sources().join("run.mjs"))
        .args([&dir(), &chromium.browser])
        .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
        .env("TUA_TEST_API", &service.api)
        .env("TUA_TEST_KEY", &service.key)
        .env("TUA_TEST_INTEGRITY", dist::integrity()?)
        .about(90);
    Ok((step, service))
}

/// A copy of a project, beside its own `node_modules`.
struct Project {
    name: &'static str,
    dir: PathBuf,
}

impl Project {
    fn new(name: &'static str) -> Result<Self> {
        let dir = dir().join(name);
        clear(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
        copy(&sources().join(name), &dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
        Ok(Self { name, dir })
    }

    fn install(&self) -> Result<()> {
        // npm would take a package of the same version for the same package.
        let modules = self.dir.join("node_modules");
        let _ = fs::remove_dir_all(modules.join("tua-checkout"));
        let _ = fs::remove_file(modules.join(".package-lock.json"));
        Step::new(format!("installing what {} needs", self.name), "npm")
            .args([
                "install",
                "--ignore-scripts",
                "--no-audit",
                "--no-fund",
                "--no-package-lock",
                "--prefer-offline",
            ])
            .dir(&self.dir)
            .about(10)
            .run()
            .map(drop)
    }

    fn build(&self, api: &str) -> Result<()> {
        Step::new(format!("building {} for production", self.name), "npm")
            .args(["run", "build"])
            .dir(&self.dir)
            .env("NEXT_PUBLIC_TUA", api)
            .env("NEXT_TELEMETRY_DISABLED", "1")
            .about(15)
            .run()
            .map(drop)
    }
}

/// Where the projects are built, with the package packed beside them.
fn dir() -> PathBuf {
    paths::target().join("consumers")
}

fn sources() -> PathBuf {
    paths::root().join("tests/consumers")
}

/// Takes away what was copied and built the last time; what npm installed stays.
fn clear(dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
    }
    Ok(())
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
