//! The browsers that the tests drive, installed if missing.

use crate::fault::{Result, fault};
use crate::tools::{self, CargoProgram};
use std::path::PathBuf;

/// Debian has no package of it.
pub const GECKODRIVER: CargoProgram = CargoProgram {
    name: "geckodriver",
    package: "geckodriver",
    version: "0.37.1",
    locked: true,
    optimized: false,
    estimate_s: 60,
};

pub const CHROMIUM_PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];
pub const CHROMIUM_PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];
pub const FIREFOX_PROGRAMS: [&str; 1] = ["firefox-esr"];
pub const FIREFOX_PACKAGES: [&str; 1] = ["firefox-esr"];
pub const WEBKIT_PROGRAMS: [&str; 2] = ["WebKitWebDriver", "Xvfb"];
pub const WEBKIT_PACKAGES: [&str; 2] = ["webkit2gtk-driver", "xvfb"];

/// Chromium and its driver.
#[derive(Debug, Clone)]
pub struct Chromium {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

pub fn chromium() -> Result<Chromium> {
    let [browser, driver] =
        debians("Chromium and its driver", CHROMIUM_PROGRAMS, &CHROMIUM_PACKAGES)?;
    Ok(Chromium { browser, driver })
}

/// Firefox and its driver.
#[derive(Debug, Clone)]
pub struct Firefox {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

pub fn firefox() -> Result<Firefox> {
    let [browser] = debians("Firefox", FIREFOX_PROGRAMS, &FIREFOX_PACKAGES)?;
    Ok(Firefox { browser, driver: GECKODRIVER.dir()?.join(GECKODRIVER.name) })
}

/// WebKitGTK's driver, which finds the browser of its package. The browser needs a display: Xvfb.
pub fn webkit() -> Result<PathBuf> {
    let [driver, _] =
        debians("WebKitGTK, its driver and a display", WEBKIT_PROGRAMS, &WEBKIT_PACKAGES)?;
    Ok(driver)
}

/// The paths of these programs. If one is missing, the packages are installed.
fn debians<const N: usize>(
    what: &str,
    programs: [&str; N],
    packages: &[&str],
) -> Result<[PathBuf; N]> {
    if programs.iter().any(|program| tools::on_path(program).is_none()) {
        tools::apt_install(what, packages)?;
    }
    let found: Option<Vec<PathBuf>> =
        programs.iter().map(|program| tools::on_path(program)).collect();
    found.and_then(|found| found.try_into().ok()).ok_or_else(|| {
        fault!(
            "apt installed {} but not all of {} are on the PATH",
            packages.join(" and "),
            programs.join(", ")
        )
    })
}
