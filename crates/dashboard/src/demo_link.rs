//! The link of `tua demo`, which signs the visitor in as the owner of the demo shop. It exists in
//! the demo only, and works once.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tua_domain::secret::SecretDigest;

/// The address of the demo's owner.
pub const DEMO_EMAIL: &str = "owner@demo.example";

/// The demo's link. Clones share whether it was used.
#[derive(Clone, Debug)]
pub struct DemoLink {
    digest: SecretDigest,
    is_used: Arc<AtomicBool>,
}

impl DemoLink {
    /// The link with the token of this digest.
    #[must_use]
    pub fn new(digest: SecretDigest) -> Self {
        Self { digest, is_used: Arc::default() }
    }

    /// Whether it is the link with this token.
    pub(super) fn has(&self, token: &str) -> bool {
        self.digest == SecretDigest::of(token)
    }

    /// Marks it as used. Returns whether it was not used before.
    pub(super) fn take_first_use(&self) -> bool {
        !self.is_used.swap(true, Ordering::SeqCst)
    }
}
