//! The service against its own document: schemathesis makes requests up from `docs/openapi.json`,
//! good and bad ones, and looks whether every answer is one that the document promises.

use crate::fault::{Result, fault};
use crate::step::{Background, Step, together};
use crate::{paths, programs, tools};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const START_TIMEOUT: Duration = Duration::from_secs(20);

/// Decides the requests of the daily run.
const DAILY_SEED: &str = "20261123";

/// How long to look.
#[derive(Debug, Clone, Copy)]
pub enum Length {
    /// Up to 60 requests of each kind for each route.
    Daily,
    /// Until five minutes are over, for each credential.
    Long,
}

/// As whom the requests are made.
#[derive(Debug, Clone, Copy)]
enum Caller {
    /// With a secret key.
    Merchant,
    /// With checkout tokens, which `hooks.py` opens sessions for.
    Payer,
}

/// Both passes. Returns how many checks there were: the document itself, its amounts, and one for
/// each pass.
pub fn conformance(length: Length) -> Result<u64> {
    let tests = paths::root().join("tests/api");
    let python = tools::TESTS.python()?;
    let document = paths::root().join("docs/openapi.json");
    Step::new("the document against the OpenAPI schema", &python)
        .args(["-m", "openapi_spec_validator"])
        .args([&document])
        .run()?;

    Step::new("the amounts of the document", &python)
        .args([&tests.join("amounts.py"), &document])
        .run()?;

    let built = programs::build()?;
    let callers = [Caller::Merchant, Caller::Payer];
    // A service for each: what one caller sends must not depend on what the other has done.
    let services = callers.map(|caller| Service::start(&built, &format!("api-{}", caller.name())));
    let services = services.into_iter().collect::<Result<Vec<_>>>()?;
    let passes = callers.iter().zip(&services);
    let steps =
        passes.map(|(caller, service)| service.pass(&python, &tests, &document, *caller, length));
    for (caller, done) in callers.iter().zip(together(steps.collect())?) {
        eprintln!("  {} requests {}", requests(&done.log, *caller)?, caller.with());
    }
    Ok(4)
}

/// `tua serve` on a database and a port of its own, with an account in test mode.
pub struct Service {
    dir: PathBuf,
    origin: String,
    /// The account's secret key of the second generation.
    pub key: String,
    _process: Background,
}

impl Service {
    /// Starts it on an empty database in the folder with this name below `target`.
    pub fn start(built: &Path, folder: &str) -> Result<Self> {
        let dir = paths::target().join(folder);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).map_err(|e| fault!("{}: {e}", paths::shown(&dir)))?;
        let tua = built.join("tua");
        let database = format!("sqlite://{}", dir.join("tua.db").display());
        let account = Step::new("making an account to test with", &tua)
            .args([
                "account",
                "create",
                "--name",
                "Tests of the API",
                "--json",
                "--database",
                &database,
            ])
            .run()?;
        let key = account.log.split('"').find(|word| word.starts_with("tua_test_v2_"));
        let key = key
            .ok_or_else(|| fault!("tua account create: no v2 test key in its answer"))?
            .to_owned();
        let mut process = Step::new(format!("the service of the API's tests, {folder}"), &tua)
            .args(["serve", "--listen", "127.0.0.1:0", "--database", &database])
            .args(["--sandbox-speed", "1000", "--limits", "off"])
            .env("TUA_LOG", "warn")
            .start()?;
        let ready = process.wait_for_line("tua listens on ", START_TIMEOUT)?;
        let address = ready.split(',').next().unwrap_or_default();
        Ok(Self { dir, origin: format!("http://{address}"), key, _process: process })
    }

    /// The versioned root of the API.
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.origin)
    }

    /// One run of schemathesis. A finding fails the step.
    fn pass(
        &self,
        python: &Path,
        tests: &Path,
        document: &Path,
        caller: Caller,
        length: Length,
    ) -> Step {
        let mut step = Step::new(format!("schemathesis {}", caller.with()), python)
            .args(["-m", "schemathesis.cli", "--config-file"])
            .args([&tests.join("schemathesis.toml"), Path::new("run"), document])
            .args(["--url", &self.origin, "--no-color"])
            .env("TUA_TEST_HOOKS", tests.join("hooks.py"))
            .env("TUA_TEST_BASE", &self.origin)
            .env("TUA_TEST_KEY", &self.key)
            .env("TUA_TEST_AS", caller.name())
            // It leaves a folder of its own where it runs.
            .dir(&self.dir);
        step = match length {
            // The same requests every day, so that a finding comes from a change. The long run
            // makes other requests each time, and may find what is older.
            Length::Daily => step.args(["--max-examples", "60", "--seed", DAILY_SEED]).about(20),
            Length::Long => step.args(["--max-examples", "1000", "--max-time", "300"]).about(300),
        };
        if let Caller::Merchant = caller {
            step = step.args(["--header", &format!("x-api-key: {}", self.key)]);
        }
        step
    }
}

/// How many requests a run of schemathesis made.
fn requests(log: &str, caller: Caller) -> Result<u64> {
    let cases = log.lines().find_map(|line| line.trim().split_once(" generated,")?.0.parse().ok());
    match cases {
        Some(cases) if cases > 0 => Ok(cases),
        _ => Err(fault!("schemathesis {}: it made no requests", caller.with())),
    }
}

impl Caller {
    const fn name(self) -> &'static str {
        match self {
            Self::Merchant => "merchant",
            Self::Payer => "payer",
        }
    }

    const fn with(self) -> &'static str {
        match self {
            Self::Merchant => "with a secret key",
            Self::Payer => "with checkout tokens",
        }
    }
}
