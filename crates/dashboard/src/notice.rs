//! What a page says about the action that led to it.

use serde::Deserialize;

/// What a page says about an action that was done just before.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Notice {
    #[serde(default)]
    done: String,
    /// The id of what it was done to, where the page has more than one thing.
    #[serde(default)]
    of: String,
}

impl Notice {
    /// The id of what it was done to; empty for none.
    pub(super) fn of(&self) -> &str {
        let is_id = self.of.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_id { &self.of } else { "" }
    }

    /// As [`Self::key`], on the page of a payout or a batch: that it has begun is no news any more
    /// once it is final.
    pub(super) fn key_while(&self, is_final: bool) -> &'static str {
        let key = self.key();
        let is_begun = matches!(key, "done-payout-begun" | "done-batch-begun");
        if is_final && is_begun { "" } else { key }
    }

    /// The key of its text; empty for none.
    pub(super) fn key(&self) -> &'static str {
        const KEYS: [&str; 44] = [
            "done-operator-connected",
            "done-operator-accepted",
            "done-operator-routed",
            "done-operator-replaced",
            "done-operator-retired",
            "done-mail-server-stored",
            "done-mail-server-accepted",
            "done-mail-server-sent",
            "done-mail-server-removed",
            "done-saved",
            "done-password",
            "done-session-ended",
            "done-person-signed-out",
            "done-lift-requested",
            "done-lift-approved",
            "done-lift-refused",
            "done-link-ended",
            "done-day-closed",
            "done-statement-imported",
            "done-statement-repeated",
            "done-statement-days-changed",
            "done-link-created",
            "done-link-closed",
            "done-link-reopened",
            "done-batch-begun",
            "done-batch-approved",
            "done-batch-refused",
            "done-batch-cancelled",
            "done-payout-begun",
            "done-refund",
            "done-checked",
            "done-resent",
            "done-cancelled",
            "done-settled",
            "done-approved",
            "done-refused",
            "done-closed",
            "done-removed",
            "done-enabled",
            "done-disabled",
            "done-ping-disabled",
            "done-clock-advanced",
            "done-tested",
            "done-test-too-soon",
        ];
        KEYS.into_iter()
            .find(|key| key.strip_prefix("done-") == Some(&self.done))
            .unwrap_or_default()
    }
}
