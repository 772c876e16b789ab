//! Published clients of MTN MoMo and Paystack, from PyPI and npm, with the emulator as their
//! operator: what it serves is what clients of the real ones expect. They run where no other
//! network is (`tests/foreign/alone.py`), so that none of them can reach an operator.

use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, programs, tools};
use std::fs;
use std::path::{Path, PathBuf};

/// The tests of each client: those in Python, then those in JavaScript.
pub fn clients() -> Result<[Step; 2]> {
    let tests = paths::root().join("tests/foreign");
    Step::new("installing the foreign clients for Node.js", "npm")
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .dir(&tests)
        .about(5)
        .run()?;
    let tua = programs::build()?.join("tua");
    let python = tools::FOREIGN.python()?;
    let alone = |title: &str| {
        let step = Step::new(title, &python).args([tests.join("alone.py"), tua.clone()]);
        step.dir(&tests).about(20)
    };
    let of_python = alone("foreign clients in Python")
        .args([python.as_path()])
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "python"])
        .env("PYTHONDONTWRITEBYTECODE", "1");
    let of_node = alone("foreign clients in Node.js")
        .args(["node", "--test", "--test-reporter=spec"])
        .args(scripts(&tests.join("node"))?)
        .without_env("FORCE_COLOR");
    Ok([of_python, of_node])
}

/// The scripts with tests in a folder, in the order of their names.
fn scripts(folder: &Path) -> Result<Vec<PathBuf>> {
    let cannot_read = |error| fault!("{}: {error}", paths::shown(folder));
    let entries = fs::read_dir(folder).map_err(cannot_read)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut scripts = paths.collect::<std::io::Result<Vec<_>>>().map_err(cannot_read)?;
    scripts.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    scripts.sort();
    Ok(scripts)
}

#[cfg(test)]
mod tests {
    use super::scripts;
    use crate::paths;

    #[test]
    fn every_client_for_node_has_a_script() {
        let scripts = scripts(&paths::root().join("tests/foreign/node")).expect("the folder");
        let names = scripts.iter().filter_map(|path| path.file_name()?.to_str());
        let names = names.collect::<Vec<_>>();
        for name in ["mtn-momo", "official", "paystack-node", "paystack-sdk"] {
            assert!(names.contains(&format!("{name}.test.mjs").as_str()), "{name}: {names:?}");
        }
    }
}
