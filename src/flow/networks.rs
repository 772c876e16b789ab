//! Networks that are down: the payer cannot choose one, and no charge begins on one.

use super::facts::Session;
use super::form::{Form, FormRequestState, NetworkChoice};
use super::notice::FormNotice;
use super::state::{Screen, State};
use tua_contract::Network;
use tua_contract::typed_text::ascii_digit;

impl Session {
    /// Whether nobody can pay with this network now.
    #[must_use]
    pub fn is_down(&self, network: Network) -> bool {
        self.down[network as usize]
    }

    /// Whether the network has ended, so that nobody can ever pay with it again.
    #[must_use]
    pub fn has_ended(&self, network: Network) -> bool {
        self.ended[network as usize]
    }

    /// How a payer who sees no prompt approves, in the words of the network's operator, if it has
    /// any in the language of this tag.
    #[must_use]
    pub fn prompt_instructions(&self, network: Network, tag: &str) -> Option<&str> {
        let language = tag.split('-').next()?;
        let mut texts = self.prompt_instructions[network as usize].iter();
        texts.find(|text| text.language == language).map(|text| text.text.as_str())
    }
}

impl Form {
    /// Whether the screen without a form is shown, because every network is down. It says that no
    /// money was taken, so an attempt in doubt keeps the form.
    #[must_use]
    pub fn is_unusable(&self, session: &Session) -> bool {
        session.down == [true; 3]
            && self.sending == FormRequestState::Idle
            && self.unconfirmed.is_none()
    }
}

impl State {
    /// Clears the form's network if it is down, unless it is being charged already. A payer who
    /// picked it sees a notice, and so does one whose number hints at a network that has ended: the
    /// number goes on with another network.
    pub(super) fn clear_down_network(&mut self) {
        let Screen::Form(session, form) = &mut self.screen else { return };
        let down = form.network.network().filter(|network| session.is_down(*network));
        let Some(network) = down.filter(|_| form.sending == FormRequestState::Idle) else { return };
        if session.has_ended(network) {
            form.notice = Some(FormNotice::NetworkEnded);
        } else if matches!(form.network, NetworkChoice::Picked(_)) {
            form.notice = Some(FormNotice::NetworkUnavailable);
        }
        form.network = NetworkChoice::None;
    }
}

/// The network that the prefix of these digits hints at.
pub(super) fn hint(text: &str) -> Option<Network> {
    let digits: String = text.chars().filter_map(ascii_digit).take(10).collect();
    // Nine digits are a number without its 0, which may begin with 233.
    let is_national = digits.len() == 9 && !text.contains('+');
    let code = if is_national { "00233" } else { "233" };
    let national =
        digits.strip_prefix("00233").or_else(|| digits.strip_prefix(code)).unwrap_or(&digits);
    let national = national.strip_prefix('0').unwrap_or(national);
    Network::hinted_by_prefix(&["0", national.get(..2)?].concat())
}
