//! Rate limits: what is limited, at which rate, and what a caller is told of it.

use std::num::NonZeroU32;

/// What a bucket limits. Its name is the policy's in the `RateLimit` headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Requests with one credential.
    Credential,
    /// Requests from one address whose credential is missing, unknown or expired.
    Address,
    /// Passcodes and vouchers of one session, or of one transaction of a merchant's own.
    Passcode,
    /// Charges of one account to one phone number.
    Prompt,
}

impl Policy {
    /// Its name in the headers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Credential => "credential",
            Self::Address => "address",
            Self::Passcode => "passcode",
            Self::Prompt => "prompt",
        }
    }
}

/// So many at once, and as many again over a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    quota: NonZeroU32,
    window: NonZeroU32,
}

impl Rate {
    /// The largest quota.
    pub const MAX_QUOTA: u32 = 1_000_000;

    /// The longest window, in seconds: a day.
    pub const MAX_WINDOW: u32 = 86_400;

    /// A quota of 1 to 1,000,000 in 1 to 86,400 seconds; else nothing.
    #[must_use]
    pub const fn new(quota: u32, window: u32) -> Option<Self> {
        match (NonZeroU32::new(quota), NonZeroU32::new(window)) {
            (Some(many), Some(seconds)) if quota <= Self::MAX_QUOTA && window <= Self::MAX_WINDOW => {
                Some(Self { quota: many, window: seconds })
            }
            _ => None,
        }
    }

    /// How many at once.
    #[must_use]
    pub const fn quota(self) -> NonZeroU32 {
        self.quota
    }

    /// Over how many seconds as many come back.
    #[must_use]
    pub const fn window(self) -> u32 {
        self.window.get()
    }
}

/// How a bucket stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateLimitStatus {
    /// What it limits.
    pub policy: Policy,
    /// At which rate.
    pub rate: Rate,
    /// How many are left in it.
    pub remaining: u32,
    /// In how many seconds it is full again, or where it is empty, has one again; rounded up.
    pub reset: u64,
}

/// A bucket that is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many ({}), {} s to wait", .0.policy.as_str(), .0.reset)]
pub struct Exceeded(pub RateLimitStatus);
