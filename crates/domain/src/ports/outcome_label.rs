//! Operators' responses as labels of metrics.

use super::{CancelResponse, CodeResponse, SendResponse, StatusResponse};
use tua_contract::lifecycle::Observation;

/// An operator's response to one of our calls, as a label.
pub trait OutcomeLabel {
    /// The value of the label `operation` in the metrics: `send`, `ask` for a status query,
    /// `submit_code` or `cancel`.
    const OPERATION: &'static str;

    /// The outcome, from a short list.
    fn outcome(&self) -> &'static str;
}

impl OutcomeLabel for SendResponse {
    const OPERATION: &'static str = "send";

    fn outcome(&self) -> &'static str {
        match self {
            Self::Observed(report) => match report.observation {
                // Approvals are decisions of people; a connector never reports them.
                Observation::Awaits(_)
                | Observation::StillPending
                | Observation::Approved
                | Observation::NeedsApproval => "taken",
                Observation::Succeeded | Observation::Mismatched => "succeeded",
                Observation::Failed(_) => "failed",
                Observation::Reversed => "reversed",
                Observation::Disputed => "disputed",
                Observation::Ambiguous => "ambiguous",
            },
            Self::Duplicate => "duplicate",
            Self::NotSent => "not_sent",
        }
    }
}

impl OutcomeLabel for StatusResponse {
    const OPERATION: &'static str = "ask";

    fn outcome(&self) -> &'static str {
        match self {
            Self::Known(_) => "known",
            Self::NeverReceived => "never_received",
            Self::Unanswered => "unanswered",
        }
    }
}

impl OutcomeLabel for CodeResponse {
    const OPERATION: &'static str = "submit_code";

    fn outcome(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Wrong => "wrong",
            Self::Unanswered => "unanswered",
        }
    }
}

impl OutcomeLabel for CancelResponse {
    const OPERATION: &'static str = "cancel";

    fn outcome(&self) -> &'static str {
        match self {
            Self::Confirmed => "cancelled",
            Self::NotConfirmed => "not_cancelled",
        }
    }
}
