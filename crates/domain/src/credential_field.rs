//! The fields of the form in which a person types the credentials of an operator.

/// A connector that people can choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConnectorForm {
    /// The connector's name in the settings: `mtn-momo`.
    pub connector: &'static str,
    /// The operator's own name, for people.
    pub title: &'static str,
    /// The fields, in the order of the form.
    pub fields: &'static [CredentialField],
}

/// A field of the form. Its key is that of the setting: `api-key`, or `collection.user` in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CredentialField {
    /// The setting, with a point before the key in a table.
    pub key: &'static str,
    /// What a person types into the field.
    pub kind: CredentialKind,
    /// Whether the form is incomplete without it. A table of which nothing is typed is left out.
    pub need: FieldNeed,
}

/// What is typed into a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CredentialKind {
    /// A text that the page may show again.
    Text,
    /// A secret of one line, which the page never shows.
    Secret,
    /// A secret of several lines, such as a key in PEM, which the page never shows.
    SecretLines,
    /// One of these values; the first one unless another is chosen.
    Choice(&'static [&'static str]),
    /// A switch that is on or off.
    Flag,
}

/// Whether a field must be filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldNeed {
    /// No operator works without it.
    Required,
    /// Only if another field of its table is.
    WithItsTable,
    /// It may be empty.
    Optional,
}

impl CredentialKind {
    /// Whether a page must never show the value.
    #[must_use]
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::Secret | Self::SecretLines)
    }
}

/// What is wrong with a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CredentialFault {
    /// The key of the field; of a table if it is about the whole table.
    pub key: String,
    /// What is wrong, as a part of a sentence in English: "is required".
    pub fault: String,
}
