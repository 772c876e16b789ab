//! `tua quote`: what a payment would cost if it began now
//! (docs/reference/quotes.md#asking-for-a-quote).

use super::{
    arguments::{one_of, parse_amount, parse_mode, require_account},
    context::Common,
    fault::Fault,
    output,
    payments::{PaymentUseCases, explained},
};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use tua_contract::{Amount, Network};
use tua_domain::{
    AccountId, Kind, Mode, Scope, ports::BeginError, quote::Quote, transfer::TransferTerms,
};
use tua_tables::export::columns::cedis;
use tua_use_cases::Accounts;

#[derive(Args, Debug)]
pub(super) struct QuoteCommand {
    /// The account; may be left out if there is only one
    #[arg(long, env = "TUA_ACCOUNT")]
    account: Option<String>,
    /// The mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Mode,
    /// MTN, TELECEL or AIRTELTIGO
    #[arg(long, value_parser = |text: &str| one_of(text, &Network::ALL, |one| one.as_str()))]
    network: Network,
    /// The type of the payment: charge or payout
    #[arg(
        long = "type",
        value_name = "TYPE",
        value_parser = |text: &str| one_of(text, Kind::ALL, |one| one.as_str())
    )]
    kind: Kind,
    /// The settings file of the service, with the operators and their tariffs
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// The merchant's price, or what the recipient gets, in cedis
    #[arg(value_name = "AMOUNT", value_parser = parse_amount)]
    amount: Amount,
}

/// A quote. Amounts are cedis as text, exact.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QuoteView<'a> {
    account_id: &'a str,
    mode: &'static str,
    r#type: &'static str,
    network: &'static str,
    amount: String,
    /// The operator's fee by its tariff; null without a tariff.
    fee: Option<String>,
    /// What the operator is asked for.
    payer_pays: String,
    /// What is left of a charge; null without a tariff, and for a payout.
    merchant_receives: Option<String>,
    min: String,
    max: String,
    /// Null for the sandbox.
    operator: Option<&'a str>,
    expires_at: String,
}

impl QuoteCommand {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let commands = PaymentUseCases::open(common, self.config.as_deref()).await?;
        let scope =
            Scope { account: account_of(&commands.accounts, self.account).await?, mode: self.mode };
        let terms = TransferTerms { kind: self.kind, network: self.network, amount: self.amount };
        let quote = commands.networks.quote(&scope, terms, false);
        let quote = quote
            .map_err(|error| format!("quote: {}", explained(&BeginError::Unroutable(error))))?;
        let shown = QuoteView::new(&quote, &scope);
        output::print(common, &shown, &shown.text())
    }
}

/// The account that is named, or the only one.
async fn account_of(accounts: &Accounts, named: Option<String>) -> Result<AccountId, Fault> {
    if let Some(named) = named.map(AccountId::new) {
        require_account(accounts, &named).await?;
        return Ok(named);
    }
    let mut accounts = accounts.list().await?;
    match (accounts.pop(), accounts.is_empty()) {
        (Some(only), true) => Ok(only.id),
        (Some(_), false) => Err("--account: there are several accounts; name one".into()),
        (None, _) => Err("--account: there is no account".into()),
    }
}

impl<'a> QuoteView<'a> {
    fn new(quote: &'a Quote, scope: &'a Scope) -> Self {
        let Quote { terms, price, operator, permitted_range, expires_at } = quote;
        Self {
            account_id: scope.account.as_str(),
            mode: scope.mode.as_str(),
            r#type: terms.kind.as_str(),
            network: terms.network.as_str(),
            amount: cedis(terms.amount.pesewas()),
            fee: price.fee_pesewas.map(cedis),
            payer_pays: cedis(price.payer_pays.pesewas()),
            merchant_receives: price
                .merchant_receives_pesewas()
                .filter(|_| terms.kind == Kind::Charge)
                .map(cedis),
            min: cedis(permitted_range.start().pesewas()),
            max: cedis(permitted_range.end().pesewas()),
            operator: operator.as_ref().map(|name| name.as_str()),
            expires_at: output::time(*expires_at),
        }
    }

    fn text(&self) -> String {
        let known = |sum: &Option<String>| {
            sum.as_ref().map_or_else(|| "not known".to_owned(), |sum| format!("GHS {sum}"))
        };
        let received = match self.r#type {
            "PAYOUT" => format!("the recipient gets GHS {}", self.amount),
            _ => format!(
                "the payer pays GHS {}, the merchant receives {}",
                self.payer_pays,
                known(&self.merchant_receives)
            ),
        };
        format!(
            "{} {} of GHS {} on {}: fee {}; {received}\nby {}, which moves GHS {} to {} at once; \
             valid until {}",
            self.mode,
            self.r#type,
            self.amount,
            self.network,
            known(&self.fee),
            self.operator.unwrap_or("the sandbox"),
            self.min,
            self.max,
            self.expires_at
        )
    }
}
