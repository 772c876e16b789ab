//! Lists that several files repeat, because each is read by another program, have one source. Each
//! copy is compared with it.

#![expect(clippy::unwrap_used, reason = "a failed assumption must fail the test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

type Names = BTreeSet<String>;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The text of a file between two others, the first time that they occur.
fn part(file: &str, start: &str, end: &str) -> String {
    let text = read(file);
    let (_, after) =
        text.split_once(start).unwrap_or_else(|| panic!("{file}: there is no {start:?}"));
    after
        .split_once(end)
        .unwrap_or_else(|| panic!("{file}: there is no {end:?} after {start:?}"))
        .0
        .to_owned()
}

/// The texts in double quotes that `is_wanted` accepts.
fn quoted(text: &str, is_wanted: impl Fn(&str) -> bool) -> Names {
    text.split('"').skip(1).step_by(2).filter(|name| is_wanted(name)).map(str::to_owned).collect()
}

/// The words of two lowercase letters, without `js`: the codes of languages.
fn codes(text: &str) -> Names {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| {
            word.len() == 2
                && word.chars().all(|letter| letter.is_ascii_lowercase())
                && *word != "js"
        })
        .map(str::to_owned)
        .collect()
}

/// The languages with a file in a folder of texts.
fn languages(folder: &str) -> Names {
    let files = fs::read_dir(root().join(folder)).unwrap();
    files
        .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect()
}

/// The source is the folder of texts: a language exists if it has a file. It is complete, and not a
/// preview, if the hosted page has texts in it too.
#[test]
fn every_list_of_languages_equals_the_folder_of_texts() {
    let all = languages("src/locale/texts");
    let complete = languages("crates/web/src/hosted/texts");
    let previews: Names = all.difference(&complete).cloned().collect();
    assert!(all.len() > complete.len() && complete.contains("en"));
    for (file, start, end, expected) in [
        ("src/locale/mod.rs", "LANGUAGES: [(&str, &str);", "];", &all),
        ("src/locale/tests.rs", "const FILES: [(&str, &str, bool);", "];", &all),
        ("crates/embed/js/resources.js", "const LANGUAGES = {", "};", &all),
        ("crates/embed/js/resources.js", "const PREVIEWS = [", "]", &previews),
        ("crates/web/src/hosted/language.rs", "const COMPLETE: [&str;", "];", &complete),
        ("crates/web/src/hosted/language.rs", "NAMES: [(&str, &str);", "];", &complete),
        ("tests/looks/states.mjs", "const LANGUAGES = [", "]", &all),
        ("www/playground/index.html", "<select name=\"lang\">", "</select>", &all),
    ] {
        let text = part(file, start, end);
        let found = if text.contains("import(") {
            codes(&text)
        } else {
            quoted(&text, |name| name.len() == 2)
        };
        assert_eq!(found, *expected, "{file}: {start}");
    }
    let attribute = part("pkg/custom-elements.json", "\"name\": \"lang\"", "\"description\"");
    assert_eq!(codes(&attribute), all, "pkg/custom-elements.json");
    assert_eq!(locale_files(), all, "crates/xtask/src/dist.rs: CONTENTS");
}

/// The languages whose files the npm package contains.
fn locale_files() -> Names {
    let contents =
        quoted(&part("crates/xtask/src/dist.rs", "const CONTENTS: [&str;", "];"), |_| true);
    contents
        .iter()
        .filter_map(|file| file.strip_prefix("locales/")?.strip_suffix(".js"))
        .map(str::to_owned)
        .collect()
}

/// The sources are the component's state machine, which names the events that it emits, and the
/// loader, which creates others.
#[test]
fn every_list_of_component_events_equals_what_the_tag_dispatches() {
    let is_event = |name: &str| name.starts_with("tua-") && name != "tua-checkout";
    let mut emitted = quoted(&read("src/flow/effect.rs"), is_event);
    assert!(emitted.len() > 3, "{emitted:?}");
    let loader = read("crates/embed/js/loader.js");
    let created: Vec<&str> = loader
        .split("new CustomEvent(")
        .skip(1)
        .filter_map(|rest| Some(rest.split_once(',')?.0))
        .collect();
    emitted.extend(quoted(&created.join(" "), is_event));
    assert!(emitted.contains("tua-return"), "{emitted:?}");
    let typed = part("pkg/tua-checkout.d.ts", "CheckoutEventMap {", "}");
    assert_eq!(quoted(&typed, is_event), emitted, "pkg/tua-checkout.d.ts");
    let described = part("pkg/custom-elements.json", "\"events\": [", "]");
    assert_eq!(quoted(&described, is_event), emitted, "pkg/custom-elements.json");
    let documented = read("docs/reference/component.md");
    assert!(
        emitted.iter().all(|name| documented.contains(&format!("`{name}`"))),
        "docs/reference/component.md"
    );
}

/// The source is the service's list of event types.
#[test]
fn every_webhook_event_type_is_documented() {
    let is_type = |name: &str| {
        name.contains('.') && name.chars().all(|one| one.is_ascii_lowercase() || "._".contains(one))
    };
    let types = quoted(&read(EVENT_TYPES), is_type);
    assert!(types.len() > 10, "{types:?}");
    for file in ["docs/reference/webhooks.md", "docs/openapi.json"] {
        let text = read(file);
        let missing: Vec<&String> =
            types.iter().filter(|name| !text.contains(name.as_str())).collect();
        assert!(missing.is_empty(), "{file}: {missing:?}");
    }
}

const EVENT_TYPES: &str = "crates/domain/src/webhook/event_type.rs";

/// The source is the list that `cargo xtask dist` compares pkg/ with.
#[test]
fn the_npm_manifest_publishes_the_files_of_the_package() {
    let contents = part("crates/xtask/src/dist.rs", "const CONTENTS: [&str;", "const LICENCES");
    // npm always publishes these two.
    let is_listed = |name: &str| !matches!(name, "package.json" | "README.md");
    let files: Names = quoted(&contents, is_listed)
        .iter()
        .map(|file| file.split('/').next().unwrap().to_owned())
        .chain(quoted(
            &part("crates/xtask/src/dist.rs", "const LICENCES: [&str; 2] =", ";\n"),
            |_| true,
        ))
        .collect();
    assert_eq!(quoted(&part("pkg/package.json", "\"files\": [", "]"), |_| true), files);
}
