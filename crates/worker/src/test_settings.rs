//! Ends the settings that are for tests alone, `--limits off` and `--sandbox-phone`, once a live
//! key exists, also one that another process has made, such as `tua key create`.

use jiff::Timestamp;
use std::{sync::Arc, time::Duration};
use tua_domain::{enforcement::Enforcement, ports::Clock, simulated_phone::SimulatedPhone};
use tua_use_cases::ApiKeys;

/// The polling interval for a live key. On real time, since the key is made by another process. The
/// first request with a live key ends `--limits off` too.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The settings that are for tests alone.
#[derive(Clone, Debug)]
pub struct TestSettings {
    /// `--limits off`, while it is in force.
    pub enforcement: Enforcement,
    /// `--sandbox-phone`, while the simulated phone is served.
    pub phone: SimulatedPhone,
}

impl TestSettings {
    /// Whether one of them is in force.
    #[must_use]
    pub fn is_any_in_force(&self) -> bool {
        !self.enforcement.is_enforced() || self.phone.is_served()
    }

    /// Looks for a live key until one exists, then ends both.
    pub async fn end_with_live_key(self, keys: ApiKeys, clock: Arc<dyn Clock>) {
        while self.is_any_in_force() {
            tokio::time::sleep(POLL_INTERVAL).await;
            match keys.find_live(clock.now()).await {
                Ok(Some(_)) => {
                    self.enforcement.begin();
                    self.phone.end();
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, "live keys could not be looked for; trying again")
                }
            }
        }
    }

    /// Refuses them at the start, where a live key exists.
    ///
    /// # Errors
    /// A sentence that names the setting and the key, or the store's error.
    pub async fn refuse_live_key(&self, keys: &ApiKeys, now: Timestamp) -> Result<(), String> {
        if !self.is_any_in_force() {
            return Ok(());
        }
        let Some(key) = keys.find_live(now).await.map_err(|error| error.to_string())? else {
            return Ok(());
        };
        let setting =
            if self.enforcement.is_enforced() { "sandbox-phone: it" } else { "limits: off" };
        Err(format!("{setting} is refused while a live key exists ({})", key.id))
    }
}
