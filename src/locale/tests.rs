use super::*;
use std::collections::{BTreeMap, BTreeSet};

type File = BTreeMap<String, String>;

/// (language, its file, whether every text is there and has been read by somebody who speaks it)
const FILES: [(&str, &str, bool); 6] = [
    ("en", include_str!("texts/en.json"), true),
    ("fr", include_str!("texts/fr.json"), true),
    ("ar", include_str!("texts/ar.json"), true),
    ("tw", include_str!("texts/tw.json"), false),
    ("ee", include_str!("texts/ee.json"), false),
    ("ha", include_str!("texts/ha.json"), false),
];

fn files() -> impl Iterator<Item = (&'static str, File, bool)> {
    FILES
        .into_iter()
        .map(|(language, text, is_whole)| (language, serde_json::from_str(text).unwrap(), is_whole))
}

fn ids() -> BTreeSet<String> {
    Text::ALL.iter().map(|text| text.id().to_owned()).collect()
}

/// The names in braces, as often as they stand there.
fn places(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text
        .split('{')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('}')?.0.to_owned()))
        .collect();
    names.sort();
    names
}

#[test]
fn a_whole_language_holds_exactly_the_texts_that_the_code_uses() {
    for (language, file, is_whole) in files() {
        let written: BTreeSet<String> = file.into_keys().collect();
        if is_whole {
            assert_eq!(written, ids(), "{language}");
        } else {
            assert!(written.is_subset(&ids()), "{language}: {:?}", written.difference(&ids()));
        }
    }
}

#[test]
fn no_id_is_named_twice_in_a_file() {
    for (language, text, _) in FILES {
        let named = text.lines().filter(|line| line.trim_start().starts_with('"')).count();
        let file: File = serde_json::from_str(text).unwrap();
        assert_eq!(named, file.len(), "{language}");
    }
}

#[test]
fn every_language_has_the_same_places_to_fill() {
    let english: File = serde_json::from_str(FILES[0].1).unwrap();
    for (language, file, _) in files() {
        for (id, text) in file {
            assert_eq!(places(&text), places(&english[&id]), "{language}: {id}");
        }
    }
}

#[test]
fn places_are_those_that_the_code_fills() {
    let known = ["amount", "fee", "merchant", "phone", "count", "network"];
    let english: File = serde_json::from_str(FILES[0].1).unwrap();
    for (id, text) in english {
        for name in places(&text) {
            assert!(known.contains(&name.as_str()), "{id} names {name}");
        }
    }
}

#[test]
fn no_language_touches_what_is_dialled() {
    for (language, file, _) in files() {
        for (id, code) in [("waiting.help_mtn", "*170#"), ("code.voucher_text", "*110#")] {
            assert!(file.get(id).is_none_or(|text| text.contains(code)), "{language}: {id}");
        }
    }
}

#[test]
fn lines_of_another_version_are_not_taken_for_ours() {
    let lines = |stamp: u32| [&stamp.to_string(), "ak", "ltr"].join("\n");
    assert!(Texts::stamped(&lines(Text::STAMP + 1)).is_none());
    let texts = Texts::stamped(&lines(Text::STAMP)).unwrap();
    assert_eq!((texts.get(Text::Direction), texts.get(Text::LoaderOpen)), ("ltr", ""));
}

#[test]
fn no_text_has_a_second_line() {
    for (language, file, _) in files() {
        assert!(file.values().all(|text| !text.contains('\n')), "{language}");
    }
}

#[test]
fn values_go_where_their_names_stand() {
    let texts = Texts::read(|id| Some(["{b} ", id, " {a}{c}{"].concat()));
    assert_eq!(texts.fill(Text::ModeTest, &[("a", "1"), ("b", "{a}")]), "{a} mode.test 1{");
}

#[test]
fn a_count_is_written_as_anywhere() {
    for count in [0, 9, 10, 59, 100, u32::MAX] {
        assert_eq!(digits(count), count.to_string());
    }
}
