//! `tua account set`: the branding of an account, and the limits of its payouts in one mode.

use super::{Common, account, audit_context, key, open_existing, output};
use crate::domain::{
    AccountId, Mode, Scope,
    branding::{Accent, Branding, BrandingChange, LOGO_MAX_BYTES, Logo, LogoName},
    payout_controls::{Ceiling, ControlsChange, PayoutControls},
    ports::{AccountChange, Store},
};
use serde::Serialize;
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    str::FromStr,
};

#[derive(Debug, clap::Args)]
pub(super) struct Set {
    /// The account
    #[arg(long, env = "TUA_ACCOUNT")]
    account: String,
    /// test or live: the mode of the limits; the colour and the logo are the same in both
    #[arg(long, env = "TUA_MODE", value_parser = key::parse_mode, required_unless_present_any = ["accent", "logo"])]
    mode: Option<Mode>,
    /// The colour of buttons and marks on pages for payers; none is the service's own
    #[arg(long, env = "TUA_ACCENT", value_name = "#RRGGBB|none")]
    accent: Option<Setting<Accent>>,
    /// A PNG, JPEG or WebP of at most 1 MiB, shown to payers; none removes it
    #[arg(long, env = "TUA_LOGO", value_name = "FILE|none")]
    logo: Option<PathBuf>,
    /// The largest payout, in cedis; none lifts the limit
    #[arg(long, env = "TUA_PAYOUT_LIMIT", value_name = "GHS|none", requires = "mode")]
    payout_limit: Option<Setting<Ceiling>>,
    /// The largest sum of the payouts of one day in UTC, in cedis; none lifts the limit
    #[arg(long, env = "TUA_PAYOUT_DAILY_LIMIT", value_name = "GHS|none", requires = "mode")]
    payout_daily_limit: Option<Setting<Ceiling>>,
    /// A payout above this amount, in cedis, needs an approval; none lifts it
    #[arg(long, env = "TUA_PAYOUT_APPROVAL_ABOVE", value_name = "GHS|none", requires = "mode")]
    payout_approval_above: Option<Setting<Ceiling>>,
    /// A refund above this amount, in cedis, needs an approval; none lifts it
    #[arg(long, env = "TUA_REFUND_APPROVAL_ABOVE", value_name = "GHS|none", requires = "mode")]
    refund_approval_above: Option<Setting<Ceiling>>,
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

/// The settings of an account.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SettingsView<'a> {
    account_id: &'a str,
    /// As `#rrggbb`.
    accent: Option<String>,
    /// The name of the logo, which the path of its file contains.
    logo: Option<&'a str>,
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
}

impl Set {
    pub(super) async fn run(self, common: &Common) -> Result<(), String> {
        let branding = self.branding()?;
        let store = open_existing(common).await?;
        let id = AccountId::new(self.account.clone());
        account::exists(store.as_ref(), Some(&id)).await?;
        let branding = self.brand(common, store.as_ref(), &id, branding).await?;
        let controls = match self.mode {
            Some(mode) => Some(self.limit(common, store.as_ref(), Scope { account: id.clone(), mode }).await?),
            None => None,
        };
        let view = SettingsView {
            account_id: id.as_str(),
            accent: branding.accent.map(|accent| accent.to_string()),
            logo: branding.logo.as_ref().map(LogoName::as_str),
            controls,
        };
        output::print(common, &view, &view.lines().join("\n"))
    }

    fn branding(&self) -> Result<BrandingChange, String> {
        let logo = match self.logo.as_deref() {
            Some(path) if path == Path::new("none") => Some(None),
            Some(path) => Some(Some(read_logo(path).map_err(|fault| format!("--logo {}: {fault}", path.display()))?)),
            None => None,
        };
        Ok(BrandingChange { accent: self.accent.map(|Setting(accent)| accent), logo })
    }

    async fn brand(
        &self,
        common: &Common,
        store: &dyn Store,
        id: &AccountId,
        change: BrandingChange,
    ) -> Result<Branding, String> {
        let account = match change == BrandingChange::default() {
            true => store.account(id).await,
            false => {
                let by = audit_context(common, store).await?;
                store.change_account(id, AccountChange::Brand(change), &by).await
            }
        };
        Ok(account.map_err(|error| error.to_string())?.map(|account| account.branding).unwrap_or_default())
    }

    async fn limit(&self, common: &Common, store: &dyn Store, scope: Scope) -> Result<ControlsView, String> {
        let of = |setting: Option<Setting<Ceiling>>| setting.map(|Setting(ceiling)| ceiling);
        let change = ControlsChange {
            limit: of(self.payout_limit),
            daily_limit: of(self.payout_daily_limit),
            approval_above: of(self.payout_approval_above),
            refund_approval_above: of(self.refund_approval_above),
        };
        let controls = match change == ControlsChange::default() {
            true => store.payout_controls(&scope).await,
            false => store.set_payout_controls(&scope, change, &audit_context(common, store).await?).await,
        };
        Ok(ControlsView::new(scope.mode, controls.map_err(|error| error.to_string())?))
    }
}

/// Reads no more of a file than a logo may have.
fn read_logo(path: &Path) -> Result<Logo, String> {
    let mut file = Vec::new();
    let limit = u64::try_from(LOGO_MAX_BYTES).unwrap_or(u64::MAX) + 1;
    File::open(path).and_then(|opened| opened.take(limit).read_to_end(&mut file)).map_err(|error| error.to_string())?;
    Logo::read(&file).map_err(|fault| fault.to_string())
}

impl ControlsView {
    fn new(mode: Mode, controls: PayoutControls) -> Self {
        let text = |ceiling: Option<Ceiling>| ceiling.map(|ceiling| ceiling.to_string());
        Self {
            mode: mode.as_str(),
            payout_limit: text(controls.limit),
            payout_daily_limit: text(controls.daily_limit),
            payout_approval_above: text(controls.approval_above),
            refund_approval_above: text(controls.refund_approval_above),
        }
    }
}

impl SettingsView<'_> {
    fn lines(&self) -> Vec<String> {
        let line = |name: &str, value: &str| format!("{name:<22} {value}");
        let mut lines =
            vec![line("accent", self.accent.as_deref().unwrap_or("none")), line("logo", self.logo.unwrap_or("none"))];
        let Some(controls) = &self.controls else { return lines };
        for (name, ceiling) in [
            ("payout-limit", &controls.payout_limit),
            ("payout-daily-limit", &controls.payout_daily_limit),
            ("payout-approval-above", &controls.payout_approval_above),
            ("refund-approval-above", &controls.refund_approval_above),
        ] {
            let amount = ceiling.as_ref().map_or_else(|| "none".to_owned(), |ceiling| format!("GHS {ceiling}"));
            lines.push(line(name, &amount));
        }
        lines
    }
}
