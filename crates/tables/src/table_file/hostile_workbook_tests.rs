//! Workbooks that say what no spreadsheet program would: each is refused before anything is
//! reserved for it.

use super::{
    TableFault,
    workbook_tests::{read, rows, with_file, with_sheets, workbook},
};

#[track_caller]
fn assert_refused(bytes: Vec<u8>, fault: &TableFault) {
    assert_eq!(read(bytes, None).unwrap_err(), *fault);
}

#[test]
fn no_row_or_column_is_beyond_those_of_a_sheet() {
    let last = "<row r=\"1048576\"><c r=\"A1048576\"><v>1</v></c></row>";
    assert_eq!(read(workbook(last), None).unwrap().rows().count(), 1_048_576);
    for data in [
        "<row r=\"1048577\"><c><v>1</v></c></row>",
        "<row r=\"4294967297\"><c r=\"A4294967297\"><v>1</v></c></row>",
        "<row r=\"99999999999999999999999\"/>",
        "<row><c r=\"A4294967297\"><v>1</v></c></row>",
        "<row r=\"1\"><c r=\"XFE1\"><v>1</v></c></row>",
        "<row r=\"1\"><c r=\"ZZZZZZZZZZZZZZZZ1\"><v>1</v></c></row>",
        "<row r=\"1048576\"/><row><c><v>1</v></c></row>",
    ] {
        assert_refused(workbook(data), &TableFault::BeyondSheet);
    }
    // A cell far to the right would need all those before it.
    let far = "<row r=\"7\"><c r=\"XFD7\"><v>1</v></c></row>";
    assert_refused(workbook(far), &TableFault::TooManyColumns(7));
}

#[test]
fn a_row_begins_and_ends_once_and_has_its_own_cells() {
    for data in [
        "<row r=\"1\" hidden=\"1\"><c r=\"A2\"><v>1</v></c></row>",
        "<row r=\"1\" hidden=\"1\"><row r=\"2\"><c><v>1</v></c></row></row>",
        "<row r=\"1\"/></row></row><row r=\"2\"><c><v>1</v></c></row>",
        "<row r=\"1\" r=\"2\"><c><v>1</v></c></row>",
        "<row r=\"0\"><c><v>1</v></c></row>",
        "<row r=\"x\"><c><v>1</v></c></row>",
        "<row r=\"1\"><c r=\"A1\"><f t=\"shared\" si=\"0\" ref=\"B2:A1\">1</f><v>1</v></c></row>",
    ] {
        assert_refused(workbook(data), &TableFault::NotAWorkbook);
    }
}

#[test]
fn the_cells_of_all_sheets_together_are_bounded() {
    let cell = |row: usize| format!("<row r=\"{row}\"><c r=\"IV{row}\"><v>1</v></c></row>");
    let sparse: String = (1..=10_000).map(cell).collect();
    let bytes = with_sheets(&[&sparse, &sparse]);
    assert_eq!(read(bytes.clone(), Some("Sheet2")).unwrap().rows().count(), 10_000);
    assert_refused(bytes, &TableFault::TooLarge);
}

#[test]
fn what_a_workbook_declares_and_copies_is_bounded() {
    let good = workbook("<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>");
    let with = |path: &str, xml: &str| with_file(&good, path, |_| xml.as_bytes().to_vec());
    let strings = "xl/sharedStrings.xml";
    for count in ["18446744073709551615", "99999999999", "-1", "many"] {
        assert_refused(
            with(strings, &format!("<sst uniqueCount=\"{count}\"></sst>")),
            &TableFault::TooLarge,
        );
    }
    let styles =
        |inside: &str| with("xl/styles.xml", &format!("<styleSheet>{inside}</styleSheet>"));
    let font = format!("<fonts><font><name val=\"{}\"/></font></fonts>", "x".repeat(2_000));
    assert_refused(styles(&font), &TableFault::TooLarge);
    assert_refused(
        styles(&format!("<cellXfs>{}</cellXfs>", "<xf/>".repeat(70_001))),
        &TableFault::TooLarge,
    );
    // Entities of a document are never expanded.
    let entities =
        "<!DOCTYPE sst [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><sst><si><t>&b;</t></si></sst>";
    assert_refused(with(strings, entities), &TableFault::NotAWorkbook);
    assert_eq!(rows(&read(with(strings, "<sst uniqueCount=\"0\"></sst>"), None).unwrap()), ["1"]);
}

#[test]
fn two_sheets_are_two_files() {
    let bytes = with_sheets(&["", "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row>"]);
    let same = with_file(&bytes, "xl/_rels/workbook.xml.rels", |rels| {
        String::from_utf8(rels.to_vec()).unwrap().replace("sheet1.xml", "sheet2.xml").into_bytes()
    });
    assert_refused(same, &TableFault::NotAWorkbook);
    assert_eq!(rows(&read(bytes, None).unwrap()), ["1"]);
}
