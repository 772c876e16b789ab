//! The example shops, each started beside the real service and paid in.

use crate::fault::Result;
use crate::step::Step;
use crate::{paths, programs, sdks, tools};

/// A purchase in each shop, with the service built and the shops' packages installed.
pub fn purchases() -> Result<Step> {
    let examples = paths::root().join("examples");
    sdks::build_typescript()?;
    Step::new("installing the packages of the Node.js shop", "npm")
        .args(["install", "--no-audit", "--no-fund", "--no-package-lock"])
        .dir(&examples.join("shop-node"))
        .about(5)
        .run()?;
    let built = programs::build()?;
    let python = tools::TESTS.python()?.display().to_string();
    // The folder, the command of the server, and the command that asks about open orders where the
    // server does not.
    let shops = [
        ("shop-node", "node shop.js".to_owned(), ""),
        ("shop-python", format!("{python} shop.py"), ""),
        ("shop-python", format!("{python} -m flask --app shop run --port PORT"), ""),
        ("shop-php", "php -S 127.0.0.1:PORT shop.php".to_owned(), "php shop.php check"),
    ];
    let script = paths::root().join("tests/examples/test.mjs");
    let mut step = Step::node_tests("buying in each example shop", &script)
        .env("TUA_BIN", built.join("tua"))
        .about(20);
    for (folder, server, check) in shops {
        step = step.args([server.as_str(), check]).args([examples.join(folder)]);
    }
    Ok(step)
}
