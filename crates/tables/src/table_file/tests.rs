use super::*;
use proptest::prelude::*;
use tua_domain::file_lines::{LeftOut, LineCounts};

fn table(bytes: impl Into<Vec<u8>>) -> TableFile {
    TableFile::read(bytes.into(), &TableForm::default()).unwrap()
}

/// The rows of a text as texts; a fault by its name.
fn rows(text: &str) -> Vec<(u64, String)> {
    let shown = |row: Row<'_>| match row.cells {
        Ok(cells) => (row.number, cells.iter().map(Cell::as_written).collect::<Vec<_>>().join("|")),
        Err(fault) => (row.number, format!("{} {}", fault.code(), fault.column())),
    };
    table(text).rows().map(shown).collect()
}

fn row(text: &str) -> String {
    rows(&format!("a,b,c\n{text}")).remove(1).1
}

/// What became of the lines of a text.
fn counts(text: &str, form: &TableForm) -> LineCounts {
    let file = TableFile::read(text.as_bytes().to_vec(), form).unwrap();
    let header = file.header(form).unwrap();
    let mut counts = LineCounts::default();
    for line in file.lines(&header, form) {
        match line.content {
            LineContent::LeftOut(reason) => counts.leave_out(reason),
            LineContent::Record(_) => counts.read += 1,
            LineContent::Refused(_) => counts.refused += 1,
        }
    }
    counts
}

#[test]
fn a_cell_ends_in_its_line_and_a_quotation_mark_that_does_not_is_named_where_it_opens() {
    for (text, expected) in [
        ("x,\"y\",z", "x|y|z"),
        ("x, \"y, z\" ,5", "x|y, z|5"),
        ("x,\"say \"\"yes\"\"\",5", "x|say \"yes\"|5"),
        ("x,\"\",\"\"", "x||"),
        ("x,12\" pipe,5", "x|12\" pipe|5"),
        ("x,\"y", "unclosed-quote 2"),
        ("\"", "unclosed-quote 1"),
        ("x,y,\"z\"\"", "unclosed-quote 3"),
        ("x,\"y\"z,5", "text-after-quote 2"),
        ("x,\"y\" \"z\",5", "text-after-quote 2"),
    ] {
        assert_eq!(row(text), expected, "{text}");
    }
    // The line in which a quotation mark closes later is a line of its own.
    let found = rows("a,b\n1,\"x\n2,y\n3,\"z\"\n");
    assert_eq!(
        found[1..],
        [(2, "unclosed-quote 2".to_owned()), (3, "2|y".to_owned()), (4, "3|z".to_owned())]
    );
}

#[test]
fn every_kind_of_line_end_counts_as_one() {
    for text in ["a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\r1,2\n3,4\r\n"] {
        let expected =
            [(1, "a|b"), (2, "1|2"), (3, "3|4")].map(|(number, row)| (number, row.to_owned()));
        assert_eq!(rows(text), expected, "{text:?}");
    }
    assert_eq!(rows("a\n\n\r\n\rb").last().unwrap(), &(5, "b".to_owned()));
}

#[test]
fn the_delimiter_is_that_of_the_header_or_of_the_line_that_names_it() {
    for text in [
        "a;b\n1;2",
        "a\tb\n1\t2",
        "a|b\n1|2",
        "sep=;\na;b\n1;2",
        "\"sep=;\"\r\na;b\r\n1;2",
        "\"a, x\";b\n1;2",
    ] {
        let file = table(text);
        let header = file.header(&TableForm::default()).unwrap();
        assert_eq!(header.names.len(), 2, "{text}");
        assert_eq!(rows(text).last().unwrap().1, "1|2", "{text}");
    }
}

#[test]
fn utf_8_utf_16_and_windows_1252_are_read_and_other_bytes_are_refused() {
    let text = "phone,note\n0241234567,Efua’s GH¢5 café\n";
    let utf_16 =
        |to_bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>();
    let windows = text.chars().map(|one| match one {
        '’' => 0x92,
        other => u8::try_from(u32::from(other)).unwrap(),
    });
    for bytes in [
        text.as_bytes().to_vec(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        [&b"\xff\xfe"[..], &utf_16(u16::to_le_bytes)].concat(),
        [&b"\xfe\xff"[..], &utf_16(u16::to_be_bytes)].concat(),
        windows.collect(),
    ] {
        assert_eq!(table(bytes).into_text(), text);
    }
    let refused =
        |bytes: &[u8]| TableFile::read(bytes.to_vec(), &TableForm::default()).unwrap_err();
    assert_eq!(refused(b""), TableFault::Empty);
    assert_eq!(refused(b"a\0b"), TableFault::NotText);
    assert_eq!(refused(b"a\x81b"), TableFault::NotText);
    assert_eq!(refused(b"\xff\xfea"), TableFault::NotText);
    assert_eq!(refused(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), TableFault::OldWorkbook);
    assert_eq!(refused(b"PK\x03\x04"), TableFault::NotAWorkbook);
}

#[test]
fn what_was_read_left_out_and_refused_adds_up_to_the_lines_of_the_file() {
    let form =
        TableForm { skipped_lines: 2, footers: vec!["Total".to_owned()], ..TableForm::default() };
    let text = "Adom Stores\n\na,b,\n1,2\n,,\n \t\n3,\"4\n5,6,7\n\u{200b}\n8,9,,,\ntotal,17\n\
        TOTAL of all: 3\n10,11\n";
    let found = counts(text, &form);
    let left_out = |reason: LeftOut| found.left_out[reason as usize];
    assert_eq!((found.read, found.refused), (2, 3), "{found}");
    assert_eq!((left_out(LeftOut::BeforeHeader), left_out(LeftOut::Header)), (1, 1), "{found}");
    assert_eq!((left_out(LeftOut::Empty), left_out(LeftOut::Footer)), (4, 2), "{found}");
    assert_eq!(found.in_file(), 13);
    assert!(
        found
            .to_string()
            .starts_with("13 lines in the file: 2 read, 8 left out (1 before the header, 1 header")
    );
}

#[test]
fn text_beyond_the_header_is_a_fault_and_empty_cells_beyond_it_are_nothing() {
    let refused = |text: &str| {
        let file = table(text);
        let form = TableForm::default();
        let header = file.header(&form).unwrap();
        file.lines(&header, &form).find_map(|line| match line.content {
            LineContent::Refused(fault) => Some(fault),
            _ => None,
        })
    };
    assert_eq!(refused("a,b\nMTN,1,500\n"), Some(RowFault::BeyondHeader { column: 3, header: 2 }));
    assert_eq!(
        refused("a,b,,\nMTN,1,500\n"),
        Some(RowFault::BeyondHeader { column: 3, header: 2 })
    );
    assert_eq!(refused("a,,b\nMTN,1,500\n"), Some(RowFault::UnnamedColumn { column: 2 }));
    assert_eq!(refused("a,b\n1,2,,\u{200b}, \n"), None);
    assert_eq!(refused("a,b\n1\n2,3\n"), None);
    assert_eq!(
        refused("a,b\n2,3\n1"),
        Some(RowFault::TooFewCells { cells: 1, header: 2 }),
        "it may be cut off"
    );
}

#[test]
fn cells_are_what_was_meant_by_what_a_program_wrote() {
    let cell = |text: &'static str| Cell::of_text(text.into());
    assert_eq!(cell("=\"0241234567\"").value(), Ok("0241234567"));
    assert_eq!(cell("=\"say \"\"yes\"\"\"").value(), Ok("say \"yes\""));
    assert_eq!(cell("'=1+1").value(), Ok("=1+1"));
    assert_eq!(cell("'+233241234567").value(), Ok("+233241234567"));
    assert_eq!(cell("'t Hooft").value(), Ok("'t Hooft"));
    for formula in ["=1+1", "=A1", "=\"a\"&\"b\"", "="] {
        assert_eq!(cell(formula).value(), Err(CellFault::Formula), "{formula}");
    }
    for error in ["#N/A", "#REF!", "#DIV/0!", "#NAME?", "#####"] {
        assert_eq!(cell(error).value(), Err(CellFault::Error), "{error}");
    }
    for text in ["#1", "#payday", "# 5!", "#"] {
        assert_eq!(cell(text).value(), Ok(text));
    }
    assert!(cell("\u{200b}\u{feff} \u{a0}").is_empty());
}

#[test]
fn a_number_is_restored_only_where_one_number_is_possible() {
    for (text, expected) in [
        ("241234567.0", "241234567"),
        ("233241234567,00", "233241234567"),
        ("2.33241234567E+11", "233241234567"),
        ("2,41234567e+08", "241234567"),
        ("2.33241234567E11", "233241234567"),
        ("0241234567", "0241234567"),
        ("abc", "abc"),
        ("12.5", "12.5"),
        ("+233 24", "+233 24"),
    ] {
        assert_eq!(restored_integer(text).unwrap(), expected, "{text}");
    }
    for text in [
        "2.33E+11",
        "2.3324123456E+11",
        "2.332412345678E+11",
        "2E+11",
        "23.3E+10",
        "1234567890123456.0",
    ] {
        assert!(restored_integer(text).is_err(), "{text}");
    }
    assert_eq!(
        typed_number(" \u{200e}٠٢٤۱２\u{2060}3\u{ad}\u{2212}4 "),
        "02412 3-4".replace(' ', "")
    );
}

#[test]
fn two_columns_of_one_name_are_found() {
    let file = table("a,b, A \n1,2,3\n");
    let header = file.header(&TableForm::default()).unwrap();
    let column = |wanted: &str| header.column(|name| name.eq_ignore_ascii_case(wanted));
    assert_eq!((column("b"), column("c")), (Ok(Some(1)), Ok(None)));
    assert_eq!(column("a").unwrap_err().columns, [1, 3]);
    assert_eq!(header.found(), "\"a\", \"b\", \"A\"");
}

proptest! {
    #[test]
    fn no_line_of_a_text_disappears(text in "[a-z0-9,;\"\t =\r\n\u{200b}]{0,120}") {
        let ends = text.replace("\r\n", "\n").replace('\r', "\n");
        let lines = ends.strip_suffix('\n').unwrap_or(&ends).split('\n').count();
        if text.is_empty() {
            return Ok(());
        }
        let file = table(text.as_str());
        let numbers: Vec<u64> = file.rows().map(|row| row.number).collect();
        prop_assert_eq!(&numbers, &(1..=lines as u64).collect::<Vec<_>>());
        let form = TableForm::default();
        if let Ok(header) = file.header(&form) {
            prop_assert!(file.lines(&header, &form).map(|line| line.number).eq(numbers));
        }
    }

    #[test]
    fn cells_that_were_written_are_read(
        cells in prop::collection::vec("[^\r\n\0\u{80}-\u{9f}]{0,12}", 1..6)
    ) {
        let cells: Vec<Cell<'_>> =
            cells.iter().map(|text| Cell::text(text.as_str().into())).collect();
        let line = cells.iter().map(Cell::to_field).collect::<Vec<_>>().join(",");
        let text = format!("a,b,c,d,e\n{line}\n");
        let file = table(text.as_str());
        let read = file.rows().nth(1).unwrap().cells.unwrap();
        prop_assert_eq!(read, cells);
    }

    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for start in [&b""[..], b"PK\x03\x04", b"\xff\xfe", b"sep=;\n"] {
            let bytes = [start, &bytes].concat();
            if let Ok(file) = TableFile::read(bytes, &TableForm::default()) {
                file.rows().for_each(drop);
            }
        }
    }
}
