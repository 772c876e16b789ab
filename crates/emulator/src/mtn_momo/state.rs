//! The state of MTN in addition to its orders.

use super::platform::{Platform, Product};
use crate::order::OrderId;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use jiff::Timestamp;
use std::{
    collections::{HashMap, HashSet},
    num::NonZeroU32,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

/// The state of MTN in addition to its orders.
#[derive(Debug, Default)]
pub(crate) struct MtnMomo {
    tokens: Mutex<HashMap<String, Token>>,
    /// The API users that were provisioned, by id.
    users: Mutex<HashMap<String, ApiUser>>,
    /// The orders that are deposits. All other payouts are transfers.
    deposits: Mutex<HashSet<OrderId>>,
    /// The limit of status reads, in real time. It exists from the first read on.
    reads: OnceLock<DefaultDirectRateLimiter>,
}

/// A token, and what it is valid for.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) platform: Platform,
    pub(super) product: Product,
    pub(super) client: Client,
    pub(super) expires: Timestamp,
}

/// Whose token it is.
#[derive(Clone, Debug)]
pub(super) struct Client {
    /// The `providerCallbackHost` of an API user that was provisioned; `None` for the credentials
    /// of the settings.
    pub(super) callback_host: Option<String>,
}

/// An API user of the sandbox, who belongs to the product whose subscription key created it.
#[derive(Clone, Debug)]
pub(super) struct ApiUser {
    pub(super) product: Product,
    pub(super) callback_host: String,
    pub(super) key: Option<String>,
}

impl MtnMomo {
    /// Counts a read of a status. `false` if it is refused: more than `per_second` in one second.
    pub(super) fn try_count_read(&self, per_second: NonZeroU32) -> bool {
        let limit = || RateLimiter::direct(Quota::per_second(per_second));
        self.reads.get_or_init(limit).check().is_ok()
    }

    /// The tokens that were issued, by their text.
    pub(super) fn tokens(&self) -> MutexGuard<'_, HashMap<String, Token>> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn deposits(&self) -> MutexGuard<'_, HashSet<OrderId>> {
        self.deposits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn users(&self) -> MutexGuard<'_, HashMap<String, ApiUser>> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
