//! The pages of `docs/`, in the order of `docs/SUMMARY.md` (the format of mdBook), rendered once.

use super::markdown::{Rendered, render};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use rust_embed::RustEmbed;
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "../../docs"]
#[include = "*.md"]
#[include = "*.png"]
#[include = "requests/*"]
struct Files;

/// Where files outside `docs/` are shown.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The chapters that the summary lists, in its order. One whose file is missing is left out.
pub(super) static BOOK: LazyLock<Vec<Chapter>> = LazyLock::new(|| {
    let summary = file("SUMMARY.md").unwrap_or_default();
    entries(&summary).into_iter().filter_map(Chapter::read).collect()
});

/// A page of the book.
#[derive(Clone, Debug)]
pub(super) struct Chapter {
    /// The part of the book; empty before the first.
    pub(super) part: String,
    /// The title in the contents.
    pub(super) title: String,
    /// The path on the service, such as `/docs/reference/errors`.
    pub(super) path: String,
    /// The chapter as HTML, and its sections for the search.
    pub(super) page: Rendered,
}

/// A line of the summary.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    part: String,
    title: String,
    file: String,
}

impl Chapter {
    fn read(Entry { part, title, file }: Entry) -> Option<Self> {
        let page = render(&self::file(&file)?, |target| href(&file, target));
        Some(Self { part, title, path: page_path(&file), page })
    }
}

/// The chapter at this path.
pub(super) fn chapter(path: &str) -> Option<(usize, &'static Chapter)> {
    BOOK.iter().enumerate().find(|(_, one)| one.path == path)
}

/// A picture of the book.
pub(super) fn picture(file: &str) -> Option<Vec<u8>> {
    file.ends_with(".png").then(|| Files::get(file)).flatten().map(|file| file.data.into_owned())
}

/// The text of a file below `docs/`: a page as Markdown, or an example of a request.
pub(super) fn file(name: &str) -> Option<String> {
    String::from_utf8(Files::get(name)?.data.into_owned()).ok()
}

/// The chapters that a summary lists, each with the heading above it.
fn entries(summary: &str) -> Vec<Entry> {
    let mut part = String::new();
    let mut all = Vec::new();
    let mut in_heading = false;
    let mut link = None;
    for event in Parser::new(summary) {
        match event {
            Event::Start(Tag::Heading { .. }) => (in_heading, part) = (true, String::new()),
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Start(Tag::Link { dest_url, .. }) => {
                link = Some((dest_url.into_string(), String::new()))
            }
            Event::End(TagEnd::Link) => {
                let part = if part == "Summary" { String::new() } else { part.clone() };
                all.extend(link.take().map(|(file, title)| Entry { part, title, file }));
            }
            Event::Text(text) => match &mut link {
                Some((_, title)) => title.push_str(&text),
                None if in_heading => part.push_str(&text),
                None => {}
            },
            _ => {}
        }
    }
    all
}

/// `reference/errors.md` is `/docs/reference/errors`, and a README is its folder.
fn page_path(file: &str) -> String {
    let name = file.trim_end_matches(".md").trim_end_matches("README").trim_end_matches('/');
    if name.is_empty() { "/docs".to_owned() } else { format!("/docs/{name}") }
}

/// Where a link of this file leads: to a page of the book, to a picture, or to a file in the
/// repository.
fn href(file: &str, target: &str) -> String {
    let (path, anchor) = target
        .split_once('#')
        .map_or((target, String::new()), |(path, one)| (path, format!("#{one}")));
    let mut segments: Vec<&str> = std::iter::once("docs").chain(file.split('/')).collect();
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "." | "" => {}
            ".." => drop(segments.pop()),
            name => segments.push(name),
        }
    }
    let resolved = segments.join("/");
    match resolved.strip_prefix("docs/") {
        Some("openapi.json") => "/openapi.json".to_owned(),
        Some(inside) if inside.ends_with(".md") => format!("{}{anchor}", page_path(inside)),
        Some(inside) if Files::get(inside).is_some() => format!("/docs/{inside}"),
        Some("operators") => "/docs/operators/mtn-momo".to_owned(),
        _ => format!("{REPOSITORY}{resolved}{anchor}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn links_lead_to_pages_of_the_service_or_to_the_repository() {
        for (file, target, expected) in [
            ("README.md", "reference/README.md", "/docs/reference"),
            ("reference/errors.md", "values.md#amounts", "/docs/reference/values#amounts"),
            ("reference/README.md", "../openapi.json", "/openapi.json"),
            ("reference/mail.md", "../operations.md", "/docs/operations"),
            ("reference/mail.md", "../README.md", "/docs"),
            ("README.md", "../README.md", "https://github.com/tua-pay/tua/blob/main/README.md"),
        ] {
            assert_eq!(href(file, target), expected, "{file} {target}");
        }
    }

    #[test]
    fn pages_of_shops_show_the_shop_and_no_comment() {
        let node = chapter("/docs/shop-node").unwrap().1;
        assert!(
            node.page.html.contains("Tua, TuaError, Webhook } from \"@tua-pay/node\";"),
            "{}",
            node.page.html
        );
        assert!(!node.page.html.contains("file: ../examples"), "{}", node.page.html);
    }

    #[test]
    fn every_page_of_the_documentation_is_in_the_book() {
        let listed: HashSet<&str> = BOOK.iter().map(|one| one.path.as_str()).collect();
        for file in Files::iter().filter(|file| file.ends_with(".md") && file != "SUMMARY.md") {
            assert!(
                listed.contains(page_path(&file).as_str()),
                "{file} is missing in docs/SUMMARY.md"
            );
        }
    }

    #[test]
    fn every_link_inside_the_book_leads_to_a_heading_that_is_there() {
        let mut targets: HashSet<String> = HashSet::from(["/openapi.json".to_owned()]);
        for chapter in BOOK.iter() {
            targets.insert(chapter.path.clone());
            let headings =
                chapter.page.html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next());
            targets.extend(headings.map(|id| format!("{}#{id}", chapter.path)));
        }
        for chapter in BOOK.iter() {
            for link in
                chapter.page.html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next())
            {
                let is_inside = link.starts_with('/') || link.starts_with('#');
                let whole = if link.starts_with('#') {
                    format!("{}{link}", chapter.path)
                } else {
                    link.to_owned()
                };
                assert!(!is_inside || targets.contains(&whole), "{}: {link}", chapter.path);
            }
        }
    }
}
