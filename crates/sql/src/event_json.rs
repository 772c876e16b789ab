//! Events as JSON text, the form in which every engine keeps them.
//!
//! Add fields and kinds; never change or remove one: events are kept for ever.

mod begun;

use super::route_json::PayoutRouteJson;
use begun::BegunJson;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tua_contract::{Amount, AmountError, FailureCode, State, Status, Step};
use tua_domain::{
    Event, ports::Mismatch, refund::RefundSums, review::DecisionNote, transfer::OperatorDetails,
};

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum EventJson {
    Begun(Box<BegunJson>),
    HandedOver,
    HandOverWithdrawn,
    Moved {
        status: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        next_action: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<String>,
        #[serde(flatten)]
        reported: OperatorDetailsJson,
    },
    Mismatched {
        received: Option<i64>,
        #[serde(flatten)]
        reported: OperatorDetailsJson,
    },
    RefundsChanged {
        returned_pesewas: i64,
        counted_pesewas: i64,
        native_pesewas: i64,
    },
    SumSettled {
        amount_pesewas: i64,
    },
    CodeAttempted,
    Contradicted {
        observed: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mismatch: Option<MismatchJson>,
        #[serde(flatten)]
        reported: OperatorDetailsJson,
    },
    Disputed,
    CaseDecided {
        status: String,
    },
    Reviewed {
        /// Absent for a person on the command line, and in events of earlier versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        note: String,
    },
    Approved {
        by: String,
        /// Absent where it is `false`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        key_revoked: bool,
        #[serde(flatten)]
        route: PayoutRouteJson,
    },
    FoundAtOperator {
        approved: Option<PayoutRouteJson>,
    },
    ApprovalRefused {
        by: String,
        note: String,
    },
    Reversed {
        #[serde(flatten)]
        reported: OperatorDetailsJson,
    },
}

/// A success for something else than was asked.
#[derive(Serialize, Deserialize)]
struct MismatchJson {
    received: Option<i64>,
}

impl MismatchJson {
    fn into_domain(self) -> Result<Mismatch, AmountError> {
        Ok(Mismatch { received: self.received.map(Amount::from_pesewas).transpose()? })
    }
}

/// What an operator reported besides the status.
#[derive(Default, Serialize, Deserialize)]
struct OperatorDetailsJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_transaction_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_order_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operator_fee_pesewas: Option<i64>,
}

impl OperatorDetailsJson {
    fn from_domain(details: &OperatorDetails) -> Self {
        let OperatorDetails { transaction_id, order_id, fee_pesewas } = details.clone();
        Self {
            operator_transaction_id: transaction_id,
            operator_order_id: order_id,
            operator_fee_pesewas: fee_pesewas,
        }
    }

    fn into_domain(self) -> OperatorDetails {
        OperatorDetails {
            transaction_id: self.operator_transaction_id,
            order_id: self.operator_order_id,
            fee_pesewas: self.operator_fee_pesewas,
        }
    }
}

/// Writes an event as JSON text, for the store.
pub fn write(event: &Event) -> String {
    let written = match event {
        Event::Begun { new, is_handed_over, operator } => EventJson::Begun(Box::new(
            BegunJson::from_domain(new, *is_handed_over, operator.as_ref()),
        )),
        Event::HandedOver => EventJson::HandedOver,
        Event::HandOverWithdrawn => EventJson::HandOverWithdrawn,
        Event::Moved(state, details) => {
            let (next_action, failure) = match state {
                State::Pending(step) => (Some(step.as_str().to_owned()), None),
                State::Successful => (None, None),
                State::Failed(code) => (None, Some(code.as_str().to_owned())),
            };
            let reported = OperatorDetailsJson::from_domain(details);
            EventJson::Moved {
                status: state.status().as_str().to_owned(),
                next_action,
                failure,
                reported,
            }
        }
        Event::Mismatched(mismatch, details) => EventJson::Mismatched {
            received: mismatch.received.map(Amount::pesewas),
            reported: OperatorDetailsJson::from_domain(details),
        },
        Event::SumSettled(sum) => EventJson::SumSettled { amount_pesewas: sum.pesewas() },
        Event::CodeAttempted => EventJson::CodeAttempted,
        Event::Contradicted(observed, mismatch, details) => EventJson::Contradicted {
            observed: observed.as_str().to_owned(),
            mismatch: mismatch.map(|Mismatch { received }| MismatchJson {
                received: received.map(Amount::pesewas),
            }),
            reported: OperatorDetailsJson::from_domain(details),
        },
        Event::Disputed => EventJson::Disputed,
        Event::CaseDecided(status) => EventJson::CaseDecided { status: status.as_str().to_owned() },
        Event::Reviewed { by, note } => EventJson::Reviewed {
            by: by.as_ref().map(|by| by.as_str().to_owned()),
            note: note.as_str().to_owned(),
        },
        Event::Approved { by, route, is_key_revoked } => EventJson::Approved {
            by: by.as_str().to_owned(),
            key_revoked: *is_key_revoked,
            route: PayoutRouteJson::from_domain(route),
        },
        Event::FoundAtOperator { approved } => EventJson::FoundAtOperator {
            approved: approved.as_ref().map(PayoutRouteJson::from_domain),
        },
        Event::ApprovalRefused { by, note } => EventJson::ApprovalRefused {
            by: by.as_str().to_owned(),
            note: note.as_str().to_owned(),
        },
        Event::Reversed(details) => {
            EventJson::Reversed { reported: OperatorDetailsJson::from_domain(details) }
        }
        Event::RefundsChanged(RefundSums { returned, counted, native }) => {
            EventJson::RefundsChanged {
                returned_pesewas: *returned,
                counted_pesewas: *counted,
                native_pesewas: *native,
            }
        }
    };
    #[expect(clippy::expect_used, reason = "strings and integers always have a JSON form")]
    serde_json::to_string(&written).expect("plain data")
}

/// Reads an event; `None` if this version does not define it.
pub fn read(text: &str) -> Option<Event> {
    Some(match serde_json::from_str(text).ok()? {
        EventJson::Begun(begun) => {
            let is_handed_over = begun.handed_over;
            let (new, operator) = begun.into_domain()?;
            Event::Begun { new: Arc::new(new), is_handed_over, operator }
        }
        EventJson::HandedOver => Event::HandedOver,
        EventJson::HandOverWithdrawn => Event::HandOverWithdrawn,
        EventJson::Moved { status, next_action, failure, reported } => {
            let state = match Status::parse(&status)? {
                Status::Pending => State::Pending(Step::parse(&next_action?)?),
                Status::Successful => State::Successful,
                Status::Failed => State::Failed(FailureCode::parse(&failure?)?),
            };
            Event::Moved(state, reported.into_domain())
        }
        EventJson::Mismatched { received, reported } => {
            Event::Mismatched(MismatchJson { received }.into_domain().ok()?, reported.into_domain())
        }
        EventJson::SumSettled { amount_pesewas } => {
            Event::SumSettled(Amount::from_pesewas(amount_pesewas).ok()?)
        }
        EventJson::CodeAttempted => Event::CodeAttempted,
        EventJson::Contradicted { observed, mismatch, reported } => {
            let mismatch = mismatch.map(MismatchJson::into_domain).transpose().ok()?;
            Event::Contradicted(Status::parse(&observed)?, mismatch, reported.into_domain())
        }
        EventJson::Disputed => Event::Disputed,
        EventJson::CaseDecided { status } => Event::CaseDecided(Status::parse(&status)?),
        EventJson::Reviewed { by, note } => Event::Reviewed {
            by: by.and_then(|by| by.parse().ok()),
            note: note.parse::<DecisionNote>().ok()?,
        },
        EventJson::Approved { by, key_revoked, route } => Event::Approved {
            by: by.parse().ok()?,
            route: route.into_domain()?,
            is_key_revoked: key_revoked,
        },
        EventJson::FoundAtOperator { approved: None } => Event::FoundAtOperator { approved: None },
        EventJson::FoundAtOperator { approved: Some(route) } => {
            Event::FoundAtOperator { approved: Some(route.into_domain()?) }
        }
        EventJson::ApprovalRefused { by, note } => Event::ApprovalRefused {
            by: by.parse().ok()?,
            note: note.parse::<DecisionNote>().ok()?,
        },
        EventJson::Reversed { reported } => Event::Reversed(reported.into_domain()),
        EventJson::RefundsChanged { returned_pesewas, counted_pesewas, native_pesewas } => {
            Event::RefundsChanged(RefundSums {
                returned: returned_pesewas,
                counted: counted_pesewas,
                native: native_pesewas,
            })
        }
    })
}
