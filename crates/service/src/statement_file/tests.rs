use super::*;
use crate::domain::statement::LineKind;

const HEADER: &str = "Transaction ID,Transaction Type,Status,Currency,Amount,Fee,Completed At,Provider Transaction ID";
const REFERENCE: &str = "0199a000-0000-4000-8000-000000000001";

fn file(contents: &[u8]) -> StatementSource {
    StatementSource::copy(contents).unwrap()
}

fn read_as(contents: &str, form: &StatementColumns) -> Vec<ReadLine> {
    file(contents.as_bytes()).lines(form).unwrap().collect()
}

fn read(contents: &str) -> Vec<ReadLine> {
    read_as(contents, &StatementColumns::default())
}

fn line(contents: &str) -> StatementLine {
    let mut lines = read(&format!("{HEADER}\n{contents}\n"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0).unwrap().unwrap()
}

fn fault(contents: &str) -> String {
    let fault = read(&format!("{HEADER}\n{contents}\n")).remove(0).unwrap_err();
    assert_eq!(fault.number, 2);
    fault.fault
}

fn refused(contents: &[u8]) -> String {
    match file(contents).lines(&StatementColumns::default()) {
        Ok(_) => panic!("{:?} is accepted", String::from_utf8_lossy(contents)),
        Err(fault) => fault,
    }
}

#[test]
fn a_line_has_its_ids_sums_and_time() {
    let found = line(&format!("{REFERENCE},DEPOSIT,completed,ghs,\"1,234.50\",0.20,2026-11-22T10:00:00Z,7"));
    assert_eq!((found.number, found.kind, found.is_reversal), (2, LineKind::Charge, false));
    assert_eq!((found.pesewas, found.fee_pesewas), (123_450, Some(20)));
    assert_eq!(found.operator_transaction_id.as_deref(), Some("7"));
    assert_eq!(found.referenced.unwrap().operator_reference(), REFERENCE);
    assert_eq!(found.at.to_string(), "2026-11-22T10:00:00Z");
    let returned = line("x,PAYOUT,REVERSED,GHS,-10,,2026-11-22 10:00:00,7");
    assert_eq!((returned.kind, returned.is_reversal, returned.pesewas), (LineKind::Payout, true, 1000));
    assert_eq!((returned.fee_pesewas, returned.referenced), (None, None));
}

#[test]
fn all_faults_of_a_line_are_named() {
    let found = fault("x,DEPOSIT,COMPLETED,USD,10.555,free,yesterday,7");
    for part in ["\"USD\"", "\"10.555\"", "\"free\"", "\"yesterday\""] {
        assert!(found.contains(part), "{found}");
    }
    for (line, part) in [
        ("x,DEPOSIT,COMPLETED,GHS,10", "5 columns"),
        ("x,DEPOSIT,LOST,GHS,10,,2026-11-22T10:00:00Z,7", "\"LOST\""),
        ("x,LOAN,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7", "\"LOAN\""),
        (",DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,", "neither"),
        ("x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,2.33E+11", "spreadsheet"),
        ("x,DEPOSIT,COMPLETED,GHS,1E+3,,2026-11-22T10:00:00Z,7", "\"1E+3\""),
        ("x,DEPOSIT,COMPLETED,GHS,0,,2026-11-22T10:00:00Z,7", "\"0\""),
        ("x,DEPOSIT,COMPLETED,GHS,\"1,23\",,2026-11-22T10:00:00Z,7", "\"1,23\""),
    ] {
        assert!(fault(line).contains(part), "{line}: {}", fault(line));
    }
}

#[test]
fn lines_of_failed_payments_and_of_other_types_are_left_out() {
    let left_out = ["x,DEPOSIT,FAILED,GHS,10,,,", "x,TOPUP,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7"];
    for line in left_out {
        assert_eq!(read(&format!("{HEADER}\n{line}\n")), [Ok(None)], "{line}");
    }
}

#[test]
fn a_byte_order_mark_semicolons_and_quoted_line_breaks_are_read() {
    let header = HEADER.replace(',', ";");
    let lines = read(&format!(
        "\u{feff}{header}\r\n\"x\";DEPOSIT;COMPLETED;GHS;10;;2026-11-22T10:00:00Z;\"7\r\n8\"\r\n\
         y;DEPOSIT;COMPLETED;GHS;broken;;2026-11-22T10:00:00Z;9\r\n"
    ));
    assert_eq!(lines[0].as_ref().unwrap().as_ref().unwrap().operator_transaction_id.as_deref(), Some("7\r\n8"));
    assert_eq!(lines[1].as_ref().unwrap_err().number, 4, "the line of the file, not of the table");
}

#[test]
fn files_that_are_cut_off_or_no_statements_are_refused() {
    assert!(refused(b"").contains("empty"));
    assert!(refused(format!("{HEADER}\nx,DEPOSIT,COMP").as_bytes()).contains("end of the file may be missing"));
    assert!(refused(b"\xff\xfeT\0\n").contains("UTF-16"));
    assert!(refused(b"PK\x03\x04\n").contains("workbook"));
    assert!(refused(b"Date,Sum\n").contains("\"Provider Transaction ID\" or \"Transaction ID\""));
    let latin = [HEADER.as_bytes(), b"\nx,DEPOSIT,\xe9,GHS,10,,2026-11-22T10:00:00Z,7\n"].concat();
    let lines: Vec<_> = file(&latin).lines(&StatementColumns::default()).unwrap().collect();
    assert!(lines[0].as_ref().unwrap_err().fault.contains("UTF-8"));
}

#[test]
fn the_settings_name_columns_values_and_forms() {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let form = StatementColumns {
        delimiter: Some(b';'),
        has_decimal_comma: true,
        skipped_lines: 2,
        time_format: Some("%d/%m/%Y %H:%M".to_owned()),
        operator_id: names(&["Id"]),
        time: names(&["Date"]),
        amount: names(&["Sum"]),
        ..StatementColumns::default()
    };
    let lines =
        read_as("Adom Stores\nNovember\nDate;Id;Sum\n22/11/2026 10:05;7;-1.234,50\n22/11/2026 10:05;8;1;2\n", &form);
    let line = lines[0].as_ref().unwrap().as_ref().unwrap();
    assert_eq!((line.kind, line.pesewas, line.number), (LineKind::Payout, 123_450, 4), "the sign is the direction");
    assert_eq!(line.at.to_string(), "2026-11-22T10:05:00Z");
    assert_eq!(lines[1].as_ref().unwrap_err().number, 5);
}

#[test]
fn equal_lines_of_one_file_are_two_and_of_two_files_one() {
    let twice = "x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7\n".repeat(2);
    let keys = || read(&format!("{HEADER}\n{twice}")).into_iter().map(|line| line.unwrap().unwrap().key);
    let [first, second] = keys().collect::<Vec<_>>().try_into().unwrap();
    assert_ne!(first, second);
    assert!(keys().eq([first, second]));
}
