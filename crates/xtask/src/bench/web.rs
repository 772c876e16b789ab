//! First paint, form usable, bytes and requests, in turns, from one local server.

use crate::fault::Result;
use crate::step::Step;
use crate::{dist, paths, size, tools};

pub(super) fn run() -> Result<()> {
    dist::build(false, &[])?;
    size::rival()?;
    tools::Missing::default().npm_packages("installing axe and playwright", &tools::LOOKS_PACKAGES)?.install()?;
    let measured = Step::new("fifteen visits on a poor phone", "node")
        .args([paths::root().join("tests/looks/bench.mjs"), paths::root(), tools::browser()?.chromium])
        .args([tools::npm_dir(&tools::RIVAL_PACKAGES)])
        .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
        .about(120)
        .run()?;
    print!("{}", measured.log);
    Ok(())
}
