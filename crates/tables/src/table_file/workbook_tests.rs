//! Workbooks, as spreadsheet programs write them and as nobody should.

use super::{Row, TableFault, TableFile, TableForm, archive::MAX_UNPACKED_BYTES};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook};
use std::io::{Cursor, Write};
use zip::{ZipWriter, write::SimpleFileOptions};

pub(super) fn read(bytes: Vec<u8>, sheet: Option<&str>) -> Result<TableFile, TableFault> {
    TableFile::read(bytes, &TableForm { sheet: sheet.map(str::to_owned), ..TableForm::default() })
}

/// The rows as texts. `?` is a cell without a value.
pub(super) fn rows(file: &TableFile) -> Vec<String> {
    let shown = |row: Row<'_>| {
        let cells = row.cells.unwrap();
        cells
            .iter()
            .map(|cell| cell.value().unwrap_or("?").to_owned())
            .collect::<Vec<_>>()
            .join("|")
    };
    file.rows().map(shown).collect()
}

/// A workbook whose only sheet has this XML inside `sheetData`.
pub(super) fn workbook(sheet_data: &str) -> Vec<u8> {
    with_sheets(&[sheet_data])
}

/// A workbook whose sheets, `Sheet1` and so on, have this XML inside `sheetData`.
pub(super) fn with_sheets(sheets: &[&str]) -> Vec<u8> {
    let mut book = Workbook::new();
    for _ in sheets {
        book.add_worksheet().write_string(0, 0, "x").unwrap();
    }
    let mut bytes = book.save_to_buffer().unwrap();
    for (number, sheet_data) in (1..).zip(sheets) {
        let sheet = format!(
            "<worksheet \
             xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">\
             <sheetData>{sheet_data}\
             </sheetData></worksheet>"
        );
        let path = format!("xl/worksheets/sheet{number}.xml");
        bytes = with_file(&bytes, &path, |_| sheet.clone().into_bytes());
    }
    bytes
}

/// The archive with another content of one file.
pub(super) fn with_file(bytes: &[u8], name: &str, content: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut written = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let mut old = Vec::new();
        std::io::copy(&mut file, &mut old).unwrap();
        let found = file.name().unwrap().into_owned();
        written.start_file(found.as_str(), SimpleFileOptions::default()).unwrap();
        written.write_all(&if found == name { content(&old) } else { old }).unwrap();
    }
    written.finish().unwrap().into_inner()
}

#[test]
fn cells_are_texts_numbers_and_times() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (column, name) in (0..).zip(["phone", "amount", "time", "flag", "note"]) {
        sheet.write_string(0, column, name).unwrap();
    }
    let date = Format::new().set_num_format("dd/mm/yyyy hh:mm");
    sheet.write_number(2, 0, 233_241_234_567.0).unwrap();
    sheet.write_number(2, 1, 10.1 + 0.2).unwrap();
    let time = ExcelDateTime::parse_from_str("2026-11-22T10:05:59").unwrap();
    sheet.write_datetime_with_format(2, 2, &time, &date).unwrap();
    sheet.write_boolean(2, 3, true).unwrap();
    sheet.write_string(2, 4, " March,\nand \"April\" ").unwrap();
    sheet.write_formula(3, 1, Formula::new("=1+1").set_result("2")).unwrap();
    // As a program writes a text of an export that it has opened.
    sheet.write_string(3, 4, "'=text").unwrap();
    let file = read(book.save_to_buffer().unwrap(), None).unwrap();
    let expected = [
        "phone|amount|time|flag|note",
        "",
        "233241234567|10.3|2026-11-22 10:05:59|TRUE|March,\nand \"April\"",
        "|2|||=text",
    ];
    assert_eq!(rows(&file), expected);
    // As CSV its rows are the lines, and a line break in a cell is a space.
    let text = file.into_text();
    let again = TableFile::read(text.clone().into_bytes(), &TableForm::default()).unwrap();
    let expected = expected.map(|row| row.replace('\n', " "));
    assert_eq!(rows(&again), expected, "{text}");
}

#[test]
fn numbers_are_exact_to_the_15_digits_of_spreadsheet_programs() {
    for (number, expected) in [
        ("0.1", "0.1"),
        ("11.000000000000002", "11"),
        ("1500", "1500"),
        ("-0.05", "-0.05"),
        ("1E3", "1000"),
        ("123456789012345", "123456789012345"),
        ("1000000000", "1000000000"),
        ("0.00001", "0.00001"),
    ] {
        let file =
            read(workbook(&format!("<row r=\"1\"><c r=\"A1\"><v>{number}</v></c></row>")), None)
                .unwrap();
        assert_eq!(rows(&file), [expected], "{number}");
    }
}

#[test]
fn a_formula_without_a_value_and_an_error_have_no_text() {
    let data = "<row r=\"1\"><c r=\"A1\"><f>B1</f></c><c r=\"B1\" t=\"e\"><v>#N/A</v></c>\
                <c r=\"C1\" t=\"str\"><f>\"\"</f><v></v></c><c r=\"D1\"><v>5</v></c></row>";
    let file = read(workbook(data), None).unwrap();
    assert_eq!(rows(&file), ["?|?||5"]);
    let again = TableFile::read(file.into_text().into_bytes(), &TableForm::default()).unwrap();
    assert_eq!(rows(&again), ["?|?||5"], "as CSV too");
}

#[test]
fn hidden_rows_are_those_of_the_sheet_that_is_read() {
    let row = |number: u32, attributes: &str| {
        format!("<row r=\"{number}\"{attributes}><c r=\"A{number}\"><v>{number}</v></c></row>")
    };
    let first = [row(1, ""), row(2, ""), row(4, " hidden=\"1\"")].concat();
    let second = [
        row(1, ""),
        row(2, " hidden=\"true\""),
        row(3, " ht=\"0\" customHeight=\"1\""),
        row(4, ""),
    ]
    .concat();
    let bytes = with_sheets(&[&first, &second]);
    for (sheet, expected) in
        [("Sheet1", [false, false, false, true]), ("Sheet2", [false, true, true, false])]
    {
        let file = read(bytes.clone(), Some(sheet)).unwrap();
        assert_eq!(file.rows().map(|row| row.is_hidden).collect::<Vec<_>>(), expected, "{sheet}");
        assert_eq!(file.sheet(), Some(sheet));
    }
}

#[test]
fn of_several_sheets_one_must_have_rows_or_be_chosen() {
    let book = |filled: &[&str]| {
        let mut book = Workbook::new();
        for name in ["March", "April", "List"] {
            let sheet = book.add_worksheet();
            sheet.set_name(name).unwrap();
            if filled.contains(&name) {
                sheet.write_string(0, 0, name).unwrap();
            }
        }
        book.save_to_buffer().unwrap()
    };
    assert_eq!(rows(&read(book(&["April"]), None).unwrap()), ["April"]);
    let several = TableFault::SeveralSheets(vec!["March".to_owned(), "List".to_owned()]);
    assert_eq!(read(book(&["March", "List"]), None).unwrap_err(), several);
    assert_eq!(rows(&read(book(&["March", "List"]), Some("list")).unwrap()), ["List"]);
    assert_eq!(read(book(&["March"]), Some("April")).unwrap_err(), TableFault::Empty);
    assert_eq!(read(book(&[]), None).unwrap_err(), TableFault::Empty);
    let found = read(book(&["March"]), Some("May")).unwrap_err().to_string();
    assert!(
        found.contains("no sheet \"May\"") && found.contains("\"March\", \"April\", \"List\""),
        "{found}"
    );
}

#[test]
fn an_archive_that_unpacks_without_end_is_refused_before_it_is_read() {
    let zeros = vec![b' '; usize::try_from(MAX_UNPACKED_BYTES).unwrap() + 1];
    let bomb = with_file(&workbook(""), "xl/styles.xml", |_| zeros.clone());
    assert!(bomb.len() < 1 << 20, "it is small enough to be uploaded");
    assert_eq!(read(bomb, None).unwrap_err(), TableFault::TooLarge);
}

#[test]
fn damaged_workbooks_and_other_archives_are_refused() {
    let mut other = ZipWriter::new(Cursor::new(Vec::new()));
    other.start_file("content.xml", SimpleFileOptions::default()).unwrap();
    let other = other.finish().unwrap().into_inner();
    let cut_off = workbook("<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>");
    let twice = "<row r=\"1\"><c r=\"A1\"><v>1</v></c><c r=\"A1\"><v>2</v></c></row>";
    for bytes in
        [other, cut_off[..cut_off.len() / 2].to_vec(), workbook(twice), workbook("<row><c>")]
    {
        assert_eq!(read(bytes, None).unwrap_err(), TableFault::NotAWorkbook);
    }
}
