//! The values of cells: numbers, networks and amounts as people and spreadsheet programs write
//! them.

use super::LineFault;
use crate::table_file::{DecimalSign, Sum, SumFault, restored_integer, typed_number};
use tua_contract::{Amount, Network, Phone, typed_text::is_invisible};
use tua_use_cases::payees::NAME_MAX_CHARS;

/// Whether a name of a network is taken that is not exactly one of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetworkNames {
    /// `MTN`, `TELECEL` and `AIRTELTIGO` in any case.
    Exact,
    /// Also usual names such as `AT Money`, and none where the number shows its network: a person
    /// sees the reading and confirms it.
    Confirmed,
}

/// A network that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ReadNetwork {
    pub(super) network: Network,
    pub(super) source: NetworkSource,
}

/// Where the network of a line comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NetworkSource {
    /// The cell has its name.
    Name,
    /// The cell has another name of it.
    OtherName,
    /// The cell has none, so it is the network of the number's prefix.
    Prefix,
}

/// A number in the usual spellings. What a spreadsheet program has made of it is repaired where
/// only one number is possible.
pub(super) fn phone(text: &str) -> Result<Phone, LineFault> {
    let typed = typed_number(text);
    // An apostrophe marks a cell as text.
    let typed = typed.trim_start_matches('\'').trim_start();
    let number = restored_integer(typed).map_err(|_| LineFault::PhoneShortened)?;
    let begins_as_number = number.starts_with(|first: char| first == '+' || first.is_ascii_digit());
    if number.contains(['e', 'E']) && begins_as_number {
        return Err(LineFault::PhoneShortened);
    }
    // A decimal number, and a negative one, are no spellings of a phone number.
    if number.contains('.') || number.starts_with('-') {
        return Err(LineFault::PhoneDecimal);
    }
    Phone::parse_typed(&number).map_err(|_| LineFault::Phone)
}

/// The network of a cell. Where the cell is empty and a person confirms the reading, it is the one
/// to which the prefix of the number belongs.
///
/// # Errors
/// [`LineFault::Network`] and [`LineFault::NetworkName`]; the fault of the number where it should
/// show the network.
pub(super) fn network(
    text: &str,
    names: NetworkNames,
    number: Result<&Phone, LineFault>,
) -> Result<ReadNetwork, LineFault> {
    let seen: String = text.chars().filter(|one| !is_invisible(*one)).collect();
    let is_separator =
        |one: char| one.is_whitespace() || matches!(one, '-' | '_' | '.' | '/' | '(' | ')' | '\'');
    let name: String = seen.chars().filter(|one| !is_separator(*one)).collect();
    let name = name.to_ascii_uppercase();
    let read = |network, source| Ok(ReadNetwork { network, source });
    if name.is_empty() && names == NetworkNames::Confirmed {
        let network = Network::hinted_by(number?).ok_or(LineFault::Network)?;
        return read(network, NetworkSource::Prefix);
    }
    if let Some(network) = Network::parse(&name) {
        return read(network, NetworkSource::Name);
    }
    // "MoMo" is what people call every wallet, and other letters may be another name.
    let is_known = name != "MOMO" && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match (Network::meant_by(&name).filter(|_| is_known), names) {
        (Some(network), NetworkNames::Confirmed) => read(network, NetworkSource::OtherName),
        (Some(network), NetworkNames::Exact) => Err(LineFault::NetworkName(network)),
        (None, _) => Err(LineFault::Network),
    }
}

/// Cedis in any notation that means one sum.
pub(super) fn amount(text: &str, sign: DecimalSign) -> Result<Amount, LineFault> {
    let sum = Sum::parse(text.trim_start_matches('\''), sign).map_err(|fault| match fault {
        SumFault::NotASum => LineFault::Amount,
        SumFault::Ambiguous => LineFault::AmountSeparator,
        SumFault::Shortened => LineFault::AmountShortened,
    })?;
    // A payout has no direction: with a sign it may be a correction.
    let positive = Some(sum.pesewas).filter(|_| sum.direction.is_none());
    positive.and_then(|pesewas| Amount::from_pesewas(pesewas).ok()).ok_or(LineFault::Amount)
}

/// A text of at most so many characters; `None` where there is none.
pub(super) fn text(
    text: &str,
    max_chars: usize,
    fault: LineFault,
) -> Result<Option<String>, LineFault> {
    let line = one_line(text);
    if line.chars().count() > max_chars || line.contains(char::is_control) {
        return Err(fault);
    }
    Ok((!line.is_empty()).then_some(line))
}

/// The name of a recipient without control characters, cut to the length that is stored. It only
/// helps people, so it is never a fault. `None` where there is none.
pub(super) fn recipient_name(text: &str) -> Option<String> {
    let line = one_line(text);
    let name: String = line.chars().filter(|one| !one.is_control()).take(NAME_MAX_CHARS).collect();
    let name = name.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// A cell of a sheet may have line ends, which no recipient's phone shows.
fn one_line(text: &str) -> String {
    let parts = text.split(['\r', '\n']).map(str::trim).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(" ")
}
