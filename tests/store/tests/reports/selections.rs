//! The newest transactions of all accounts and both modes, or of some of them.

use serde_json::json;
use tua_contract::Network;
use tua_domain::{AccountId, Generation, Mode, reporting::ReportFilter};
use tua_test_support::TestApp;
use tua_use_cases::{Reports, TransactionSelection};

/// Two accounts with payouts in both modes.
struct Shops {
    app: TestApp,
    adom: AccountId,
    /// The ids of `adom test`, `kofi live`, `adom live`, `kofi test`, oldest first.
    payouts: Vec<String>,
}

impl Shops {
    async fn start() -> Self {
        let app = TestApp::with_live_operator().await;
        let adom = app.account("Adom Stores").await;
        let kofi = app.account("Kofi Fabrics").await;
        let mut payouts = Vec::new();
        for (account, mode) in
            [(&adom, Mode::Test), (&kofi, Mode::Live), (&adom, Mode::Live), (&kofi, Mode::Test)]
        {
            let key = app.key(account, mode, Generation::V2).await;
            let body = json!({ "amount": 1, "phoneNumber": "0241234567", "network": "MTN" });
            payouts.push(key.post("/v1/payout", &body).await.is(202).id());
            app.advance(1);
        }
        Self { app, adom, payouts }
    }

    /// The places in `payouts` of what a selection lists.
    async fn listed(&self, selection: TransactionSelection, limit: u32) -> Vec<usize> {
        let store = &self.app.running().store;
        let reports =
            Reports { reports: store.clone(), accounts: store.clone(), audit_log: store.clone() };
        let listed = reports.newest_selected(selection, limit).await.unwrap();
        let place = |id: &str| self.payouts.iter().position(|one| one == id).unwrap();
        listed.iter().map(|one| place(one.order.id.as_str())).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_of_all_accounts_and_both_modes_are_listed_in_one_order() {
    let shops = Shops::start().await;
    let all = TransactionSelection::default;
    assert_eq!(shops.listed(all(), 50).await, [3, 2, 1, 0]);
    assert_eq!(shops.listed(all(), 3).await, [3, 2, 1], "the oldest is left out");
    let of_adom = TransactionSelection { account: Some(shops.adom.clone()), ..all() };
    assert_eq!(shops.listed(of_adom.clone(), 50).await, [2, 0]);
    let live = TransactionSelection { mode: Some(Mode::Live), ..all() };
    assert_eq!(shops.listed(live, 50).await, [2, 1]);
    let live_of_adom = TransactionSelection { mode: Some(Mode::Live), ..of_adom };
    assert_eq!(shops.listed(live_of_adom, 50).await, [2]);
    let telecel = ReportFilter { network: Some(Network::Telecel), ..ReportFilter::default() };
    assert!(shops.listed(TransactionSelection { filter: telecel, ..all() }, 50).await.is_empty());
}
