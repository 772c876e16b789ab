//! The test service: the real one, with an account and a clock that is moved over HTTP.

use crate::fault::Result;
use crate::programs;
use crate::step::{Background, Step};
use std::time::Duration;

const PROGRAM: &str = "tua-harness";
const START_TIMEOUT: Duration = Duration::from_secs(20);

/// A test service that runs until this is dropped.
#[derive(Debug)]
pub struct Harness {
    /// The origin of its API.
    pub api: String,
    /// Its account's v2 test key.
    pub key: String,
    /// The origin that moves its clock.
    pub control: String,
    _process: Background,
}

/// Builds it, with pkg/ as it is now, and starts it.
pub fn start() -> Result<Harness> {
    let mut process = Step::new("the test service", programs::build()?.join(PROGRAM)).start()?;
    let mut printed = |name: &str| process.wait_for_line(&format!("{name}="), START_TIMEOUT);
    let api = printed("TUA_TEST_API")?;
    let key = printed("TUA_TEST_KEY")?;
    let control = printed("TUA_TEST_CONTROL")?;
    Ok(Harness { api, key, control, _process: process })
}
