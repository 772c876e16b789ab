//! The kinds of values that requests and responses hold, each with its description for the OpenAPI
//! document.
//!
//! | file | holds |
//! |---|---|
//! | `endpoints` | kinds that requests for webhook endpoints hold |
//! | `late_time` | times that are too late to be stored |
//! | `links` | kinds that requests for payment links hold |
//! | `requests` | kinds that requests hold: how each is parsed, and how it is described |
//! | `responses` | kinds that only responses and queries hold; schemas for texts and enumerations |
//! | `sandbox` | kinds that requests about the sandbox hold |
//! | `return_url` | the address that a payer can be sent back to |
//! | `unexpected_character` | names a character that a value must not have |
//! | `whole_number` | whole numbers as JSON Schema sees them |

mod endpoints;
mod late_time;
mod links;
mod requests;
mod responses;
mod return_url;
mod sandbox;
mod unexpected_character;
mod whole_number;

pub use endpoints::{EndpointUrl, OverlapHours, ResendRecorded};
pub use late_time::is_end_of_years;
pub use links::{Description, FutureTime, LinkUses, Question, Title};
pub use requests::{
    Currency, LINE_PATTERN, Metadata, Network, Note, Otp, PaymentType, PhoneNumber, Reference,
    RefundByPayout, reject_control_characters,
};
pub use responses::{
    BatchStatus, BatchWarningCode, CheckoutStatus, EndpointStatus, ExpiredCheckoutStatus,
    FailureReason, Fee, LinkStatus, LiveOrTest, NetworkStatus, NextAction, PayersCheckoutStatus,
    RefundMethod, Status, Sum, Time, TransactionType, closed_enum, open_enum, string_schema,
};
pub use return_url::ReturnUrl;
pub use sandbox::ClockSeconds;
pub use tua_http_json::values::{Amount, Email};
pub use unexpected_character::unexpected_character;

/// Implements the OpenAPI schema of a type, with its description. Other schemas refer to it by its
/// name.
macro_rules! impl_schema {
    ($name:ident, $description:expr, $schema:expr) => {
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $schema.description(Some($description.trim())).into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}
use impl_schema;
