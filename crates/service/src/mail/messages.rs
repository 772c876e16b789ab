//! Messages, each with a text and an HTML body from one template.

use crate::domain::mail::Message;
use minijinja::{AutoEscape, Environment, Value, context};
use std::sync::LazyLock;

/// Both bodies of every message: the paragraphs, and a link.
static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    // The HTML is escaped, the text is not.
    templates.set_auto_escape_callback(|name| match name.ends_with(".html") {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    for (name, source) in [
        ("message.txt", include_str!("../../../../www/mail/message.txt")),
        ("message.html", include_str!("../../../../www/mail/message.html")),
    ] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(name, %error, "a template of e-mail is broken");
        }
    }
    templates
});

/// The message of `tua mail test`.
#[must_use]
pub fn test(to: &str, public_url: &str) -> Message {
    let subject = "A test message of Tua".to_owned();
    let sentence = format!("The payment service at {public_url} can send e-mail.");
    message(to, subject, &[sentence], None)
}

/// An invitation to the dashboard, with a link that works once.
#[must_use]
pub fn invitation(to: &str, account: &str, link: &str) -> Message {
    let subject = format!("Your invitation to {account}");
    let sentences = [
        format!("You are invited to the payments of {account}."),
        "Choose a password behind this link. It works once, for an hour.".to_owned(),
        "If you do not expect this message, ignore it.".to_owned(),
    ];
    message(to, subject, &sentences, Some(link))
}

fn message(to: &str, subject: String, paragraphs: &[String], link: Option<&str>) -> Message {
    let values = context! { subject => subject.as_str(), paragraphs => paragraphs.to_vec(), link };
    let (text, html) = (render("message.txt", &values), render("message.html", &values));
    Message { to: to.to_owned(), subject, text, html }
}

fn render(name: &str, values: &Value) -> String {
    TEMPLATES.get_template(name).and_then(|template| template.render(values)).unwrap_or_else(|error| {
        tracing::error!(name, %error, "an e-mail could not be rendered");
        String::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_bodies_have_the_same_contents_and_the_html_is_escaped() {
        let link = "https://pay.example/dashboard/enrol/abc";
        let message = invitation("kofi@example.com", "<b>Adom</b>", link);
        assert_eq!(message.subject, "Your invitation to <b>Adom</b>");
        assert!(message.text.contains("payments of <b>Adom</b>.") && message.text.contains(link), "{}", message.text);
        assert!(message.html.contains("payments of &lt;b&gt;Adom&lt;&#x2f;b&gt;."), "{}", message.html);
        assert!(message.html.contains("href=\"https:&#x2f;&#x2f;pay.example&#x2f;"), "{}", message.html);
        let test = test("kofi@example.com", "https://pay.example");
        assert!(test.text.contains("https://pay.example can send") && !test.html.contains("href"), "{test:?}");
    }
}
