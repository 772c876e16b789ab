//! The payment link of the examples.

use super::examples::{Examples, created_at, json};
use tua_api::resources::LinkView;
use tua_contract::Amount;
use tua_domain::{
    AccountId, KeyId, LinkId, Mode, Scope,
    link::{Link, LinkAmount, LinkCode, LinkStatus, LinkTerms, LinkTotals, LinkUses},
};

/// The public URL of the service that has created it.
pub(crate) const PUBLIC_URL: &str = "https://pay.example.com";

/// The link, open and paid a few times.
pub(crate) fn open_link() -> Examples {
    vec![("open", json(&LinkView::new(&link(), totals(), LinkStatus::Open, PUBLIC_URL)))]
}

/// How often it was paid, and the sum.
pub(crate) fn totals() -> LinkTotals {
    LinkTotals { payments: 12, paid_pesewas: 12_600, pending: 0 }
}

/// The link itself.
pub(crate) fn link() -> Link {
    Link {
        id: LinkId::new("lnk_019aa5f0c2007d3e8a1b4c5d6e7f8096"),
        scope: Scope {
            account: AccountId::new("acc_019aa5f0c2007d3e8a1b4c5d6e7f8093"),
            mode: Mode::Test,
        },
        #[expect(clippy::expect_used, reason = "a constant of this file")]
        code: LinkCode::parse("K7QM3XTA").expect("a code"),
        reference: "choir-2026".to_owned(),
        terms: LinkTerms {
            title: "Adom choir: robe".to_owned(),
            description: Some("One robe, sewn to measure.".to_owned()),
            #[expect(clippy::expect_used, reason = "a constant of this file")]
            amount: LinkAmount::Fixed(Amount::from_pesewas(1050).expect("an amount")),
            uses: LinkUses::Many,
            expires_at: None,
            metadata: None,
            question: None,
        },
        created_at: created_at(),
        closed_at: None,
        used_at: None,
        created_by: Some(KeyId::new("key_019aa5f0c2007d3e8a1b4c5d6e7f8094")),
    }
}
