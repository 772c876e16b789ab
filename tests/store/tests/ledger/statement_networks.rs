//! An aggregator's ids are those of its networks: two networks may have one id
//! (docs/reference/statements.md#outcomes).

use super::statements::{HEADER, import, live};
use tua_contract::{Amount, lifecycle::Observation};
use tua_domain::{
    TransactionId,
    ports::{Clock, Receipt, Report},
    statement::StatementFilter,
    transfer::OperatorDetails,
};
use tua_system::clock::SystemClock;
use tua_test_support::live_operators::LiveOperators;

/// A paid charge that has this id at the operator.
async fn paid(live: &LiveOperators, phone: &str, network: &str, operator_id: &str) -> String {
    let id = TransactionId::new(live.charge(phone, network).await.is(202).id());
    let running = live.app.running();
    let charge = running.store.transaction(&id).await.unwrap().unwrap();
    let amount = Amount::parse("10.5").unwrap();
    let transaction_id = Some(operator_id.to_owned());
    let report = Report::new(Observation::Succeeded)
        .with_receipt(Receipt::of(amount))
        .with_details(OperatorDetails { transaction_id, ..OperatorDetails::NONE });
    running.gateway.record(&charge, report.compare(amount)).await.unwrap();
    id.as_str().to_owned()
}

fn line(reference: &str, operator_id: &str, provider: &str) -> String {
    format!(
        "{reference},DEPOSIT,COMPLETED,GHS,10.50,,{},{operator_id},{provider}\n",
        SystemClock.now()
    )
}

/// The transactions of the lines of a file, in its order.
async fn matched(live: &LiveOperators, lines: &[String]) -> Vec<Option<String>> {
    let file = format!("{HEADER},Provider\n{}", lines.concat());
    let imported = import(live.app.folder.path(), "pawapay", &file);
    let statement = Some(tua_domain::StatementId::new(imported["statementId"].as_str().unwrap()));
    let filter = StatementFilter { statement, ..StatementFilter::default() };
    let lines = live.app.running().store.statement_lines(&filter, None, 100).await.unwrap();
    lines.into_iter().map(|line| line.transaction.map(|one| one.order.id.to_string())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn ids_of_two_networks_never_match_each_others_lines() {
    let live = live("pawapay").await;
    // These numbers stay pending at the emulator.
    let mtn = paid(&live, "0241230007", "MTN", "777").await;
    let telecel = paid(&live, "0201230007", "TELECEL", "777").await;
    let of_mtn = Some(mtn.clone());
    let of_telecel = Some(telecel.clone());
    let named = [
        line("", "777", "VODAFONE_GHA"),
        line("", "777", "MTN_MOMO_GHA"),
        line("", "777", "AIRTELTIGO_GHA"),
    ];
    assert_eq!(
        matched(&live, &named).await,
        [of_telecel.clone(), of_mtn, None],
        "the network of the line"
    );
    let unnamed = [line("", "777", ""), line("", "777", "a provider that nobody knows")];
    assert_eq!(matched(&live, &unnamed).await, [None, None], "it is not known whose");

    // The reference names the network where the line does not, also before the operator's id is
    // known.
    let pending = TransactionId::new(live.charge("0201230007", "TELECEL").await.is(202).id());
    paid(&live, "0241230007", "MTN", "888").await;
    let by_reference =
        |id: &TransactionId, operator_id: &str| line(&id.operator_reference(), operator_id, "");
    let lines = [by_reference(&pending, "888"), by_reference(&TransactionId::new(telecel), "777")];
    assert_eq!(matched(&live, &lines).await, [Some(pending.as_str().to_owned()), of_telecel]);
}
