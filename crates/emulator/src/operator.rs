//! The operators whose protocols are emulated, and the kinds of calls that they receive.

use std::fmt;

/// An operator whose wire protocol the emulator implements, identified by its name. The folder of
/// each operator defines its constant, such as [`Operator::MTN_MOMO`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Operator(&'static str);

impl Operator {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name in `/orders`, in flags and as the first segment of the path: `mtn-momo`,
    /// `paystack`, `pawapay`, `hubtel`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The purpose of a call. Faults are set, and requests are counted, by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Call {
    /// Issues an access token (MTN only).
    Token,
    /// Begins a charge of a wallet.
    Send,
    /// Submits a one-time code or a voucher (Paystack only).
    Code,
    /// Reads the status of a charge, a payout or a refund.
    Status,
    /// Begins a payout to a wallet.
    Payout,
    /// Begins a refund of a charge.
    Refund,
    /// Everything else: balances, names, recipients, settings, statements.
    Other,
    /// A callback from the operator to the merchant.
    Callback,
}

impl Call {
    /// All kinds, in the order of the page.
    pub const ALL: [Self; 8] = [
        Self::Token,
        Self::Send,
        Self::Code,
        Self::Status,
        Self::Payout,
        Self::Refund,
        Self::Other,
        Self::Callback,
    ];

    /// The name in flags and forms: `token`, `send`, `code`, `status`, `payout`, `refund`, `other`,
    /// `callback`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Send => "send",
            Self::Code => "code",
            Self::Status => "status",
            Self::Payout => "payout",
            Self::Refund => "refund",
            Self::Other => "other",
            Self::Callback => "callback",
        }
    }

    /// Parses the name that [`Self::as_str`] returns.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|call| call.as_str() == name)
    }
}
