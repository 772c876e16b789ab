//! `tua account set`: the branding of an account, and the limits of its payouts in one mode.

use super::{arguments::parse_mode, context::Common, fault::Fault, output, use_cases::UseCases};
use serde::Serialize;
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    str::FromStr,
};
use tua_domain::{
    Account, AccountId, Mode, Scope,
    branding::{Accent, BrandingChange, LOGO_MAX_BYTES, Logo, LogoName},
    change::Change,
    limit_lift::LimitLift,
    payout_controls::{Ceiling, ControlsChange, PayoutControls},
    ports::AccountChange,
};

#[derive(Debug, clap::Args)]
pub(super) struct Set {
    /// The id of the account
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// test or live: the mode of the limits; the colour and the logo are the same in both
    #[arg(
        long,
        env = "TUA_MODE",
        value_parser = parse_mode,
        required_unless_present_any = ["accent", "logo", "receipts"]
    )]
    mode: Option<Mode>,
    /// The colour of buttons and marks on pages for payers; none is the service's own
    #[arg(long, value_name = "#RRGGBB|none")]
    accent: Option<Setting<Accent>>,
    /// A PNG, JPEG or WebP of at most 1 MiB, shown to payers; none removes it
    #[arg(long, value_name = "FILE|none")]
    logo: Option<PathBuf>,
    /// Whether payers with an e-mail address get receipts
    #[arg(long, value_name = "on|off", value_parser = parse_switch)]
    receipts: Option<bool>,
    /// The largest payout, in cedis; none lifts the limit
    #[arg(long, value_name = "GHS|none", requires = "mode")]
    payout_limit: Option<Setting<Ceiling>>,
    /// The largest sum of the payouts of one day in UTC, in cedis; none lifts the limit
    #[arg(long, value_name = "GHS|none", requires = "mode")]
    payout_daily_limit: Option<Setting<Ceiling>>,
    /// A payout above this amount, in cedis, needs an approval; none lifts it
    #[arg(long, value_name = "GHS|none", requires = "mode")]
    payout_approval_above: Option<Setting<Ceiling>>,
    /// A refund above this amount, in cedis, needs an approval; none lifts it
    #[arg(long, value_name = "GHS|none", requires = "mode")]
    refund_approval_above: Option<Setting<Ceiling>>,
}

fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("it must be on or off".to_owned()),
    }
}

/// A value, or none.
#[derive(Clone, Copy, Debug)]
struct Setting<T>(Option<T>);

impl<T: FromStr> FromStr for Setting<T>
where
    T::Err: ToString,
{
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self(None)),
            text => text
                .parse()
                .map(|value| Self(Some(value)))
                .map_err(|fault: T::Err| format!("{}, or none", fault.to_string())),
        }
    }
}

/// What an option of the command line changes; nothing where it is missing.
fn change_of<T>(option: Option<Setting<T>>) -> Change<T> {
    option.map_or(Change::Keep, |Setting(value)| value.into())
}

/// The settings of an account.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SettingsView<'a> {
    account_id: &'a str,
    /// The accent colour as `#rrggbb`; null for the service's own.
    accent: Option<String>,
    /// The name of the logo, which the path of its file contains.
    logo: Option<&'a str>,
    /// Whether payers with an e-mail address get receipts.
    receipts: bool,
    /// Whether a mail server sends messages of the account: that of the settings file, or its own.
    /// Without one no receipt is sent.
    mail: bool,
    /// Only if a mode is named.
    #[serde(flatten)]
    controls: Option<ControlsView>,
}

/// The limits of an account. Amounts are cedis as text, exact; null for no limit.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ControlsView {
    mode: &'static str,
    payout_limit: Option<String>,
    payout_daily_limit: Option<String>,
    payout_approval_above: Option<String>,
    refund_approval_above: Option<String>,
    /// A change that lifts limits and waits for a second person in the dashboard.
    waiting: Option<WaitingView>,
}

/// A change that a person of the dashboard asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WaitingView {
    /// Such as `payout-limit: GHS 500 → none`.
    change: String,
    asked_by: String,
    asked_at: String,
}

impl Set {
    pub(super) async fn run(self, common: &Common) -> Result<(), Fault> {
        let branding = self.branding()?;
        let use_cases = UseCases::open(common).await?;
        let id = AccountId::new(self.account.clone());
        let account = self.change(common, &use_cases, &id, branding).await?;
        let branding = &account.branding;
        let controls = match self.mode {
            Some(mode) => {
                Some(self.limit(common, &use_cases, Scope { account: id.clone(), mode }).await?)
            }
            None => None,
        };
        let view = SettingsView {
            account_id: id.as_str(),
            accent: branding.accent.map(|accent| accent.to_string()),
            logo: branding.logo.as_ref().map(LogoName::as_str),
            receipts: account.sends_receipts,
            mail: use_cases.mail_outbox.is_on(&id).await?,
            controls,
        };
        output::print(common, &view, &view.lines().join("\n"))
    }

    fn branding(&self) -> Result<BrandingChange, String> {
        let logo = match self.logo.as_deref() {
            Some(path) if path == Path::new("none") => Change::Clear,
            Some(path) => Change::Set(
                read_logo(path).map_err(|fault| format!("--logo {}: {fault}", path.display()))?,
            ),
            None => Change::Keep,
        };
        Ok(BrandingChange { accent: change_of(self.accent), logo })
    }

    async fn change(
        &self,
        common: &Common,
        use_cases: &UseCases,
        id: &AccountId,
        change: BrandingChange,
    ) -> Result<Account, Fault> {
        let accounts = &use_cases.accounts;
        let mut account = accounts.existing(id).await?;
        let branding =
            (change != BrandingChange::default()).then_some(AccountChange::Brand(change));
        let changes = branding.into_iter().chain(self.receipts.map(AccountChange::SendReceipts));
        for change in changes {
            let by = use_cases.audit_context(common).await?;
            let changed = accounts.change(id, change, &by).await;
            let changed = changed?;
            account = changed
                .ok_or_else(|| Fault::not_found(format!("account: no account has the id {id}")))?;
        }
        Ok(account)
    }

    async fn limit(
        &self,
        common: &Common,
        use_cases: &UseCases,
        scope: Scope,
    ) -> Result<ControlsView, Fault> {
        let change = ControlsChange {
            limit: change_of(self.payout_limit),
            daily_limit: change_of(self.payout_daily_limit),
            approval_above: change_of(self.payout_approval_above),
            refund_approval_above: change_of(self.refund_approval_above),
        };
        let limits = &use_cases.payout_limits;
        if change != ControlsChange::default() {
            let by = use_cases.audit_context(common).await?;
            limits.set(&scope, change, &by).await?;
        }
        let current = limits.read(&scope).await?;
        let lift = current.lift.map(|waiting| waiting.lift);
        Ok(ControlsView::new(scope.mode, current.controls, lift))
    }
}

/// Reads no more of a file than a logo may have.
fn read_logo(path: &Path) -> Result<Logo, String> {
    let mut file = Vec::new();
    let limit = u64::try_from(LOGO_MAX_BYTES).unwrap_or(u64::MAX) + 1;
    File::open(path)
        .and_then(|opened| opened.take(limit).read_to_end(&mut file))
        .map_err(|error| error.to_string())?;
    Logo::read(&file).map_err(|fault| fault.to_string())
}

impl ControlsView {
    fn new(mode: Mode, controls: PayoutControls, lift: Option<LimitLift>) -> Self {
        let text = |ceiling: Option<Ceiling>| ceiling.map(|ceiling| ceiling.to_string());
        Self {
            mode: mode.as_str(),
            payout_limit: text(controls.limit),
            payout_daily_limit: text(controls.daily_limit),
            payout_approval_above: text(controls.approval_above),
            refund_approval_above: text(controls.refund_approval_above),
            waiting: lift.map(|lift| WaitingView {
                change: controls.difference(&lift.change.apply(controls)),
                asked_by: lift.asked_by,
                asked_at: output::time(lift.asked_at),
            }),
        }
    }
}

impl SettingsView<'_> {
    const fn receipts(&self) -> &'static str {
        match (self.receipts, self.mail) {
            (true, true) => "on",
            (true, false) => {
                "on, but none is sent: the service has not been started with [mail] in its \
                 settings, and the account has no mail server of its own"
            }
            (false, _) => "off",
        }
    }

    fn lines(&self) -> Vec<String> {
        let line = |name: &str, value: &str| format!("{name:<22} {value}");
        let mut lines = vec![
            line("accent", self.accent.as_deref().unwrap_or("none")),
            line("logo", self.logo.unwrap_or("none")),
            line("receipts", self.receipts()),
        ];
        let Some(controls) = &self.controls else { return lines };
        for (name, ceiling) in [
            ("payout-limit", &controls.payout_limit),
            ("payout-daily-limit", &controls.payout_daily_limit),
            ("payout-approval-above", &controls.payout_approval_above),
            ("refund-approval-above", &controls.refund_approval_above),
        ] {
            let amount = ceiling
                .as_ref()
                .map_or_else(|| "none".to_owned(), |ceiling| format!("GHS {ceiling}"));
            lines.push(line(name, &amount));
        }
        if let Some(waiting) = &controls.waiting {
            let WaitingView { change, asked_by, asked_at } = waiting;
            lines.push(line("waiting", &format!("{change} (asked by {asked_by} at {asked_at})")));
        }
        lines
    }
}
