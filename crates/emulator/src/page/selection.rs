//! Which orders the page shows, from its address.

use serde::{Deserialize, Serialize};

/// What the page shows, from its address.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Selection {
    /// The name of one operator; empty for all.
    pub(super) operator: String,
    /// One state; empty for all.
    pub(super) state: String,
    /// From 1, newest orders first.
    pub(super) page: usize,
    /// `off` stops the reloading.
    pub(super) refresh: String,
}

/// The page's address with this selection.
pub(super) fn address(selection: &Selection) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let page = if selection.page > 1 { selection.page.to_string() } else { String::new() };
    let parts = [("operator", &selection.operator), ("state", &selection.state), ("page", &page)];
    for (name, value) in parts.into_iter().chain([("refresh", &selection.refresh)]) {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    let query = query.finish();
    if query.is_empty() { "/".to_owned() } else { format!("/?{query}") }
}
