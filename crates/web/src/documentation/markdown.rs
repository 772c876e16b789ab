//! Markdown to HTML, with an anchor for each heading as GitHub has it, and with links that lead to
//! pages of the service.

use super::requests;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// A heading and the text below it, for the search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Section {
    /// The text of the heading, without markup.
    pub(super) title: String,
    /// Its anchor; empty for the page's own heading.
    pub(super) anchor: String,
    /// The text until the next heading.
    pub(super) text: String,
    /// The heading in lower case.
    pub(super) lower_title: String,
    /// The text in lower case.
    pub(super) lower_text: String,
}

/// A page as it is shown and searched.
#[derive(Clone, Debug)]
pub(super) struct Rendered {
    /// The body of the page as an HTML fragment.
    pub(super) html: String,
    /// Its sections, in order.
    pub(super) sections: Vec<Section>,
    /// Whether it shows a request in several languages.
    pub(super) has_requests: bool,
}

/// Renders a page. `link` decides where a relative link leads.
pub(super) fn render(source: &str, link: impl Fn(&str) -> String) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut sections: Vec<Section> = Vec::new();
    let mut heading = None;
    let mut count = 0;
    let mut request: Option<Vec<requests::Example>> = None;
    for event in Parser::new_ext(source, options) {
        if let Some(mut examples) = request.take() {
            if requests::is_end(&event) {
                count += 1;
                let tabs = requests::tabs(&count.to_string(), &examples);
                events.push(Event::Html(tabs.into()));
            } else {
                let searched = sections.last_mut().map(|section| &mut section.text);
                requests::add(&mut examples, event, searched);
                request = Some(examples);
            }
            continue;
        }
        if let (Event::Text(text) | Event::Code(text), Some(section)) =
            (&event, sections.last_mut())
        {
            let target = if heading.is_some() { &mut section.title } else { &mut section.text };
            target.push_str(text);
        }
        match event {
            Event::Start(Tag::Heading { .. }) => {
                heading = Some(events.len());
                sections.push(Section::default());
                events.push(event);
            }
            Event::End(TagEnd::Heading(_)) => {
                events.push(event);
                let section = sections.last_mut();
                if let (Some(section), Some(start)) = (section, heading.take()) {
                    section.anchor = anchor(&section.title);
                    add_anchor(&mut events, start, &section.anchor);
                }
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(resolved(&dest_url, &link));
                events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(resolved(&dest_url, &link));
                events.push(Event::Start(Tag::Image { link_type, dest_url, title, id }));
            }
            _ if requests::is_start(&event) => request = Some(Vec::new()),
            // Other comments are for those who read the source.
            Event::Html(text) if text.starts_with("<!--") => {}
            // What can be wider than the page scrolls by itself, also by keyboard.
            Event::Start(Tag::Table(_)) => events.extend([Event::Html(SCROLLING.into()), event]),
            Event::End(TagEnd::Table) => events.extend([event, Event::Html("</div>".into())]),
            Event::Start(Tag::CodeBlock(_)) => {
                events.push(Event::Html("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => events.push(Event::Html("</code></pre>".into())),
            Event::SoftBreak
            | Event::HardBreak
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                // Else the words before and after it would be one.
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                }
                events.push(event);
            }
            _ => events.push(event),
        }
    }
    if let Some(first) = sections.first_mut() {
        first.anchor.clear();
    }
    for section in &mut sections {
        section.lower_title = section.title.to_lowercase();
        section.lower_text = section.text.to_lowercase();
    }
    let mut html = String::new();
    html::push_html(&mut html, events.into_iter());
    Rendered { html, sections, has_requests: count > 0 }
}

const SCROLLING: &str = "<div class=\"scroll\" tabindex=\"0\">";

/// Lower case, spaces as dashes, and only letters, digits, dashes and underscores, as GitHub makes
/// it.
pub(super) fn anchor(heading: &str) -> String {
    let kept = |one: &char| one.is_alphanumeric() || matches!(one, ' ' | '-' | '_');
    heading
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|one| if one == ' ' { '-' } else { one })
        .collect()
}

fn add_anchor(events: &mut [Event<'_>], start: usize, anchor: &str) {
    if let Some(Event::Start(Tag::Heading { id, .. })) = events.get_mut(start) {
        *id = Some(CowStr::from(anchor.to_owned()));
    }
}

fn resolved(target: &str, link: impl Fn(&str) -> String) -> String {
    let is_relative =
        !target.contains("://") && !target.starts_with("mailto:") && !target.starts_with('#');
    if is_relative { link(target) } else { target.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_links_and_text_are_found() {
        let page = "# A page\n\nFirst `code` and\n[more](more.md#part), \
            [out](https://pay.example).\n\n## A `part` & more\n\nText.\n";
        let done = render(page, |target| format!("/docs/{target}"));
        assert!(done.html.contains(r#"<h2 id="a-part--more">"#), "{}", done.html);
        assert!(done.html.contains(r#"href="/docs/more.md#part""#), "{}", done.html);
        assert!(done.html.contains(r#"href="https://pay.example""#), "{}", done.html);
        let found: Vec<_> = done
            .sections
            .iter()
            .map(|one| (one.title.as_str(), one.anchor.as_str(), one.text.trim()))
            .collect();
        assert_eq!(
            found,
            [
                ("A page", "", "First code and more, out."),
                ("A part & more", "a-part--more", "Text.")
            ]
        );
    }

    #[test]
    fn the_examples_of_a_request_are_tabs_and_only_that_of_curl_is_searched() {
        let page = "# A\n\n<!-- request: createCharge -->\n```sh\ncurl one\n```\n\n\
            <details>\n<summary>Python</summary>\n\n```python\nprint(2)\n```\n\n</details>\n\
            <!-- /request -->\n\nAfter.\n";
        let done = render(page, str::to_owned);
        assert!(done.has_requests);
        assert!(done.html.contains("id=\"request-1-python\""), "{}", done.html);
        assert!(done.html.contains("<code>print(2)\n</code>"), "{}", done.html);
        assert!(!done.html.contains("details"), "{}", done.html);
        assert!(done.html.ends_with("<p>After.</p>\n"), "{}", done.html);
        let text = &done.sections[0].text;
        assert!(text.contains("curl one") && !text.contains("print"), "{text}");
    }

    #[test]
    fn what_is_wide_scrolls_and_code_is_escaped() {
        let done = render("# A\n\n| a |\n|---|\n| b |\n\n```html\n<b>\n```\n", str::to_owned);
        assert!(
            done.html.contains("<div class=\"scroll\" tabindex=\"0\"><table>"),
            "{}",
            done.html
        );
        assert!(
            done.html.contains("<pre tabindex=\"0\"><code>&lt;b&gt;\n</code></pre>"),
            "{}",
            done.html
        );
    }
}
