//! Every link between documents, every citation of a document in the code, and every source file
//! that a document names leads to a file (and heading) that exists.

mod drills;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A reference to a file, and to a heading in it.
struct Citation {
    /// The file that contains the reference, relative to the repository.
    file: PathBuf,
    /// The link or path as `file` contains it.
    text: String,
    /// The file that it names, relative to the repository.
    target: PathBuf,
    /// The heading's identifier, without the `#`.
    anchor: Option<String>,
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Every file of the repository that git tracks or would add.
fn files() -> Vec<PathBuf> {
    let listing = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git is installed");
    let names = String::from_utf8(listing.stdout).expect("file names are UTF-8");
    names
        .split_terminator('\0')
        .map(PathBuf::from)
        .filter(|file| root().join(file).is_file())
        .collect()
}

fn is_markdown(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

/// The identifiers that GitHub gives to a document's headings.
fn anchors(markdown: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                anchors.extend(heading.take().map(|text| identifier(&text)))
            }
            _ => {}
        }
    }
    anchors
}

/// Lower case, spaces as dashes, and only letters, digits, dashes and underscores.
fn identifier(heading: &str) -> String {
    let kept =
        |character: &char| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_');
    heading
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|character| if character == ' ' { '-' } else { character })
        .collect()
}

fn split(reference: &str) -> (&str, Option<String>) {
    match reference.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (reference, None),
    }
}

/// The relative links of a document.
fn links(file: &Path, markdown: &str) -> Vec<Citation> {
    let relative = |link: &str| !link.contains("://") && !link.starts_with("mailto:");
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.to_string())
            }
            _ => None,
        })
        .filter(|link| relative(link))
        .map(|link| {
            let (path, anchor) = split(&link);
            let folder = file.parent().unwrap_or(Path::new(""));
            let target = if path.is_empty() { file.to_path_buf() } else { folder.join(path) };
            Citation { file: file.to_path_buf(), text: link.clone(), target, anchor }
        })
        .collect()
}

/// The documents that a source file cites by their path from the repository's root.
fn citations(file: &Path, source: &str) -> Vec<Citation> {
    source
        .split(|character: char| {
            !(character.is_ascii_alphanumeric() || "._/-#".contains(character))
        })
        .map(|word| word.trim_end_matches(['.', '#']))
        .filter(|word| word.starts_with("docs/") && word.contains(".md"))
        .map(|word| {
            let (path, anchor) = split(word);
            Citation {
                file: file.to_path_buf(),
                text: word.to_owned(),
                target: PathBuf::from(path),
                anchor,
            }
        })
        .collect()
}

/// The source files that a document names in code spans, such as `src/flow/form.rs`.
fn source_files(markdown: &str) -> Vec<String> {
    let is_path = |text: &str| {
        let is_plain = text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "._/-".contains(character));
        let extension = Path::new(text).extension().and_then(|extension| extension.to_str());
        is_plain
            && !text.starts_with('/')
            && text.contains('/')
            && matches!(extension, Some("rs" | "js" | "mjs" | "json"))
    };
    Parser::new_ext(markdown, Options::ENABLE_TABLES)
        .filter_map(|event| match event {
            Event::Code(text) if is_path(&text) => Some(text.to_string()),
            _ => None,
        })
        .collect()
}

/// Why a citation leads nowhere.
fn fault(citation: &Citation) -> Option<String> {
    let Citation { file, text, target, anchor } = citation;
    let path = root().join(target);
    let reason = match anchor {
        _ if !path.exists() => "there is no such file".to_owned(),
        Some(anchor)
            if is_markdown(target)
                && !anchors(&fs::read_to_string(path).ok()?).contains(anchor) =>
        {
            "the file has no such heading".to_owned()
        }
        _ => return None,
    };
    Some(format!("{}: {text}: {reason}", file.display()))
}

#[test]
fn every_cited_document_and_heading_exists() {
    let mut checked = 0;
    let mut faults = Vec::new();
    for file in files() {
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        let found = if is_markdown(&file) { links(&file, &text) } else { citations(&file, &text) };
        checked += found.len();
        faults.extend(found.iter().filter_map(fault));
    }
    assert!(checked > 50, "only {checked} references were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_source_file_that_a_document_names_exists() {
    let mut faults = Vec::new();
    for file in files().into_iter().filter(|file| is_markdown(file)) {
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        // A path begins at the repository's root, in the component's `src`, or beside the document.
        let folders = [Path::new(""), Path::new("src"), file.parent().unwrap()];
        let missing =
            |path: &String| !folders.iter().any(|folder| root().join(folder).join(path).exists());
        faults.extend(
            source_files(&text)
                .into_iter()
                .filter(missing)
                .map(|path| format!("{}: {path}", file.display())),
        );
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn headings_get_the_identifiers_that_github_gives_them() {
    let found =
        anchors("# Next actions\n\n## The `Idempotency-Key` header\n\n```sh\n# no heading\n```\n");
    let expected = ["next-actions", "the-idempotency-key-header"].map(str::to_owned);
    assert_eq!(found, HashSet::from(expected));
}

/// The names of all tests in Rust sources.
fn test_names() -> HashSet<String> {
    let mut names = HashSet::new();
    for file in files()
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
    {
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[test]")
                || line.starts_with("#[tokio::test")
                || line.starts_with("#[wasm_bindgen_test")
            {
                is_test = true;
            } else if let Some((_, after)) = line.split_once("fn ").filter(|_| is_test) {
                names.extend(after.split_once('(').map(|(name, _)| name.to_owned()));
                is_test = false;
            }
        }
    }
    names
}

/// The rows of the tables below a heading, each as its cells; the code spans in a cell are kept as
/// they are.
fn rows<'a>(markdown: &'a str, heading: &str) -> Vec<Vec<&'a str>> {
    let after =
        markdown.split_once(&format!("\n## {heading}\n")).expect("the document has this heading").1;
    let section = after.split_once("\n## ").map_or(after, |(section, _)| section);
    let cells =
        |line: &'a str| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let rows = section.lines().filter(|line| line.starts_with('|')).map(cells);
    rows.filter(|row| row.last().is_some_and(|last| *last != "tests" && !last.starts_with("---")))
        .collect()
}

#[test]
fn every_threat_names_tests_that_exist() {
    let document =
        fs::read_to_string(root().join("docs/security.md")).expect("docs/security.md exists");
    let tests = test_names();
    let rows = rows(&document, "Threats");
    assert!(rows.len() > 20, "only {} threats were found", rows.len());
    let mut faults = Vec::new();
    for row in rows {
        let named: Vec<&str> = row[2].split('`').skip(1).step_by(2).collect();
        match row[2].strip_prefix("none: ") {
            Some(reason) if !reason.is_empty() => {}
            _ if named.is_empty() => faults.push(format!("{}: no test", row[0])),
            _ => faults.extend(
                named
                    .iter()
                    .filter(|name| !tests.contains(**name))
                    .map(|name| format!("{}: {name}", row[0])),
            ),
        }
    }
    assert!(
        faults.is_empty(),
        "docs/security.md names tests that do not exist:\n{}",
        faults.join("\n")
    );
}

/// The commands of cargo that read Cargo.lock.
const READS_LOCK: [&str; 9] =
    ["build", "check", "clippy", "doc", "install", "publish", "run", "test", "tree"];

#[test]
fn every_cargo_command_is_locked() {
    let is_read = |file: &PathBuf| {
        let name = file.to_string_lossy();
        name.starts_with("crates/xtask/src/")
            || name.starts_with("deploy/")
            || name.starts_with(".github/")
            || name.starts_with(".ci/")
            || name == "README.md"
            || name == ".cargo/config.toml"
            || name == "docs/operations.md"
            || name == "docs/reference/command-line.md"
    };
    let mut faults = Vec::new();
    for file in files().into_iter().filter(is_read) {
        let text = fs::read_to_string(root().join(&file)).expect("a tracked file is text");
        for (number, line) in text.lines().enumerate() {
            // In xtask, `Step::cargo` adds --locked to every command.
            let is_step = line.contains("\"cargo\"")
                && READS_LOCK.iter().any(|command| line.contains(&format!("\"{command}\"")));
            let is_shell =
                READS_LOCK.iter().any(|command| line.contains(&format!("cargo {command} --")));
            if (is_step || is_shell) && !line.contains("--locked") {
                faults.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "without --locked:\n{}", faults.join("\n"));
}

#[test]
fn unstable_compiler_switches_are_set_only_where_the_threat_model_explains_them() {
    let mut setting: Vec<String> = Vec::new();
    for file in files()
        .into_iter()
        .filter(|file| !is_markdown(file) && !file.starts_with("crates/xtask/tests"))
    {
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        if text.contains("RUSTC_BOOTSTRAP") {
            setting.push(file.display().to_string());
        }
    }
    setting.sort();
    assert_eq!(setting, ["crates/xtask/src/fuzz.rs", "crates/xtask/src/wasm.rs"]);
    let document =
        fs::read_to_string(root().join("docs/security.md")).expect("docs/security.md exists");
    assert!(setting.iter().all(|file| document.contains(file)));
}
