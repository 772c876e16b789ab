//! Opens the account of the shop whose past is written.

use super::super::{
    super::merchant::{KeyFile, Merchant, line},
    past_service::{PastService, PastStore, clock_at},
    plan::{LINK_AMOUNT, Plan},
};
use jiff::Timestamp;
use std::sync::Arc;
use tua_dashboard::DEMO_EMAIL;
use tua_domain::{
    KeyScope, SecretKey,
    audit::{AuditContext, Source},
    change::Change,
    link::{LinkAmount, LinkTerms, LinkUses, NewLink, PublicLink},
    payout_controls::{Ceiling, ControlsChange},
};
use tua_use_cases::PayoutLimits;

/// The sum above which a payout or a batch of the shop needs an approval, in pesewas.
const APPROVAL_ABOVE_PESEWAS: i64 = 100_000;

/// The shop whose past is written.
pub(super) struct PastShop {
    pub(super) past: PastStore,
    /// The key of the companion, which opens checkout sessions.
    pub(super) companion: SecretKey,
    /// The key with which the shop pays out and gives money back.
    pub(super) back_office: SecretKey,
    pub(super) link: PublicLink,
}

impl PastShop {
    /// The owner, who does something on the command line at this time.
    pub(super) fn owner_at(&self, at: Timestamp) -> AuditContext {
        AuditContext {
            at,
            actor: DEMO_EMAIL.to_owned(),
            source: Source::CommandLine,
            device: None,
            key: self.past.keys.audit_key(),
        }
    }
}

/// Creates the account with its keys, owner, limits and payment link.
pub(super) async fn open(
    past: PastStore,
    key_file: &KeyFile,
    plan: &Plan,
) -> Result<PastShop, String> {
    let store = &past.opened.store;
    let clock = Arc::new(clock_at(plan.opened_at));
    let merchant = Merchant::new(store, past.keys.clone(), clock.clone());
    let secret = merchant.companion_key(key_file).await?;
    let companion = merchant.find(&secret).await?.ok_or("the demo has no account")?;
    let scope = companion.scope.clone();
    merchant.add_owner(&scope.account).await?;
    let scopes = [KeyScope::Payout, KeyScope::Refund];
    let back_office = merchant.create_key(scope.clone(), "back office", &scopes).await?.key;
    let limits = PayoutLimits {
        approvals: store.clone(),
        lifts: store.clone(),
        people: store.clone(),
        clock,
    };
    let approval_above = Change::from(Ceiling::from_pesewas(APPROVAL_ABOVE_PESEWAS));
    let change = ControlsChange { approval_above, ..ControlsChange::default() };
    limits.set(&scope, change, &merchant.audit_context()).await.map_err(line)?;
    let link = create_link(&past, plan, companion.clone()).await?;
    Ok(PastShop { companion, back_office, link, past })
}

async fn create_link(
    past: &PastStore,
    plan: &Plan,
    companion: SecretKey,
) -> Result<PublicLink, String> {
    let terms = LinkTerms {
        title: "Weaving workshop, Saturday morning".to_owned(),
        description: Some(
            "Two hours at the loom with Abla. Tea and bofrot are included.".to_owned(),
        ),
        amount: LinkAmount::Fixed(LINK_AMOUNT),
        uses: LinkUses::Many,
        expires_at: None,
        metadata: None,
        question: None,
    };
    let new = NewLink { reference: Some("weaving-workshop".to_owned()), terms };
    let links = PastService::new(plan.opened_at, past).links();
    let created = links.create(companion, new, None).await.map_err(line)?.value;
    let found = links.find_by_code(&created.code).await.map_err(line)?;
    found.ok_or_else(|| "the payment link of the demo is missing".to_owned())
}
