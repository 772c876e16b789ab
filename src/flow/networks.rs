//! Networks that are down: the payer cannot choose one, and no charge begins on one.

use super::facts::Session;
use super::form::{Form, FormNotice, NetworkChoice, Sending};
use super::state::{Screen, State};
use tua_contract::Network;
use tua_contract::typed_text::ascii_digit;

impl Session {
    /// Whether nobody can pay with this network now.
    #[must_use]
    pub fn is_down(&self, network: Network) -> bool {
        self.down[network as usize]
    }

    /// How a payer who sees no prompt approves, in the words of the network's operator, if it has any in the language
    /// of this tag.
    #[must_use]
    pub fn prompt_instructions(&self, network: Network, tag: &str) -> Option<&str> {
        let language = tag.split('-').next()?;
        let mut texts = self.prompt_instructions[network as usize].iter();
        texts.find(|text| text.language == language).map(|text| text.text.as_str())
    }
}

impl Form {
    /// Whether the screen without a form is shown, because every network is down. It says that no money was taken, so an
    /// attempt in doubt keeps the form.
    #[must_use]
    pub fn is_unusable(&self, session: &Session) -> bool {
        session.down == [true; 3] && self.sending == Sending::Idle && self.unconfirmed.is_none()
    }
}

impl State {
    /// Clears the form's network if it is down, unless it is being charged already. A payer who picked it sees a notice.
    pub(super) fn clear_down_network(&mut self) {
        let Screen::Form(session, form) = &mut self.screen else { return };
        let is_down = form.network.network().is_some_and(|network| session.is_down(network));
        if !is_down || form.sending != Sending::Idle {
            return;
        }
        if matches!(form.network, NetworkChoice::Picked(_)) {
            form.notice = Some(FormNotice::NetworkUnavailable);
        }
        form.network = NetworkChoice::None;
    }
}

/// The network that the prefix of these digits hints at.
pub(super) fn hint(text: &str) -> Option<Network> {
    let digits: String = text.chars().filter_map(ascii_digit).take(9).collect();
    let national = digits.strip_prefix("00233").or_else(|| digits.strip_prefix("233")).unwrap_or(&digits);
    let national = national.strip_prefix('0').unwrap_or(national);
    Network::hinted_by_prefix(&["0", national.get(..2)?].concat())
}
