//! A service whose operators have fees.

use crate::TestApp;
use tua_domain::tariff::Tariffs;
use tua_operators::tariffs::read_sandbox;

/// The payer of MTN bears 1 %, at least GHS 1; of a TELECEL charge the merchant bears 2 %, and of a
/// payout GHS 0.50.
pub const TARIFFS: &str = "
    [[tariffs]]
    direction = \"charge\"
    networks = [\"MTN\"]
    percent = 1
    min = 1
    bearer = \"payer\"
    [[tariffs]]
    direction = \"charge\"
    networks = [\"TELECEL\"]
    percent = \"2\"
    [[tariffs]]
    direction = \"payout\"
    fixed = \"0.50\"";

/// [`TARIFFS`] as the settings of a service contain them.
pub fn tariffs() -> Tariffs {
    read_sandbox(Some(TARIFFS.parse().unwrap())).unwrap()
}

/// A service whose sandbox has these tariffs.
pub async fn app_with_tariffs() -> TestApp {
    TestApp::with(|config| config.sandbox_tariffs = tariffs(), |operators| operators).await
}
