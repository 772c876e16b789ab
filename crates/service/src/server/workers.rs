//! Starts the workers that run beside the requests.

use super::{shared::Shared, use_cases::UseCases};
use crate::shared_use_cases::{alert_subjects, delivery_subjects, mail_contents};
use std::{future::Future, path::PathBuf, pin::Pin, sync::Arc, time::Duration};
use tokio::{
    sync::{
        Semaphore,
        mpsc::{Receiver, UnboundedReceiver},
    },
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use tua_config::key_file;
use tua_domain::{
    exchange::Exchange,
    ports::{CallbackHint, ClusterMessage},
    public_url::PublicUrl,
    steady_time::SteadyTime,
};
use tua_mail::composer::Composer;
use tua_use_cases::{
    ChannelQueue, DueDeliveries, DueTransactions, ExternalWrites, MailQueue, OperatorAlerts,
    OperatorChecks, Retention, UnservedPayments,
};
use tua_webhooks::sender::Sender;
use tua_worker::{
    callbacks::{self, CallbackVerifier},
    channels::{ChannelWorker, MAX_CONCURRENT_SENDS},
    connected_operators, exchanges, external_writes,
    mail::MailWorker,
    mail_servers,
    nodes::{ClusterExchange, NodeSubscription},
    operators, prune,
    reconcile::Reconciliation,
    sandbox_clocks,
    webhooks::WebhookWorker,
};

/// What the workers receive from other parts.
pub(super) struct Inboxes {
    pub(super) hints: UnboundedReceiver<CallbackHint>,
    pub(super) exchanges: Receiver<Exchange>,
    /// What is published to other nodes.
    pub(super) messages: UnboundedReceiver<ClusterMessage>,
    /// Changes on other nodes; `None` on a database file.
    pub(super) subscription: Option<NodeSubscription>,
}

/// What the outboxes are sent with.
pub(super) struct Senders {
    pub(super) webhooks: Sender,
    /// The origin of links to the dashboard.
    pub(super) dashboard_url: PublicUrl,
}

/// Stores the exchanges with operators. Unlike the workers, it must end after the last call of an
/// operator has.
#[derive(Debug)]
pub(super) struct EvidenceWriter {
    task: JoinHandle<()>,
    /// Cancelled once no call can record an exchange any more.
    calls_ended: CancellationToken,
}

impl EvidenceWriter {
    /// Stores what waits, within this time.
    pub(super) async fn finish(self, limit: Duration) {
        self.calls_ended.cancel();
        if tokio::time::timeout(limit, self.task).await.is_err() {
            tracing::warn!("stopped before all records of exchanges with operators were stored");
        }
    }
}

/// A worker that runs until the service stops.
type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Starts all workers. `key_file` is the file of the server keys, where there is one.
pub(super) fn start(
    shared: &Shared,
    use_cases: &UseCases,
    senders: Senders,
    key_file: Option<PathBuf>,
    inboxes: Inboxes,
) -> EvidenceWriter {
    let Shared {
        store, clock, keys, operators, changes, metrics, workers, tasks, stopping, ..
    } = shared;
    let until_stopped = |work: Work| {
        workers.spawn(until(stopping.clone(), work));
    };
    let reconciliation = Arc::new(Reconciliation {
        transactions: DueTransactions {
            status_queries: use_cases.status_queries.clone(),
            payouts: use_cases.payouts.clone(),
            schedules: store.clone(),
            schedule: shared.schedule,
        },
        readiness: use_cases.readiness.clone(),
        tasks: tasks.clone(),
        stopping: stopping.clone(),
    });
    workers.spawn(reconciliation.run());
    let webhooks = Arc::new(WebhookWorker {
        deliveries: DueDeliveries {
            outbox: store.clone(),
            subjects: delivery_subjects(store),
            clock: clock.clone(),
            keys: keys.clone(),
        },
        clock: clock.clone(),
        changes: changes.clone(),
        sender: senders.webhooks,
        keys: keys.clone(),
        test_log: shared.test_log.clone(),
        metrics: metrics.clone(),
        readiness: use_cases.readiness.clone(),
        tasks: tasks.clone(),
        stopping: stopping.clone(),
    });
    workers.spawn(webhooks.run());
    let dashboard_url = senders.dashboard_url.to_string();
    let composer = Composer {
        contents: mail_contents(store, keys.clone()),
        public_url: shared.public_url.to_string(),
        dashboard_url: dashboard_url.clone(),
    };
    let mail = MailWorker {
        queue: MailQueue { outbox: store.clone() },
        clock: clock.clone(),
        mailer: shared.mailer.clone(),
        servers: use_cases.mail_servers.clone(),
        composer,
        stopping: stopping.clone(),
    };
    workers.spawn(mail.run());
    until_stopped(Box::pin(mail_servers::run(use_cases.mail_servers.clone())));
    let channels = Arc::new(ChannelWorker {
        queue: ChannelQueue {
            store: store.clone(),
            subjects: alert_subjects(store),
            accounts: store.clone(),
        },
        client: use_cases.alert_channels.client.clone(),
        clock: clock.clone(),
        dashboard_url,
        slots: Arc::new(Semaphore::new(MAX_CONCURRENT_SENDS)),
        tasks: tasks.clone(),
        stopping: stopping.clone(),
    });
    workers.spawn(channels.run());
    if let Some(path) = key_file {
        until_stopped(Box::pin(key_file::watch(path, keys.clone(), store.clone())));
    }
    let retention = Retention { retention: store.clone(), time: SteadyTime::new(clock.clone()) };
    until_stopped(Box::pin(prune::run(retention, clock.clone(), metrics.clone())));
    if shared.test_settings.is_any_in_force() {
        until_stopped(Box::pin(
            shared
                .test_settings
                .clone()
                .end_with_live_key(use_cases.api_keys.clone(), clock.clone()),
        ));
    }
    until_stopped(Box::pin(sandbox_clocks::run(use_cases.sandbox_clock.clone())));
    let unserved = UnservedPayments {
        pinned: store.clone(),
        operators: operators.clone(),
        gateway: use_cases.gateway.clone(),
    };
    until_stopped(Box::pin(operators::flag_unserved(unserved, clock.clone())));
    until_stopped(Box::pin(connected_operators::run(shared.connections.clone())));
    let alerts = OperatorAlerts {
        mail: store.clone(),
        people: store.clone(),
        floats: use_cases.operator_floats.clone(),
    };
    let checks = OperatorChecks { clock: clock.clone(), changes: changes.clone() };
    until_stopped(Box::pin(operators::run(
        operators.clone(),
        alerts,
        checks,
        changes.clone(),
        tasks.clone(),
    )));
    let calls_ended = CancellationToken::new();
    let recording = exchanges::run(store.clone(), inboxes.exchanges, calls_ended.clone());
    let evidence = EvidenceWriter { task: tokio::spawn(recording), calls_ended };
    let verifier = CallbackVerifier {
        status_queries: use_cases.status_queries.clone(),
        tasks: tasks.clone(),
        stopping: stopping.clone(),
    };
    until_stopped(Box::pin(callbacks::run(verifier, inboxes.hints)));
    match inboxes.subscription {
        Some(subscription) => {
            let instance = shared.instance.clone();
            let exchange = Arc::new(ClusterExchange {
                nodes: store.clone(),
                changes: changes.clone(),
                instance,
                connections: shared.connections.clone(),
                operators: operators.clone(),
                clock: clock.clone(),
            });
            until_stopped(Box::pin(exchange.clone().publish(inboxes.messages)));
            until_stopped(Box::pin(exchange.clone().receive(subscription)));
            until_stopped(Box::pin(exchange.poll()));
        }
        // Only a database file is written to by the command line without a notice.
        None => until_stopped(Box::pin(external_writes::run(ExternalWrites {
            nodes: store.clone(),
            changes: changes.clone(),
        }))),
    }
    evidence
}

async fn until(stopping: CancellationToken, work: Work) {
    tokio::select! {
        () = work => {}
        () = stopping.cancelled() => {}
    }
}
