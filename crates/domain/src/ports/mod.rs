//! What the use cases need from outside: traits that the domain owns and adapters implement.
//!
//! | port | implemented by |
//! |---|---|
//! | the ports of [`Store`], and [`ClusterLink`] | `tua-store`, on SQLite and on PostgreSQL |
//! | [`Operator`] | `tua-operators` |
//! | [`Clock`] | the system, and tests |
//! | [`PaymentMetrics`], [`SignInMetrics`] | `tua-metrics` |

mod accounts;
mod alert_channels;
mod audit_log;
mod books;
mod callback_log;
mod certificates;
mod checkouts;
mod clock;
mod closed_days;
mod cluster_link;
mod code_attempts;
mod connected_operators;
mod due_work;
mod event_record;
mod exchanges;
mod hand_overs;
mod idempotency_records;
mod identities;
mod ledger;
mod limit_lifts;
mod links;
mod mail_outbox;
mod mail_servers;
mod mailer;
mod metrics;
mod nodes;
mod operator;
mod operator_callback;
mod operator_report;
mod outbox;
mod outcome_label;
mod passkeys;
mod payout_approvals;
mod payout_batches;
mod people;
mod personal_data;
mod pinned_payments;
mod rate_buckets;
mod readiness;
mod refund_refusal;
mod reports;
mod retention;
mod reviews;
mod sandbox_clocks;
mod schedules;
mod send_permit;
mod statements;
mod store;
mod store_changes;
mod store_errors;
mod till_pins;
mod transactions;

pub use crate::{
    callback_request::CallbackRequest,
    finding::{FailureScope, Finding, FindingSource, Mismatch, SendHistory},
    poll_schedule::NextStatusQuery,
    store_error::StoreError,
};
pub use accounts::Accounts;
pub use alert_channels::{AlertChannels, ChannelSender};
pub use audit_log::AuditLog;
pub use books::Books;
pub use callback_log::{CallbackLog, ReceivedCallback};
pub use certificates::{AcmeRecord, AcmeRecords};
pub use checkouts::Checkouts;
pub use clock::Clock;
pub use closed_days::ClosedDays;
pub use cluster_link::{ChangeSubscription, ClusterLink, ClusterMessage};
pub use code_attempts::CodeAttempts;
pub use connected_operators::{ConnectOperatorError, ConnectedOperators, OperatorConnector};
pub use due_work::{DueTransaction, HandOver, Observed, Route, SettledCode};
pub use event_record::EventRecord;
pub use exchanges::{ExchangeLog, ExchangeRecorder};
pub use hand_overs::HandOvers;
pub use idempotency_records::IdempotencyRecords;
pub use identities::{Identities, IdentityError};
pub use ledger::Ledger;
pub use limit_lifts::{LiftError, LimitLifts};
pub use links::PaymentLinks;
pub use mail_outbox::MailOutbox;
pub use mail_servers::{AccountMailer, ChangeMailServerError, MailServers};
pub use mailer::Mailer;
pub use metrics::{PaymentMetrics, SignInMetrics};
pub use nodes::Nodes;
pub use operator::{
    AccessTokenStatus, Balance, CancelResponse, CheckResult, CodeResponse, Operator, Order,
    ReadError, RefundOrder, SendResponse, SentOrder, StatusResponse,
};
pub use operator_callback::{
    AcceptedClaim, CallbackHint, CallbackRefusal, CallbackSubject, FailureClaim,
    QuestionedRecipient, SignatureIsRight, TransferQuestion, Verification, VerifiedCallback,
};
pub use operator_report::{Receipt, Report};
pub use outbox::{ChangedEndpoint, DeliveryFilter, EndpointChange, Outbox};
pub use outcome_label::OutcomeLabel;
pub use passkeys::Passkeys;
pub use payout_approvals::PayoutApprovals;
pub use payout_batches::{DecidedBatch, PayoutBatches};
pub use people::{People, RoleError, SignInCountError};
pub use personal_data::{EraseError, PersonalData, PersonsData, PersonsDataCounts};
pub use pinned_payments::{PinnedPayments, ReservedFloats};
pub use rate_buckets::RateBuckets;
pub use readiness::Readiness;
pub use refund_refusal::RefundRefusal;
pub use reports::Reports;
pub use retention::Retention;
pub use reviews::Reviews;
pub use sandbox_clocks::SandboxClocks;
pub use schedules::Schedules;
pub use send_permit::SendPermit;
pub use statements::{StatementImport, Statements};
pub use store::Store;
pub use store_changes::{AccountChange, CloseError, DecidedPayout, OpenError, OpenSessions};
pub use store_errors::{BeginError, CodeAttemptError, ReviewError};
pub use till_pins::TillPins;
pub use transactions::Transactions;
