//! Reads that are about no payment: balance, names, and the check of the settings.

use super::{
    convert, settings,
    wire::{self, Account, Bank, bank_code},
};
use crate::{
    callback_address::check_callback_address, clock_check::compare_clocks, connection::Reply,
    environment::Environment,
};
use jiff::Timestamp;
use tua_contract::Network;
use tua_domain::ports::{Balance, CheckResult, ReadError};

/// The response to `GET /balance`.
///
/// # Errors
/// [`ReadError`].
pub(super) fn balances(reply: &Reply) -> Result<Vec<Balance>, ReadError> {
    let (_, body) = convert::read_response(reply)?;
    let unreadable =
        || ReadError::Unanswered("the balance is not in the documented form".to_owned());
    let entries = body.data::<Vec<wire::Balance>>().ok_or_else(unreadable)?;
    let read = |entry: wire::Balance| {
        let minor_units = entry.balance.as_str().parse().map_err(|_| unreadable())?;
        Ok(Balance {
            account: "balance".to_owned(),
            minor_units,
            currency: entry.currency,
            pays_out: true,
        })
    };
    entries.into_iter().map(read).collect()
}

/// The response to `GET /bank/resolve`. Paystack does not promise it for wallets, so a refusal is
/// no proof that a wallet does not exist.
///
/// # Errors
/// [`ReadError`].
pub(super) fn account_name(reply: &Reply) -> Result<Option<String>, ReadError> {
    let (_, body) = convert::read_response(reply)?;
    let name = body
        .data::<Account>()
        .map(|account| account.account_name)
        .filter(|name| !name.trim().is_empty());
    name.map(Some).ok_or_else(|| ReadError::Unanswered("the name is not known".to_owned()))
}

/// The findings about the settings, from the responses to `GET /balance` and `GET /bank`.
pub(super) fn all(
    environment: Environment,
    balance: &Reply,
    banks: &Reply,
    callback_url: &str,
    now: Timestamp,
) -> Vec<CheckResult> {
    let clock = match balance {
        Reply::Response(response) => compare_clocks(&response.headers, now),
        Reply::NotSent | Reply::NoResponse => None,
    };
    let findings = [
        CheckResult::new("secret key", credentials(environment, balance)),
        CheckResult::new("networks", networks(banks)),
        check_callback_address(callback_url),
    ];
    findings.into_iter().chain(clock).collect()
}

fn credentials(environment: Environment, balance: &Reply) -> Result<String, String> {
    let balances = balances(balance).map_err(|error| match error {
        ReadError::Refused(_) => {
            format!("{error}; copy the secret key from Settings, API Keys & Webhooks")
        }
        ReadError::Unanswered(_) | ReadError::Unsupported => error.to_string(),
    })?;
    let kind = settings::domain(environment);
    if balances.iter().any(|balance| balance.currency == wire::CURRENCY) {
        Ok(format!("the {kind} key is accepted"))
    } else {
        Err("the account has no balance in GHS; a Ghanaian Paystack account is needed".to_owned())
    }
}

fn networks(banks: &Reply) -> Result<String, String> {
    let (_, body) = convert::read_response(banks).map_err(|error| error.to_string())?;
    let offered = body
        .data::<Vec<Bank>>()
        .ok_or_else(|| "the list of networks is not readable".to_owned())?;
    let is_offered =
        |network: &Network| offered.iter().any(|bank| bank.code == bank_code(*network));
    let missing: Vec<_> = Network::ALL
        .iter()
        .filter(|network| !is_offered(network))
        .map(|one| one.as_str())
        .collect();
    if missing.is_empty() {
        Ok("MTN, TELECEL and AIRTELTIGO are offered".to_owned())
    } else {
        Err(format!("Paystack does not offer {}; remove it from the routes", missing.join(", ")))
    }
}
