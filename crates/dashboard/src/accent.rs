//! The fields of an account's accent colour, and the checkout in that colour beside them.

use super::visitor::Visitor;
use axum::{extract::Query, response::Response};
use minijinja::{Value, context};
use serde::Deserialize;
use tua_domain::branding::{Accent, NotAColour, Theme};

/// The colour of a checkout without a colour of the account (www/colours.css).
const USUAL: &str = "#0a6a50";

/// How many characters of the account's name the preview has room for.
const NAME_CHARS: usize = 22;

/// The fields of the form. A browser's colour picker cannot be empty, so the text field decides,
/// unless the picker was moved: then its value differs from the one that the page had.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct AccentFields {
    /// The text field: a colour, or empty for none.
    pub(super) accent: String,
    /// The value of the colour picker.
    pub(super) picked: String,
    /// The value that the page gave the colour picker.
    pub(super) shown: String,
}

impl AccentFields {
    /// What the person has chosen: the moved picker, else the text.
    pub(super) fn chosen(&self) -> &str {
        if self.picked == self.shown { self.accent.trim() } else { self.picked.trim() }
    }

    /// The chosen colour; `None` for the usual one.
    ///
    /// # Errors
    /// [`NotAColour`].
    pub(super) fn read(&self) -> Result<Option<Accent>, NotAColour> {
        match self.chosen() {
            "" => Ok(None),
            text => text.parse().map(Some),
        }
    }
}

/// `GET /settings/accent`: the fields with what is chosen in the form, which is not stored.
pub(super) async fn show(visitor: Visitor, Query(fields): Query<AccentFields>) -> Response {
    let values = context! {
        branding => values(&visitor, fields.chosen()),
        faults => context! { accent => Value::from(()) },
    };
    visitor.page("accent.html", values)
}

/// What the fields and the preview show for a text. A text that is no colour has no preview.
pub(super) fn values(visitor: &Visitor, chosen: &str) -> Value {
    let accent: Option<Accent> = chosen.parse().ok();
    let drawn = if chosen.is_empty() { USUAL.parse().ok() } else { accent };
    context! {
        accent => chosen,
        picker => accent.map_or_else(|| USUAL.to_owned(), |accent| accent.to_string()),
        previews => drawn.map(|accent| {
            [Theme::Light, Theme::Dark].map(|theme| preview(accent, theme))
        }),
        name => visitor.account.name.chars().take(NAME_CHARS).collect::<String>(),
    }
}

/// The colours of a checkout on a page of this theme.
fn preview(accent: Accent, theme: Theme) -> Value {
    let shade = accent.shade(theme);
    context! {
        ground => theme.ground().to_string(),
        ink => theme.ink().to_string(),
        accent => shade.to_string(),
        text => shade.text().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picker_decides_only_if_it_was_moved() {
        let fields = |accent: &str, picked: &str, shown: &str| AccentFields {
            accent: accent.to_owned(),
            picked: picked.to_owned(),
            shown: shown.to_owned(),
        };
        assert_eq!(fields(" #112233 ", USUAL, USUAL).chosen(), "#112233");
        assert_eq!(fields("", USUAL, USUAL).read(), Ok(None));
        assert_eq!(fields("", "#445566", USUAL).read(), Ok("#445566".parse().ok()));
        assert_eq!(fields("#112233", "#445566", "#112233").chosen(), "#445566");
        assert_eq!(fields("teal", USUAL, USUAL).read(), Err(NotAColour));
        // A form of a client without the picker.
        assert_eq!(
            AccentFields { accent: "#112233".to_owned(), ..AccentFields::default() }.chosen(),
            "#112233"
        );
    }
}
