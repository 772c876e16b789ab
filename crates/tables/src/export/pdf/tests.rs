use super::*;
use jiff::Timestamp;

fn row(label: &str, cells: &[&str]) -> PdfRow {
    let cells = cells.iter().map(|one| (*one).to_owned()).collect();
    PdfRow { label: label.to_owned(), cells, is_total: label == "Total" }
}

fn report(rows: usize) -> PdfReport {
    let columns = ["Operator", "Payments", "Money in"].map(str::to_owned).to_vec();
    let many = (0..rows).map(|n| row(&format!("operator-{n}"), &["3", "GH₵1,234.50"]));
    let table = PdfTable {
        columns,
        rows: many.chain([row("Total", &["6", "−GH₵2\u{202f}469,00"])]).collect(),
    };
    PdfReport {
        language: "en",
        title: "Ama’s 商店 · November 2026".to_owned(),
        author: "Ama’s 商店".to_owned(),
        running_head: "Ama’s shop, November 2026".to_owned(),
        made: "Made on 26 November 2026".to_owned(),
        made_at: "2026-11-26T14:02:03Z".parse::<Timestamp>().unwrap(),
        page_number: "Page {page} of {pages}".to_owned(),
        blocks: vec![
            PdfBlock::Paragraph("word ".repeat(200)),
            PdfBlock::Heading("By operator".to_owned()),
            PdfBlock::Subheading("mtn".to_owned()),
            PdfBlock::List(vec!["Écarts\tnot compared".to_owned(), "x".repeat(400)]),
            PdfBlock::Table(table),
        ],
    }
}

/// krilla refuses a file that is no PDF/A-2a and PDF/UA-1, as far as a program can check that.
#[test]
fn a_report_is_pdf_a_and_pdf_ua_whatever_its_texts() {
    let file = write(&report(3)).unwrap();
    assert!(file.starts_with(b"%PDF-1.7"));
    let text = String::from_utf8_lossy(&file);
    assert!(text.contains("pdfaid:part") && text.contains("pdfuaid:part"));
    assert!(text.contains("/StructTreeRoot") && text.contains("/Lang"));
    assert!(text.contains("DejaVuSansCondensed"), "the fonts are embedded");
}

#[test]
fn a_long_table_goes_on_under_the_names_of_its_columns() {
    let fonts = Fonts::load().unwrap();
    let report = report(200);
    let layout = Layout::of(&report, &fonts);
    assert!(layout.pages.len() > 3);
    for page in &layout.pages[1..] {
        let first: Vec<&str> = page.lines.iter().take(3).map(|one| one.text.as_str()).collect();
        assert_eq!(first, ["Operator", "Payments", "Money in"]);
    }
    write(&report).unwrap();
}

#[test]
fn every_line_is_on_the_page() {
    let fonts = Fonts::load().unwrap();
    let layout = Layout::of(&report(80), &fonts);
    for line in layout.pages.iter().flat_map(|page| &page.lines) {
        let width = fonts.face(line.style.weight).width(&line.text, line.style.size);
        assert!(line.x >= style::MARGIN, "{line:?}");
        let end = line.x + width - fonts.face(line.style.weight).width(" ", line.style.size);
        assert!(end <= style::PAGE_WIDTH - style::MARGIN, "{line:?}");
        assert!(line.y < style::PAGE_HEIGHT - style::MARGIN, "{line:?}");
    }
}

#[test]
fn characters_that_the_fonts_lack_are_replaced() {
    let fonts = Fonts::load().unwrap();
    let face = fonts.face(font::Weight::Regular);
    assert_eq!(face.drawable("GH₵1 é \u{202f}−–…’"), "GH₵1 é \u{202f}−–…’");
    assert_eq!(face.drawable("a\n商\u{7}b"), "a \u{fffd} b");
    assert_eq!(face.drawable("\u{feff}a\u{202e}b\u{ef00}"), "ab\u{fffd}");
}

#[test]
fn a_name_with_marks_and_private_characters_has_a_report() {
    let mut report = report(1);
    report.title = "\u{feff}Ama\u{202e} \u{ef00}".to_owned();
    write(&report).unwrap();
}

#[test]
fn a_sum_is_never_cut() {
    let fonts = Fonts::load().unwrap();
    let sum = "−GH₵123,456,789.01";
    let columns = ["Network", "Payments", "Remboursements", "Payouts", "Fees", "In", "Net"];
    let mut report = report(1);
    let table = PdfTable {
        columns: columns.map(str::to_owned).to_vec(),
        rows: vec![row("Total", &[sum; 6]), row(&"x".repeat(60), &["1"; 6])],
    };
    report.blocks = vec![PdfBlock::Table(table)];
    let layout = Layout::of(&report, &fonts);
    let lines = &layout.pages[0].lines;
    let mut sums: Vec<_> = lines.iter().filter(|line| line.text == sum).collect();
    assert_eq!(sums.len(), 6);
    assert!(lines.iter().any(|line| line.text == "Remboursements"));
    sums.sort_by_key(|line| line.x);
    let mut end = style::MARGIN;
    for line in sums {
        assert!(line.x > end, "{line:?} touches its neighbour");
        end = line.x + fonts.face(line.style.weight).width(sum, line.style.size);
    }
    assert!(end <= style::PAGE_WIDTH - style::MARGIN);
    write(&report).unwrap();
}
