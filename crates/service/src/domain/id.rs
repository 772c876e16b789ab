//! Identifiers: a prefix that says what it names, and a UUID.

use std::fmt;
use uuid::Uuid;

macro_rules! id {
    ($(#[doc = $doc:literal])+ $name:ident, $prefix:literal) => {
        $(#[doc = $doc])+
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(String);

        impl $name {
            /// A new one; later ones sort after earlier ones (RFC 9562, version 7).
            #[must_use]
            pub fn mint() -> Self {
                Self(format!(concat!($prefix, "{}"), Uuid::now_v7().simple()))
            }

            /// Takes an id from a path or a row; whether it names anything is for the store to say.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The id as it is written everywhere.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id! {
    /// Names an account: `acc_…`.
    AccountId, "acc_"
}
id! {
    /// Names a secret key, without being one: `key_…`.
    KeyId, "key_"
}
id! {
    /// Names a checkout session: `chk_…`.
    CheckoutId, "chk_"
}
id! {
    /// Names a transaction: `txn_…`.
    TransactionId, "txn_"
}
id! {
    /// Names a webhook endpoint: `whe_…`.
    EndpointId, "whe_"
}
id! {
    /// Names one event for one endpoint: `whd_…`.
    DeliveryId, "whd_"
}
