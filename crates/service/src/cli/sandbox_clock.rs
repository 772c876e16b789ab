//! `tua sandbox clock`: makes what is scheduled in test mode of an account earlier
//! (docs/reference/test-mode.md#the-sandbox-clock).

use super::{
    context::Common,
    developer::test_api::{API_URL_VARIABLE, TestApi, parse_url},
    environment::variable,
    fault::Fault,
    output,
    use_cases::UseCases,
};
use clap::Subcommand;
use jiff::{Span, SpanRelativeTo};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tua_domain::{
    AccountId,
    sandbox_clock::{BecameDue, ClockAdvance},
};
use url::Url;

#[derive(Debug, Subcommand)]
pub(super) enum ClockCommand {
    /// Make what is scheduled in test mode of an account earlier by this time
    Advance {
        /// By how much, such as 31m, 1h 30m or 3d
        // Not `by`: the name of `--as` has this id.
        #[arg(value_name = "DURATION", value_parser = parse_advance)]
        duration: ClockAdvance,
        /// The id of the account
        #[arg(long)]
        account: Option<String>,
        /// The API of a service, for the account of the test key in TUA_SECRET_KEY [env:
        /// TUA_API_URL, unless --account names an account of the database]
        // Not `env`: with the variable, `--account` would conflict with it.
        #[arg(long, value_name = "URL", value_parser = parse_url, conflicts_with = "account")]
        api_url: Option<Url>,
    },
}

/// An advance as the API and `--json` show it.
#[derive(Serialize, Deserialize)]
struct Advanced {
    seconds: i64,
    due: Due,
}

/// How much has become due.
#[derive(Serialize, Deserialize)]
struct Due {
    checkouts: u64,
    links: u64,
    approvals: u64,
    payments: u64,
    delayed: u64,
    deliveries: u64,
}

/// Reads a time in weeks, days of 24 hours, hours and less.
fn parse_advance(text: &str) -> Result<ClockAdvance, String> {
    let span = text.trim().parse::<Span>().ok();
    let duration = span.and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()).ok());
    duration.and_then(ClockAdvance::from_duration).ok_or_else(|| {
        "it must be a time in whole seconds, such as 31m or 2h, from 1s to 366d".to_owned()
    })
}

impl ClockCommand {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let Self::Advance { duration: by, account, api_url } = self;
        let advanced = if let Some(account) = account {
            advance_in_database(common, &AccountId::new(account), by).await?
        } else {
            let api_url = match api_url {
                Some(api_url) => api_url,
                None => api_url_of_environment()?,
            };
            advance_remotely(&api_url, by).await?
        };
        output::print(common, &advanced, &advanced.line())
    }
}

/// The address in the variable of `--api-url`.
fn api_url_of_environment() -> Result<Url, String> {
    let address = variable(API_URL_VARIABLE)?
        .ok_or_else(|| "--account or --api-url is missing: whose clock is advanced".to_owned())?;
    parse_url(&address).map_err(|fault| format!("{API_URL_VARIABLE}: {fault}"))
}

/// A service may be running on the database. It finds what is due within about a second.
async fn advance_in_database(
    common: &Common,
    account: &AccountId,
    by: ClockAdvance,
) -> Result<Advanced, Fault> {
    let use_cases = UseCases::open(common).await?;
    let audit = use_cases.audit_context(common).await?;
    let due = use_cases.sandbox_clock.advance(account, by, &audit).await;
    Ok(Advanced::new(by, due?))
}

async fn advance_remotely(api_url: &Url, by: ClockAdvance) -> Result<Advanced, Fault> {
    let api = TestApi::from_environment(api_url)?;
    let body = json!({ "seconds": by.seconds() });
    api.post("/sandbox/clock/advance", None, &body).await.map_err(Fault::from)
}

impl Advanced {
    const fn new(by: ClockAdvance, due: BecameDue) -> Self {
        let BecameDue { links, checkouts, approvals, payments, delayed, deliveries } = due;
        Self {
            seconds: by.seconds(),
            due: Due { checkouts, links, approvals, payments, delayed, deliveries },
        }
    }

    fn line(&self) -> String {
        let Due { checkouts, links, approvals, payments, delayed, deliveries } = &self.due;
        format!(
            "The sandbox clock was advanced by {} seconds.\nDue now: checkouts {checkouts}, \
             payment links {links}, approvals {approvals}, payments {payments}, delayed \
             {delayed}, webhook deliveries {deliveries}.",
            self.seconds
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_advance_is_a_time_of_whole_seconds_up_to_366_days() {
        for (text, seconds) in [
            ("31m", 1860),
            ("1h 30m", 5400),
            ("1s", 1),
            ("90s", 90),
            ("31d", 2_678_400),
            ("366d", 31_622_400),
            ("1w", 604_800),
        ] {
            let parsed = parse_advance(text).map(ClockAdvance::seconds);
            assert_eq!(parsed, Ok(seconds), "{text}");
        }
        for text in ["", "31", "0s", "-31m", "31m ago", "367d", "1mo", "1y", "1500ms", "soon"] {
            assert!(parse_advance(text).is_err(), "{text}");
        }
    }
}
