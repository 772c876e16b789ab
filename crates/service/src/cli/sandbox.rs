//! `tua sandbox`: changes test data, so that a test need not wait.

use super::{
    context::Common, fault::Fault, output, sandbox_clock::ClockCommand, use_cases::UseCases,
};
use clap::Subcommand;
use serde::Serialize;
use tua_domain::CheckoutId;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// End the 30 minutes of a test checkout now
    Expire {
        /// The id of the checkout
        checkout: String,
    },
    /// Advance the time of test mode of an account
    #[command(subcommand)]
    Clock(ClockCommand),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Expired<'a> {
    checkout_id: &'a str,
    expires_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        match self {
            Self::Expire { checkout } => expire(&common, CheckoutId::new(checkout)).await,
            Self::Clock(command) => command.run(&common).await,
        }
    }
}

async fn expire(common: &Common, id: CheckoutId) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let by = use_cases.audit_context(common).await?;
    let expired = use_cases.test_checkouts.expire(&id, &by).await;
    let expired = expired?;
    let checkout = expired
        .ok_or_else(|| Fault::not_found(format!("checkout: there is no test checkout {id}")))?;
    let expired = Expired {
        checkout_id: checkout.id.as_str(),
        expires_at: output::time(checkout.expires_at),
    };
    output::print(common, &expired, &format!("{id} expired at {}.", expired.expires_at))
}
