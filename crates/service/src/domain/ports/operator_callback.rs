//! Operators' callbacks. A callback is a hint: after its verification the operator is asked for the status.

use tua_contract::{Amount, FailureCode};

/// A callback as it arrived, at the secret path of an operator.
#[derive(Clone, Debug)]
pub struct CallbackRequest {
    /// The method in capitals: `POST` or `PUT`.
    pub method: String,
    /// The host that the caller addressed, with its port if there is one; what RFC 9421 calls `@authority`.
    pub authority: String,
    /// The path, with the secret.
    pub path: String,
    /// The headers, names in lower case, in the order of arrival.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The exact bytes of the body.
    pub body: Vec<u8>,
}

impl CallbackRequest {
    /// The first header of this lower-case name, if it is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(found, _)| found == name)?;
        std::str::from_utf8(value).ok()
    }
}

/// Why a callback is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallbackRefusal {
    /// Its signature is missing or wrong.
    WrongSignature,
    /// Its body is not what the operator documents. It is acknowledged, so that it is not repeated, and counted.
    Unreadable,
}

/// A verified callback about an order, on its way to the question about its status.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallbackHint {
    /// Our reference.
    pub reference: String,
    /// The failure that it claims, if any.
    pub claim: Option<FailureClaim>,
}

/// How a callback was verified. The secret path was checked before; this says what else was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verification {
    /// The operator signs nothing, so the secret path is all there is.
    SecretPathAlone,
    /// The operator's signature over the exact bytes is right.
    Signature(SignatureIsRight),
}

/// Proof that a signature was compared and is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignatureIsRight(());

impl SignatureIsRight {
    /// The proof, if the check succeeded.
    ///
    /// # Errors
    /// [`CallbackRefusal::WrongSignature`].
    pub const fn from_check(is_right: bool) -> Result<Self, CallbackRefusal> {
        match is_right {
            true => Ok(Self(())),
            false => Err(CallbackRefusal::WrongSignature),
        }
    }
}

/// A callback after its verification. It cannot be made without saying how it was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedCallback {
    verification: Verification,
    subject: CallbackSubject,
}

impl VerifiedCallback {
    /// A callback about this, verified in this way.
    #[must_use]
    pub const fn new(verification: Verification, subject: CallbackSubject) -> Self {
        Self { verification, subject }
    }

    /// How it was verified.
    #[must_use]
    pub const fn verification(&self) -> Verification {
        self.verification
    }

    /// What it is about.
    #[must_use]
    pub fn into_subject(self) -> CallbackSubject {
        self.subject
    }
}

/// What a callback is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallbackSubject {
    /// An order: ask for its status.
    Order {
        /// Our reference.
        reference: String,
        /// The failure that the callback claims, for an operator whose status has no word for failure, or gives no reason
        /// of one (Hubtel).
        claim: Option<FailureClaim>,
    },
    /// The operator asks whether to execute a transfer (Paystack's approval address).
    Approval {
        /// Our reference.
        reference: String,
        /// The amount that it would transfer.
        amount: Option<Amount>,
    },
    /// A payer disputes a charge: people must look at it.
    Dispute {
        /// Our reference.
        reference: String,
    },
    /// Nothing that concerns a transaction, such as an event of another product.
    Nothing,
}

/// The final failure that a callback claims. The operator's status, read afterwards, decides whether it counts: a decisive
/// claim where the order is still unpaid, every claim where the order failed without a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailureClaim {
    /// The reason.
    pub code: FailureCode,
    /// The amount that the callback names; it must be the order's.
    pub amount: Amount,
    /// Whether it ends an order that the status still reports as pending: the status has no word for failure.
    pub is_decisive: bool,
}
