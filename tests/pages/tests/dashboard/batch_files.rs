//! Files of payouts in the dashboard: checked line by line, corrected and confirmed.

use super::batches::{browser, path};
use std::sync::Arc;
use tua_domain::people::Role;
use tua_test_support::{
    failing_plan::{Fault, Moment, Plan},
    payout_batches::{batch_of, begin, outcomes, read},
    payout_controls::Merchant,
    scripted_operator::ScriptedOperator,
    test_database,
};

/// The value of a hidden field.
pub(super) fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("name=\"{name}\" value=\"")).unwrap();
    rest.split('"').next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sum_that_a_wallet_may_not_take_in_a_day_is_a_warning_and_no_fault() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "0").await;
    let finance = browser(&merchant, Role::Finance).await;
    let csv =
        "phone,network,amount\n0241230001,MTN,2000\n0241230002,MTN,3000\n0241230001,MTN,1000.01\n";
    let checked =
        finance.post_file(&path(&merchant, "/payouts/upload"), &[("csv", csv)]).await.is(200).text;
    assert_eq!(
        checked.matches("a wallet of the lowest level cannot take it").count(),
        2,
        "{checked}"
    );
    merchant.begin_unapproved_payout(25_000.01).await;
    let waiting = finance.get(&path(&merchant, "/payouts")).await.text;
    assert!(waiting.contains("no personal wallet can take it"), "{waiting}");
}

const FILE: &str = "\u{feff}phone;network;amount;note\r\n241230001;MTN;1234.50;\"March; 2026\"\r\n\
    0241230001;mtn;1234.5;\r\n\
    0201230002;MTN;1;<b>\r\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_checked_line_by_line_and_begun_once_when_it_is_confirmed() {
    let merchant = Merchant::start().await;
    merchant.set_limits("", "", "100").await;
    let finance = browser(&merchant, Role::Finance).await;
    let account = &merchant.scope().account;
    let (owner, ..) = merchant.app.enrolled("owner@example.com", account, Role::Owner).await;
    let check = path(&merchant, "/payouts/upload");
    let confirm = path(&merchant, "/payouts/upload/confirm");
    assert!(finance.get(&check).await.is(200).text.contains("multipart/form-data"));
    let checked = finance
        .post_file(&check, &[("reference", "March"), ("file", FILE), ("csv", "")])
        .await
        .is(200);
    assert!(!checked.text.contains("Pay 3 people"), "nobody is paid by it: {}", checked.text);
    for text in [
        "Send 3 payouts of GH₵2,470.00 for approval",
        "Payouts above GH₵100.00 need a second person",
        "Who can approve it: owner@example.com.",
    ] {
        assert!(checked.text.contains(text), "{text}: {}", checked.text);
    }
    assert!(checked.text.contains("same amount and wallet as line 2"), "{}", checked.text);
    assert!(
        checked.text.contains("often belong to another network")
            && checked.text.contains("&lt;b&gt;")
    );
    assert!(checked.text.contains("a second person must approve the batch"));
    assert!(checked.text.contains("<h2>Name: March</h2>"), "{}", checked.text);
    assert!(checked.text.contains("data-label=\"Note\">&lt;b&gt;</td>"), "{}", checked.text);
    assert!(!checked.text.contains("data-label=\"Reference\""), "the file has none");
    assert!(checked.text.contains("/payouts/batches\" aria-current=\"page\">Pay many people"));
    assert_eq!(
        merchant.app.query_number("SELECT count(*) FROM transactions"),
        0,
        "nothing is begun by the check"
    );

    let id = hidden(&checked.text, "id").to_owned();
    let fields = [("id", &*id), ("reference", "March"), ("csv", FILE)];
    for _ in 0..2 {
        let begun = finance.post_file(&confirm, &fields).await.is(303);
        assert!(
            begun.header("location").ends_with(&format!("/payouts/batches/{id}?done=batch-begun"))
        );
    }
    assert_eq!(merchant.app.query_number("SELECT count(*) FROM transactions"), 3);
    let at = |action: &str| path(&merchant, &format!("/payouts/batches/{id}{action}"));
    let waiting = finance.get(&at("")).await.text;
    assert!(waiting.contains("asked for by finance@example.com"), "{waiting}");
    assert!(waiting.contains("Who can approve it: owner@example.com."), "{waiting}");
    let others = owner.get(&at("")).await.text;
    assert!(!others.contains("Who can approve it"), "the button says it: {others}");
    let own = finance.post(&at("/approve"), &[]).await.is(422);
    assert!(own.text.contains("another person must approve it"), "{}", own.text);
    owner.post_confirmed(&at("/approve"), &[]).await.is(303);
    merchant.wait(1).await;
    assert_eq!(outcomes(&read(&merchant.shop, &id).await), ["SUCCESSFUL"; 3]);
    let entries = merchant.store().audit_entries(0, 100).await.unwrap();
    let entry = entries.iter().find(|entry| entry.action == "payout_batch.begun").unwrap();
    assert!(entry.subject == id && entry.actor.starts_with("finance@example.com"), "{entry:?}");

    finance.post_file(&confirm, &[("id", "bat_1"), ("csv", FILE)]).await.is(404);
    merchant.app.advance(6 * 60);
    let unproven = finance.post_file(&confirm, &fields).await.is(303);
    assert!(unproven.header("location").starts_with("/dashboard/proof?return="), "{unproven:?}");
    assert!(
        !unproven.header("location").contains("kept"),
        "a form with a file is not kept: {unproven:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_with_a_fault_begins_nothing() {
    let merchant = Merchant::start().await;
    merchant.set_limits("50", "60", "").await;
    let finance = browser(&merchant, Role::Finance).await;
    let check = path(&merchant, "/payouts/upload");
    let confirm = path(&merchant, "/payouts/upload/confirm");
    let id = tua_domain::BatchId::mint();
    let header = "phoneNumber,network,amount\n";
    for (file, text) in [
        ("0241230001,MTN,5\n+2.33E+11,MTN,5\n".to_owned(), "has shortened this number"),
        ("0241230001,MTN,5\n0241230002,MTN,50.01\n".to_owned(), "more than one payout may be"),
        ("0241230001,MTN,50\n0241230002,MTN,10.01\n".to_owned(), "limit of a day leaves"),
        ("0241230001,MTN,0.01\n".repeat(1001), "more than 1,000 lines"),
        (String::new(), "The file has no lines"),
    ] {
        let file = format!("{header}{file}");
        let refused = finance.post_file(&check, &[("csv", &file)]).await.is(422);
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
        let refused =
            finance.post_file(&confirm, &[("id", id.as_str()), ("csv", &file)]).await.is(422);
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
    let large = "x".repeat(1 << 20);
    finance.post_file(&check, &[("csv", &large)]).await.is(413);
    assert_eq!(merchant.app.query_number("SELECT count(*) FROM payout_batches"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_whose_commit_is_uncertain_is_sent_again_with_the_same_id() {
    let plan = Plan::default();
    let merchant = Merchant::with_store(Arc::new(ScriptedOperator::new()), &plan).await;
    let finance = browser(&merchant, Role::Finance).await;
    let check = path(&merchant, "/payouts/upload");
    let confirm = path(&merchant, "/payouts/upload/confirm");
    let csv = "phone,network,amount\n0241230001,MTN,20\n";
    let checked = finance.post_file(&check, &[("reference", "March"), ("csv", csv)]).await.is(200);
    let id = hidden(&checked.text, "id").to_owned();
    let mut fields = vec![("id", id), ("reference", "March".to_owned()), ("csv", csv.to_owned())];
    for (method, moment) in [("begin_batch", Moment::After), ("payout_batch", Moment::Before)] {
        plan.begin(Some(Fault { method: Some(method), moment, times: 1 }));
        let sent: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let shown = finance.post_file(&confirm, &sent).await.is(503).text;
        assert!(shown.contains("It is not known whether this was recorded"), "{method}: {shown}");
        let action = format!("action=\"{confirm}\" enctype=\"multipart/form-data\"");
        assert!(shown.contains(&action), "{shown}");
        fields =
            ["id", "reference", "csv"].map(|name| (name, hidden(&shown, name).to_owned())).to_vec();
    }
    let sent: Vec<(&str, &str)> =
        fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    finance.post_file(&confirm, &sent).await.is(303);
    assert_eq!(
        merchant.app.query_number("SELECT count(*) FROM transactions"),
        1,
        "one form begins one batch"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_file_says_in_other_words_is_shown_and_begun_only_as_the_person_confirms_it() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    let check = path(&merchant, "/payouts/upload");
    let confirm = path(&merchant, "/payouts/upload/confirm");
    let faulty = "MSISDN,Amount,Telco\n0271230001,2E1,AT Money\n";
    let refused = finance.post_file(&check, &[("csv", faulty)]).await.is(422).text;
    assert!(refused.contains("“AT Money” is read as AIRTELTIGO"), "{refused}");
    let csv = "MSISDN,Amount,Telco\n\n0241230001,GH¢ 20,MTN MoMo\n\
        0201230002,\"1,500.00\",Vodafone Cash\n";
    let checked = finance.post_file(&check, &[("csv", csv)]).await.is(200);
    for text in [
        "“MTN MoMo” is read as MTN",
        "“Vodafone Cash” is read as TELECEL",
        "2 lines have another name of their network",
        "4 lines in the file: 2 read, 2 left out",
        "Pay 2 people GH₵1,520.00 in all",
    ] {
        assert!(checked.text.contains(text), "{text}: {}", checked.text);
    }
    let id = hidden(&checked.text, "id").to_owned();
    finance.post_file(&confirm, &[("id", &id), ("csv", csv)]).await.is(303);
    let inserted =
        "SELECT count(*) FROM transactions WHERE network = 'TELECEL' AND amount = 150000";
    assert_eq!(merchant.app.query_number(inserted), 1);

    for (csv, text) in [
        (
            "phone,network,amount,note\n0241230001,MTN,5,\"x\n0241230002,MTN,6,y\n",
            "A quotation mark opens in column 4",
        ),
        ("phone,network,amount\n0241230001,MTN,1,500\n", "Column 4 has a text, but no header"),
        (
            "MSISDN,Amount,Network provider\n0241230001,5,Telecel\n",
            "has &quot;MSISDN&quot;, &quot;Amount&quot;, &quot;Network provider&quot;",
        ),
        ("phone,network,amount,Amount\n0241230001,MTN,5,6\n", "Two columns have the same name"),
    ] {
        let refused = finance.post_file(&check, &[("csv", csv)]).await.is(422);
        assert!(refused.text.contains(text), "{text}: {}", refused.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_below_the_table_are_left_out_where_the_person_says_how_they_begin() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    let check = path(&merchant, "/payouts/upload");
    let confirm = path(&merchant, "/payouts/upload/confirm");
    let csv = "phone,network,amount\n0241230001,MTN,20\nTotal,,20\nPrepared by Esi\n";
    let refused = finance.post_file(&check, &[("csv", csv)]).await.is(422);
    assert!(refused.text.contains("2 lines have faults"), "{}", refused.text);
    let footer = ("footer", "total; Prepared by");
    let checked = finance.post_file(&check, &[footer, ("csv", csv)]).await.is(200);
    assert!(checked.text.contains("4 lines in the file: 1 read, 3 left out"), "{}", checked.text);
    let kept = hidden(&checked.text, "footer");
    assert_eq!(kept, footer.1);
    let id = hidden(&checked.text, "id").to_owned();
    finance.post_file(&confirm, &[("id", &id), ("footer", kept), ("csv", csv)]).await.is(303);
    assert_eq!(
        merchant.app.query_number("SELECT count(*) FROM transactions WHERE amount = 2000"),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workbook_becomes_lines_that_the_person_sees_and_can_correct() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    let check = path(&merchant, "/payouts/upload");
    let confirm = path(&merchant, "/payouts/upload/confirm");
    let mut book = rust_xlsxwriter::Workbook::new();
    for name in ["March", "April"] {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        for (column, name) in (0..).zip(["phone", "network", "amount", "note"]) {
            sheet.write_string(0, column, name).unwrap();
        }
        sheet.write_number(2, 0, 241_230_001.0).unwrap().write_number(2, 2, 12.5).unwrap();
        sheet.write_string(2, 1, "MTN").unwrap().write_string(2, 3, name).unwrap();
    }
    let bytes = book.save_to_buffer().unwrap();
    assert!(finance.get(&check).await.text.contains(".xlsx"));
    let several = finance.post_bytes(&check, &[], &bytes).await.is(422).text;
    assert!(
        several.contains("&quot;March&quot;, &quot;April&quot;")
            && several.contains("name=\"sheet\""),
        "{several}"
    );
    let checked = finance.post_bytes(&check, &[("sheet", "April")], &bytes).await.is(200).text;
    assert!(
        checked.contains("Pay 1 person GH₵12.50")
            && checked.contains("3 lines in the file: 1 read"),
        "{checked}"
    );
    let lines = checked.split("<textarea name=\"csv\" hidden readonly>\n").nth(1).unwrap();
    let csv = lines.split("</textarea>").next().unwrap();
    assert_eq!(csv, "phone,network,amount,note\n\n241230001,MTN,12.5,April\n");
    let id = hidden(&checked, "id").to_owned();
    finance.post_file(&confirm, &[("id", &id), ("csv", csv)]).await.is(303);
    assert_eq!(
        merchant.app.query_number("SELECT count(*) FROM transactions WHERE amount = 1250"),
        1
    );
    let broken = finance.post_bytes(&check, &[], &bytes[..bytes.len() / 2]).await.is(422).text;
    assert!(broken.contains("The workbook cannot be read"), "{broken}");

    // Its text would not fit into the form that confirms it.
    let mut long = rust_xlsxwriter::Workbook::new();
    let sheet = long.add_worksheet();
    for row in 0..1_100 {
        sheet.write_string(row, 0, "x".repeat(1_000)).unwrap();
    }
    let long = long.save_to_buffer().unwrap();
    let refused = finance.post_bytes(&check, &[], &long).await.is(422).text;
    assert!(refused.contains("too large when it is unpacked"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_names_its_line_and_a_payout_keeps_the_line_of_the_file() {
    let merchant = Merchant::start().await;
    let finance = browser(&merchant, Role::Finance).await;
    let check = path(&merchant, "/payouts/upload");
    let file = |amount: &str| {
        format!("phone;network;amount\n\n0241230001;MTN;1 200,00\n\n0241230002;MTN;{amount}\n")
    };
    let refused = finance.post_file(&check, &[("csv", &file("1.200"))]).await.is(422).text;
    assert!(refused.contains("Line 5: The comma or point may begin decimals"), "{refused}");
    let thousands = finance.post_file(&check, &[("csv", &file("1,200"))]).await.is(422).text;
    assert!(thousands.contains("Line 5: The comma or point may begin decimals"), "{thousands}");
    let many = "phone;network;amount\n".to_owned() + &"0241230001;MTN;1.500\n".repeat(12);
    let many = finance.post_file(&check, &[("csv", &many)]).await.is(422).text;
    let once = "Lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 others: The comma or point may begin";
    assert!(many.contains(once) && many.matches("others:").count() == 1, "{many}");
    let csv = file("1 200");
    let checked = finance.post_file(&check, &[("csv", &csv)]).await.is(200).text;
    assert!(checked.contains("Pay 2 people GH₵2,400.00 in all"), "{checked}");
    let id = hidden(&checked, "id").to_owned();
    let confirm = path(&merchant, "/payouts/upload/confirm");
    finance.post_file(&confirm, &[("id", &*id), ("csv", &csv)]).await.is(303);
    let shown = finance.get(&path(&merchant, &format!("/payouts/batches/{id}"))).await.is(200).text;
    for line in ["data-label=\"Line\"", "label-first\">3</td>", "label-first\">5</td>"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_of_a_key_has_the_name_of_the_key() {
    let merchant = Merchant::start().await;
    let owner = browser(&merchant, Role::Owner).await;
    let batch = begin(&merchant.shop, &batch_of(&[1.0, 2.0])).await.is(202).json();
    let id = batch["batchId"].as_str().unwrap();
    let page = path(&merchant, &format!("/payouts/batches/{id}"));
    let shown = owner.get(&page).await.is(200).text;
    let key = merchant.key.id.as_str();
    assert!(shown.contains(&format!("asked for with the key {key}")), "a key without a name");
    let named = format!("UPDATE api_keys SET name = 'Web <shop>' WHERE id = '{key}'");
    test_database::execute(merchant.app.folder.path(), &named);
    let shown = owner.get(&page).await.is(200).text;
    assert!(shown.contains("asked for with the key Web &lt;shop&gt;"), "{shown}");
    assert!(shown.contains("data-label=\"Payout\""), "a request has no lines: {shown}");
}
