//! The body of a webhook: its subject at the time of the event, as the API shows it to a secret
//! key.
//!
//! Bodies are not stored: the subject is read again for each attempt, as it was at that time.

use tua_api::resources::EventBody;
use tua_domain::{
    ports::StoreError,
    webhook::{Delivery, SubjectSnapshot},
};

/// The body of a delivery about this subject, as JSON text.
///
/// # Errors
/// An error if it cannot be written as JSON.
pub fn body(delivery: &Delivery, subject: &SubjectSnapshot) -> Result<String, StoreError> {
    serde_json::to_string(&EventBody::of(delivery, subject)).map_err(StoreError::failed)
}
