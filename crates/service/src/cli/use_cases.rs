//! The use cases that commands share, on one database.

use super::context::{self, Common, open_existing, open_existing_database};
use super::fault::Fault;
use crate::shared_use_cases::{
    day_closing, decisions, deliveries, enrolments, exports, members, payout_lists, refund_lists,
    sandbox_clock, statements, transaction_records,
};
use std::{path::Path, sync::Arc};
use tua_config::{Config, RawSettings};
use tua_domain::{
    audit::AuditContext,
    change_notifier::ChangeNotifier,
    key_ring::KeyRing,
    ports::{Clock, Store},
    routing::Operators,
};
use tua_system::clock::SystemClock;
use tua_use_cases::{
    Accounts, ApiKeys, AuditLog, DayClosing, Deliveries, Enrolments, Exports, Ledger,
    LinkManagement, MailOutbox, Members, PayoutLimits, PayoutLists, PersonalData, RefundLists,
    Reports, Reviews, SandboxClock, ServerKeys, Statements, TestCheckouts, TransactionRecords,
    WebhookEndpoints, decisions::Decisions,
};

/// The use cases of a command. None of them calls an operator.
pub(super) struct UseCases {
    pub(super) store: Arc<dyn Store>,
    pub(super) accounts: Accounts,
    pub(super) api_keys: ApiKeys,
    pub(super) audit_log: AuditLog,
    pub(super) day_closing: DayClosing,
    pub(super) deliveries: Deliveries,
    pub(super) exports: Exports,
    pub(super) ledger: Ledger,
    pub(super) links: LinkManagement,
    pub(super) mail_outbox: MailOutbox,
    pub(super) members: Members,
    pub(super) payout_limits: PayoutLimits,
    pub(super) payout_lists: PayoutLists,
    pub(super) personal_data: PersonalData,
    pub(super) refund_lists: RefundLists,
    pub(super) reports: Reports,
    pub(super) reviews: Reviews,
    pub(super) sandbox_clock: SandboxClock,
    pub(super) server_keys: ServerKeys,
    pub(super) statements: Statements,
    pub(super) test_checkouts: TestCheckouts,
    pub(super) transaction_records: TransactionRecords,
    pub(super) webhook_endpoints: WebhookEndpoints,
}

impl UseCases {
    /// Opens an existing database, so that a mistyped path does not create an empty one.
    pub(super) async fn open(common: &Common) -> Result<Self, Fault> {
        Ok(Self::new(open_existing(common).await?))
    }

    /// As [`Self::open`], the database of a settings file. Returns the settings too.
    pub(super) async fn open_with_settings(
        common: &Common,
        config: Option<&Path>,
    ) -> Result<(Config, Self), Fault> {
        let config = Config::resolve(RawSettings::default(), common.database.clone(), config);
        let config = config.map_err(|faults| faults.join("; "))?;
        let store = open_existing_database(config.database.clone()).await?;
        Ok((config, Self::new(store)))
    }

    /// The use cases on an open database.
    pub(super) fn new(store: Arc<dyn Store>) -> Self {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        // Nobody waits in this process; the nodes of the service read the database.
        let changes = Arc::new(ChangeNotifier::new().0);
        Self {
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
            deliveries: deliveries(&store, changes.clone()),
            ledger: Ledger { ledger: store.clone(), accounts: store.clone() },
            links: LinkManagement {
                links: store.clone(),
                accounts: store.clone(),
                changes: changes.clone(),
            },
            mail_outbox: MailOutbox { outbox: store.clone() },
            personal_data: PersonalData {
                personal_data: store.clone(),
                transactions: store.clone(),
            },
            sandbox_clock: sandbox_clock(&store, changes.clone(), clock.clone()),
            server_keys: ServerKeys { audit_log: store.clone() },
            test_checkouts: TestCheckouts { checkouts: store.clone() },
            webhook_endpoints: WebhookEndpoints {
                outbox: store.clone(),
                accounts: store.clone(),
                changes: changes.clone(),
            },
            day_closing: day_closing(&store, clock.clone()),
            exports: exports(&store, clock.clone()),
            members: members(&store),
            payout_limits: PayoutLimits {
                approvals: store.clone(),
                lifts: store.clone(),
                people: store.clone(),
                clock,
            },
            payout_lists: payout_lists(&store),
            refund_lists: refund_lists(&store),
            reports: Reports {
                reports: store.clone(),
                accounts: store.clone(),
                audit_log: store.clone(),
            },
            reviews: Reviews {
                reviews: store.clone(),
                accounts: store.clone(),
                changes: changes.clone(),
            },
            statements: statements(&store),
            transaction_records: transaction_records(&store, changes),
            store,
        }
    }

    /// Invites and resets people, with the server keys of the database.
    pub(super) async fn enrolments(&self, common: &Common) -> Result<Enrolments, Fault> {
        let keys = self.key_ring(common).await?;
        Ok(enrolments(&self.store, Arc::new(SystemClock), keys))
    }

    /// The server keys of the service on this database, as the environment names them.
    pub(super) async fn key_ring(&self, common: &Common) -> Result<KeyRing, Fault> {
        context::key_ring(common, self.store.as_ref()).await
    }

    /// The server keys of the service on this database, as settings name them.
    pub(super) async fn key_ring_of(&self, config: &Config) -> Result<KeyRing, Fault> {
        Ok(config.open_key_ring(self.store.as_ref()).await?)
    }

    /// Approves, refuses and cancels payouts. `operators`: who may send those that are approved.
    pub(super) fn decisions(&self, operators: Operators) -> Decisions {
        decisions(&self.store, operators)
    }

    /// Who makes a change, and when.
    pub(super) async fn audit_context(&self, common: &Common) -> Result<AuditContext, Fault> {
        context::audit_context(common, self.store.as_ref()).await
    }
}
