//! Statement files as people have them, and what an import says of payments that a file lacks
//! (docs/reference/files.md, docs/reference/statements.md).

use super::statements::{HEADER, import, import_arguments, line, live};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
use serde_json::{Value, json};
use std::{fs, path::Path};
use tua_domain::TransactionId;
use tua_emulator::Operator;
use tua_test_support::{
    binary::{account, json, refused, run, tua},
    operator_callbacks::other_spellings,
};

/// The ids of so many charges that were paid.
async fn paid(live: &tua_test_support::live_operators::LiveOperators, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count {
        let charge = live.charge_to_the_end("0241234567", "MTN").await;
        ids.push(charge["transactionId"].as_str().unwrap().to_owned());
    }
    ids
}

/// What an import printed for people.
fn printed(folder: &Path, contents: &str) -> String {
    fs::write(folder.join("file.csv"), contents).unwrap();
    let output = run(folder, &import_arguments("mtn", "file.csv"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_agrees_only_where_the_payments_of_its_days_were_looked_for_too() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let ids = paid(&live, 2).await;
    let one = format!("{HEADER}\n{}", line(&ids[0], "COMPLETED", "10.50", "a"));
    let imported = import(path, "mtn", &one);
    assert_eq!(
        (&imported["outcomes"]["matched"], &imported["agrees"]),
        (&json!(1), &json!(false)),
        "{imported}"
    );
    assert_eq!(imported["outcomes"]["missing-at-the-operator"], 1);
    let missing = &imported["listed"][0];
    assert_eq!(
        (&missing["transactionId"], &missing["line"]),
        (&json!(ids[1]), &Value::Null),
        "{imported}"
    );
    assert_eq!(imported["transactionsFrom"], imported["from"]);
    let text = printed(path, &one);
    assert!(
        text.contains("1 do not agree. The payments from 20")
            && !text.contains("Every line agrees"),
        "{text}"
    );
    let id = imported["statementId"].as_str().unwrap();
    assert_eq!(json(path, &["statement", "show", id])["agrees"], false);

    let both = format!("{one}{}", line(&ids[1], "COMPLETED", "10.50", "b"));
    let text = printed(path, &both);
    assert!(text.contains("Every line agrees, and every successful payment from 20"), "{text}");
    assert_eq!(json(path, &["statement", "show", id])["agrees"], true, "another file has the line");

    // A file without lines covers no day, unless the person says which.
    let empty = format!("{HEADER}\nx,TOPUP,COMPLETED,GHS,1,,2026-01-01T00:00:00Z,9\n");
    let imported = import(path, "mtn", &empty);
    assert_eq!(
        (&imported["agrees"], &imported["transactionsFrom"]),
        (&json!(false), &Value::Null),
        "{imported}"
    );
    assert!(printed(path, &format!("{empty}\n")).contains("No payment was looked for"));
    fs::write(path.join("file.csv"), format!("{empty},\n")).unwrap();
    let period = ["--from", "2026-01-01", "--to", "2026-01-01"];
    let imported = json(path, &[&import_arguments("mtn", "file.csv")[..], &period].concat());
    assert_eq!(
        (&imported["agrees"], &imported["transactionsTo"]),
        (&json!(true), &json!("2026-01-01")),
        "{imported}"
    );
}

#[test]
fn days_without_lines_and_payments_are_nothing_to_compare() {
    let folder = tempfile::tempdir().unwrap();
    account(folder.path());
    let days = ["statement", "verify", "--from", "2026-01-01", "--to", "2026-01-02"];
    let shown = json(folder.path(), &days);
    assert_eq!(
        (&shown["nothingToCompare"], &shown["exceptions"]),
        (&json!(true), &json!(0)),
        "{shown}"
    );
    let output = run(folder.path(), &days);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "There is nothing to compare: no line is of the days from 2026-01-01 to \
        2026-01-02, and no successful payment of them lacks one.";
    assert!(text.contains(expected) && !text.contains("agrees"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_lines_of_a_file_add_up_and_are_told() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let ids = paid(&live, 1).await;
    let good = line(&ids[0], "COMPLETED", "10.50", "a");
    let failed = line(&ids[0], "FAILED", "10.50", "b");
    let text = format!("sep=,\r{HEADER}\r\n\n,,,\n{good}{failed}");
    let imported = import(path, "mtn", &text);
    let expected = json!({ "inFile": 6, "read": 1, "leftOut": 5, "refused": 0, "leftOutBecause": {
        "before the header": 1, "header": 1, "empty": 2, "about no money that moved": 1 } });
    assert_eq!(imported["fileLines"], expected, "{imported}");
    let told = printed(path, &format!("{text}\n"));
    assert!(
        told.contains(
            "7 lines in the file: 1 read, 6 left out (1 before the header, 1 header, 3 empty"
        ),
        "{told}"
    );

    fs::write(
        path.join("file.csv"),
        format!("{HEADER}\n{good}x,\"DEPOSIT,COMPLETED\n{good}y\n\"\n"),
    )
    .unwrap();
    let told = refused(tua(path).args(import_arguments("mtn", "file.csv")));
    for part in [
        "line 3: a quotation mark opens in column 2",
        "line 5: it has 1 columns, the header has 8",
        "line 6: a quotation mark opens in column 1",
        "6 lines in the file: 2 read, 1 left out (1 header), 3 refused",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(live.app.query_number("SELECT count(*) FROM statement_lines"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_imported_again_covers_the_days_that_were_said_last() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let ids = paid(&live, 1).await;
    let arguments = import_arguments("mtn", "file.csv");
    let again = |days: &[&str]| json(path, &[&arguments[..], days].concat());
    let covered = |imported: &Value| {
        [imported["transactionsFrom"].clone(), imported["transactionsTo"].clone()]
    };
    let imported =
        import(path, "mtn", &format!("{HEADER}\n{}", line(&ids[0], "COMPLETED", "10.50", "a")));
    let [day, _] = covered(&imported);

    let said = again(&["--from", "2026-01-01", "--to", "2099-12-31"]);
    assert_eq!((&said["repeated"], &said["inserted"]), (&json!(true), &json!(0)), "{said}");
    assert_eq!(said["newDays"], json!(["2026-01-01", "2099-12-31"]), "{said}");
    assert_eq!(covered(&said), [json!("2026-01-01"), json!("2099-12-31")]);
    let kept = again(&[]);
    assert_eq!(
        (&kept["newDays"], covered(&kept)),
        (&Value::Null, covered(&said)),
        "nothing was said: {kept}"
    );
    let day = day.as_str().unwrap();
    let narrow = again(&["--from", day, "--to", day]);
    assert_eq!(covered(&narrow), [json!(day), json!(day)], "{narrow}");
    let id = narrow["statementId"].as_str().unwrap();
    assert_eq!(json(path, &["statement", "show", id])["transactionsFrom"], day);
    let log = json(path, &["audit", "list"]).to_string();
    assert_eq!(log.matches("statement_days.changed").count(), 2, "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_sheet_of_a_workbook_is_no_repeated_import() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let ids = paid(&live, 2).await;
    let mut book = Workbook::new();
    for (name, (id, operator_id)) in ["March", "April"].into_iter().zip(ids.iter().zip(["a", "b"]))
    {
        let sheet = book.add_worksheet().set_name(name).unwrap();
        let line = line(id, "COMPLETED", "10.50", operator_id);
        for (row, cells) in (0..).zip([HEADER, line.trim_end()]) {
            for (column, cell) in (0..).zip(cells.split(',')) {
                sheet.write_string(row, column, cell).unwrap();
            }
        }
    }
    fs::write(path.join("year.xlsx"), book.save_to_buffer().unwrap()).unwrap();
    let import = |sheet| {
        json(path, &[&import_arguments("mtn", "year.xlsx")[..], &["--sheet", sheet]].concat())
    };
    for (sheet, repeated, inserted) in
        [("March", false, 1), ("April", false, 1), ("april", true, 0)]
    {
        let imported = import(sheet);
        assert_eq!(
            (&imported["repeated"], &imported["inserted"]),
            (&json!(repeated), &json!(inserted)),
            "{sheet}: {imported}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_workbook_is_imported_as_the_same_table_in_csv_is() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let ids = paid(&live, 1).await;
    let statement = super::statements::download(&live, Operator::MTN_MOMO).await;
    let mut lines = statement.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let cells: Vec<&str> = lines.find(|line| !line.is_empty()).unwrap().split(',').collect();
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    let date = Format::new().set_num_format("dd/mm/yyyy hh:mm:ss");
    for ((column, name), cell) in (0..).zip(&names).zip(&cells) {
        sheet.write_string(0, column, *name).unwrap();
        match *name {
            "Completed At" => {
                let time = ExcelDateTime::parse_from_str(&cell[..19]).unwrap();
                sheet.write_datetime_with_format(2, column, &time, &date).unwrap();
            }
            "Amount" => drop(sheet.write_number(2, column, cell.parse::<f64>().unwrap()).unwrap()),
            _ => drop(sheet.write_string(2, column, *cell).unwrap()),
        }
    }
    let notes = book.add_worksheet();
    notes.write_string(0, 0, "made in November").unwrap();
    let bytes = book.save_to_buffer().unwrap();
    fs::write(path.join("november.xlsx"), &bytes).unwrap();
    let arguments = import_arguments("mtn", "november.xlsx");
    let told = refused(tua(path).args(arguments));
    assert!(told.contains("several sheets") && told.contains("\"Sheet1\", \"Sheet2\""), "{told}");
    let imported = json(path, &[&arguments[..], &["--sheet", "sheet1"]].concat());
    assert_eq!(
        (&imported["outcomes"]["matched"], &imported["agrees"]),
        (&json!(1), &json!(true)),
        "{imported}"
    );
    assert_eq!(imported["fileLines"]["leftOut"], 2, "the header and an empty row");
    assert_eq!(imported["listed"], json!([]), "{ids:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_with_another_spelling_of_a_reference_is_about_no_payment_of_ours() {
    let live = live("mtn").await;
    let path = live.app.folder.path();
    let ids = paid(&live, 2).await;
    let lines = |id: &str, spellings: &[String]| {
        let own = line(id, "COMPLETED", "10.50", "own");
        let reference = TransactionId::new(id).operator_reference();
        let other = |(number, spelling): (usize, &String)| {
            own.replace(&reference, spelling).replace(",own\n", &format!(",other-{number}\n"))
        };
        spellings.iter().enumerate().map(other).collect::<String>()
    };
    let reference = TransactionId::new(&ids[0]).operator_reference();
    let spellings = other_spellings(&reference);
    let imported = import(path, "mtn", &format!("{HEADER}\n{}", lines(&ids[0], &spellings)));
    let outcomes = &imported["outcomes"];
    assert_eq!(
        (&outcomes["matched"], &outcomes["duplicate"]),
        (&json!(0), &json!(0)),
        "{imported}"
    );
    assert_eq!(outcomes["missing-with-us"], spellings.len(), "{imported}");
    // Without hyphens a reference is sent to Hubtel, so its files have it so.
    let compact = TransactionId::new(&ids[1]).operator_reference().replace('-', "");
    let imported = import(path, "mtn", &format!("{HEADER}\n{}", lines(&ids[1], &[compact])));
    assert_eq!(imported["outcomes"]["matched"], 1, "{imported}");
}
