//! The page after a form about money whose outcome is not known, because the store failed. It sends
//! the same form with the same key, so that it is executed once. A new form would have a new key,
//! and could move the money twice.

use super::{error::DashboardError, visitor::Visitor};
use axum::response::Response;
use minijinja::context;

/// A form that is executed once, however often it is sent.
#[derive(Debug)]
pub(super) struct RepeatableForm<'a> {
    /// Where it is sent, below the account and mode of the page.
    pub(super) action: String,
    /// How the browser encodes it.
    pub(super) media_type: &'static str,
    /// Every field, with the one that makes repetitions safe.
    pub(super) fields: Vec<(&'static str, &'a str)>,
    /// Where the person sees what was recorded, below the account and mode of the page.
    pub(super) records: String,
}

impl RepeatableForm<'_> {
    /// The response, or the page with the same form if the store failed.
    pub(super) fn or_form_again(
        self,
        visitor: &Visitor,
        response: Result<Response, DashboardError>,
    ) -> Result<Response, DashboardError> {
        let Err(DashboardError::Failed(status)) = response else { return response };
        let fields =
            self.fields.iter().map(|(name, value)| context! { name => *name, value => *value });
        let values = context! {
            action => visitor.href(&self.action),
            media_type => self.media_type,
            fields => fields.collect::<Vec<_>>(),
            records => visitor.href(&self.records),
        };
        Ok(visitor.page_with(status, "repeatable_form.html", values))
    }
}
