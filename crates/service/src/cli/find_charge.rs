//! `tua transaction find`: the charge with an operator's id.

use super::{
    arguments::{parse_mode, require_account},
    context::Common,
    fault::Fault,
    operator_connections::connect,
    use_cases::UseCases,
};
use crate::shared_use_cases::payment_search;
use clap::Args;
use std::{path::PathBuf, sync::Arc};
use tua_config::{Config, RawSettings};
use tua_domain::{
    AccountId, Mode, Scope, TransactionId,
    operator_transaction_id::{NotAnId, OperatorTransactionId},
};
use tua_system::clock::SystemClock;
use tua_use_cases::{FoundPayment, LookupCoverage};

#[derive(Args, Debug)]
pub(super) struct FindCharge {
    /// The operator's id of the charge, as in the payer's SMS
    #[arg(value_parser = |text: &str| -> Result<_, NotAnId> { OperatorTransactionId::parse(text) })]
    operator_id: OperatorTransactionId,
    /// The id of the account
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// The mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Mode,
    /// The settings file with the operators
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl FindCharge {
    /// The charge's own id.
    pub(super) async fn find(self, common: &Common) -> Result<TransactionId, Fault> {
        let scope = Scope { account: AccountId::new(self.account), mode: self.mode };
        let config = Config::resolve(
            RawSettings::default(),
            common.database.clone(),
            self.config.as_deref(),
        );
        let config = config.map_err(|faults| faults.join("; "))?;
        let UseCases { store, accounts, .. } = UseCases::open(common).await?;
        require_account(&accounts, &scope.account).await?;
        let (operators, _) = connect(&config).await?;
        let search = payment_search(&store, operators, Arc::new(SystemClock));
        let found = search.find(&scope, &self.operator_id).await?;
        let why = match found {
            FoundPayment::Charge(charge) => return Ok(charge.order.id.clone()),
            FoundPayment::None(LookupCoverage::NoneCan) => {
                "none of the account's operators in the settings can look it up; see --config"
            }
            FoundPayment::None(LookupCoverage::AllAnswered) => {
                "the operators that can look it up have none either"
            }
            FoundPayment::None(LookupCoverage::SomeUnanswered) => {
                "an operator did not respond, so this is no proof that nothing was paid"
            }
        };
        Err(Fault::not_found(format!(
            "operator's id {}: the database has no charge with it, and {why}",
            self.operator_id
        )))
    }
}
