//! Rate limits: the policies, their rates, and the status that responses report.

use std::num::NonZeroU32;

/// What a bucket limits. The `RateLimit` headers carry its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Requests with one credential.
    Credential,
    /// Requests from one address whose credential is missing or unknown.
    Address,
    /// Passcodes and vouchers of one session, or of one transaction of a merchant's own.
    Passcode,
    /// Charges of one account to one phone number.
    Prompt,
    /// Attempts to sign in to the dashboard, of one person or from one address.
    SignIn,
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
            Self::SignIn => "sign-in",
        }
    }
}

/// A quota per window: a bucket of `quota` tokens that refills within `window` seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    quota: NonZeroU32,
    window: NonZeroU32,
}

impl Rate {
    /// The largest quota that [`Rate::new`] accepts, in tokens.
    pub const MAX_QUOTA: u32 = 1_000_000;

    /// The longest window, in seconds: a day.
    pub const MAX_WINDOW: u32 = 86_400;

    /// A quota of 1 to 1,000,000 in 1 to 86,400 seconds; otherwise `None`.
    #[must_use]
    pub const fn new(quota: u32, window: u32) -> Option<Self> {
        match (NonZeroU32::new(quota), NonZeroU32::new(window)) {
            (Some(many), Some(seconds))
                if quota <= Self::MAX_QUOTA && window <= Self::MAX_WINDOW =>
            {
                Some(Self { quota: many, window: seconds })
            }
            _ => None,
        }
    }

    /// The size of the bucket, in tokens.
    #[must_use]
    pub const fn quota(self) -> NonZeroU32 {
        self.quota
    }

    /// The time in which an empty bucket refills, in seconds.
    #[must_use]
    pub const fn window(self) -> u32 {
        self.window.get()
    }
}

/// The status of a bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateLimitStatus {
    /// What the bucket limits, which names it in the headers.
    pub policy: Policy,
    /// Quota and window of the bucket.
    pub rate: Rate,
    /// The whole tokens that are left; 0 for an empty bucket.
    pub remaining: u32,
    /// Seconds until it is full, or until it has one token if it is empty; rounded up.
    pub reset: u64,
}

/// The bucket is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many ({}), {} s to wait", .0.policy.as_str(), .0.reset)]
pub struct Exceeded(pub RateLimitStatus);
