//! The form of a new rule.

use serde::{Deserialize, Serialize};

/// A new rule. Empty fields are left out of it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct RuleForm {
    pub(super) operator: String,
    pub(super) call: String,
    pub(super) fault: String,
    #[serde(default)]
    pub(super) duration: String,
    #[serde(default)]
    pub(super) times: String,
    #[serde(default)]
    pub(super) lasts: String,
}
