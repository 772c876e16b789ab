//! Decisions about payouts, refunds and batches that are not sent yet
//! (docs/reference/payouts.md#approval).

use super::{
    context::{Common, open_existing_with_orders},
    fault::Fault,
    operator_connections::connect_and_refresh,
    output,
    refund_lookup::find_refund,
    use_cases::UseCases,
};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use tua_config::{Config, RawSettings};
use tua_contract::State;
use tua_domain::{
    BatchId, Transaction, TransactionId,
    approval::{DecideError, PayoutDecision, PersonName},
    audit::{AuditContext, Source},
    key_ring::KeyRing,
    ports::Clock,
    review::DecisionNote,
    routing::Operators,
};
use tua_store::database::Opened;
use tua_system::{actor, clock::SystemClock};
use tua_use_cases::{RefundLists, decisions::Decisions};

/// The kinds of ids that a command accepts.
#[derive(Clone, Copy, Debug)]
pub(super) enum AcceptedIds {
    /// A payout, a refund or a batch.
    Any,
    /// A refund; other ids are refused.
    Refund,
}

/// The payout, refund or batch that a command decides about.
struct Target {
    accepted: AcceptedIds,
    /// As typed; an id of another kind is refused.
    id: String,
}

/// What a decision needs.
struct DecisionCommands {
    decisions: Decisions,
    refund_lists: RefundLists,
    /// Computes the MACs of audit entries.
    keys: KeyRing,
}

/// The arguments of an approval.
#[derive(Args, Debug)]
pub(super) struct Approve {
    /// The id, as listed
    id: String,
    /// The settings file of the service, with the operators
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Who approves it; stored permanently
    #[arg(long = "as", env = "TUA_AS", value_name = "NAME")]
    by: PersonName,
}

/// The arguments of a refusal.
#[derive(Args, Debug)]
pub(super) struct Refuse {
    /// The id, as listed
    id: String,
    /// Who refuses it; stored permanently
    #[arg(long = "as", env = "TUA_AS", value_name = "NAME")]
    by: PersonName,
    /// Why it is refused; stored permanently
    #[arg(long)]
    note: DecisionNote,
}

/// The arguments of a cancellation.
#[derive(Args, Debug)]
pub(super) struct Cancel {
    /// The id, as listed
    id: String,
}

impl Approve {
    pub(super) async fn run(self, common: &Common, accepted: AcceptedIds) -> Result<(), Fault> {
        let config = Config::resolve(
            RawSettings::default(),
            common.database.clone(),
            self.config.as_deref(),
        );
        let config = config.map_err(|faults| faults.join("; "))?;
        let Opened { store, orders } = open_existing_with_orders(config.database.clone()).await?;
        let use_cases = UseCases::new(store.clone());
        let keys = use_cases.key_ring_of(&config).await?;
        let operators = connect_and_refresh(&config, store, orders, &keys).await?;
        let commands = DecisionCommands {
            decisions: use_cases.decisions(operators),
            refund_lists: use_cases.refund_lists,
            keys,
        };
        decide(
            &commands,
            common,
            Target { accepted, id: self.id },
            PayoutDecision::Approve { by: self.by },
        )
        .await
    }
}

impl Refuse {
    pub(super) async fn run(self, common: &Common, accepted: AcceptedIds) -> Result<(), Fault> {
        let decision = PayoutDecision::Refuse { by: self.by, note: self.note };
        decide_without_operators(common, Target { accepted, id: self.id }, decision).await
    }
}

impl Cancel {
    pub(super) async fn run(self, common: &Common, accepted: AcceptedIds) -> Result<(), Fault> {
        decide_without_operators(common, Target { accepted, id: self.id }, PayoutDecision::Cancel)
            .await
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DecidedBatchView<'a> {
    batch_id: &'a str,
    status: &'static str,
    /// How many of its payouts the decision changed.
    changed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DecidedView<'a> {
    transaction_id: &'a str,
    status: &'static str,
    next_action: &'static str,
    failure: Option<&'static str>,
    /// The name that an approval and a refusal are given with.
    #[serde(skip_serializing_if = "Option::is_none")]
    decided_by: Option<&'a str>,
    decided_at: String,
}

/// Refuses or cancels: no operator is called.
async fn decide_without_operators(
    common: &Common,
    target: Target,
    decision: PayoutDecision,
) -> Result<(), Fault> {
    let use_cases = UseCases::open(common).await?;
    let commands = DecisionCommands {
        keys: use_cases.key_ring(common).await?,
        decisions: use_cases.decisions(Operators::default()),
        refund_lists: use_cases.refund_lists,
    };
    decide(&commands, common, target, decision).await
}

async fn decide(
    commands: &DecisionCommands,
    common: &Common,
    Target { accepted, id }: Target,
    decision: PayoutDecision,
) -> Result<(), Fault> {
    let now = SystemClock.now();
    let by = name_in(&decision).cloned();
    let person = actor::audit_context(
        Source::CommandLine,
        by.as_ref().map(PersonName::as_str),
        &commands.keys,
        now,
    );
    if let (AcceptedIds::Any, true) = (accepted, id.starts_with(BatchId::PREFIX)) {
        return decide_batch(&commands.decisions, common, &BatchId::new(id), decision, &person)
            .await;
    }
    let id = TransactionId::new(id);
    if let AcceptedIds::Refund = accepted {
        find_refund(&commands.refund_lists, &id).await?;
    }
    let text = match decision {
        PayoutDecision::Approve { .. } => format!("{id} is approved. The service sends it."),
        PayoutDecision::Refuse { .. } => format!("{id} is refused. No money moved."),
        PayoutDecision::Cancel => {
            format!("{id} is cancelled. It was not sent, and no money moved.")
        }
    };
    let decided = commands.decisions.about_payout(&id, decision, Some(&person), now).await;
    let noun = match accepted {
        AcceptedIds::Any => "payout",
        AcceptedIds::Refund => "refund",
    };
    let decided = decided.map_err(|error| refused(&format!("{noun} {id}"), &error))?;
    let transaction = decided.transaction;
    output::print(common, &DecidedView::new(&transaction, by.as_ref()), &text)
}

/// Who approves or refuses. A cancellation names nobody: the audit log has who ran the command.
const fn name_in(decision: &PayoutDecision) -> Option<&PersonName> {
    match decision {
        PayoutDecision::Approve { by } | PayoutDecision::Refuse { by, .. } => Some(by),
        PayoutDecision::Cancel => None,
    }
}

/// Why a decision about this is refused.
fn refused(subject: &str, error: &DecideError) -> Fault {
    let message = format!("{subject}: {}", explained(error));
    match error {
        DecideError::NotFound => Fault::not_found(message),
        _ => message.into(),
    }
}

/// Why a decision is refused, and what to do where the settings may be the cause.
fn explained(error: &DecideError) -> String {
    match error {
        DecideError::Unroutable(_) | DecideError::LineUnroutable { .. } => {
            format!(
                "{error}. --config names the settings file of the service, with its operators and \
                 routes"
            )
        }
        error => error.to_string(),
    }
}

async fn decide_batch(
    decisions: &Decisions,
    common: &Common,
    id: &BatchId,
    decision: PayoutDecision,
    person: &AuditContext,
) -> Result<(), Fault> {
    let decided = decisions.about_batch(id, decision.clone(), Some(person), person.at).await;
    let decided = decided.map_err(|error| match error {
        DecideError::NotFound => Fault::not_found(format!("batch {id}: there is no such batch")),
        error => refused(&format!("batch {id}"), &error),
    })?;
    let changed = decided.changed.len();
    let status = if decided.batch.is_completed() { "COMPLETED" } else { "PENDING" };
    let decided_by = name_in(&decision).map(PersonName::as_str);
    let view = DecidedBatchView { batch_id: id.as_str(), status, changed, decided_by };
    let text = match decision {
        PayoutDecision::Approve { .. } => {
            format!("{id} is approved. The service sends its {changed} payouts.")
        }
        PayoutDecision::Refuse { .. } => {
            format!("{id} is refused: {changed} payouts have ended. No money of them moved.")
        }
        PayoutDecision::Cancel => format!(
            "{id} is cancelled: {changed} payouts have ended. No money of them moved. Payouts that \
             were handed over go on."
        ),
    };
    output::print(common, &view, &text)
}

impl<'a> DecidedView<'a> {
    fn new(transaction: &'a Transaction, by: Option<&'a PersonName>) -> Self {
        Self {
            transaction_id: transaction.order.id.as_str(),
            status: transaction.state.status().as_str(),
            next_action: transaction.state.next_action(),
            failure: match transaction.state {
                State::Failed(code) => Some(code.as_str()),
                State::Pending(_) | State::Successful => None,
            },
            decided_by: by.map(PersonName::as_str),
            decided_at: output::time(transaction.updated_at),
        }
    }
}
