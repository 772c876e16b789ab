//! What a person may change of one operator on the page, besides its orders.

use serde::Serialize;

/// A form of the page that belongs to one operator.
#[derive(Debug, Serialize)]
pub(crate) struct Control {
    /// The heading.
    pub(crate) title: &'static str,
    /// What is not as usual at present.
    pub(crate) states: Vec<ControlState>,
    /// The choices. Each has a name of its own in the form.
    pub(crate) choices: Vec<Choice>,
    /// The label of the button.
    pub(crate) button: &'static str,
}

/// A thing that is not as usual, and how it is.
#[derive(Debug, Serialize)]
pub(crate) struct ControlState {
    pub(crate) subject: String,
    pub(crate) state: &'static str,
}

/// A choice of one of several words.
#[derive(Debug, Serialize)]
pub(crate) struct Choice {
    pub(crate) label: &'static str,
    pub(crate) name: &'static str,
    pub(crate) options: Vec<&'static str>,
}

/// The words that a person chose, by the names of the choices.
#[derive(Debug)]
pub(crate) struct Chosen(pub(crate) Vec<(String, String)>);

impl Chosen {
    /// The word of a choice; empty if there is none.
    pub(crate) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(chosen, _)| chosen == name);
        found.map_or("", |(_, word)| word)
    }
}
