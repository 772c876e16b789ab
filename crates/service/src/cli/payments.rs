//! Begins payments beside a running service (docs/reference/command-line.md#begin-payments). A
//! command sends no order: what it begins is due at once, and the service sends it.

use super::{
    context::{Common, open_existing_with_orders},
    fault::Fault,
    operator_connections::connect_and_refresh,
};
use crate::shared_use_cases::{batches, operator_gateway, refunds};
use clap::Args;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio_util::task::TaskTracker;
use tua_config::{Config, RawSettings};
use tua_domain::{
    Scope,
    admission::AdmissionControl,
    audit::Source,
    change_notifier::ChangeNotifier,
    enforcement::Enforcement,
    idempotency::{IdempotencyKey, InFlight, RepeatError},
    key_ring::KeyRing,
    line::parse_name,
    poll_schedule::PollSchedule,
    ports::{BeginError, Clock, Store, StoreError},
    steady_time::SteadyTime,
};
use tua_metrics::Metrics;
use tua_store::database::Opened;
use tua_system::{actor, clock::SystemClock};
use tua_use_cases::{
    Accounts, Batches, CommandLineRequester, Idempotency, Networks, Payments, Refunds,
};
use uuid::Uuid;

/// The flags of a command that begins payments.
#[derive(Args, Debug)]
pub(super) struct RequestFlags {
    /// A name of your own for this request: repeated with the same key, the command does it once
    #[arg(long, value_name = "KEY", value_parser = parse_key)]
    pub(super) idempotency_key: IdempotencyKey,
    /// Who asks for it, for the audit log, in addition to the system user
    #[arg(long = "as", env = "TUA_AS", value_name = "NAME", value_parser = parse_name)]
    pub(super) name: Option<String>,
    /// The settings file of the service, with the operators
    #[arg(long, env = "TUA_CONFIG", value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

fn parse_key(text: &str) -> Result<IdempotencyKey, String> {
    IdempotencyKey::parse(text.as_bytes())
        .ok_or_else(|| "it must be 1 to 255 printable ASCII characters".to_owned())
}

/// The use cases that begin payments.
pub(super) struct PaymentUseCases {
    pub(super) store: Arc<dyn Store>,
    pub(super) accounts: Accounts,
    pub(super) payments: Arc<Payments>,
    pub(super) networks: Networks,
    keys: KeyRing,
}

impl PaymentUseCases {
    /// Opens the database, and connects the operators of the settings.
    pub(super) async fn open(common: &Common, config: Option<&Path>) -> Result<Self, Fault> {
        let config = Config::resolve(RawSettings::default(), common.database.clone(), config);
        let config = config.map_err(|faults| faults.join("; "))?;
        let Opened { store, orders } = open_existing_with_orders(config.database.clone()).await?;
        let keys = config.open_key_ring(store.as_ref()).await?;
        let operators = connect_and_refresh(&config, store.clone(), orders, &keys).await?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let metrics = Arc::new(Metrics::new(clock.now()));
        let tasks = TaskTracker::new();
        let payments = Payments {
            gateway: Arc::new(operator_gateway(
                &store,
                operators.clone(),
                clock.clone(),
                // Nobody waits in this process; the nodes of the service read the database.
                Arc::new(ChangeNotifier::new().0),
                metrics.clone(),
            )),
            transactions: store.clone(),
            audit_log: store.clone(),
            idempotency: Arc::new(Idempotency {
                records: store.clone(),
                clock: clock.clone(),
                steady_time: SteadyTime::new(clock.clone()),
                keys: keys.clone(),
                instance: Uuid::new_v4().to_string(),
                in_flight: InFlight::default(),
                tasks: tasks.clone(),
            }),
            admission: Arc::new(AdmissionControl::new(metrics)),
            limits: config.limits.of_payments(Enforcement::new(true)),
            schedule: PollSchedule { sandbox_speed: config.sandbox_speed },
            tasks,
        };
        Ok(Self {
            accounts: Accounts { accounts: store.clone() },
            store,
            payments: Arc::new(payments),
            networks: Networks { operators, clock },
            keys,
        })
    }

    /// Begins and checks batches of payouts.
    pub(super) fn batches(&self) -> Batches {
        batches(&self.store, self.payments.clone())
    }

    /// Begins refunds, which the running service sends.
    pub(super) fn refunds(&self) -> Refunds {
        refunds(&self.store, self.payments.clone())
    }

    /// Whether an account is suspended.
    ///
    /// # Errors
    /// One line: there is no such account, or the store failed.
    pub(super) async fn is_suspended(&self, scope: &Scope) -> Result<bool, Fault> {
        let account = self.accounts.existing(&scope.account).await;
        Ok(account?.suspended_at.is_some())
    }

    /// The person who asks for payments of an account and mode.
    pub(super) fn requester(&self, scope: Scope, name: Option<&str>) -> CommandLineRequester {
        let by = actor::audit_context(Source::CommandLine, name, &self.keys, SystemClock.now());
        CommandLineRequester { scope, by }
    }
}

/// Why a payment was not begun, and what to do.
pub(super) fn explained(error: &BeginError) -> String {
    match error {
        BeginError::Unroutable(_) | BeginError::LinesUnroutable(_) => {
            format!(
                "{error}. --config names the settings file of the service, with its operators and \
                 routes"
            )
        }
        BeginError::Repeat(RepeatError::KeyReused) => {
            "--idempotency-key: the key was used for another request; choose a new one".to_owned()
        }
        BeginError::Store(StoreError::Uncertain(_)) => {
            format!(
                "{error}. Repeat the command with the same --idempotency-key: then it is done once"
            )
        }
        error => error.to_string(),
    }
}

/// What happens to a payout or refund that was begun.
pub(super) fn begun_text(next_action: &str, is_replay: bool) -> &'static str {
    match (is_replay, next_action) {
        (true, _) => "It was begun before with this key. Nothing new was begun.",
        (false, "APPROVE_IN_DASHBOARD") => {
            "It waits for the approval of a second person. Nothing is sent before."
        }
        (false, _) => "The running service sends it.",
    }
}
