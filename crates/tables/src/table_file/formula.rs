//! Texts that a spreadsheet program would read as a formula. An apostrophe before them marks them
//! as texts: exports write it, and the reader of files takes off what was written, so that a text
//! is the same on the way out and back.

use std::borrow::Cow;

/// The characters with which a formula begins (OWASP, "CSV Injection"), in all their widths.
const FORMULA: [char; 16] = [
    '=', '+', '-', '@', '|', '%', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{fe66}',
    '\u{fe62}', '\u{fe63}', '\u{fe6b}', '\u{2212}', '\u{ff5c}',
];

/// The characters at which some spreadsheet programs begin another cell or line, whatever the file
/// means.
const SEPARATORS: &[char] = &[';', '\t', '\r', '\n'];

/// These, and the comma: it needs no quotation marks in a file that semicolons divide, but begins a
/// cell where a program of another language reads the file.
const SEPARATORS_AND_COMMA: &[char] = &[',', ';', '\t', '\r', '\n'];

/// Marks a text at every place where a formula could begin: at its beginning, also behind spaces,
/// and behind a semicolon, at which a program of another language splits the line. A mark that the
/// text has already gets one more.
pub fn marked(text: &str) -> Cow<'_, str> {
    marked_behind(text, SEPARATORS)
}

/// As [`marked`], for a file that semicolons divide: behind commas too. The reader of files leaves
/// marks behind commas where they are.
pub fn marked_beside_semicolons(text: &str) -> Cow<'_, str> {
    marked_behind(text, SEPARATORS_AND_COMMA)
}

fn marked_behind<'a>(text: &'a str, separators: &[char]) -> Cow<'a, str> {
    let places = places(text, separators);
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut marked = String::with_capacity(text.len() + places.len());
    let mut rest = 0;
    for place in places {
        marked.push_str(&text[rest..place]);
        marked.push('\'');
        rest = place;
    }
    marked.push_str(&text[rest..]);
    Cow::Owned(marked)
}

/// A text of which the reader takes off no mark of its own: it is marked only where it has marks
/// already.
pub fn kept(text: &str) -> Cow<'_, str> {
    if unmarked(text) == text { Cow::Borrowed(text) } else { marked(text) }
}

/// Takes one mark off every place that [`marked`] would mark again.
pub(super) fn unmarked(text: &str) -> Cow<'_, str> {
    let mut places = places(text, SEPARATORS);
    places.retain(|place| text[*place..].starts_with('\''));
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut unmarked = String::with_capacity(text.len());
    let mut rest = 0;
    for place in places {
        unmarked.push_str(&text[rest..place]);
        rest = place + 1;
    }
    unmarked.push_str(&text[rest..]);
    Cow::Owned(unmarked)
}

/// Where a formula could begin, before the marks that are there: the byte positions.
fn places(text: &str, separators: &[char]) -> Vec<usize> {
    let mut places = Vec::new();
    // A cell that begins with a tab or a line break is shifted by it.
    if text.trim_start_matches('\'').starts_with(separators) {
        places.push(0);
    }
    let mut is_cell_start = true;
    // Where the apostrophes begin that were read last.
    let mut marks = None;
    for (position, one) in text.char_indices() {
        if is_cell_start && one == '\'' {
            marks.get_or_insert(position);
            continue;
        }
        if is_cell_start && FORMULA.contains(&one) {
            places.push(marks.unwrap_or(position));
        }
        is_cell_start =
            separators.contains(&one) || is_cell_start && marks.is_none() && is_skipped(one);
        marks = None;
    }
    places
}

/// Whether a program may skip it at the beginning of a cell: spaces, quotation marks, and what is
/// not drawn.
fn is_skipped(one: char) -> bool {
    one.is_whitespace()
        || one.is_control()
        || matches!(one, '"' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_that_begins_as_a_formula_is_marked() {
        for text in [
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "|cmd",
            "%0",
            "＝1+1",
            "＋1",
            "－1",
            "＠A1",
            "﹦1",
            "\u{2212}1",
        ] {
            assert_eq!(marked(text), format!("'{text}"));
            for before in [" ", "\u{a0}", "\u{feff}", "\u{200b}", "x;", "x; \"", "x\n"] {
                assert_eq!(marked(&format!("{before}{text}")), format!("{before}'{text}"));
            }
        }
        for (text, expected) in [
            ("\t=1", "'\t'=1"),
            ("\r=1", "'\r'=1"),
            ("\nx", "'\nx"),
            (";=1", "';'=1"),
            ("'=1", "''=1"),
            ("x; '-1", "x; ''-1"),
            ("'\tx", "''\tx"),
        ] {
            assert_eq!(marked(text), expected);
        }
        for text in ["shoes, -5 %; size 40", "order=1", "'t Hooft", "5'-6'", "'", ""] {
            assert_eq!(marked(text), text);
        }
    }

    proptest! {
        #[test]
        fn what_was_marked_is_the_same_when_it_is_read(
            text in "[a='＝+\\-;\"\t\n \u{200b}1]{0,16}"
        ) {
            prop_assert_eq!(unmarked(&marked(&text)).into_owned(), text.as_str());
            prop_assert_eq!(unmarked(&kept(&text)).into_owned(), text.as_str());
        }

        #[test]
        fn no_cell_of_a_marked_text_begins_as_a_formula(text in "[a='＝+;\"\t\n \u{200b}1]{0,16}") {
            let marked = marked(&text);
            for cell in marked.split(SEPARATORS) {
                prop_assert!(
                    !cell.trim_start_matches(is_skipped).starts_with(FORMULA),
                    "{:?}",
                    marked
                );
            }
        }
    }
}
