//! Checks of the settings against pawaPay, without moving money.

use super::{
    active_conf::ActiveConf,
    connector::{ACTIVE_CONF_PATH, PawaPay},
    response_error::unexpected,
    wire::ActiveConfBody,
};
use crate::{callback_address::check_callback_address, clock_check::compare_clocks};
use reqwest::StatusCode;
use secrecy::ExposeSecret;
use tua_domain::ports::CheckResult;

impl PawaPay {
    pub(super) async fn check_settings(&self) -> Vec<CheckResult> {
        let mut results = Vec::new();
        let response = self.get(ACTIVE_CONF_PATH).await;
        let clock = response.as_ref().ok();
        let clock = clock
            .and_then(|response| compare_clocks(&response.headers, self.connection.clock().now()));
        let conf = response.and_then(|response| match response.status {
            StatusCode::OK => response.json().ok_or_else(|| unexpected(&response)),
            _ => Err(unexpected(&response)),
        });
        match conf {
            Ok(body) => {
                results.push(CheckResult::new("API token", Ok("accepted".to_owned())));
                results.extend(self.check_conf(body));
            }
            Err(error) => results.push(CheckResult::new("API token", Err(error.to_string()))),
        }
        if self.settings.signed_callbacks {
            let outcome = if self.keys.fetch().await {
                Ok("pawaPay publishes its keys".to_owned())
            } else {
                Err("pawaPay's public keys cannot be read, so every callback is refused".to_owned())
            };
            results.push(CheckResult::new("keys of signed callbacks", outcome));
        }
        results.push(check_callback_address(self.callback_url.expose_secret()));
        results.extend(clock);
        results
    }

    /// Compares the settings with those of pawaPay's dashboard.
    fn check_conf(&self, body: ActiveConfBody) -> Vec<CheckResult> {
        let conf = ActiveConf::from_body(body);
        let requests =
            match (conf.signatures.signed_requests_only, self.settings.signing_key.is_some()) {
                (true, false) => {
                    Err("pawaPay takes signed requests only; set signing-key and signing-key-id"
                        .to_owned())
                }
                (true, true) => {
                    Ok("pawaPay takes signed requests only, and there is a key".to_owned())
                }
                (false, true) => {
                    Ok("there is a key; pawaPay would take unsigned requests too".to_owned())
                }
                (false, false) => Ok("pawaPay takes unsigned requests".to_owned()),
            };
        let callbacks = match (conf.signatures.signed_callbacks, self.settings.signed_callbacks) {
            (theirs, ours) if theirs == ours => Ok(format!(
                "signed-callbacks = {ours}, as in \
                 pawaPay's dashboard"
            )),
            (true, _) => Err("pawaPay signs callbacks; set signed-callbacks = true".to_owned()),
            (false, _) => Err(
                "pawaPay does not sign callbacks, so every callback is refused; have them signed \
                 in its dashboard, or set signed-callbacks = false"
                    .to_owned(),
            ),
        };
        // The addresses end with a secret, so they are not shown.
        let is_ours = |url: &String| url == self.callback_url.expose_secret();
        let address = match (conf.callback_urls.is_empty(), conf.callback_urls.iter().all(is_ours))
        {
            (true, _) => Err(
                "none is set in pawaPay's dashboard; set the one that `tua operator show` prints"
                    .to_owned(),
            ),
            (false, true) => Ok("as in pawaPay's dashboard".to_owned()),
            (false, false) => Err(
                "pawaPay's dashboard has another one; set the one that `tua operator show` prints"
                    .to_owned(),
            ),
        };
        let services = match conf.services().len() {
            0 => Err("the account has no provider in Ghana; ask pawaPay to enable them".to_owned()),
            count => Ok(format!("{count} of 6 (three networks, deposits and payouts)")),
        };
        vec![
            CheckResult::new("signed requests", requests),
            CheckResult::new("signed callbacks", callbacks),
            CheckResult::new("callback address at pawaPay", address),
            CheckResult::new("operations", services),
        ]
    }
}
