//! What must never be in a merchant's page: a server, or a word that begins a secret key.

use crate::fault::Result;
use crate::tools::{WASM_TARGET, capture};
use crate::{paths, wasm};
use std::fs;

const SERVER_CRATES: [&str; 7] =
    ["axum", "rusqlite", "tokio-postgres", "tokio", "reqwest", "hyper", "tua-service"];
const KEY_PREFIXES: [&str; 4] = ["sk_test_", "sk_live_", "tua_test_v2_", "tua_live_v2_"];

/// (what was looked at, what was wrong with it)
pub type Check = (String, Option<String>);

/// Every crate that is linked into the wasm.
pub fn dependencies() -> Result<Vec<Check>> {
    let tree = capture(
        "cargo",
        &[
            "tree",
            "--locked",
            "--package",
            "tua-embed",
            "--target",
            WASM_TARGET,
            "--edges",
            "normal",
            "--prefix",
            "none",
        ],
    )?;
    let linked: Vec<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let check = |name: &&str| {
        let fault = linked.contains(name).then(|| {
            format!(
                "tua-embed depends on {name}: `cargo tree -p tua-embed --target {WASM_TARGET} \
                 -i {name}` shows how"
            )
        });
        (format!("the component does not depend on {name}"), fault)
    };
    Ok(SERVER_CRATES.iter().map(check).collect())
}

/// Every byte that `npm publish` would send.
pub fn bytes() -> Vec<Check> {
    let files = [wasm::LOADER, wasm::ELEMENT, wasm::WASM];
    let pairs = files.iter().flat_map(|file| KEY_PREFIXES.iter().map(move |prefix| (file, prefix)));
    pairs
        .map(|(file, prefix)| {
            let path = paths::pkg().join(file);
            let fault = match fs::read(&path) {
                Err(error) => Some(format!("{}: {error}", paths::shown(&path))),
                Ok(bytes) => bytes
                    .windows(prefix.len())
                    .any(|window| window == prefix.as_bytes())
                    .then(|| format!("pkg/{file} contains `{prefix}`")),
            };
            (format!("pkg/{file} has no {prefix}"), fault)
        })
        .collect()
}
