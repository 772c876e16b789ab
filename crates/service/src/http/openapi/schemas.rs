//! One schema for each kind of value, from the lists and limits that the parsers go by.

use crate::{
    domain::{Kind, Mode},
    http::values::{EMAIL_CHARS, METADATA_KEY_CHARS, METADATA_KEYS, NOTE_CHARS, REFERENCE_CHARS, URL_CHARS},
};
use serde_json::json;
use tua_contract::{Amount as Cedis, ErrorCode, FailureCode, Network as Operator, State, Status as Standing, Step};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type, schema::AdditionalProperties},
};

/// A line of text: anything but control characters.
const LINE: &str = r"^[^\u0000-\u001f\u007f-\u009f]*$";
/// A line that is not blank.
const WORDS: &str = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";

/// Declares a schema that others refer to by its name; its documentation is its description.
macro_rules! schemas {
    ($($(#[doc = $doc:literal])+ $name:ident = $build:expr;)+) => {$(
        $(#[doc = $doc])+
        #[derive(Debug)]
        pub(in crate::http) enum $name {}

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                $build.description(Some(concat!($($doc),+).trim())).into()
            }
        }

        impl ToSchema for $name {}
    )+};
}

schemas! {
    /// Cedis, exact to the pesewa: a number with at most 2 decimals, never rounded (docs/reference/values.md).
    Amount = ObjectBuilder::new()
        .schema_type(Type::Number)
        .minimum(Some(utoipa::Number::Float(0.01)))
        .maximum(Some(utoipa::Number::Int(cedis(Cedis::MAX_PESEWAS))))
        .multiple_of(Some(utoipa::Number::Float(0.01)))
        .examples([json!(10.5)]);

    /// The only currency.
    Currency = one_of(["GHS"]).default(Some(json!("GHS")));

    /// Where a transaction stands. SUCCESSFUL and FAILED are final.
    Status = one_of(Standing::ALL.map(Standing::as_str));

    /// Which way the money goes: CHARGE from a payer to the merchant, PAYOUT from the merchant to a recipient.
    TransactionType = one_of(Kind::ALL.iter().map(|kind| kind.as_str()));

    /// A mobile-money network of Ghana. A number's prefix does not decide it: numbers are portable.
    Network = one_of(Operator::ALL.map(Operator::as_str));

    /// Whether real money moves (live) or the sandbox answers (test).
    LiveOrTest = one_of(Mode::ALL.iter().map(|mode| mode.as_str()));

    /// What a pending transaction waits for. WAIT: it was sent, and the outcome is not known yet. NONE: it is final.
    NextAction = one_of(Step::ALL.map(Step::as_str).into_iter().chain([State::Successful.next_action()]));

    /// Why a payment did not happen. No money moved.
    FailureReason = one_of(FailureCode::ALL.map(FailureCode::as_str));

    /// OPEN, or PAID once a charge of the session has succeeded.
    CheckoutStatus = one_of(["OPEN", "PAID"]);

    /// How an expired session stands. PENDING: money may be moving, so do not pay again.
    CheckoutSummary = one_of(["OPEN", "PENDING", "PAID"]);

    /// What a client acts on; the prose beside it may change.
    ProblemCode = one_of(ErrorCode::ALL.iter().map(|code| code.as_str()));

    /// A time in UTC, to the millisecond (ISO 8601).
    Time = text().format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))).examples([json!("2026-11-21T10:00:00.000Z")]);

    /// Ten ASCII digits beginning with 0. In test mode the last four choose the outcome.
    PhoneNumber = text().pattern(Some("^0[0-9]{9}$")).examples([json!("0241234567")]);

    /// One line of at most 160 characters.
    Note = text().max_length(Some(NOTE_CHARS)).pattern(Some(LINE));

    /// The merchant's own name for it, at most 64 characters. It need not be unique, and is generated where absent.
    Reference = text().max_length(Some(REFERENCE_CHARS)).pattern(Some(WORDS)).examples([json!("order-17")]);

    /// An e-mail address.
    Email = text()
        .max_length(Some(EMAIL_CHARS))
        .format(Some(SchemaFormat::Custom("email".to_owned())))
        .examples([json!("ama@example.com")]);

    /// The merchant's own data: at most 50 keys of at most 64 characters, 8 KiB of JSON in all. It comes back as it was sent.
    Metadata = metadata();

    /// Where the hosted page offers to go back to, as browsers read addresses: https, or in test mode also http on
    /// loopback; without a user name.
    ReturnUrl = text()
        .max_length(Some(URL_CHARS))
        .format(Some(SchemaFormat::Custom("url".to_owned())))
        .pattern(Some("^https?://"))
        .examples([json!("https://shop.example/thanks")]);

    /// The passcode, or Telecel's voucher, that the payer gave: 4-10 ASCII letters or digits, white space around it aside. In test mode 123456 is right.
    Otp = text().pattern(Some(r"^\s*[A-Za-z0-9]{4,10}\s*$")).examples([json!("123456")]);
}

/// A string.
pub(super) fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// One of these words.
pub(super) fn one_of(words: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
    text().enum_values(Some(words))
}

fn metadata() -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::Object)
        .max_properties(Some(METADATA_KEYS))
        .property_names(Some(Schema::Object(text().max_length(Some(METADATA_KEY_CHARS)).build())))
        .additional_properties(Some(AdditionalProperties::<Schema>::FreeForm(true)))
        .examples([json!({ "order": 17 })])
}

fn cedis(pesewas: i64) -> isize {
    isize::try_from(pesewas / 100).unwrap_or(isize::MAX)
}
