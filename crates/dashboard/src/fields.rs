//! The fields of a posted form.

use super::{
    error::{DashboardError, safe_return},
    state::DashboardState,
};
use axum::extract::{FromRequest, Request};
use jiff::civil::Date;
use tua_contract::plain_text::visible;
use tua_web::http::read_body;
use url::form_urlencoded;

/// What the names of fields with credentials begin with. A form with such a field is never kept in
/// a cookie.
pub(super) const CREDENTIAL_PREFIX: &str = "credential.";

/// The fields of a form in the order in which the browser sent them.
#[derive(Debug)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Fields that were kept.
    pub(super) const fn kept(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    /// The first field with this name; empty if there is none.
    pub(super) fn get(&self, name: &str) -> &str {
        self.all(name).next().unwrap_or_default()
    }

    /// The first field with this name, without the invisible characters that a copied text may
    /// have and without white space around it: for a field that is parsed.
    pub(super) fn visible(&self, name: &str) -> String {
        visible(self.get(name))
    }

    /// The field with this credential; empty if there is none.
    pub(super) fn credential(&self, key: &str) -> &str {
        self.get(&format!("{CREDENTIAL_PREFIX}{key}"))
    }

    /// Whether the form was made from this version of what it changes, so that nobody has changed
    /// it since the person saw it.
    pub(super) fn has_version(&self, version: u32) -> bool {
        self.get("version").parse() == Ok(version)
    }

    /// Where the person goes on: the path of the field `return`, or the dashboard's own.
    pub(super) fn return_path(&self) -> &str {
        safe_return(self.get("return")).unwrap_or("/dashboard")
    }

    /// Every field with this name, such as the chosen check boxes.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(one, _)| one == name).map(|(_, value)| value.as_str())
    }
}

/// The day that a person typed or chose; `None` if the text is none.
pub(super) fn typed_day(text: &str) -> Option<Date> {
    visible(text).parse().ok()
}

impl FromRequest<DashboardState> for Fields {
    type Rejection = DashboardError;

    async fn from_request(
        request: Request,
        state: &DashboardState,
    ) -> Result<Self, DashboardError> {
        let bytes = read_body(request, state.body_timeout)
            .await
            .map_err(|error| DashboardError::UnreadableForm(error.status()))?;
        Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()))
    }
}
