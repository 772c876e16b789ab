//! What the demo prints once it is served.

use super::super::{context::Common, output};
use crate::cli::fault::Fault;
use serde::Serialize;

/// What is printed where the start has written a history.
const HISTORY_NOTICE: &str =
    "The dashboard shows ninety days of payments. They are made up: no money moved.\n";

/// The addresses of the demo.
#[derive(Serialize)]
pub(super) struct Ready {
    pub(super) shop: String,
    pub(super) api: String,
    pub(super) phone: String,
    /// The dashboard, with a link that signs in once.
    pub(super) dashboard: String,
    /// The emulated operators, of a rehearsal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) operators: Option<String>,
    /// Whether this start has written the history of the shop.
    #[serde(skip)]
    pub(super) has_new_history: bool,
}

impl Ready {
    /// Prints them.
    ///
    /// # Errors
    /// One line: standard output cannot be written.
    pub(super) fn print(&self, common: &Common) -> Result<(), Fault> {
        let text = self.operators.as_ref().map_or_else(|| self.text(), |page| self.rehearsal(page));
        output::print(common, self, &text)
    }

    fn text(&self) -> String {
        let Self { shop, api, phone, dashboard, .. } = self;
        let history = if self.has_new_history { HISTORY_NOTICE } else { "" };
        format!(
            "\n  The shop            {shop}/\n  The simulated phone  {phone}\n  The \
             dashboard        {dashboard} (signs you in once)\n  The \
             API              {api}/v1\n\n\
             Open the shop, pay with 024 123 4567, and approve on the phone next to it.\n\
             {history}\
             No real money moves. Ctrl-C stops everything.\n"
        )
    }

    fn rehearsal(&self, operators: &str) -> String {
        let Self { shop, api, dashboard, .. } = self;
        format!(
            "\n  The shop            {shop}/\n  The operators        {operators}/\n  The \
             dashboard        {dashboard} (signs you in once)\n  The \
             API              {api}/v1\n\n\
             Open the shop and pay with 024 123 4567, or with 024 123 0012 and approve on the \
             operators' page.\n\
             The keys are live, but an emulator stands for the operators: no real money moves. \
             Ctrl-C stops everything.\n"
        )
    }
}
