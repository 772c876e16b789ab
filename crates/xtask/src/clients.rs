//! Clients of the API that openapi-generator writes from `docs/openapi.json` in three languages.
//! Each makes test payments: the document is one that tools of others can read, and what they make
//! of it works.

use crate::api::Service;
use crate::fault::{Result, fault};
use crate::step::Step;
use crate::{paths, programs, sdks, tools};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes, compiles and runs the client of each language. Returns how many there are.
pub fn check() -> Result<u64> {
    let service = Service::start(&programs::build()?, "clients")?;
    let clients = [
        typescript(&service)?,
        Step::new("payments with the generated client for Python", tools::CLIENTS.python()?)
            .args([&script("payment.py")])
            .args([service.base_url(), service.key.clone()])
            .env("PYTHONPATH", generate("python")?),
        Step::new("payments with the generated client for PHP", "php")
            .args([script("payment.php"), generate("php")?])
            .args([service.base_url(), service.key.clone()]),
    ];
    let count = clients.len() as u64;
    for client in clients {
        client.run()?;
    }
    Ok(count)
}

/// Compiles the client and the script with the compiler of the SDK for Node.js.
fn typescript(service: &Service) -> Result<Step> {
    let folder = generate("typescript-fetch")?;
    let project = folder.with_file_name("typescript");
    let client = project.join("client");
    let _ = fs::remove_dir_all(&project);
    let cannot_write = |error| fault!("{}: {error}", paths::shown(&project));
    fs::create_dir_all(&project).map_err(cannot_write)?;
    fs::rename(&folder, &client).map_err(cannot_write)?;
    fs::copy(script("payment.ts"), project.join("payment.ts")).map_err(cannot_write)?;
    fs::write(project.join("package.json"), r#"{"type":"module"}"#).map_err(cannot_write)?;
    let sdk = sdks::build_typescript()?;
    Step::new("compiling the generated client for TypeScript", sdk.join("node_modules/.bin/tsc"))
        .args(["--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck"])
        .args(["--types", "node", "--outDir", "compiled", "--typeRoots"])
        .args([&sdk.join("node_modules/@types"), Path::new("payment.ts")])
        .dir(&project)
        .run()?;
    Ok(Step::new("payments with the generated client for TypeScript", "node")
        .args([&project.join("compiled/payment.js")])
        .args([service.base_url(), service.key.clone()]))
}

/// Writes the client of a language into a folder of its own, which it returns.
fn generate(language: &str) -> Result<PathBuf> {
    let folder = paths::target().join("clients").join(language);
    let _ = fs::remove_dir_all(&folder);
    let document = paths::root().join("docs/openapi.json");
    Step::new(
        format!("openapi-generator for {language}"),
        tools::CLIENTS.program("openapi-generator-cli")?,
    )
    .args(["generate", "--generator-name", language, "--input-spec"])
    .args([document.as_path(), Path::new("--output"), &folder])
    // Node.js imports files by their whole names.
    .args(["--additional-properties", "importFileExtension=.js"])
    .about(10)
    .run()?;
    Ok(folder)
}

fn script(name: &str) -> PathBuf {
    paths::root().join("tests/clients").join(name)
}
