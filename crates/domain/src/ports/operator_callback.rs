//! Operators' callbacks. A callback is a hint: after its verification the operator is asked for the
//! status.

use crate::{Kind, Transaction};
use tua_contract::{Amount, FailureCode, Network, Phone};

/// Why a callback is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallbackRefusal {
    /// Its signature is missing or wrong.
    WrongSignature,
    /// Its body is not what the operator documents. It is acknowledged, so that it is not repeated,
    /// and counted.
    Unreadable,
    /// It is, or may be, a question whether to execute transfers, and is not about exactly one. It
    /// is answered with a refusal: an acknowledgement would approve what it is about.
    UnclearQuestion,
}

/// A reason to ask the operator of an order for its status now: a verified callback of this very
/// operator, or a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallbackHint {
    /// Our [`Order::reference`](super::Order::reference) of the order to ask about.
    pub reference: String,
}

/// How a callback was verified. The secret path was checked before, in addition to this.
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
        if is_right { Ok(Self(())) } else { Err(CallbackRefusal::WrongSignature) }
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
        /// Our reference of the order, as the callback names it.
        reference: String,
        /// The failure that the callback claims, for an operator whose status has no word for
        /// failure, or gives no reason of one (Hubtel).
        claim: Option<FailureClaim>,
    },
    /// The operator asks whether to execute a transfer (Paystack's approval address).
    Approval(TransferQuestion),
    /// A payer disputes a charge: people must look at it.
    Dispute {
        /// Our reference of the disputed charge, as the callback names it.
        reference: String,
    },
    /// Nothing that concerns a transaction, such as an event of another product.
    Nothing,
}

/// The question whether to execute one transfer, as the operator would execute it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TransferQuestion {
    /// Our reference of the payout, as the question names it.
    pub reference: String,
    /// The amount; `None` where it is missing, or not a sum of whole pesewas.
    pub amount: Option<Amount>,
    /// Who would get it.
    pub recipient: QuestionedRecipient,
}

/// The recipient in a [`TransferQuestion`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum QuestionedRecipient {
    /// The request does not name the recipient. It is accepted: the reference and the amount
    /// decide.
    Unnamed,
    /// A wallet; its network is `None` where the question does not name it.
    Wallet {
        /// The number of the wallet that would be paid.
        phone: Phone,
        /// The network of the wallet; `None` where the question does not name it.
        network: Option<Network>,
    },
    /// Not shown to be one wallet in Ghana: another recipient, a code that the operator does not
    /// have or did not respond about, or two descriptions that contradict each other. The transfer
    /// is refused.
    Other,
}

impl TransferQuestion {
    /// Whether it is about exactly this payout: an order of ours that the operator may have, that
    /// is not final, for this amount and this wallet.
    #[must_use]
    pub fn is_about(&self, transaction: &Transaction) -> bool {
        let asked = transaction.order.requested_transfer();
        // A refund that the operator of the charge makes is no transfer.
        let is_transfer =
            asked.kind == Kind::Payout && transaction.order.native_refund_of().is_none();
        let is_under_way = transaction.handed_over_at.is_some() && !transaction.state.is_final();
        let is_recipient = match &self.recipient {
            QuestionedRecipient::Unnamed => true,
            QuestionedRecipient::Wallet { phone, network } => {
                *phone == asked.phone && network.is_none_or(|network| network == asked.network)
            }
            QuestionedRecipient::Other => false,
        };
        is_transfer && is_under_way && is_recipient && self.amount == Some(asked.amount)
    }
}

/// The final failure that a callback claims. The operator's status, read afterwards, decides
/// whether it counts: a decisive claim where the order is still unpaid, every claim where the order
/// failed without a reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FailureClaim {
    /// Why the payment failed, by the reason that the callback gives.
    pub code: FailureCode,
    /// The amount that the callback names; it must be the order's.
    pub amount: Amount,
    /// Whether it ends an order that the status still reports as pending: the status has no word
    /// for failure.
    pub is_decisive: bool,
}

/// A [`FailureClaim`] that counts for its transaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AcceptedClaim {
    /// Why the payment failed, as the claim has it.
    pub code: FailureCode,
    /// Whether it ends an order that the status still reports as pending.
    pub is_decisive: bool,
}

impl FailureClaim {
    /// The claim as far as it counts for a transaction that is pinned to the claiming operator;
    /// `None` where it is about another amount, or about an order that the operator certainly does
    /// not have.
    ///
    /// Only a charge may end by a claim: a payout that goes through after all would be paid twice.
    #[must_use]
    pub fn accept(self, transaction: &Transaction) -> Option<AcceptedClaim> {
        let asked = transaction.order.requested_transfer();
        // A refund that the operator of the charge makes is no order under a reference of ours.
        let is_order =
            transaction.handed_over_at.is_some() && transaction.order.native_refund_of().is_none();
        let is_decisive = self.is_decisive && asked.kind == Kind::Charge;
        (is_order && self.amount == asked.amount)
            .then_some(AcceptedClaim { code: self.code, is_decisive })
    }
}
