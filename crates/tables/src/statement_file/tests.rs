use super::*;
use tua_domain::{
    file_lines::LeftOut,
    statement::{LineKind, StatementLine},
};
use tua_operators::statement_columns::StatementColumns;

const HEADER: &str = "Transaction ID,Transaction Type,Status,Currency,Amount,Fee,Completed \
    At,Provider Transaction ID";
const REFERENCE: &str = "0199a000-0000-4000-8000-000000000001";

/// The lines of a file except those that are left out because they have nothing.
fn read_as(contents: &str, form: &StatementColumns) -> Vec<ReadLine> {
    let lines: Vec<ReadLine> =
        StatementSource::read(contents.as_bytes(), form).unwrap().lines().collect();
    let has_something = |line: &ReadLine| !matches!(line, Ok(ReadRow::LeftOut(reason)) if *reason != LeftOut::NotMoved);
    lines.into_iter().filter(has_something).collect()
}

#[track_caller]
fn moved(line: &ReadLine) -> &StatementLine {
    match line {
        Ok(ReadRow::Moved(line)) => line,
        other => panic!("{other:?}"),
    }
}

fn read(contents: &str) -> Vec<ReadLine> {
    read_as(contents, &StatementColumns::default())
}

fn line(contents: &str) -> StatementLine {
    let lines = read(&format!("{HEADER}\n{contents}\n"));
    assert_eq!(lines.len(), 1, "{lines:?}");
    moved(&lines[0]).clone()
}

fn fault(contents: &str) -> String {
    let fault = read(&format!("{HEADER}\n{contents}\n")).remove(0).unwrap_err();
    assert_eq!(fault.number, 2);
    fault.sentence()
}

fn refused(contents: &[u8]) -> String {
    match StatementSource::read(contents, &StatementColumns::default()) {
        Ok(_) => panic!("{:?} is accepted", String::from_utf8_lossy(contents)),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn a_line_has_its_ids_sums_and_time() {
    let found = line(&format!(
        "{REFERENCE},DEPOSIT,completed,ghs,\"1,234.50\",0.20,2026-11-22T10:00:00Z,7"
    ));
    assert_eq!((found.number, found.kind, found.is_reversal), (2, LineKind::Charge, false));
    assert_eq!((found.pesewas, found.fee_pesewas), (123_450, Some(20)));
    assert_eq!(found.operator_transaction_id.as_deref(), Some("7"));
    assert_eq!(found.referenced.unwrap().operator_reference(), REFERENCE);
    assert_eq!(found.at.to_string(), "2026-11-22T10:00:00Z");
    let returned = line("x,PAYOUT,REVERSED,GHS,-10,,2026-11-22 10:00:00,7");
    assert_eq!(
        (returned.kind, returned.is_reversal, returned.pesewas),
        (LineKind::Payout, true, 1000)
    );
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
        ("x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,\"2,33e+11\"", "spreadsheet"),
        ("x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7,8", "column 9 has a text"),
        (
            "x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,\"7",
            "quotation mark opens in column 8",
        ),
        ("x,DEPOSIT,COMPLETED,GHS,=A1,,2026-11-22T10:00:00Z,7", "formula"),
        ("x,DEPOSIT,COMPLETED,GHS,10,0.20 CR,2026-11-22T10:00:00Z,7", "money in"),
        ("x,DEPOSIT,COMPLETED,GHS,1E+3,,2026-11-22T10:00:00Z,7", "\"1E+3\""),
        ("x,DEPOSIT,COMPLETED,GHS,0,,2026-11-22T10:00:00Z,7", "is 0"),
        ("x,DEPOSIT,COMPLETED,GHS,\"1,23\",,2026-11-22T10:00:00Z,7", "\"1,23\""),
    ] {
        assert!(fault(line).contains(part), "{line}: {}", fault(line));
    }
}

#[test]
fn lines_of_failed_payments_and_of_other_types_are_left_out() {
    let left_out =
        ["x,DEPOSIT,FAILED,GHS,10,,,", "x,TOPUP,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7"];
    for line in left_out {
        assert_eq!(
            read(&format!("{HEADER}\n{line}\n")),
            [Ok(ReadRow::LeftOut(LeftOut::NotMoved))],
            "{line}"
        );
    }
}

#[test]
fn a_byte_order_mark_semicolons_and_quotation_marks_are_read() {
    let header = HEADER.replace(',', ";");
    let lines = read(&format!(
        "\u{feff}{header}\r\n\"x\";DEPOSIT;COMPLETED;GHS;10;;2026-11-22T10:00:00Z;\"7;8\"\r\n\r\n\
         y;DEPOSIT;COMPLETED;GHS;broken;;2026-11-22T10:00:00Z;9\r\n"
    ));
    assert_eq!(moved(&lines[0]).operator_transaction_id.as_deref(), Some("7;8"));
    assert_eq!(lines[1].as_ref().unwrap_err().number, 4, "the line of the file, not of the table");
}

#[test]
fn a_last_line_without_a_line_break_is_read_if_it_has_all_columns() {
    let complete = "x,DEPOSIT,COMPLETED,GHS,10.50,0.10,2026-11-22T10:00:00Z,7";
    let read_one = |line: &str| read(&format!("{HEADER}\n{line}")).remove(0);
    assert_eq!(moved(&read_one(complete)).operator_transaction_id.as_deref(), Some("7"));
    let cut_off = read_one("x,DEPOSIT,COMP").unwrap_err();
    assert_eq!(cut_off.number, 2);
}

#[test]
fn files_that_are_no_statements_are_refused() {
    assert!(refused(b"").contains("empty"));
    assert!(refused(b"PK\x03\x04\n").contains("workbook"));
    assert!(refused(b"a\0b\n").contains("UTF-8"));
    let columns = refused(b"Date,Sum\n");
    assert!(columns.contains("\"Provider Transaction ID\" or \"Transaction ID\""), "{columns}");
    assert!(columns.contains("it has \"Date\", \"Sum\""), "{columns}");
    let twice = refused(format!("{HEADER},amount\n").as_bytes());
    assert!(twice.contains("columns 5 and 9 have the same name \"amount\""), "{twice}");
    let quote = refused(b"\"Transaction ID,Amount\nx,1\n");
    assert!(quote.contains("line 1, the header: a quotation mark opens in column 1"), "{quote}");
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
    let lines = read_as(
        "Adom Stores\nNovember\nDate;Id;Sum\n22/11/2026 10:05;7;-1.234,50\n\
         22/11/2026 10:05;8;1;2\n",
        &form,
    );
    let line = moved(&lines[0]);
    assert_eq!(
        (line.kind, line.pesewas, line.number),
        (LineKind::Payout, 123_450, 4),
        "the sign is the direction"
    );
    assert_eq!(line.at.to_string(), "2026-11-22T10:05:00Z");
    assert_eq!(lines[1].as_ref().unwrap_err().number, 5);
}

#[test]
fn equal_lines_of_one_file_are_two_and_of_two_files_one() {
    let twice = "x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7\n".repeat(2);
    let keys = || read(&format!("{HEADER}\n{twice}")).into_iter().map(|line| moved(&line).key);
    let [first, second] = keys().collect::<Vec<_>>().try_into().unwrap();
    assert_ne!(first, second);
    assert!(keys().eq([first, second]));
}

/// A workbook with a sheet of each name, whose line has this time.
fn workbook(sheets: &[&str], time: &str) -> Vec<u8> {
    let mut book = rust_xlsxwriter::Workbook::new();
    let date = rust_xlsxwriter::Format::new().set_num_format("dd/mm/yyyy hh:mm");
    for name in sheets {
        let sheet = book.add_worksheet().set_name(*name).unwrap();
        for (column, name) in (0..).zip(["Provider Transaction ID", "Amount", "Completed"]) {
            sheet.write_string(0, column, name).unwrap();
        }
        sheet.write_string(1, 0, "7").unwrap().write_number(1, 1, 10.5).unwrap();
        let time = rust_xlsxwriter::ExcelDateTime::parse_from_str(time).unwrap();
        sheet.write_datetime_with_format(1, 2, &time, &date).unwrap();
    }
    book.save_to_buffer().unwrap()
}

#[test]
fn each_sheet_of_a_workbook_is_a_statement_of_its_own() {
    let form = |sheet: Option<&str>| StatementColumns {
        sheet: sheet.map(str::to_owned),
        ..StatementColumns::default()
    };
    let digest = |bytes: &[u8], sheet| StatementSource::read(bytes, &form(sheet)).unwrap().digest();
    let two = workbook(&["March", "April"], "2026-11-12T10:05:00");
    assert_ne!(digest(&two, Some("March")), digest(&two, Some("April")));
    assert_eq!(digest(&two, Some("april ")), digest(&two, Some("April")), "the same sheet");
    let one = workbook(&["March"], "2026-11-12T10:05:00");
    assert_eq!(digest(&one, None), digest(&one, Some("March")), "chosen or not");
}

#[test]
fn a_date_of_a_sheet_is_no_text_in_the_form_of_the_settings() {
    let form = StatementColumns {
        time_format: Some("%Y-%d-%m %H:%M:%S".to_owned()),
        ..StatementColumns::default()
    };
    let bytes = workbook(&["March"], "2026-11-12T10:05:00");
    let lines: Vec<ReadLine> = StatementSource::read(&bytes[..], &form).unwrap().lines().collect();
    let line = moved(&lines[1]);
    assert_eq!((line.at.to_string().as_str(), line.pesewas), ("2026-11-12T10:05:00Z", 1050));
}

#[test]
fn a_negative_sum_is_never_money_that_came_in() {
    let untyped = StatementColumns { kind: Vec::new(), ..StatementColumns::default() };
    for sum in [
        "-5",
        "GHS -5",
        "-GHS 5",
        "(5.00)",
        "\u{2212}5",
        "5-",
        "5.00 DR",
        "DR 5",
        "GH\u{20b5} (5)",
        "\u{ff0d}5",
    ] {
        let row = |kind: &str, status: &str| {
            format!("{HEADER}\nx,{kind},{status},GHS,{sum},,2026-11-22T10:00:00Z,7\n")
        };
        let fault = read(&row("DEPOSIT", "COMPLETED")).remove(0).unwrap_err().sentence();
        assert!(fault.contains("negative"), "{sum}: {fault}");
        for (kind, expected) in [("PAYOUT", LineKind::Payout), ("REFUND", LineKind::Refund)] {
            let lines = read(&row(kind, "COMPLETED"));
            assert_eq!((moved(&lines[0]).kind, moved(&lines[0]).pesewas), (expected, 500), "{sum}");
        }
        let lines = read(&row("DEPOSIT", "REVERSED"));
        assert!(moved(&lines[0]).is_reversal, "the money of a charge went back: {sum}");
        let lines = read_as(&row("DEPOSIT", "COMPLETED"), &untyped);
        assert_eq!(
            (moved(&lines[0]).kind, moved(&lines[0]).pesewas),
            (LineKind::Payout, 500),
            "{sum}"
        );
        let fault =
            read_as(&row("DEPOSIT", "REVERSED"), &untyped).remove(0).unwrap_err().sentence();
        assert!(fault.contains("not certain"), "{sum}: {fault}");
    }
    for sum in ["5 CR", "+5", "CR 5.00"] {
        let row = format!("{HEADER}\nx,PAYOUT,COMPLETED,GHS,{sum},,2026-11-22T10:00:00Z,7\n");
        assert!(read(&row).remove(0).unwrap_err().sentence().contains("came in"), "{sum}");
    }
}

#[test]
fn money_in_and_money_out_may_be_columns_of_their_own() {
    let header = "Provider Transaction ID,Completed,Credit,Debit";
    let row = |sums: &str| read(&format!("{header}\n7,2026-11-22T10:00:00Z,{sums}\n")).remove(0);
    let kind = |sums: &str| {
        let line = row(sums);
        (moved(&line).kind, moved(&line).pesewas)
    };
    assert_eq!(kind("\"1,234.50\","), (LineKind::Charge, 123_450));
    assert_eq!(kind("10,0.00"), (LineKind::Charge, 1000));
    assert_eq!(kind(",10"), (LineKind::Payout, 1000));
    assert_eq!(kind(",-10"), (LineKind::Payout, 1000));
    for (sums, fault) in [
        ("10,10", "both"),
        (",", "no amount"),
        ("0,0", "no amount"),
        ("-10,", "negative"),
        ("(10),", "negative"),
        (",10 CR", "money in"),
    ] {
        let found = row(sums).unwrap_err().sentence();
        assert!(found.contains(fault), "{sums}: {found}");
    }
    let both = refused(format!("{header},Amount\n").as_bytes());
    assert!(both.contains("columns 3 and 4 for money in and money out"), "{both}");
    let typed = format!("{header},Type\n7,2026-11-22T10:00:00Z,,10,DEPOSIT\n");
    assert!(read(&typed).remove(0).unwrap_err().sentence().contains("negative"));
}

#[test]
fn footers_are_left_out_by_a_setting_and_faults_without_it() {
    let form = StatementColumns {
        footers: vec!["total ".to_owned(), "End of".to_owned()],
        ..StatementColumns::default()
    };
    let row = "x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,7\n";
    let text = format!("{HEADER}\n{row}\nTotal,,,,10,,,\nEnd of the report, with a comma\n");
    assert_eq!(read_as(&text, &form).len(), 1);
    let faults = read(&text).into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(faults.iter().map(|fault| fault.number).collect::<Vec<_>>(), [4, 5]);
    let after = read_as(&format!("{text}{row}"), &form);
    assert!(
        after[1].as_ref().unwrap_err().sentence().contains("it follows line 4, which is a footer"),
        "{after:?}"
    );
}

#[test]
fn what_a_spreadsheet_program_made_of_ids_is_restored_where_it_is_certain() {
    for (id, expected) in [
        ("123456789.0", "123456789"),
        ("=\"007\"", "007"),
        ("'=7", "=7"),
        ("7\u{200b}8", "78"),
        ("12E5", "12E5"),
    ] {
        let line = line(&format!("x,DEPOSIT,COMPLETED,GHS,10,,2026-11-22T10:00:00Z,{id}"));
        assert_eq!(line.operator_transaction_id.as_deref(), Some(expected), "{id}");
    }
}
