//! A request in several languages, one of which is shown: tabs without script. The examples are the
//! files of `docs/requests`, which the tests run.

use pulldown_cmark::{CodeBlockKind, Event, Tag, html};

/// The comments of the Markdown before and after the examples of a request
/// (crates/xtask/tests/embedded_files.rs).
const START: &str = "<!-- request: ";
const END: &str = "<!-- /request -->";

/// A request in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Example {
    /// The language, as the Markdown names it.
    pub(super) code: String,
    /// The program.
    pub(super) text: String,
}

/// The languages in the order of the tabs: the ending of the file, the name of the code in
/// Markdown, and the name for people.
const LANGUAGES: [(&str, &str, &str); 4] = [
    ("sh", "sh", "curl"),
    ("mjs", "js", "Node.js"),
    ("py", "python", "Python"),
    ("php", "php", "PHP"),
];

/// The request of an operation of the OpenAPI document as HTML, from its files below `docs/`; empty
/// if it has none.
pub(super) fn of_operation(name: &str, file: impl Fn(&str) -> Option<String>) -> String {
    let example = |(ending, code, _): &(&str, &str, &str)| {
        let text = file(&format!("requests/{name}.{ending}"))?;
        Some(Example { code: (*code).to_owned(), text })
    };
    tabs(name, &LANGUAGES.iter().filter_map(example).collect::<Vec<_>>())
}

/// Whether the examples of a request begin here.
pub(super) fn is_start(event: &Event<'_>) -> bool {
    matches!(event, Event::Html(text) if text.starts_with(START))
}

/// Whether the examples of a request end here.
pub(super) fn is_end(event: &Event<'_>) -> bool {
    matches!(event, Event::Html(text) if text.starts_with(END))
}

/// Reads a part of the examples. Only the first one is added to the text for the search, because
/// the others repeat its words. What readers of the Markdown unfold is left out.
pub(super) fn add(examples: &mut Vec<Example>, event: Event<'_>, searched: Option<&mut String>) {
    match event {
        Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(code))) => {
            examples.push(Example { code: code.into_string(), text: String::new() });
        }
        Event::Text(text) => {
            if let (Some(searched), [_]) = (searched, &examples[..]) {
                searched.push_str(&text);
            }
            if let Some(example) = examples.last_mut() {
                example.text.push_str(&text);
            }
        }
        _ => {}
    }
}

/// The examples of one request as HTML; empty without any. `id` is the request's own on the page.
/// The radio buttons choose which example is shown, also without script; www/docs/docs.js remembers
/// the choice.
pub(super) fn tabs(id: &str, examples: &[Example]) -> String {
    match examples {
        [] => return String::new(),
        [only] => return shown(only),
        _ => {}
    }
    let names: Vec<&str> = examples.iter().map(|one| label(&one.code)).collect();
    let mut text = format!(
        "<div class=\"request\" role=\"group\" aria-label=\"The request in {}\">\n",
        names.join(", ")
    );
    for (index, Example { code, .. }) in examples.iter().enumerate() {
        let checked = if index == 0 { " checked" } else { "" };
        text += &format!(
            "<input type=\"radio\" name=\"request-{id}\" id=\"request-{id}-{code}\" \
             value=\"{code}\"{checked}><label for=\"request-{id}-{code}\">{}</label>\n",
            label(code)
        );
    }
    for example in examples {
        text += &shown(example);
    }
    text + "</div>\n"
}

fn label(code: &str) -> &str {
    LANGUAGES.iter().find(|(_, one, _)| *one == code).map_or(code, |(.., label)| label)
}

fn shown(example: &Example) -> String {
    let mut text = String::new();
    html::push_html(&mut text, std::iter::once(Event::Text((*example.text).into())));
    format!("<pre tabindex=\"0\"><code>{text}</code></pre>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_a_tab_for_each_language_and_its_code_is_escaped() {
        let examples = [("sh", "curl -d '<b>'\n"), ("php", "<?php\n")];
        let html = tabs(
            "one",
            &examples.map(|(code, text)| Example { code: code.to_owned(), text: text.to_owned() }),
        );
        for part in [
            "role=\"group\" aria-label=\"The request in curl, PHP\"",
            "name=\"request-one\" id=\"request-one-sh\" value=\"sh\" checked>",
            "<label for=\"request-one-php\">PHP</label>",
            "<pre tabindex=\"0\"><code>curl -d '&lt;b&gt;'\n</code></pre>",
            "<code>&lt;?php\n</code>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert_eq!(html.matches(" checked").count(), 1);
    }

    #[test]
    fn a_request_in_one_language_has_no_tabs() {
        assert_eq!(
            of_operation("isAlive", |name| (name == "requests/isAlive.sh")
                .then(|| "curl\n".into())),
            "<pre tabindex=\"0\"><code>curl\n</code></pre>\n"
        );
    }
}
