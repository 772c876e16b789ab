//! One life of the service, from its start to a crash: the product's use cases and workers.

use crate::{
    calls::StoreCalls,
    operator::SimulatedOperator,
    oracles::Stored,
    permissions::{APPROVAL_ABOVE, REFUND_APPROVAL_ABOVE},
    world::World,
};
use jiff::Timestamp;
use std::{path::Path, sync::Arc};
use tokio::sync::mpsc;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tua_contract::Network;
use tua_domain::{
    Account, AccountId, Caller, Generation, Mode, Scope, SecretKey,
    admission::AdmissionControl,
    audit::{AuditContext, AuditKey, Source},
    change::Change,
    change_notifier::ChangeNotifier,
    enforcement::Enforcement,
    idempotency::InFlight,
    key_ring::KeyRing,
    known_orders::KnownOrders,
    payment_limits::PaymentLimits,
    payout_controls::{Ceiling, ControlsChange},
    poll_schedule::PollSchedule,
    ports::{Accounts, AuditLog, Clock, Outbox, PaymentMetrics, PayoutApprovals, Store},
    rate_limit::Rate,
    routing::Operators,
    secret::ServerKey,
    steady_time::SteadyTime,
    webhook::Endpoint,
};
use tua_metrics::{Metrics, StoreMetrics};
use tua_store::database::Database;
use tua_use_cases::{
    Batches, Callbacks, Checkouts, DueTransactions, Idempotency, Links, Networks, OperatorAlerts,
    OperatorChecks, OperatorFloats, OperatorGateway, Payments, Payouts, Readiness, StatusQueries,
    decisions::Decisions,
};
use tua_worker::{
    callbacks::{self, CallbackVerifier},
    operators,
    reconcile::Reconciliation,
};
use url::Url;

/// A running service.
#[derive(Debug)]
pub struct Node {
    /// The store on the simulated disk.
    pub store: Arc<dyn Store>,
    /// Begins payments and payouts.
    pub payments: Arc<Payments>,
    /// Opens checkout sessions.
    pub checkouts: Arc<Checkouts>,
    /// Creates payment links, and opens sessions of them.
    pub links: Links,
    /// Takes the callbacks of operators.
    pub callbacks: Arc<Callbacks>,
    /// Applies decisions about payouts.
    pub payouts: Payouts,
    /// Begins batches of payouts, and applies decisions about them.
    pub batches: Batches,
    /// The account of the shop.
    pub account: AccountId,
    /// The calls of the store that are under way.
    pub calls: Arc<StoreCalls>,
    server_key: ServerKey,
}

impl Node {
    /// Starts the service on the database at this path.
    ///
    /// # Errors
    /// What is wrong with the database.
    pub async fn start(path: &Path, world: &Arc<World>, life: u32) -> Result<Self, String> {
        let calls = Arc::new(StoreCalls::default());
        let database = Database::from(path.to_owned());
        let store = database.open_with_faults(StoreMetrics::default(), calls.clone()).await?.store;
        let clock: Arc<dyn Clock> = Arc::new(world.clock.clone());
        let server_key = ServerKey::from_bytes([7; 32]);
        let keys = key_ring(store.as_ref(), &server_key).await?;
        let account = ShopAccounts {
            accounts: store.as_ref(),
            payout_approvals: store.as_ref(),
            outbox: store.as_ref(),
        }
        .open(&keys, world)
        .await?;
        let metrics: Arc<dyn PaymentMetrics> = Arc::new(Metrics::new(clock.now()));
        let (changes, _) = ChangeNotifier::new();
        let gateway = Arc::new(OperatorGateway {
            transactions: store.clone(),
            hand_overs: store.clone(),
            checkouts: store.clone(),
            accounts: store.clone(),
            operators: all_operators(world),
            clock: clock.clone(),
            changes: Arc::new(changes),
            metrics: metrics.clone(),
            steady_time: SteadyTime::new(clock.clone()),
            known_orders: KnownOrders::new(),
        });
        let tasks = TaskTracker::new();
        let stopping = CancellationToken::new();
        let idempotency = Arc::new(Idempotency {
            records: store.clone(),
            clock: clock.clone(),
            steady_time: SteadyTime::new(clock.clone()),
            keys: keys.clone(),
            instance: format!("life {life}"),
            in_flight: InFlight::default(),
            tasks: tasks.clone(),
        });
        let schedule = PollSchedule { sandbox_speed: 1.0 };
        let admission = Arc::new(AdmissionControl::new(metrics));
        let checkouts = Arc::new(Checkouts {
            idempotency: idempotency.clone(),
            checkouts: store.clone(),
            accounts: store.clone(),
            reports: store.clone(),
            admission: admission.clone(),
            changes: gateway.changes.clone(),
            networks: Networks { operators: gateway.operators.clone(), clock: clock.clone() },
        });
        let links = Links { checkouts: checkouts.clone(), payment_links: store.clone() };
        let payments = Arc::new(Payments {
            gateway: gateway.clone(),
            transactions: store.clone(),
            audit_log: store.clone(),
            idempotency,
            admission,
            limits: no_limits().ok_or("the rates of the simulation are not valid")?,
            schedule,
            tasks: tasks.clone(),
        });
        let status_queries = Arc::new(StatusQueries {
            gateway: gateway.clone(),
            transactions: store.clone(),
            reports: store.clone(),
            callback_log: store.clone(),
            schedules: store.clone(),
        });
        let decisions = Decisions {
            payout_approvals: store.clone(),
            payout_batches: store.clone(),
            transactions: store.clone(),
            operators: gateway.operators.clone(),
        };
        let payouts = Payouts {
            gateway: gateway.clone(),
            decisions: decisions.clone(),
            transactions: store.clone(),
            payout_approvals: store.clone(),
        };
        let (hints, called_back) = mpsc::unbounded_channel();
        let reconciliation = Arc::new(Reconciliation {
            transactions: DueTransactions {
                status_queries: status_queries.clone(),
                payouts: payouts.clone(),
                schedules: store.clone(),
                schedule,
            },
            readiness: Arc::new(Readiness::new(store.clone(), clock, stopping.clone())),
            tasks: tasks.clone(),
            stopping: stopping.clone(),
        });
        tokio::spawn(reconciliation.run());
        tokio::spawn(watch_operators(&store, &gateway, tasks.clone()));
        let verifier = CallbackVerifier { status_queries, tasks, stopping };
        tokio::spawn(callbacks::run(verifier, called_back));
        let callbacks = Arc::new(Callbacks { gateway, callback_log: store.clone(), keys, hints });
        let batches = Batches {
            payments: payments.clone(),
            decisions,
            payout_batches: store.clone(),
            pinned_payments: store.clone(),
        };
        Ok(Self {
            store,
            payments,
            checkouts,
            links,
            payouts,
            batches,
            account,
            callbacks,
            calls,
            server_key,
        })
    }

    /// Where it is read what the service has stored.
    #[must_use]
    pub fn stored(&self) -> Stored<'_> {
        let store = self.store.as_ref();
        Stored {
            ledger: store,
            reviews: store,
            transactions: store,
            checkouts: store,
            outbox: store,
        }
    }

    /// Who a key or a token belongs to, as the service finds out at the beginning of each request;
    /// `None` where it is not valid.
    pub async fn authenticate(&self, key: &SecretKey, now: Timestamp) -> Option<SecretKey> {
        match self.store.caller(key.digest, now).await {
            Ok(Some(Caller::Key(key))) => Some(key),
            _ => None,
        }
    }

    /// The key of the audit log's entries.
    #[must_use]
    pub fn audit_key(&self) -> AuditKey {
        AuditKey::derive(1, &self.server_key)
    }

    /// The secret in the path of the callbacks of an operator.
    #[must_use]
    pub fn callback_secret(&self, operator: &str) -> String {
        self.server_key.callback_secret(operator)
    }
}

/// The worker that asks operators again after they have failed.
fn watch_operators(
    store: &Arc<dyn Store>,
    gateway: &OperatorGateway,
    tasks: TaskTracker,
) -> impl Future<Output = ()> + Send + 'static {
    let OperatorGateway { clock, changes, .. } = gateway;
    let networks = Networks { operators: gateway.operators.clone(), clock: clock.clone() };
    let floats = OperatorFloats {
        pinned: store.clone(),
        reports: store.clone(),
        accounts: store.clone(),
        networks,
    };
    let alerts = OperatorAlerts { mail: store.clone(), people: store.clone(), floats };
    let checks = OperatorChecks { clock: clock.clone(), changes: changes.clone() };
    operators::run(gateway.operators.clone(), alerts, checks, changes.clone(), tasks)
}

fn all_operators(world: &Arc<World>) -> Operators {
    Network::ALL.into_iter().fold(Operators::default(), |operators, network| {
        let operator = SimulatedOperator { network, world: world.clone() };
        operators.with_live(network, Arc::new(operator))
    })
}

/// The server key of the simulation, which the first life registers.
async fn key_ring(log: &dyn AuditLog, key: &ServerKey) -> Result<KeyRing, String> {
    log.register_first_key(key.digest(), &AuditKey::derive(1, key))
        .await
        .map_err(|error| error.to_string())?;
    let known = log.server_keys().await.map_err(|error| error.to_string())?;
    let keys = KeyRing::new(std::slice::from_ref(key), &known);
    keys.ok_or_else(|| "the server key is not that of the database".to_owned())
}

/// Where the account of the shop is created.
struct ShopAccounts<'a> {
    accounts: &'a dyn Accounts,
    payout_approvals: &'a dyn PayoutApprovals,
    outbox: &'a dyn Outbox,
}

impl ShopAccounts<'_> {
    /// The account of the shop with its keys and limits, which the first life creates. Tells the
    /// shop its keys.
    async fn open(&self, keys: &KeyRing, world: &World) -> Result<AccountId, String> {
        let now = world.clock.now();
        let mut found = self.accounts.keys(None).await.map_err(|error| error.to_string())?;
        let by = AuditContext {
            at: now,
            actor: "simulation".to_owned(),
            source: Source::CommandLine,
            device: None,
            key: keys.audit_key(),
        };
        if found.is_empty() {
            found.push(self.create(keys, &by).await?);
        }
        let scope = found[0].scope.clone();
        let controls = ControlsChange {
            approval_above: ceiling(APPROVAL_ABOVE),
            refund_approval_above: ceiling(REFUND_APPROVAL_ABOVE),
            ..ControlsChange::default()
        };
        self.payout_approvals
            .set_payout_controls(&scope, controls, &by)
            .await
            .map_err(|error| error.to_string())?;
        let mut state = world.lock();
        for key in found {
            if state.shop.keys.iter().all(|known| known.id != key.id) {
                state.shop.keys.push(key);
            }
        }
        Ok(scope.account)
    }

    /// Creates the account with one key and one webhook endpoint.
    async fn create(&self, keys: &KeyRing, by: &AuditContext) -> Result<SecretKey, String> {
        let account = Account::new("Adom Stores".to_owned(), by.at);
        let scope = Scope { account: account.id.clone(), mode: Mode::Live };
        let (key, _) = SecretKey::generate(scope.clone(), Generation::V2, by.at);
        let url = Url::parse("https://shop.example/webhooks").map_err(|error| error.to_string())?;
        let (endpoint, _) = Endpoint::new(scope, &url, &keys.current(), by.at);
        self.accounts
            .create_account(account, vec![key.clone()], by)
            .await
            .map_err(|error| error.to_string())?;
        self.outbox.add_endpoint(endpoint, by).await.map_err(|error| error.to_string())?;
        Ok(key)
    }
}

fn ceiling(pesewas: i64) -> Change<Ceiling> {
    Ceiling::from_pesewas(pesewas).map_or(Change::Keep, Change::Set)
}

fn no_limits() -> Option<PaymentLimits> {
    let rate = Rate::new(Rate::MAX_QUOTA, 1)?;
    Some(PaymentLimits {
        enforcement: Enforcement::new(false),
        code: rate,
        prompt_live: rate,
        prompt_test: rate,
        prompt_daily: rate,
        prompt_daily_test: rate,
        code_phone: rate,
    })
}
