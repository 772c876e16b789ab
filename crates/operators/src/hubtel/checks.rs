//! The check of the settings. Without a prompt to somebody's phone only the status services can be
//! called.

use super::convert;
use crate::{
    callback_address::check_callback_address, clock_check::compare_clocks, connection::Reply,
};
use jiff::Timestamp;
use tua_domain::ports::CheckResult;

/// The reference of no order.
pub(super) const NO_ORDER: &str = "00000000-0000-4000-8000-000000000000";

/// The findings, from the responses about an order that does not exist.
pub(super) fn all(
    receive: &Reply,
    send: Option<&Reply>,
    callback_url: &str,
    now: Timestamp,
) -> Vec<CheckResult> {
    let clock = match receive {
        Reply::Response(response) => compare_clocks(&response.headers, now),
        Reply::NotSent | Reply::NoResponse => None,
    };
    let send = match send {
        Some(reply) => credentials(reply),
        None => Ok("no prepaid-deposit-id, so there are no payouts".to_owned()),
    };
    let findings = [
        CheckResult::new("receive money: credentials and address list", credentials(receive)),
        CheckResult::new("send money: credentials and address list", send),
        check_callback_address(callback_url),
    ];
    findings.into_iter().chain(clock).collect()
}

fn credentials(reply: &Reply) -> Result<String, String> {
    let body = convert::read_response(reply).map_err(|error| error.to_string())?;
    match body.code.as_str() {
        "4101" => {
            Err("the keys do not fit the account, or the service is not enabled (4101): ask Hubtel"
                .to_owned())
        }
        _ => Ok("Hubtel's status service responds".to_owned()),
    }
}
