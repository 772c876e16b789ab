//! Makes the use cases.

use super::shared::Shared;
use crate::{
    mail_servers::mail_servers,
    shared_use_cases::{
        batches, deliveries, delivery_subjects, enrolments, members, operator_gateway,
        payment_search, payouts, refunds, sandbox_clock, status_queries,
    },
};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;
use tua_config::Config;
use tua_domain::{
    admission::AdmissionControl,
    idempotency::InFlight,
    key_use::KeyUses,
    ports::{CallbackHint, ChannelSender, PaymentMetrics},
    steady_time::SteadyTime,
};
use tua_use_cases::{
    Accounts, AlertChannels, ApiKeys, AuditLog, Authentication, Batches, Callbacks, ChannelClient,
    Checkouts, Codes, Deliveries, Enrolments, EventHorizon, Events, Idempotency, LinkManagement,
    Links, MailOutbox, MailServers, Members, Networks, OperatorFloats, OperatorGateway,
    PaymentSearch, Payments, Payouts, Readiness, Refunds, SandboxClock, Sessions, StatusQueries,
    Transactions, WebhookEndpoints,
};

pub(super) struct UseCases {
    pub(super) admission: Arc<AdmissionControl>,
    pub(super) authentication: Arc<Authentication>,
    pub(super) callbacks: Arc<Callbacks>,
    pub(super) checkouts: Arc<Checkouts>,
    pub(super) codes: Arc<Codes>,
    pub(super) idempotency: Arc<Idempotency>,
    pub(super) accounts: Accounts,
    pub(super) api_keys: ApiKeys,
    pub(super) audit_log: AuditLog,
    pub(super) deliveries: Deliveries,
    pub(super) link_management: LinkManagement,
    pub(super) mail_outbox: MailOutbox,
    pub(super) mail_servers: MailServers,
    pub(super) members: Members,
    pub(super) operator_floats: OperatorFloats,
    pub(super) webhook_endpoints: WebhookEndpoints,
    pub(super) alert_channels: AlertChannels,
    pub(super) networks: Networks,
    pub(super) payment_search: PaymentSearch,
    pub(super) links: Links,
    pub(super) payments: Arc<Payments>,
    pub(super) payouts: Payouts,
    pub(super) batches: Batches,
    pub(super) refunds: Refunds,
    pub(super) status_queries: Arc<StatusQueries>,
    pub(super) readiness: Arc<Readiness>,
    pub(super) enrolments: Enrolments,
    pub(super) sandbox_clock: SandboxClock,
    pub(super) sessions: Sessions,
    pub(super) gateway: Arc<OperatorGateway>,
    pub(super) transactions: Arc<Transactions>,
    pub(super) events: Events,
}

impl UseCases {
    pub(super) fn new(
        shared: &Shared,
        config: &Config,
        hints: UnboundedSender<CallbackHint>,
        sender: Arc<dyn ChannelSender>,
    ) -> Self {
        let Shared { store, clock, keys, operators, changes, metrics, tasks, stopping, .. } =
            shared;
        let payment_metrics: Arc<dyn PaymentMetrics> = metrics.clone();
        let limits = config.limits.of_payments(shared.enforcement.clone());
        let admission = Arc::new(AdmissionControl::new(payment_metrics.clone()));
        let gateway = Arc::new(operator_gateway(
            store,
            operators.clone(),
            clock.clone(),
            changes.clone(),
            payment_metrics,
        ));
        let idempotency = Arc::new(Idempotency {
            records: store.clone(),
            clock: clock.clone(),
            steady_time: SteadyTime::new(clock.clone()),
            keys: keys.clone(),
            instance: shared.instance.clone(),
            in_flight: InFlight::default(),
            tasks: tasks.clone(),
        });
        let payments = Arc::new(Payments {
            gateway: gateway.clone(),
            transactions: store.clone(),
            audit_log: store.clone(),
            idempotency: idempotency.clone(),
            admission: admission.clone(),
            limits: limits.clone(),
            schedule: shared.schedule,
            tasks: tasks.clone(),
        });
        let networks = Networks { operators: operators.clone(), clock: clock.clone() };
        let checkouts = Arc::new(Checkouts {
            idempotency: idempotency.clone(),
            checkouts: store.clone(),
            accounts: store.clone(),
            reports: store.clone(),
            admission: admission.clone(),
            changes: changes.clone(),
            networks: networks.clone(),
        });
        Self {
            authentication: Arc::new(Authentication {
                accounts: store.clone(),
                checkouts: store.clone(),
                mail_outbox: store.clone(),
                clock: clock.clone(),
                key_uses: KeyUses::default(),
                exposures: KeyUses::default(),
                test_keys_in_browsers: KeyUses::default(),
            }),
            payment_search: payment_search(store, operators.clone(), clock.clone()),
            callbacks: Arc::new(Callbacks {
                gateway: gateway.clone(),
                callback_log: store.clone(),
                keys: keys.clone(),
                hints,
            }),
            links: Links { checkouts: checkouts.clone(), payment_links: store.clone() },
            checkouts,
            codes: Arc::new(Codes {
                gateway: gateway.clone(),
                transactions: store.clone(),
                code_attempts: store.clone(),
                rate_buckets: store.clone(),
                idempotency: idempotency.clone(),
                limits,
                tasks: tasks.clone(),
            }),
            status_queries: Arc::new(status_queries(store, gateway.clone())),
            payouts: payouts(store, gateway.clone()),
            batches: batches(store, payments.clone()),
            refunds: refunds(store, payments.clone()),
            readiness: Arc::new(Readiness::new(store.clone(), clock.clone(), stopping.clone())),
            sessions: Sessions {
                people: store.clone(),
                accounts: store.clone(),
                passkeys: store.clone(),
                till_pins: store.clone(),
                clock: clock.clone(),
                keys: keys.clone(),
                strangers: Arc::default(),
                metrics: metrics.clone(),
                tasks: tasks.clone(),
            },
            accounts: Accounts { accounts: store.clone() },
            api_keys: ApiKeys {
                accounts: store.clone(),
                audit_log: store.clone(),
                connected_operators: store.clone(),
            },
            audit_log: AuditLog {
                log: store.clone(),
                accounts: store.clone(),
                people: store.clone(),
            },
            sandbox_clock: sandbox_clock(store, changes.clone(), clock.clone()),
            deliveries: deliveries(store, changes.clone()),
            link_management: LinkManagement {
                links: store.clone(),
                accounts: store.clone(),
                changes: changes.clone(),
            },
            mail_outbox: MailOutbox { outbox: store.clone() },
            mail_servers: mail_servers(
                config,
                &shared.public_url,
                keys,
                store.clone(),
                clock.clone(),
            ),
            members: members(store),
            operator_floats: OperatorFloats {
                pinned: store.clone(),
                reports: store.clone(),
                accounts: store.clone(),
                networks: networks.clone(),
            },
            alert_channels: AlertChannels {
                store: store.clone(),
                client: ChannelClient { sender, keys: keys.clone(), clock: clock.clone() },
            },
            webhook_endpoints: WebhookEndpoints {
                outbox: store.clone(),
                accounts: store.clone(),
                changes: changes.clone(),
            },
            enrolments: enrolments(store, clock.clone(), keys.clone()),
            transactions: Arc::new(Transactions {
                transactions: store.clone(),
                reports: store.clone(),
                clock: clock.clone(),
                changes: changes.clone(),
                stopping: stopping.clone(),
            }),
            events: Events {
                event_record: store.clone(),
                subjects: delivery_subjects(store),
                clock: clock.clone(),
                keys: keys.clone(),
                tasks: tasks.clone(),
                stopping: stopping.clone(),
                horizon: EventHorizon::default(),
            },
            admission,
            idempotency,
            networks,
            payments,
            gateway,
        }
    }
}
