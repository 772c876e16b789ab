//! The form for the phone number and the network, and the state of its request.

use super::effect::Focus;
use super::networks::hint;
use super::notice::FormNotice;
use tua_contract::phone::PhoneError;
use tua_contract::{Network, Phone};

/// The stored length of the phone field, in characters. A pasted text can have any size, and each
/// change renders it again. It is one more than [`Phone::parse_typed`] reads, so a number that was
/// cut is refused.
const PHONE_MAX_CHARS: usize = 65;

/// What the payer entered, its faults, and the state of the request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Form {
    /// The phone number, as typed.
    pub phone: String,
    /// The network that the charge will use, if there is one yet.
    pub network: NetworkChoice,
    /// The fault of the phone number.
    pub phone_fault: Option<PhoneError>,
    /// Whether the form was submitted without a network.
    pub network_fault: bool,
    /// The notice above the button.
    pub notice: Option<FormNotice>,
    /// The state of the form's request.
    pub sending: FormRequestState,
    /// An attempt whose result is not known. The same number and network reuse its idempotency key.
    pub(super) unconfirmed: Option<Attempt>,
}

/// The network, and who chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NetworkChoice {
    /// No network is chosen.
    #[default]
    None,
    /// The prefix of the number suggests this network.
    Hinted(Network),
    /// The payer chose this network. A prefix does not change it.
    Picked(Network),
}

/// The state of the form's request.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum FormRequestState {
    /// No request is in progress.
    #[default]
    Idle,
    /// The payer pressed Pay before the session was read. The charge is sent after that.
    Queued,
    /// The charge request is in progress.
    Charge(Attempt),
    /// The charge request got no usable response. The session is being read, which shows whether
    /// the charge exists.
    Checking {
        /// The attempt whose result is not known.
        attempt: Attempt,
        /// The number of failed requests for the session.
        failures: u32,
    },
}

/// One intended payment. A repeated request has the same idempotency key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    pub(super) number: u32,
    pub(super) phone: Phone,
    pub(super) network: Network,
    pub(super) payer_pays: String,
    /// Whether the request was repeated.
    pub(super) is_resent: bool,
}

impl NetworkChoice {
    /// The network, hinted or picked.
    #[must_use]
    pub const fn network(self) -> Option<Network> {
        match self {
            Self::None => None,
            Self::Hinted(network) | Self::Picked(network) => Some(network),
        }
    }
}

impl Form {
    /// Sets the text of the phone field, and the network that its prefix hints at.
    pub(super) fn type_phone(&mut self, text: String) {
        if !matches!(self.network, NetworkChoice::Picked(_)) {
            self.network = hint(&text).map_or(NetworkChoice::None, NetworkChoice::Hinted);
        }
        self.network_fault &= self.network == NetworkChoice::None;
        self.phone_fault = None;
        self.phone = text.chars().take(PHONE_MAX_CHARS).collect();
    }

    /// Sets the network that the payer chose.
    pub(super) fn pick(&mut self, network: Network) {
        self.network = NetworkChoice::Picked(network);
        self.network_fault = false;
        self.notice = None;
    }

    /// Sets what the form shows. If it shows no network, or one that only the number before has
    /// suggested, the prefix suggests one.
    pub(super) fn fill(&mut self, phone: String, network: Option<Network>) {
        let before = self.network;
        self.type_phone(phone);
        if let Some(shown) = network {
            // A hint stays a hint, so that another prefix can replace it.
            if self.network.network() != network && before != NetworkChoice::Hinted(shown) {
                self.network = NetworkChoice::Picked(shown);
            }
        }
    }

    /// The form's content. Sets every fault. `is_network_shown`: whether the payer has seen the
    /// network.
    ///
    /// # Errors
    /// The field with the first fault.
    pub(super) fn parse(&mut self, is_network_shown: bool) -> Result<(Phone, Network), Focus> {
        let phone = Phone::parse_typed(&self.phone);
        let network = self.network.network().filter(|_| is_network_shown);
        self.phone_fault = phone.as_ref().err().copied();
        self.network_fault = network.is_none();
        match (phone, network) {
            (Ok(phone), Some(network)) => Ok((phone, network)),
            (Err(_), _) => Err(Focus::Phone),
            (Ok(_), None) => Err(Focus::Network),
        }
    }
}
