//! The mobile-money operators, behind one trait.
//!
//! An operator connector translates: our order into their request, their response into a
//! [`Report`]. It decides nothing about a transaction and stores nothing about one; the sandbox
//! stores its orders, as an operator does.

use super::{CallbackRefusal, CallbackRequest, Report, SendPermit, VerifiedCallback};
use crate::{
    Kind, Transfer,
    capabilities::{Availability, Capabilities},
    operator_transaction_id::OperatorTransactionId,
    prompt_instructions::PromptInstructions,
    statement::period::StatementPeriod,
};
use async_trait::async_trait;
use jiff::Timestamp;
use std::{fmt::Debug, time::Duration};
use tua_contract::{Amount, Code, Network, Phone, lifecycle::Observation};

/// A collection or payout that an operator is asked to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// Our name for it, made and stored before the operator is called.
    pub reference: String,
    /// Direction, network, number and amount; the amount includes a fee that the payer bears.
    pub transfer: Transfer,
    /// The merchant's name, as the payer may read it.
    pub merchant: String,
    /// A message that the payer may read.
    pub message: Option<String>,
    /// The payer's or recipient's e-mail address, if the merchant named one.
    pub email: Option<String>,
}

impl Order {
    /// The text that the payer may read, as an operator accepts it: the message, otherwise the
    /// merchant's name. `clean` leaves out what the operator refuses. `None` where it leaves
    /// nothing of either.
    #[must_use]
    pub fn text(&self, clean: impl Fn(&str) -> String) -> Option<String> {
        let texts = self.message.iter().chain([&self.merchant]);
        texts.map(|text| clean(text).trim().to_owned()).find(|text| !text.is_empty())
    }
}

/// An order that was sent, as far as later calls need it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SentOrder {
    /// The [`Order::reference`] under which the operator has it.
    pub reference: String,
    /// The transfer that was asked for, with which the operator's report is compared.
    pub transfer: Transfer,
    /// The operator's own id of the order, where it has reported one.
    pub operator_transaction_id: Option<String>,
    /// Whether its status is queried ahead of the polling schedule: after a callback, or where a
    /// person asks. Where the operator limits reads, such a read goes before scheduled ones.
    pub is_ahead_of_schedule: bool,
}

/// The return of a charge's money to its payer, by the operator that collected it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefundOrder {
    /// Our name for the refund.
    pub reference: String,
    /// The order of the charge whose money returns.
    pub charge: SentOrder,
    /// How much of it to return; at most its amount.
    pub amount: Amount,
}

/// An operator's response to an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SendResponse {
    /// The order's status. A timeout, a 5xx or a broken connection is [`Observation::Ambiguous`],
    /// never a failure.
    Observed(Report),
    /// The operator refuses the order because it has one with this reference already. That is never
    /// a failure of the payment: the operator is asked for the status, and the order is not sent
    /// again.
    Duplicate,
    /// Certainly no byte of the order was written: the permit had expired, or the connection was
    /// refused.
    NotSent,
}

impl From<Report> for SendResponse {
    fn from(report: Report) -> Self {
        Self::Observed(report)
    }
}

impl From<Observation> for SendResponse {
    fn from(observation: Observation) -> Self {
        Self::Observed(observation.into())
    }
}

/// An operator's response to a status query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatusResponse {
    /// It has the order, with this status.
    Known(Report),
    /// It reports explicitly that it never received the order.
    NeverReceived,
    /// A timeout, a 5xx or a broken connection: the status is not known.
    Unanswered,
}

impl StatusResponse {
    /// It has the order, with this status and no details.
    #[must_use]
    pub const fn known(observation: Observation) -> Self {
        Self::Known(Report::new(observation))
    }
}

/// An operator's response to a code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeResponse {
    /// It accepted the code; the order has this status.
    Accepted(Report),
    /// The code is not right.
    Wrong,
    /// It is not known whether it accepted the code.
    Unanswered,
}

impl CodeResponse {
    /// It accepted the code; the order has this status and no details.
    #[must_use]
    pub const fn accepted(observation: Observation) -> Self {
        Self::Accepted(Report::new(observation))
    }
}

/// An operator's response to a cancellation: whether the order can no longer move money.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CancelResponse {
    /// The operator confirmed that it cannot.
    Confirmed,
    /// It still can, or the operator did not respond.
    NotConfirmed,
}

/// The merchant's money at an operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Balance {
    /// What it is the balance of, as the operator calls it, such as `collection`.
    pub account: String,
    /// In units of a hundredth of the currency; for GHS, pesewas. May be negative.
    pub minor_units: i64,
    /// The currency, as ISO 4217 names it.
    pub currency: String,
    /// Whether payouts are paid from it.
    pub pays_out: bool,
}

/// The state of the access tokens of one direction, where an operator issues tokens that expire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AccessTokenStatus {
    /// The direction that they are for.
    pub kind: Kind,
    /// How many were fetched since the start of this process.
    pub fetched: u64,
    /// How many requests for one have failed.
    pub failed: u64,
    /// Until when the present one is valid. `None` without one: before the first, or after the
    /// operator has refused it.
    pub valid_until: Option<Timestamp>,
}

/// Why a read from an operator gave no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The operator has no such call.
    #[error("the operator offers no such query")]
    Unsupported,
    /// It refused the credentials, or this service's address.
    #[error("the operator refused the credentials: {0}")]
    Refused(String),
    /// It did not respond, or not in a form that is understood.
    #[error("the operator did not respond as documented: {0}")]
    Unanswered(String),
}

/// One result of [`Operator::check`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckResult {
    /// What was checked, such as `collection credentials`.
    pub name: String,
    /// What was found; as an error, what is wrong and what to do about it.
    pub outcome: Result<String, String>,
}

impl CheckResult {
    /// The check of the address of callbacks, which is not about credentials.
    pub const CALLBACK_ADDRESS: &str = "callback address";

    /// The result of the check with this name.
    #[must_use]
    pub fn new(name: impl Into<String>, outcome: Result<String, String>) -> Self {
        Self { name: name.into(), outcome }
    }
}

/// A mobile-money operator, or an aggregator of operators.
#[async_trait]
pub trait Operator: Debug + Send + Sync + 'static {
    /// What the operator documents, as far as the service depends on it.
    fn capabilities(&self) -> Capabilities;

    /// Whether the operator reports that it serves this network and direction now. What it last
    /// reported; the default is for operators that report nothing of the kind.
    fn availability(&self, _network: Network, _kind: Kind) -> Availability {
        Availability::Operational
    }

    /// The operator's instructions for a payer who sees no prompt on this network. Empty where it
    /// has none. What it last reported: called in requests of payers, so it never calls the
    /// operator.
    fn prompt_instructions(&self, _network: Network) -> PromptInstructions {
        PromptInstructions::default()
    }

    /// The state of its access tokens; none where credentials are sent with every call.
    fn access_token_status(&self) -> Vec<AccessTokenStatus> {
        Vec::new()
    }

    /// Sends an order. Right before its first byte is written, the connector checks
    /// [`SendPermit::is_valid`].
    async fn send(&self, order: &Order, permit: &SendPermit) -> SendResponse;

    /// Submits a code that the payer entered.
    async fn submit_code(&self, order: &SentOrder, code: &Code) -> CodeResponse;

    /// Queries the status of an order. A lost or unclear response is
    /// [`StatusResponse::Unanswered`], never a failure of the payment.
    async fn query_status(&self, order: &SentOrder) -> StatusResponse;

    /// Cancels an order, so that it can no longer move money.
    async fn cancel(&self, order: &SentOrder) -> CancelResponse;

    /// Verifies a callback and reads what it is about. There is no default: each connector decides
    /// how the callbacks of its operator are verified.
    ///
    /// # Errors
    /// [`CallbackRefusal`]. Then nothing of the callback is used.
    async fn verify_callback(
        &self,
        request: &CallbackRequest,
    ) -> Result<VerifiedCallback, CallbackRefusal>;

    /// Reads something with the credentials of a direction, without moving money: shows whether an
    /// operator that failed responds, and takes the credentials.
    ///
    /// # Errors
    /// [`ReadError`].
    async fn probe(&self, _kind: Kind) -> Result<(), ReadError> {
        self.balances().await.map(drop)
    }

    /// Reads the merchant's balances.
    ///
    /// # Errors
    /// [`ReadError`].
    async fn balances(&self) -> Result<Vec<Balance>, ReadError> {
        Err(ReadError::Unsupported)
    }

    /// Reads the statement of a period: a file in the columns of the operator's settings. Waits for
    /// `time_limit` at most until the operator has made it. Offered where
    /// [`Capabilities::has_statements`].
    ///
    /// # Errors
    /// [`ReadError`].
    async fn statement(
        &self,
        _period: &StatementPeriod,
        _time_limit: Duration,
    ) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::Unsupported)
    }

    /// The name of a wallet's owner; `None` where the operator reports that the number has no
    /// wallet.
    ///
    /// # Errors
    /// [`ReadError`].
    async fn account_name(
        &self,
        _network: Network,
        _phone: &Phone,
    ) -> Result<Option<String>, ReadError> {
        Err(ReadError::Unsupported)
    }

    /// Our reference of the charge that has this id at the operator, as the payer's SMS shows it;
    /// `None` where there is none. Only the reference is used: the charge's status is asked for as
    /// ever.
    ///
    /// # Errors
    /// [`ReadError`].
    async fn find_charge(&self, _id: &OperatorTransactionId) -> Result<Option<String>, ReadError> {
        Err(ReadError::Unsupported)
    }

    /// Sends a refund of a charge, as [`Self::send`] sends an order.
    async fn refund(&self, _refund: &RefundOrder, _permit: &SendPermit) -> SendResponse {
        SendResponse::NotSent
    }

    /// Queries the status of a refund, as [`Self::query_status`] that of an order.
    async fn query_refund_status(&self, _refund: &RefundOrder) -> StatusResponse {
        StatusResponse::Unanswered
    }

    /// Reads again what the operator reports about itself: limits, availability, instructions.
    /// Called every few minutes.
    async fn refresh(&self) {}

    /// Checks the settings against the operator without moving money.
    async fn check(&self) -> Vec<CheckResult> {
        Vec::new()
    }
}
