//! Examples of payment links.

use super::examples::{Examples, created_at, json};
use crate::http::links::LinkListing;
use serde_json::json;
use tua_api::resources::LinkView;
use tua_contract::Amount;
use tua_domain::{
    AccountId, KeyId, LinkId, Mode, Scope,
    link::{Link, LinkAmount, LinkCode, LinkFigures, LinkStatus, LinkTerms, LinkUses},
};

const PUBLIC_URL: &str = "https://pay.example.com";

pub(super) fn link_request() -> Examples {
    let fixed = json!({ "title": "Adom choir: robe", "amount": 10.5, "reference": "choir-2026" });
    let open = json!({
        "title": "Harvest offering",
        "minAmount": 1,
        "maxAmount": 1000,
        "expiresAt": "2099-12-31T23:59:59Z",
    });
    vec![
        ("fixed", fixed),
        ("open", open),
        ("single", json!({ "title": "Invoice 17", "amount": 250, "uses": "single" })),
    ]
}

pub(super) fn new_links() -> Examples {
    vec![(
        "open",
        json(&LinkView::new(&link(), LinkFigures::default(), LinkStatus::Open, PUBLIC_URL)),
    )]
}

pub(super) fn links() -> Examples {
    vec![("open", json(&LinkView::new(&link(), figures(), LinkStatus::Open, PUBLIC_URL)))]
}

pub(super) fn closed_link() -> Examples {
    let closed = Link { closed_at: Some(created_at()), ..link() };
    vec![("closed", json(&LinkView::new(&closed, figures(), LinkStatus::Closed, PUBLIC_URL)))]
}

pub(super) fn link_listing() -> Examples {
    let link = link();
    let data = vec![LinkView::new(&link, figures(), LinkStatus::Open, PUBLIC_URL)];
    vec![("page", json(&LinkListing { data, next_cursor: None }))]
}

fn figures() -> LinkFigures {
    LinkFigures { payments: 12, paid_pesewas: 12_600, pending: 0 }
}

fn link() -> Link {
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
        },
        created_at: created_at(),
        closed_at: None,
        used_at: None,
        created_by: Some(KeyId::new("key_019aa5f0c2007d3e8a1b4c5d6e7f8094")),
    }
}
