//! Who calls the service: the holder of a secret key or of a checkout token.

use crate::{Checkout, Scope, SecretKey, Transaction};
use jiff::SignedDuration;

/// The holder of a credential.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "one per request, and most carry a key: a box would cost each an allocation"
)]
pub enum Caller {
    /// A merchant's server, by the secret key of its `Authorization` header.
    Key(SecretKey),
    /// A payer's browser, for one checkout session.
    Token(Box<Checkout>),
}

impl Caller {
    /// The data that this caller may see.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        match self {
            Self::Key(key) => &key.scope,
            Self::Token(checkout) => &checkout.scope,
        }
    }

    /// How far the sandbox clock of its account was ahead when the caller was read.
    #[must_use]
    pub const fn sandbox_ahead(&self) -> SignedDuration {
        match self {
            Self::Key(key) => key.sandbox_ahead,
            Self::Token(checkout) => checkout.sandbox_ahead,
        }
    }

    /// Whose idempotency keys it uses: those of an account's mode, or of a session.
    #[must_use]
    pub fn holder(&self) -> String {
        match self {
            Self::Key(key) => format!("{}/{}", key.scope.account, key.scope.mode.as_str()),
            Self::Token(checkout) => checkout.id.as_str().to_owned(),
        }
    }

    /// Whether this caller may see a transaction: a key those of its account and mode that its
    /// scopes let it read, a token those of its session.
    #[must_use]
    pub fn may_see(&self, transaction: &Transaction) -> bool {
        match self {
            Self::Key(key) => {
                transaction.order.scope == key.scope
                    && key.scopes.may_read(transaction.order.transaction_type())
            }
            Self::Token(checkout) => transaction.order.checkout.as_ref() == Some(&checkout.id),
        }
    }
}
