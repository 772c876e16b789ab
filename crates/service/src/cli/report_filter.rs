//! The flags that select transactions.

use super::arguments::{one_of, parse_day, parse_mode};
use clap::Args;
use jiff::civil::Date;
use tua_contract::{FailureCode, Network, Status};
use tua_domain::{
    AccountId, Kind, Mode,
    refund::TransactionType,
    reporting::{Attention, ReportFilter, Search},
};
use tua_use_cases::TransactionSelection;

/// An account, a mode and a filter.
#[derive(Args, Debug)]
pub(super) struct Selection {
    /// Only of this account
    #[arg(long, env = "TUA_ACCOUNT")]
    account: Option<String>,
    /// Only of this mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Option<Mode>,
    /// An id, a reference, the operator's id, a phone number, an e-mail address or an amount
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// CHARGE, or PAYOUT, which includes refunds
    #[arg(
        long = "type",
        value_name = "TYPE",
        value_parser = |text: &str| one_of(text, Kind::ALL, |one| one.as_str())
    )]
    kind: Option<Kind>,
    /// PENDING, SUCCESSFUL or FAILED
    #[arg(long, value_parser = |text: &str| one_of(text, &Status::ALL, |one| one.as_str()))]
    status: Option<Status>,
    /// MTN, TELECEL or AIRTELTIGO
    #[arg(long, value_parser = |text: &str| one_of(text, &Network::ALL, |one| one.as_str()))]
    network: Option<Network>,
    /// Why it failed, such as `insufficient_funds`
    #[arg(
        long,
        value_name = "CODE",
        value_parser = |text: &str| one_of(text, &FailureCode::ALL, |one| one.as_str())
    )]
    failure: Option<FailureCode>,
    /// Why somebody should look at it: flagged, uncertain or unapproved; or in-progress
    #[arg(
        long,
        value_name = "REASON",
        value_parser = |text: &str| one_of(text, Attention::ALL, |one| one.as_str())
    )]
    attention: Option<Attention>,
    /// The first day of its creation, in UTC, such as 2026-01-31
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    from: Option<Date>,
    /// The last day of its creation, in UTC
    #[arg(long, value_name = "DAY", value_parser = parse_day)]
    to: Option<Date>,
}

impl Selection {
    /// The account, the mode and the filter.
    pub(super) fn read(self) -> TransactionSelection {
        let filter = ReportFilter {
            search: self.search.as_deref().and_then(Search::parse),
            types: self.kind.map(|kind| types_of(kind).to_vec()),
            status: self.status,
            network: self.network,
            failure: self.failure,
            link: None,
            is_single: false,
            attention: self.attention,
            from: self.from,
            to: self.to,
            until: None,
        };
        let account = self.account.map(AccountId::new);
        TransactionSelection { account, mode: self.mode, filter }
    }
}

/// The types of a direction.
const fn types_of(kind: Kind) -> &'static [TransactionType] {
    match kind {
        Kind::Charge => &[TransactionType::Charge],
        Kind::Payout => &[TransactionType::Payout, TransactionType::Refund],
    }
}
