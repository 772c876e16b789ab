//! The columns of a file of payouts.

use super::{FileFault, LineFault, NetworkNames};
use crate::table_file::{Cell, Header, Record};

/// Where each column is.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) phone: usize,
    /// `None` where each network is that of its number.
    pub(super) network: Option<usize>,
    pub(super) amount: usize,
    pub(super) reference: Option<usize>,
    pub(super) note: Option<usize>,
    pub(super) name: Option<usize>,
}

/// The usual names of a column, in lower case and without separators. Names of a later list count
/// only where the file has none of an earlier one: our own exports have the columns `network` and
/// `operator`.
type Names = &'static [&'static [&'static str]];

const PHONE: Names = &[&[
    "phonenumber",
    "phone",
    "phoneno",
    "number",
    "msisdn",
    "mobile",
    "mobilenumber",
    "mobileno",
    "mobilephone",
    "mobilemoneynumber",
    "telephone",
    "telephonenumber",
    "tel",
    "contact",
    "wallet",
    "walletnumber",
    "momonumber",
    "momo",
    "recipientnumber",
    "recipientphone",
    "recipientphonenumber",
    "beneficiarynumber",
    "beneficiaryphone",
    "payeenumber",
    "numero",
    "numerodetelephone",
    "beneficiairenumero",
]];
const NETWORK: Names = &[
    &["network", "telco", "mno", "networkname", "mobilenetwork", "telconame", "reseau"],
    &[
        "operator",
        "provider",
        "channel",
        "carrier",
        "walletprovider",
        "serviceprovider",
        "wallettype",
        "operateur",
    ],
];
/// Words of names of columns with a network.
const NETWORK_WORDS: &[&str] =
    &["network", "reseau", "telco", "telecom", "operat", "provider", "carrier"];
const AMOUNT: Names = &[&[
    "amount",
    "amountghs",
    "amountghc",
    "amountgh",
    "amountcedis",
    "amountincedis",
    "sum",
    "montant",
]];
const REFERENCE: Names = &[&["reference", "ref", "referencenumber", "referenceno"]];
const NOTE: Names = &[&["payeenote", "note", "narration", "narrative", "motif"]];
const NAME: Names = &[&[
    "name",
    "fullname",
    "recipient",
    "recipientname",
    "beneficiary",
    "beneficiaryname",
    "payee",
    "payeename",
    "customername",
    "nom",
    "beneficiaire",
]];

impl Columns {
    /// Finds the columns in a header. Where a person confirms the networks, none needs to be named.
    ///
    /// # Errors
    /// [`FileFault::ColumnTwice`]; [`FileFault::MissingColumns`] with all that are missing.
    pub(super) fn find(header: &Header, names: NetworkNames) -> Result<Self, FileFault> {
        let find = |names| find(header, names);
        let phone = find(PHONE)?;
        let network = find(NETWORK)?;
        let amount = find(AMOUNT)?;
        // A network that the file names in words of its own must not be taken from the prefix.
        let has_unread_network = names_network(header);
        let lacks_network =
            network.is_none() && (names == NetworkNames::Exact || has_unread_network);
        let (Some(phone), Some(amount), false) = (phone, amount, lacks_network) else {
            let required = [
                ("phoneNumber", phone.is_none()),
                ("network", lacks_network),
                ("amount", amount.is_none()),
            ];
            let missing = required.iter().filter(|(_, is_missing)| *is_missing);
            let missing = missing.map(|(name, _)| *name).collect();
            return Err(FileFault::MissingColumns { missing, found: header.found() });
        };
        Ok(Self {
            phone,
            network,
            amount,
            reference: find(REFERENCE)?,
            note: find(NOTE)?,
            name: find(NAME)?,
        })
    }
}

/// The column with one of these names.
fn find(header: &Header, names: Names) -> Result<Option<usize>, FileFault> {
    for names in names {
        let found =
            header.column(|name| names.contains(&&*plain(name))).map_err(FileFault::ColumnTwice)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// Whether the name of a column is about networks.
fn names_network(header: &Header) -> bool {
    let is_about_networks = |name: &str| {
        let name = plain(name);
        NETWORK_WORDS.iter().any(|word| name.contains(word))
    };
    !matches!(header.column(is_about_networks), Ok(None))
}

/// A name of a column without separators and accents, in lower case.
fn plain(name: &str) -> String {
    let letters = name.chars().map(without_accent);
    letters.filter(char::is_ascii_alphanumeric).map(|one| one.to_ascii_lowercase()).collect()
}

/// The letter without the accent that French names of columns have.
const fn without_accent(letter: char) -> char {
    match letter {
        'é' | 'è' | 'ê' | 'É' | 'È' | 'Ê' => 'e',
        other => other,
    }
}

/// The text of a column.
///
/// # Errors
/// [`LineFault::Cell`] where it has no value.
pub(super) fn value<'a>(
    record: &'a Record<'_>,
    column: Option<usize>,
) -> Result<&'a str, LineFault> {
    let at = |fault| LineFault::Cell { column: column.map_or(0, |index| index + 1), fault };
    cell(record, column).value().map_err(at)
}

/// The cell of a column, or an empty one where the file has no such column.
pub(super) fn cell<'a>(record: &'a Record<'_>, column: Option<usize>) -> &'a Cell<'a> {
    match column {
        Some(column) => record.cell(column),
        None => Cell::missing(),
    }
}
