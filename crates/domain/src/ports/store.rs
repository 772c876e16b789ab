//! All ports that one database implements.

use super::{
    Accounts, AcmeRecords, AlertChannels, AuditLog, Books, CallbackLog, Checkouts, ClosedDays,
    CodeAttempts, ConnectedOperators, EventRecord, ExchangeLog, HandOvers, IdempotencyRecords,
    Identities, Ledger, LimitLifts, MailOutbox, MailServers, Nodes, Outbox, Passkeys, PaymentLinks,
    PayoutApprovals, PayoutBatches, People, PersonalData, PinnedPayments, RateBuckets, Readiness,
    Reports, Retention, Reviews, SandboxClocks, Schedules, Statements, TillPins, Transactions,
};

/// All ports to the database, for what puts the service together. Each method of a port is one use
/// case and atomic. When it returns, its writes are on disk. Database transactions are not visible
/// outside. Every method returns [`super::StoreError`], alone or in a variant, if the database
/// fails.
pub trait Store:
    Accounts
    + AcmeRecords
    + AlertChannels
    + AuditLog
    + Books
    + CallbackLog
    + Checkouts
    + ClosedDays
    + CodeAttempts
    + ConnectedOperators
    + EventRecord
    + ExchangeLog
    + HandOvers
    + IdempotencyRecords
    + Identities
    + Ledger
    + LimitLifts
    + MailOutbox
    + MailServers
    + Nodes
    + Outbox
    + Passkeys
    + PaymentLinks
    + PayoutApprovals
    + PayoutBatches
    + People
    + PersonalData
    + PinnedPayments
    + RateBuckets
    + Readiness
    + Reports
    + Retention
    + Reviews
    + SandboxClocks
    + Schedules
    + Statements
    + TillPins
    + Transactions
{
}

impl<T> Store for T where
    T: Accounts
        + AcmeRecords
        + AlertChannels
        + AuditLog
        + Books
        + CallbackLog
        + Checkouts
        + ClosedDays
        + CodeAttempts
        + ConnectedOperators
        + EventRecord
        + ExchangeLog
        + HandOvers
        + IdempotencyRecords
        + Identities
        + Ledger
        + LimitLifts
        + MailOutbox
        + MailServers
        + Nodes
        + Outbox
        + Passkeys
        + PaymentLinks
        + PayoutApprovals
        + PayoutBatches
        + People
        + PersonalData
        + PinnedPayments
        + RateBuckets
        + Readiness
        + Reports
        + Retention
        + Reviews
        + SandboxClocks
        + Schedules
        + Statements
        + TillPins
        + Transactions
{
}
