//! Messages, each with a text and an HTML body from one template.

use super::texts::{self, text};
use minijinja::{Environment, Value, context, syntax::SyntaxConfig, value::Serde};
use serde::Serialize;
use std::sync::LazyLock;
use tua_contract::Amount;
use tua_domain::mail::Message;

/// Both bodies of every message, from the same values.
static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    match SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build() {
        Ok(syntax) => templates.set_syntax(syntax),
        Err(error) => tracing::error!(%error, "the syntax of templates is wrong"),
    }
    // By the extension of its name the HTML is escaped, and the text is not.
    for (name, source) in [
        ("message.txt", include_str!("../../../www/mail/message.txt")),
        ("message.html", include_str!("../../../www/mail/message.html")),
    ] {
        if let Err(error) = templates.add_template(name, source) {
            tracing::error!(name, %error, "a template of e-mail is broken");
        }
    }
    templates
});

/// What a message contains, before it is rendered.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub(super) struct Content {
    /// The language of its texts.
    pub(super) language: &'static str,
    /// The subject line, which is the heading too.
    pub(super) subject: String,
    /// Whose message it is, above the heading.
    pub(super) sender: Option<String>,
    /// The accent colour as `#rrggbb`.
    pub(super) accent: Option<String>,
    /// The address of the logo.
    pub(super) logo: Option<String>,
    /// The paragraphs below the subject, as plain text; the HTML template escapes them.
    pub(super) paragraphs: Vec<String>,
    /// Facts below the paragraphs, each a label with its value.
    pub(super) rows: Vec<(String, String)>,
    /// Several things that happened.
    pub(super) sections: Vec<Section>,
    /// The page that the recipient is asked to open; `None` if there is none.
    pub(super) link: Option<Link>,
    /// The last paragraph, in small print.
    pub(super) footer: Option<String>,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub(super) struct Section {
    pub(super) heading: String,
    pub(super) paragraphs: Vec<String>,
    pub(super) link: Option<Link>,
}

/// An address with its text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Link {
    pub(super) label: String,
    pub(super) address: String,
}

impl Content {
    /// A message without paragraphs.
    pub(super) fn new(language: &str, subject: String) -> Self {
        Self { language: texts::known(language), subject, ..Self::default() }
    }

    /// The message with both bodies.
    pub(super) fn render(&self, to: &str) -> Message {
        let is_rtl = self.language == "ar";
        let values = context! { is_rtl, ..Value::from(Serde(self)) };
        let subject = self.subject.split_whitespace().collect::<Vec<_>>().join(" ");
        Message {
            id: None,
            to: to.to_owned(),
            subject,
            text: render("message.txt", &values),
            html: render("message.html", &values),
        }
    }
}

fn render(name: &str, values: &Value) -> String {
    TEMPLATES.get_template(name).and_then(|template| template.render(values)).unwrap_or_else(
        |error| {
            tracing::error!(name, %error, "an e-mail could not be rendered");
            String::new()
        },
    )
}

/// An amount in cedis as people read it: always with two decimals.
pub(super) fn cedis(amount: Amount) -> String {
    cedis_of(amount.pesewas())
}

/// As [`cedis`], for a sum that may be zero.
pub(super) fn cedis_of(pesewas: i64) -> String {
    let sign = if pesewas < 0 { "-" } else { "" };
    let pesewas = pesewas.unsigned_abs();
    format!("{sign}{}.{:02}", pesewas / 100, pesewas % 100)
}

/// The message of `tua mail test`.
#[must_use]
pub fn test(to: &str, public_url: &str) -> Message {
    let sentence = format!("The payment service at {public_url} can send e-mail.");
    let content = Content::new("en", "A test message of Tua".to_owned());
    Content { paragraphs: vec![sentence], ..content }.render(to)
}

/// An invitation to the dashboard, with a link that works once.
pub(super) fn invitation(language: &str, account: &str, link: String) -> Content {
    let content =
        Content::new(language, text(language, "invitation-subject", &[("account", account)]));
    let happened = text(language, "invitation-what", &[("account", account)]);
    Content {
        paragraphs: vec![happened, text(language, "invitation-how", &[])],
        link: Some(Link { label: text(language, "invitation-link", &[]), address: link }),
        footer: Some(text(language, "invitation-ignore", &[])),
        ..content
    }
}

/// A link with which a person enrols again.
pub(super) fn reset(language: &str, link: String) -> Content {
    let content = Content::new(language, text(language, "reset-subject", &[]));
    Content {
        paragraphs: vec![text(language, "reset-what", &[]), text(language, "reset-how", &[])],
        link: Some(Link { label: text(language, "reset-link", &[]), address: link }),
        footer: Some(text(language, "reset-ignore", &[])),
        ..content
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_bodies_have_the_same_contents_and_the_html_is_escaped() {
        let link = "https://pay.example/dashboard/enrol/abc";
        let message = invitation("en", "<b>Adom</b>", link.to_owned()).render("kofi@example.com");
        assert_eq!(message.subject, "Your invitation to <b>Adom</b>");
        assert!(
            message.text.contains("payments of <b>Adom</b>.") && message.text.contains(link),
            "{}",
            message.text
        );
        assert!(
            message.html.contains("payments of &lt;b&gt;Adom&lt;&#x2f;b&gt;."),
            "{}",
            message.html
        );
        assert!(
            message.html.contains("href=\"https:&#x2f;&#x2f;pay.example&#x2f;"),
            "{}",
            message.html
        );
        let test = test("kofi@example.com", "https://pay.example");
        assert!(
            test.text.contains("https://pay.example can send") && !test.html.contains("href"),
            "{test:?}"
        );
    }

    #[test]
    fn an_unknown_language_is_english_and_a_subject_has_one_line() {
        let message = invitation("tw", "Adom\r\nBcc: all@example.com", String::new())
            .render("kofi@example.com");
        assert_eq!(message.subject, "Your invitation to Adom Bcc: all@example.com");
        assert!(message.html.contains("lang=\"en\""));
        assert!(invitation("fr", "Adom", String::new()).subject.starts_with("Votre invitation"));
    }
}
