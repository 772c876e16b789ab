//! The operator that a payment is pinned to.

use sha2::{Digest, Sha256};
use std::{fmt, fmt::Write as _, str::FromStr};
use tua_contract::Network;

/// The name of an operator in the settings: 1 to 32 of `a-z`, `0-9` and `-`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OperatorName(String);

impl OperatorName {
    /// The name as the settings have it, 1 to 32 characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name as a row has it.
    #[must_use]
    pub fn of_row(text: String) -> Self {
        Self(text)
    }

    /// The name as people write it.
    #[must_use]
    pub fn written(&self) -> &str {
        written_operator_name(&self.0)
    }

    pub(crate) fn of_network(network: Network) -> Self {
        Self(network.as_str().to_ascii_lowercase())
    }
}

impl FromStr for OperatorName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_allowed =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if (1..=32).contains(&text.len()) && text.bytes().all(is_allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err("an operator's name must be 1 to 32 of a-z, 0-9 and -".to_owned())
        }
    }
}

impl fmt::Display for OperatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of an operator as it writes it itself, where the name in the settings is that of the
/// operator. Other names stay as people chose them: they may have two wallets at one operator.
#[must_use]
pub fn written_operator_name(name: &str) -> &str {
    match name {
        SANDBOX => "Test operator",
        "mtn" => "MTN MoMo",
        "telecel" => "Telecel Cash",
        "airteltigo" => "AirtelTigo",
        "hubtel" => "Hubtel",
        "paystack" => "Paystack",
        "pawapay" => "pawaPay",
        _ => name,
    }
}

/// Identifies an operator by connector, environment, base URL and merchant label, but not by name
/// and credentials: an entry can be renamed, and credentials rotate, under pending payments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OperatorFingerprint(String);

impl OperatorFingerprint {
    /// The fingerprint of these parts: the first 16 bytes of a SHA-256, in hexadecimal digits.
    #[must_use]
    pub fn of(parts: &[&str]) -> Self {
        let digest = Sha256::digest(parts.join("\n").as_bytes());
        let hex = digest.iter().take(16).fold(String::new(), |mut hex, byte| {
            // Writing to a text cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        Self(hex)
    }

    /// The 32 hexadecimal digits, in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A fingerprint as a row has it.
    #[must_use]
    pub fn of_row(text: String) -> Self {
        Self(text)
    }
}

/// The name of the sandbox where payments are pinned to it, and its fingerprint, which no digest
/// can be. `advanced_payments.rs` of the store has it too.
pub const SANDBOX: &str = "sandbox";

/// The operator that serves a payment, for good.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PinnedOperator {
    /// Its name in the settings when it was chosen.
    pub name: OperatorName,
    /// Identifies it, also after it was renamed.
    pub fingerprint: OperatorFingerprint,
}

impl PinnedOperator {
    /// The sandbox, as an operator that payments are pinned to
    /// (docs/reference/statements.md#statements-of-the-sandbox).
    #[must_use]
    pub fn sandbox() -> Self {
        Self {
            name: OperatorName(SANDBOX.to_owned()),
            fingerprint: OperatorFingerprint(SANDBOX.to_owned()),
        }
    }

    /// Whether it is the sandbox.
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.fingerprint.0 == SANDBOX
    }

    /// The name as callers of the API see it: `None` for the sandbox, whether or not a payment is
    /// pinned to it.
    #[must_use]
    pub fn public_name(&self) -> Option<&str> {
        if self.is_sandbox() { None } else { Some(self.name.as_str()) }
    }
}
