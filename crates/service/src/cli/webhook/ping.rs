//! `tua webhook ping`: sends a test event, and waits for its outcome.

use super::{
    deliveries::{self, DeliveryRow},
    errors::no_endpoint,
};
use crate::cli::{
    context::Common,
    fault::{Fault, FaultKind},
    output,
    use_cases::UseCases,
};
use std::{process::ExitCode, time::Duration};
use tua_domain::{EndpointId, ports::Clock, webhook::Delivery};
use tua_system::clock::SystemClock;
use tua_use_cases::PingError;

/// The exit code if the endpoint did not accept the event.
const NOT_ACCEPTED: u8 = 1;

/// How long an attempt is waited for.
const WAIT: Duration = Duration::from_secs(20);

/// Sends a ping. Without `waits` its outcome is for `tua webhook deliveries`.
pub(super) async fn ping(
    use_cases: &UseCases,
    common: &Common,
    id: &EndpointId,
    waits: bool,
) -> Result<ExitCode, Fault> {
    let ping = match use_cases.webhook_endpoints.ping(id, SystemClock.now()).await {
        Ok(ping) => ping.ok_or_else(|| no_endpoint(id))?,
        Err(fault @ PingError::Disabled) => {
            let message = format!("endpoint {id}: {fault} with `tua webhook enable {id}`");
            return Err(Fault::new(FaultKind::NotDone, "endpoint_disabled", message));
        }
        Err(PingError::Store(error)) => return Err(error.into()),
    };
    if !waits {
        deliveries::queued(common, &ping)?;
        return Ok(ExitCode::SUCCESS);
    }
    let ping = use_cases.deliveries.wait_for_attempt(ping, WAIT).await?;
    let (line, is_accepted) = outcome(&ping);
    output::print(common, &DeliveryRow::new(&ping), &line)?;
    Ok(if is_accepted { ExitCode::SUCCESS } else { ExitCode::from(NOT_ACCEPTED) })
}

/// What came of a ping, with what to do about it, and whether the endpoint accepted it.
fn outcome(ping: &Delivery) -> (String, bool) {
    let endpoint = &ping.endpoint;
    let Some(last) = &ping.last else {
        let line = format!(
            "No attempt to send it was recorded within {} seconds. Is `tua serve` running on this \
             database, and does your server respond? Later, `tua webhook deliveries --endpoint \
             {endpoint}` shows the outcome.",
            WAIT.as_secs()
        );
        return (line, false);
    };
    let response = last.response.as_ref().map_or_else(String::new, |text| format!(": {text}"));
    match (last.http_status, &last.fault) {
        (Some(status), None) => {
            (format!("The endpoint accepted it with HTTP {status}{response}"), true)
        }
        (Some(status), Some(_)) => {
            let line = format!(
                "The endpoint refused it with HTTP {status}{response}\nIf it speaks of a \
                 signature, your server has another secret than this endpoint: `tua webhook \
                 rotate {endpoint}` creates a new one for both. Otherwise read your server's log."
            );
            (line, false)
        }
        (None, fault) => {
            let line = format!(
                "The endpoint was not reached: {}\nCheck the address with `tua webhook list`, and \
                 that the machine of the service can reach your server.",
                fault.as_deref().unwrap_or_default()
            );
            (line, false)
        }
    }
}
