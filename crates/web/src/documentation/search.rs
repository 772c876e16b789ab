//! A search in the book: sections that contain all the words, those with the words in the heading
//! first.

use super::book::Chapter;
use serde::Serialize;

/// The longest search, in characters.
const MAX_CHARS: usize = 100;
/// The most words that are looked for.
const MAX_WORDS: usize = 8;
/// The most sections that one search returns.
const MAX_RESULTS: usize = 20;
/// How much of a section's text is shown, in characters.
const EXCERPT_CHARS: usize = 200;
/// How many characters of it are before the first word found.
const EXCERPT_BEFORE: usize = 60;

/// A section that has all the words.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub(super) struct SearchResult {
    /// The title of the section's chapter, as in the contents.
    pub(super) chapter: String,
    /// The heading of the section, without markup.
    pub(super) title: String,
    /// The path of the chapter, with the anchor of the section if it has one.
    pub(super) href: String,
    /// A part of its text.
    pub(super) excerpt: String,
}

/// The sections with all these words, the best first.
pub(super) fn search(book: &[Chapter], query: &str) -> Vec<SearchResult> {
    let query: String = query.chars().take(MAX_CHARS).collect::<String>().to_lowercase();
    let mut words: Vec<&str> = query.split_whitespace().take(MAX_WORDS).collect();
    words.sort_unstable();
    words.dedup();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for chapter in book {
        for section in &chapter.page.sections {
            let title = &section.lower_title;
            let text = &section.lower_text;
            if words.iter().all(|word| title.contains(*word) || text.contains(*word)) {
                let in_title = words.iter().filter(|word| title.contains(**word)).count();
                let in_text: usize = words.iter().map(|word| text.matches(*word).count()).sum();
                found.push(((in_title, in_text), chapter, section));
            }
        }
    }
    found.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
    found.truncate(MAX_RESULTS);
    let shown = found.into_iter().map(|(_, chapter, section)| SearchResult {
        chapter: chapter.title.clone(),
        title: section.title.clone(),
        href: if section.anchor.is_empty() {
            chapter.path.clone()
        } else {
            format!("{}#{}", chapter.path, section.anchor)
        },
        excerpt: excerpt(&section.text, &words),
    });
    shown.collect()
}

/// The text around the first of the words.
fn excerpt(text: &str, words: &[&str]) -> String {
    let characters: Vec<char> =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect();
    // Lower case letter by letter, so that positions stay the same.
    let lower: String =
        characters.iter().map(|one| one.to_lowercase().next().unwrap_or(*one)).collect();
    let first = words.iter().filter_map(|word| lower.find(word)).min().unwrap_or_default();
    let first = lower.get(..first).map_or(0, |before| before.chars().count());
    let start = first.saturating_sub(EXCERPT_BEFORE);
    let end = characters.len().min(start + EXCERPT_CHARS);
    let part: String = characters.get(start..end).unwrap_or_default().iter().collect();
    let before = if start > 0 { "…" } else { "" };
    let after = if end < characters.len() { "…" } else { "" };
    format!("{before}{}{after}", part.trim())
}

#[cfg(test)]
mod tests {
    use super::{super::markdown::render, *};

    fn book() -> Vec<Chapter> {
        let page = |title: &str, source: &str| Chapter {
            part: String::new(),
            title: title.to_owned(),
            path: format!("/docs/{title}"),
            page: render(source, str::to_owned),
        };
        vec![
            page("one", "# One\n\nA refund is mentioned here.\n\n## Other\n\nNothing.\n"),
            page("two", "# Two\n\n## Refund\n\nHow much, and Éclair.\n"),
        ]
    }

    #[test]
    fn a_word_in_a_heading_is_found_first() {
        let found = search(&book(), "REFUND");
        let hrefs: Vec<&str> = found.iter().map(|one| one.href.as_str()).collect();
        assert_eq!(hrefs, ["/docs/two#refund", "/docs/one"]);
        assert_eq!(search(&book(), "refund much")[0].excerpt, "How much, and Éclair.");
        assert!(search(&book(), "refund elephants").is_empty());
        assert!(search(&book(), "  ").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_searched(text: String, query: String) {
            let book = [Chapter {
                part: String::new(),
                title: String::new(),
                path: String::new(),
                page: render(&format!("# {text}\n\n{text}\n"), str::to_owned),
            }];
            search(&book, &query);
            search(&book, &text);
        }
    }
}
