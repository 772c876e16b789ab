//! Which lines of a file or workbook `tua payout batch` reads, and which it leaves out
//! (docs/reference/payouts.md#a-file-on-the-command-line).

use super::payout_batch_file::{Fixture, codes, found};
use serde_json::{Value, json};
use tua_test_support::binary::run;

#[test]
fn the_lines_of_a_file_add_up_and_none_disappears() {
    let fixture = Fixture::new();
    fixture.write(
        "phone,network,amount,note\n0241234567,MTN,5,\"March\n0241234568,MTN,6,x\n\n,,\n\
         0241234569,MTN,7,\"y\"\n",
    );
    let (code, report) = fixture.check();
    assert_eq!(code, Some(1));
    let expected = json!({ "inFile": 6, "read": 2, "leftOut": 3, "refused": 1,
        "leftOutBecause": { "header": 1, "empty": 2 } });
    assert_eq!(report["fileLines"], expected, "{report}");
    assert_eq!(codes(&report, "faults"), [found(2, &["unclosed-quote"])]);
    let said = fixture.refused(&["--yes", "--idempotency-key", "k"]);
    assert!(said.contains("line 2: a quotation mark opens in column 4"), "{said}");
    fixture.write("phone,network,amount\n0241234567,MTN,1,500\n0241234568,AT Money,5\n");
    let said = fixture.refused(&["--yes", "--idempotency-key", "k"]);
    assert!(
        said.contains("line 2: column 4 has a text") && said.contains("line 3: write AIRTELTIGO"),
        "{said}"
    );
    assert_eq!(fixture.payouts(), 0);
    let output = run(fixture.path(), &fixture.batch("check", &[]));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("3 lines in the file: 0 read, 1 left out (1 header), 2 refused"),
        "{text}"
    );
}

#[test]
fn lines_below_the_table_are_left_out_where_the_command_says_how_they_begin() {
    let fixture = Fixture::new();
    fixture
        .write("phone,network,amount\n0241234567,MTN,5\n\nTotal,,5\nPrepared by Esi, on Friday\n");
    let (code, report) = fixture.check();
    assert_eq!(code, Some(1), "{report}");
    assert_eq!(codes(&report, "faults")[0].0, 4, "{report}");
    let check = |footers: &[&str]| {
        let output = run(fixture.path(), &fixture.batch("check", &[footers, &["--json"]].concat()));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), report)
    };
    let (code, report) = check(&["--footer", "total ", "--footer", "Prepared by"]);
    assert_eq!((code, &report["count"]), (Some(0), &json!(1)), "{report}");
    assert_eq!(
        report["fileLines"]["leftOutBecause"],
        json!({ "header": 1, "empty": 1, "footer": 2 }),
        "{report}"
    );
    let (code, report) = check(&["--footer", "Total"]);
    assert_eq!(code, Some(1), "a line behind a footer is a fault: {report}");
    assert_eq!(codes(&report, "faults"), [found(5, &["after-footer"])], "{report}");
}

#[test]
fn a_workbook_is_checked_and_begun_as_a_file_of_text_is() {
    let fixture = Fixture::new();
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    for (column, name) in (0..).zip(["MSISDN", "Amount", "Telco", "Name"]) {
        sheet.write_string(0, column, name).unwrap();
    }
    // A program has taken the numbers for numbers.
    sheet.write_number(1, 0, 241_234_567.0).unwrap().write_number(1, 1, 10.1 + 0.2).unwrap();
    sheet.write_number(3, 0, 233_501_234_567.0).unwrap().write_number(3, 1, 1500.0).unwrap();
    sheet.write_string(1, 2, "mtn").unwrap().write_string(3, 2, "TELECEL").unwrap();
    sheet.write_number(4, 1, 1510.3).unwrap().write_string(4, 2, "Total").unwrap();
    let with_total = book.save_to_buffer().unwrap();
    fixture.write(&with_total);
    let (code, report) = fixture.check();
    assert_eq!(
        (code, codes(&report, "faults")),
        (Some(1), vec![found(5, &["phone", "network"])]),
        "{report}"
    );
    let sheet = book.worksheet_from_index(0).unwrap();
    sheet.write_blank(4, 1, &rust_xlsxwriter::Format::new()).unwrap();
    sheet.write_blank(4, 2, &rust_xlsxwriter::Format::new()).unwrap();
    fixture.write(book.save_to_buffer().unwrap());
    let (code, report) = fixture.check();
    assert_eq!(
        (code, &report["total"], &report["fileLines"]["inFile"]),
        (Some(0), &json!("1510.30"), &json!(4)),
        "{report}"
    );
    let begun = fixture.create("k");
    assert_eq!((&begun["count"], &begun["total"]), (&json!(2), &json!("1510.30")), "{begun}");
}
