//! The recipient of a transfer, as Paystack names one: a code, an id, or the published object with
//! both and the wallet.

use super::{
    members::{is_compound, plain},
    wire::{CURRENCY, bank_code},
};
use serde_json::{Map, Value};
use tua_contract::{Network, Phone};

/// The recipient that a body names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NamedRecipient {
    /// The body names none.
    Unnamed,
    /// A wallet, and nothing else.
    Wallet(NamedWallet),
    /// A recipient of Paystack's, and its wallet where the body has it.
    Registered {
        /// Its code, or its id.
        code: String,
        /// The wallet of its details; `None` where the body has no details.
        wallet: Option<NamedWallet>,
    },
    /// Something that is no wallet in Ghana, or not in the published form.
    Other,
}

/// A wallet; its network is `None` where it is not named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NamedWallet {
    pub(super) phone: Phone,
    pub(super) network: Option<Network>,
}

/// The type of recipients that are wallets.
pub(super) const MOBILE_MONEY: &str = "mobile_money";

/// The published members of a recipient's details.
const DETAILS: [&str; 5] =
    ["authorization_code", "account_number", "account_name", "bank_code", "bank_name"];

/// Published members of one recipient that is read: its account number and its bank again.
const RECIPIENT_ACCOUNT: &str = "recipient_account";
const INSTITUTION_CODE: &str = "institution_code";

/// Published members of a recipient that are objects, and contain nothing about its wallet.
const DOCUMENTED: [&str; 2] = ["integration", "metadata"];

/// Whether a member with this plain name may identify who gets the money.
pub(super) fn is_about_recipient(plain: &str) -> bool {
    const PARTS: [&str; 10] = [
        "accountno",
        "accountnumber",
        "bankcode",
        "beneficiary",
        "destination",
        "mobile",
        "msisdn",
        "phone",
        "recipient",
        "wallet",
    ];
    PARTS.iter().any(|part| plain.contains(part))
}

/// A member that is there and not null.
pub(super) fn given<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    members.get(name).filter(|value| !value.is_null())
}

impl NamedRecipient {
    /// Reads what stands for the recipient. `domain` is Paystack's word for the mode of the secret
    /// key.
    pub(super) fn read(recipient: &Value, domain: &str) -> Self {
        match recipient {
            Value::Null => Self::Unnamed,
            Value::String(code) => Self::registered(code, None),
            Value::Number(id) if id.is_u64() => Self::registered(&id.to_string(), None),
            Value::Object(members) => Self::published(members, domain).unwrap_or(Self::Other),
            Value::Number(_) | Value::Bool(_) | Value::Array(_) => Self::Other,
        }
    }

    /// A code becomes a part of a path.
    fn registered(code: &str, wallet: Option<NamedWallet>) -> Self {
        let is_code = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
        if !code.is_empty() && code.chars().all(is_code) {
            Self::Registered { code: code.to_owned(), wallet }
        } else {
            Self::Other
        }
    }

    /// The published object. `None` where it has another form, or is no wallet.
    fn published(members: &Map<String, Value>, domain: &str) -> Option<Self> {
        let is_published = |(name, value): (&String, &Value)| match name.as_str() {
            _ if value.is_null() => true,
            "type" => *value == MOBILE_MONEY,
            "currency" => *value == CURRENCY,
            "domain" => *value == domain,
            "recipient_code" | RECIPIENT_ACCOUNT | INSTITUTION_CODE => value.is_string(),
            "details" => value.is_object(),
            other if is_about_recipient(&plain(other)) => false,
            other => !is_compound(value) || DOCUMENTED.contains(&other),
        };
        members.iter().all(is_published).then_some(())?;
        let wallet = match given(members, "details") {
            Some(details) => NamedWallet::read(details.as_object()?).ok()?,
            None => None,
        };
        is_repeated(members, wallet.as_ref()).then_some(())?;
        match (given(members, "recipient_code"), given(members, "id"), wallet) {
            (Some(code), _, wallet) => Some(Self::registered(code.as_str()?, wallet)),
            (None, _, Some(wallet)) => Some(Self::Wallet(wallet)),
            (None, Some(id), None) => id.is_u64().then(|| Self::registered(&id.to_string(), None)),
            (None, None, None) => None,
        }
    }
}

/// Whether the members that repeat the details, where they are given, name the same wallet.
fn is_repeated(members: &Map<String, Value>, wallet: Option<&NamedWallet>) -> bool {
    let account = given(members, RECIPIENT_ACCOUNT).map(|number| {
        let phone = number.as_str().and_then(|digits| Phone::parse(digits).ok());
        phone.is_some() && phone == wallet.map(|wallet| wallet.phone.clone())
    });
    let institution = given(members, INSTITUTION_CODE).map(|code| {
        let network = code.as_str().and_then(network_of);
        network.is_some() && network == wallet.and_then(|wallet| wallet.network)
    });
    account.unwrap_or(true) && institution.unwrap_or(true)
}

/// Details that are no wallet in Ghana, or have another than the published form.
struct NoWallet;

impl NamedWallet {
    /// The wallet of a recipient's details; `None` where they name none.
    fn read(details: &Map<String, Value>) -> Result<Option<Self>, NoWallet> {
        let is_published = |(name, value): (&String, &Value)| {
            value.is_null() || DETAILS.contains(&name.as_str()) && !is_compound(value)
        };
        if !details.iter().all(is_published) {
            return Err(NoWallet);
        }
        let network = match given(details, "bank_code").map(Value::as_str) {
            Some(code) => Some(code.and_then(network_of).ok_or(NoWallet)?),
            None => None,
        };
        match given(details, "account_number").map(Value::as_str) {
            Some(digits) => {
                let phone = digits.and_then(|digits| Phone::parse(digits).ok()).ok_or(NoWallet)?;
                Ok(Some(Self { phone, network }))
            }
            None if network.is_some() => Err(NoWallet),
            None => Ok(None),
        }
    }
}

fn network_of(code: &str) -> Option<Network> {
    Network::ALL.into_iter().find(|network| bank_code(*network) == code)
}
