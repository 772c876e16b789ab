//! First paint, time until the form is usable, bytes and requests of our pages, measured
//! alternately with Adyen's.

use crate::fault::Result;
use crate::step::Step;
use crate::{browsers, dist, harness, paths, size, tools};

pub(super) fn run() -> Result<()> {
    dist::build(false, &[])?;
    size::rival()?;
    tools::Missing::default()
        .npm_packages("installing axe and playwright", &tools::LOOKS_PACKAGES)?
        .install()?;
    let service = harness::start()?;
    let measured = Step::new("visiting the pages thirty times as a slow phone", "node")
        .args([paths::root().join("tests/looks/bench.mjs"), browsers::chromium()?.browser])
        .args([
            tools::npm_dir(&tools::RIVAL_PACKAGES).into_os_string(),
            service.api.into(),
            service.key.into(),
        ])
        .env("NODE_PATH", tools::npm_dir(&tools::LOOKS_PACKAGES))
        .about(150)
        .run()?;
    print!("{}", measured.log);
    Ok(())
}
