//! What can be wrong with a file of payouts, and with its lines.

/// Why a file is no file of payouts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FileFault {
    /// Its bytes are not UTF-8.
    NotUtf8,
    /// It is not CSV.
    NotCsv,
    /// The first line does not name the columns.
    NoHeader,
    /// Two columns have one name.
    ColumnTwice,
    /// It has more lines than a batch may have.
    TooMany,
    /// It has no lines.
    Empty,
}

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LineFault {
    /// No mobile number of Ghana.
    Phone,
    /// A number that a spreadsheet program has shortened, such as `2.33E+11`.
    PhoneShortened,
    /// No network.
    Network,
    /// No amount.
    Amount,
    /// An amount with a comma, which may be a decimal sign or a separator.
    AmountComma,
    /// A reference that is too long.
    Reference,
    /// A note that is too long.
    Note,
    /// More than one payout of the account may be.
    Limit,
    /// Outside what the operators pay out at once.
    AmountRange,
    /// No operator takes payouts to the network now.
    NoOperator,
    /// The network is retired.
    NetworkEnded,
}

impl FileFault {
    /// Its name, and what it means, in the words of the command line. The dashboard has texts under these names.
    pub(crate) const fn code_and_explanation(self) -> (&'static str, &'static str) {
        match self {
            Self::NotUtf8 => ("not-utf8", "it is not in UTF-8; save it as \"CSV UTF-8\""),
            Self::NotCsv => ("not-csv", "it is not CSV"),
            Self::NoHeader => ("no-header", "the first line must name the columns phoneNumber, network and amount"),
            Self::ColumnTwice => ("column-twice", "two columns have the same name"),
            Self::TooMany => ("too-many", "it has more than 1000 lines; divide it"),
            Self::Empty => ("empty", "it has no lines"),
        }
    }
}

impl LineFault {
    /// As [`FileFault::code_and_explanation`].
    pub(crate) const fn code_and_explanation(self) -> (&'static str, &'static str) {
        match self {
            Self::Phone => ("phone", "this is no mobile number of Ghana"),
            Self::PhoneShortened => (
                "phone-shortened",
                "a spreadsheet program has shortened this number, and its last digits are lost; format the column as text",
            ),
            Self::Network => ("network", "the network must be MTN, TELECEL or AIRTELTIGO"),
            Self::Amount => {
                ("amount", "the amount must be more than 0 and at most 1000000000, with at most 2 decimals")
            }
            Self::AmountComma => ("amount-comma", "write the amount with a point and without commas, such as 1234.50"),
            Self::Reference => ("reference", "the reference may have at most 64 characters"),
            Self::Note => ("note", "the note may have at most 160 characters"),
            Self::Limit => ("limit", "it is more than one payout of this account may be"),
            Self::AmountRange => ("amount-range", "it is outside what the operators pay out at once"),
            Self::NetworkEnded => {
                ("network-ended", "this network has ended; ask the recipient which network the number is with now")
            }
            Self::NoOperator => ("no-operator", "no operator takes payouts to this network now; see --config"),
        }
    }
}
