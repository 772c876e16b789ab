//! The browsers that the tests drive, installed if missing.

use crate::fault::{Result, fault};
use crate::tools::{self, CargoProgram};
use std::path::PathBuf;

const GECKODRIVER: CargoProgram =
    CargoProgram { name: "geckodriver", package: "geckodriver", version: "0.37.1", locked: true, about_s: 90 };

/// Chromium and its driver.
#[derive(Debug, Clone)]
pub struct Chromium {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

pub fn chromium() -> Result<Chromium> {
    let [browser, driver] =
        debians("Chromium and its driver", ["chromium", "chromedriver"], &["chromium", "chromium-driver"])?;
    Ok(Chromium { browser, driver })
}

/// Firefox and its driver, which Debian does not have.
#[derive(Debug, Clone)]
pub struct Firefox {
    pub browser: PathBuf,
    pub driver: PathBuf,
}

pub fn firefox() -> Result<Firefox> {
    let [browser] = debians("Firefox", ["firefox-esr"], &["firefox-esr"])?;
    Ok(Firefox { browser, driver: GECKODRIVER.dir()?.join(GECKODRIVER.name) })
}

/// WebKitGTK's driver, which knows where the browser of its package is, and a screen for that browser.
pub fn webkit() -> Result<PathBuf> {
    let programs = ["WebKitWebDriver", "Xvfb"];
    let [driver, _] = debians("WebKitGTK, its driver and a screen for it", programs, &["webkit2gtk-driver", "xvfb"])?;
    Ok(driver)
}

/// Where these programs are, from these packages if one of them is missing.
fn debians<const N: usize>(what: &str, programs: [&str; N], packages: &[&str]) -> Result<[PathBuf; N]> {
    if programs.iter().any(|program| tools::on_path(program).is_none()) {
        tools::apt_install(what, packages)?;
    }
    let found: Option<Vec<PathBuf>> = programs.iter().map(|program| tools::on_path(program)).collect();
    found.and_then(|found| found.try_into().ok()).ok_or_else(|| {
        fault!("apt installed {} but not all of {} are on the PATH", packages.join(" and "), programs.join(", "))
    })
}
