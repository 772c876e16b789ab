//! `tua link`: manages payment links (docs/reference/links.md).

use super::{
    arguments::{parse_mode, require_account},
    context::Common,
    fault::Fault,
    output,
    use_cases::UseCases,
};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde::Serialize;
use tua_config::settings_audit::last_payer_origin;
use tua_domain::{
    AccountId, LinkId, Mode, Scope,
    link::{LinkChange, LinkForm, LinkPageRequest, LinkWithTotals},
    ports::Clock,
};
use tua_system::clock::SystemClock;
use tua_tables::export::columns::cedis;

/// How many links are listed at most.
const MAX_LISTED: u32 = 1_000;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Create a payment link and show its address
    Create(Box<Create>),
    /// List the payment links of an account, newest first
    List {
        /// The id of the account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: String,
        /// The mode: test or live
        #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
        mode: Mode,
    },
    /// Show a payment link and its payments
    Show {
        /// The link's id, as listed
        id: String,
    },
    /// Close a payment link with its open checkouts; what is pending goes on
    Close {
        /// The link's id, as listed
        id: String,
    },
    /// Open a closed payment link again
    Reopen {
        /// The link's id, as listed
        id: String,
    },
}

/// The terms of a new link.
#[derive(Args, Debug)]
pub(super) struct Create {
    /// The id of the account
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// The mode: test or live
    #[arg(long, env = "TUA_MODE", value_parser = parse_mode)]
    mode: Mode,
    /// What it is for, as payers read it
    #[arg(long)]
    title: String,
    /// More for payers to read
    #[arg(long)]
    description: Option<String>,
    /// What each payer pays, in cedis; if absent, the payer chooses
    #[arg(long, value_name = "GHS")]
    amount: Option<String>,
    /// The smallest amount that a payer may choose, in cedis
    #[arg(long, value_name = "GHS")]
    min_amount: Option<String>,
    /// The largest amount that a payer may choose, in cedis
    #[arg(long, value_name = "GHS")]
    max_amount: Option<String>,
    /// many, or single: it can be paid once
    #[arg(long, default_value = "many")]
    uses: String,
    /// When it ends: a day such as 2026-12-31, or a time such as 2026-12-31T18:00:00Z; if absent,
    /// never
    #[arg(long, value_name = "TIME")]
    expires_at: Option<String>,
    /// Your own name for it; its id if absent
    #[arg(long)]
    reference: Option<String>,
    /// What payers must answer before they pay, such as "Name of the pupil"
    #[arg(long)]
    question: Option<String>,
}

/// A link. Amounts are cedis as text, exact.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkRow<'a> {
    link_id: &'a str,
    account_id: &'a str,
    mode: &'static str,
    url: String,
    code: &'a str,
    qr: String,
    status: &'static str,
    title: &'a str,
    description: Option<&'a str>,
    amount: Option<String>,
    min_amount: Option<String>,
    max_amount: Option<String>,
    uses: &'static str,
    expires_at: Option<String>,
    reference: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    /// How many charges of it are SUCCESSFUL.
    payments: u64,
    /// How many are PENDING.
    pending: u64,
    paid_amount: String,
    created_at: String,
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let use_cases = UseCases::open(&common).await?;
        match self {
            Self::Create(new) => create(&use_cases, &common, &new).await,
            Self::List { account, mode } => {
                list(&use_cases, &common, &Scope { account: AccountId::new(account), mode }).await
            }
            Self::Show { id } => print(&use_cases, &common, &find(&use_cases, &id).await?).await,
            Self::Close { id } => change(&use_cases, &common, &id, LinkChange::Close).await,
            Self::Reopen { id } => change(&use_cases, &common, &id, LinkChange::Reopen).await,
        }
    }
}

async fn create(use_cases: &UseCases, common: &Common, new: &Create) -> Result<(), Fault> {
    let scope = Scope { account: AccountId::new(&new.account), mode: new.mode };
    require_account(&use_cases.accounts, &scope.account).await?;
    let by = use_cases.audit_context(common).await?;
    let read = new.form().read(by.at).map_err(|faults| {
        let lines = faults.iter().map(|(field, fault)| format!("--{}: {fault}", field.as_str()));
        lines.collect::<Vec<_>>().join("; ")
    })?;
    let created = use_cases.links.create(scope, read, &by).await;
    print(use_cases, common, &created.map_err(|error| format!("link: {error}"))?).await
}

impl Create {
    fn form(&self) -> LinkForm<'_> {
        LinkForm {
            title: &self.title,
            description: self.description.as_deref().unwrap_or_default(),
            amount: self.amount.as_deref().unwrap_or_default(),
            min_amount: self.min_amount.as_deref().unwrap_or_default(),
            max_amount: self.max_amount.as_deref().unwrap_or_default(),
            uses: &self.uses,
            expires_at: self.expires_at.as_deref().unwrap_or_default(),
            reference: self.reference.as_deref().unwrap_or_default(),
            question: self.question.as_deref().unwrap_or_default(),
        }
    }
}

async fn list(use_cases: &UseCases, common: &Common, scope: &Scope) -> Result<(), Fault> {
    let page = LinkPageRequest { limit: MAX_LISTED, after: None };
    let links = use_cases.links.list(scope, page).await?;
    let now = SystemClock.now();
    let origin = last_payer_origin(use_cases.audit_log.log.as_ref()).await?;
    let listed: Vec<LinkRow<'_>> =
        links.iter().map(|one| LinkRow::new(one, now, &origin)).collect();
    output::print_list(
        common,
        &listed,
        LinkRow::line,
        "The account has no payment link in this mode.",
    )
}

async fn find(use_cases: &UseCases, id: &str) -> Result<LinkWithTotals, Fault> {
    let found = use_cases.links.find(None, &LinkId::new(id)).await;
    found?.ok_or_else(|| {
        Fault::not_found(format!(
            "link {id}: there is no such link; tua link list shows the links of an account"
        ))
    })
}

async fn change(
    use_cases: &UseCases,
    common: &Common,
    id: &str,
    change: LinkChange,
) -> Result<(), Fault> {
    let scope = find(use_cases, id).await?.link.scope;
    let by = use_cases.audit_context(common).await?;
    let changed = use_cases.links.change(&scope, &LinkId::new(id), change, &by).await;
    print(use_cases, common, &changed.map_err(|error| format!("link {id}: {error}"))?).await
}

async fn print(use_cases: &UseCases, common: &Common, found: &LinkWithTotals) -> Result<(), Fault> {
    let origin = last_payer_origin(use_cases.audit_log.log.as_ref()).await?;
    let view = LinkRow::new(found, SystemClock.now(), &origin);
    output::print(common, &view, &view.line())
}

impl<'a> LinkRow<'a> {
    fn new(
        LinkWithTotals { link, totals }: &'a LinkWithTotals,
        now: Timestamp,
        origin: &str,
    ) -> Self {
        let (min, max) = link.terms.amount.limits();
        let url = link.address(origin);
        Self {
            link_id: link.id.as_str(),
            account_id: link.scope.account.as_str(),
            mode: link.scope.mode.as_str(),
            qr: format!("{url}.svg"),
            url,
            code: link.code.as_str(),
            status: link.status(now).as_str(),
            title: &link.terms.title,
            description: link.terms.description.as_deref(),
            amount: link.terms.amount.fixed().map(|amount| amount.to_string()),
            min_amount: min.map(|amount| amount.to_string()),
            max_amount: max.map(|amount| amount.to_string()),
            uses: link.terms.uses.as_str(),
            expires_at: link.terms.expires_at.map(output::time),
            reference: &link.reference,
            question: link.terms.question.as_deref(),
            payments: totals.payments,
            pending: totals.pending,
            paid_amount: cedis(totals.paid_pesewas),
            created_at: output::time(link.created_at),
        }
    }

    fn line(&self) -> String {
        let asks = self.amount.as_deref().unwrap_or("open amount");
        let Self { link_id, status, url, title, payments, paid_amount, .. } = self;
        format!(
            "{link_id}  {status}  {url}  GHS {asks}  {payments} paid, GHS {paid_amount}  {title}"
        )
    }
}
