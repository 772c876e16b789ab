//! Schemas of values that occur only in responses and query parameters.

use super::impl_schema;
use serde_json::json;
use tua_contract::{FailureCode, State, Status as TransactionStatus, Step};
use tua_domain::{Kind, Mode, link, refund};
use tua_http_json::{KNOWN_VALUES, decimal};
use utoipa::openapi::{
    KnownFormat, ObjectBuilder, SchemaFormat, Type, extensions::ExtensionsBuilder,
};

/// Declares types without values, which only have a schema. The documentation of each is the
/// description of its schema.
macro_rules! response_values {
    ($($(#[doc = $doc:literal])+ $name:ident = $schema:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub enum $name {}

        impl_schema!($name, concat!($($doc),+), $schema);
    )+};
}

response_values! {
    /// The status of a transaction. SUCCESSFUL and FAILED are final.
    Status = closed_enum(TransactionStatus::ALL.map(TransactionStatus::as_str));

    /// Which way the money goes: CHARGE from a payer to the merchant, PAYOUT from the merchant to a
    /// recipient.
    TransactionType = open_enum(Kind::ALL.iter().map(|kind| kind.as_str()));
    /// How the money of a charge returns: NATIVE by the operator's own refund, PAYOUT by a payout
    /// to the wallet that paid.
    RefundMethod = open_enum(refund::RefundMethod::ALL.iter().map(|method| method.as_str()));

    /// Whether real money moves (live) or the sandbox answers (test).
    LiveOrTest = closed_enum(Mode::ALL.iter().map(|mode| mode.as_str()));

    /// What a pending transaction waits for. APPROVE_IN_DASHBOARD: a payout or refund that a person
    /// must approve. WAIT: it was sent, and the outcome is not known yet. NONE: it is final.
    NextAction = open_enum(
        Step::ALL.map(Step::as_str).into_iter().chain([State::Successful.next_action()]),
    );

    /// Why a payment did not happen. No money moved.
    FailureReason = open_enum(FailureCode::ALL.map(FailureCode::as_str));

    /// OPEN, or PAID once a charge of the session has succeeded.
    PayersCheckoutStatus = closed_enum(["OPEN", "PAID"]);

    /// The status of a session. PENDING: a charge is not final yet. EXPIRED and CLOSED: it was not
    /// paid, and takes no charge.
    CheckoutStatus = closed_enum(["OPEN", "PENDING", "PAID", "EXPIRED", "CLOSED"]);

    /// The status of a payment link. USED: it could be paid once, and was paid.
    LinkStatus = open_enum(link::LinkStatus::ALL.iter().map(|status| status.as_str()));

    /// The status of a webhook endpoint. DISABLED: its events are recorded, and not sent. REMOVED:
    /// it receives no more events.
    EndpointStatus = open_enum(["ENABLED", "DISABLED", "REMOVED"]);

    /// The status of a session that has ended. PENDING: money may be moving, so do not pay again.
    /// CLOSED: the merchant closed it.
    ExpiredCheckoutStatus = closed_enum(["OPEN", "PENDING", "PAID", "CLOSED"]);

    /// How a network is served: DEGRADED is slower than usual, or by a later choice; DOWN is not
    /// now, or not at all.
    NetworkStatus = open_enum(["OPERATIONAL", "DEGRADED", "DOWN"]);

    /// PENDING, or COMPLETED once every payout of the batch is final.
    BatchStatus = closed_enum(["PENDING", "COMPLETED"]);

    /// Why a payout of a batch may be a mistake. repeated_payout: an earlier payout has the same
    /// amount and wallet.
    BatchWarningCode = open_enum(["repeated_payout"]);

    /// A fee in GHS, with at most 2 decimals.
    Fee = decimal().examples([json!(0.2)]);

    /// A sum in GHS with at most 2 decimals. It may be zero.
    Sum = decimal().minimum(Some(0)).examples([json!(10.5)]);

    /// A time in UTC, to the millisecond (ISO 8601).
    Time = string_schema()
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
        .examples([json!("2026-11-21T10:00:00.000Z")]);
}

/// A schema of type `string`, to which callers add a pattern, a format or examples.
pub fn string_schema() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// The schema of a closed enumeration: one of these strings, and never another one.
pub fn closed_enum(values: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    string_schema().enum_values(Some(values))
}

/// The schema of an open enumeration: one of these strings, or another one that a later version of
/// the service adds. A list in `enum` would make clients refuse the new value.
pub fn open_enum(values: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    let values: Vec<&str> = values.into_iter().collect();
    string_schema()
        .extensions(Some(ExtensionsBuilder::new().add(KNOWN_VALUES, json!(values)).build()))
}
