//! What the service does. Inbound adapters (HTTP, the hosted page, the workers, the command line)
//! call these.
//!
//! | module | does |
//! |---|---|
//! | `account_read_error` | an account that a person names and that does not exist |
//! | `accounts` | creates, reads and changes accounts |
//! | [`account_resumption`] | resumes a suspended account after questions to operators |
//! | `api_keys` | creates, lists, rotates and revokes secret keys |
//! | `last_start` | the operators of the last start, which limit who gets a live key |
//! | `server_keys` | registers versions of the server key |
//! | `requester` | who asks for a refund, a payout or a batch |
//! | `attempt_origin` | from where a person tries to sign in |
//! | `audit_log` | lists the audit log |
//! | `audit_verification` | verifies the audit log |
//! | `authentication` | finds the holder of a credential |
//! | `availability` | counts what operators respond for their circuit breakers |
//! | `checkouts` | opens, reads and closes checkout sessions |
//! | `links` | creates, reads and changes payment links for keys, and opens sessions of them |
//! | `link_management` | creates, lists and changes payment links for people |
//! | `payment_search` | finds a charge by the operator's id of it |
//! | `passwords` | sets and changes passwords of people |
//! | `password_work` | hashes passwords, with a short queue for strangers |
//! | `password_check` | checks passwords and codes, counts attempts, reports refused ones |
//! | `payments` | begins charges and payouts: first the commit, then the call to the operator |
//! | `recipient_names` | asks operators for the names of recipients |
//! | `refund_lists` | lists and finds refunds |
//! | `refunds` | begins refunds: decides how and through whom the money returns |
//! | `payouts` | cancels payouts and refunds, and ends those that nobody approved |
//! | `payout_limits` | the limits of payouts, and lifts that wait for a second person |
//! | `payout_lists` | lists payouts that wait for an approval, and batches |
//! | [`decisions`] | approves, refuses and cancels what is not sent yet |
//! | `batches` | begins, reads and cancels batches of payouts |
//! | `float_shortage` | finds operators whose float does not cover payouts |
//! | `day_charges` | reads the charges of the day |
//! | [`payees`] | reads whom an account has paid before |
//! | `person_payments` | begins charges and payouts that people ask for |
//! | `code_submitter` | who submits a passcode or voucher |
//! | `codes` | passes passcodes and vouchers on to the operator |
//! | `transaction_records` | what is stored about one transaction; its webhooks again |
//! | `reviews` | lists flagged transactions, and decides about them |
//! | `transactions` | reads transactions, and waits for changes |
//! | [`callbacks`] | takes operators' callbacks |
//! | `webhook_endpoints` | adds, lists, changes and removes webhook endpoints |
//! | `key_endpoints` | does the same for secret keys |
//! | `deliveries` | lists webhook deliveries, and sends them again |
//! | `delivery_subject` | reads what a webhook event is about |
//! | `event_horizon` | up to where the records of events are complete |
//! | `events` | lists and follows the events of an account and mode |
//! | `due_deliveries` | reads the webhook deliveries that are due, and records what came of them |
//! | `mail_contents` | reads what messages are about when they are sent |
//! | `mail_queue` | leases e-mail that is due, and records what came of it |
//! | `mail_outbox` | reads the outbox of e-mail, and turns e-mail on or off |
//! | `ledger` | reads and verifies the ledger |
//! | `personal_data` | reads and erases what is held about a person |
//! | `retention` | deletes what is past its retention time |
//! | `sandbox_clock` | makes what is scheduled in test mode of an account earlier |
//! | `test_checkouts` | ends checkout sessions of test mode early |
//! | `networks` | reads how networks are served |
//! | `sign_in` | signs people in to the dashboard, and proves their sessions again |
//! | `sessions` | begins, finds, renews and ends sessions of the dashboard |
//! | `till_pins` | sets PINs of sessions on shared phones, locks these sessions, and unlocks them |
//! | `members` | reads and changes who has which role in which account |
//! | `passkeys` | stores passkeys, and the challenges that they sign |
//! | `person_security` | reads a person's own credentials, and changes the person's reports |
//! | `provider_sign_in` | signs people in with what a sign-in provider says about them |
//! | [`day_closing`] | closes days of operators, and reads and verifies closed ones |
//! | [`statements`] | imports and lists statements, and compares them with the transactions |
//! | [`statement_fetch`] | fetches statements from operators |
//! | [`operator_gateway`] | calls operators |
//! | `status_queries` | asks operators what became of transactions |
//! | `recording` | turns the responses of operators into the state of transactions |
//! | `due_transactions` | leases transactions that are due, and sends or asks about them |
//! | `external_writes` | finds what other processes wrote without a notice |
//! | `sending` | sends orders to operators |
//! | [`enrolments`] | enrols people of the dashboard |
//! | `idempotency` | runs each attempt once, and answers its repetitions |
//! | `reading` | a transaction as it stands, or as it stood at a version |
//! | [`reports`] | reads pages and figures for people |
//! | `newest_transactions` | lists the newest transactions of one account and mode, or of several |
//! | `scopes` | the accounts and modes that a person chose to read |
//! | `monthly_reports` | reads the books of a month |
//! | `exports` | begins exports, each with its entry of the audit log |
//! | `first_steps` | reads how far an account is from its name to real payments |
//! | `branding` | changes the colour and the logo of an account |
//! | [`readiness`] | whether the service can do its work |
//! | `served_accounts` | finds the accounts whose money is at an operator |
//! | `operator_floats` | reads the money at operators |
//! | `operator_alerts` | alerts owners about operators |
//! | `operator_connections` | operators that people connect in the dashboard |
//! | `operator_loading` | loads them into this process, without a restart |
//! | `operator_checks` | checks the credentials and settings of operators |
//! | `unserved_payments` | finds pending payments whose operator the settings no longer have |

mod account_read_error;
pub mod account_resumption;
mod accounts;
mod alert_channels;
mod api_keys;
mod attempt_origin;
mod audit_log;
mod audit_verification;
mod authentication;
mod availability;
mod batches;
mod branding;
pub mod callbacks;
mod checkouts;
mod code_submitter;
mod codes;
mod day_charges;
pub mod day_closing;
pub mod decisions;
mod deliveries;
mod delivery_subject;
mod due_deliveries;
mod due_transactions;
pub mod enrolments;
mod event_horizon;
mod events;
mod exports;
mod external_writes;
mod first_steps;
mod float_shortage;
mod idempotency;
mod key_endpoints;
mod last_start;
mod ledger;
mod link_management;
mod links;
mod mail_contents;
mod mail_outbox;
mod mail_queue;
mod mail_servers;
mod members;
mod monthly_reports;
mod networks;
mod newest_transactions;
mod operator_alerts;
mod operator_checks;
mod operator_connections;
mod operator_floats;
pub mod operator_gateway;
mod operator_loading;
mod passkeys;
mod password_check;
mod password_work;
mod passwords;
pub mod payees;
mod payment_search;
mod payments;
mod payout_limits;
mod payout_lists;
mod payouts;
mod person_payments;
mod person_security;
mod personal_data;
mod provider_sign_in;
pub mod readiness;
mod reading;
mod recipient_names;
mod recording;
mod refund_lists;
mod refunds;
mod repeated_charges;
pub mod reports;
mod requester;
mod retention;
mod reviews;
mod sandbox_clock;
mod scopes;
mod sending;
mod served_accounts;
mod server_keys;
mod sessions;
mod sign_in;
pub mod statement_fetch;
pub mod statements;
mod status_queries;
mod stored_operators;
mod stored_secrets;
mod test_checkouts;
mod till_pins;
mod transaction_records;
mod transactions;
mod unserved_payments;
mod webhook_endpoints;

pub use account_read_error::AccountReadError;
pub use accounts::{Accounts, NewAccount};
pub use alert_channels::{
    AlertChannels, ChannelClient, ChannelContent, ChannelQueue, NewChannel, TestResult,
};
pub use api_keys::{
    ApiKeys, CreatedKey, KeyService, LiveKeyError, NewKey, RotateKeyError, RotatedKey,
    SuccessorExpiry,
};
pub use audit_log::{AuditFilter, AuditLog, AuditPage, AuditReader};
pub use audit_verification::AuditLogState;
pub use authentication::{Authentication, AuthenticationError};
pub use batches::{BatchRequest, Batches, CheckedBatch};
pub use branding::Branding;
pub use callbacks::{CallbackOutcome, Callbacks};
pub use checkouts::{
    CheckoutWithToken, Checkouts, FoundCheckout, ListedCheckouts, MerchantsCheckout,
};
pub use code_submitter::CodeSubmitter;
pub use codes::{CodeChecked, Codes};
pub use day_charges::DayCharges;
pub use day_closing::DayClosing;
pub use deliveries::{Deliveries, DeliveriesError};
pub use delivery_subject::DeliverySubjects;
pub use due_deliveries::{DueDeliveries, DueEndpoints};
pub use due_transactions::{DueTransactions, LeasedTransactions};
pub use enrolments::{
    EnrolError, EnrolledPerson, EnrolmentFault, EnrolmentForm, Enrolments, Inviter, OpenLink,
};
pub use event_horizon::EventHorizon;
pub use events::{Events, RecordedEvent};
pub use exports::{Exports, RecordedExport};
pub use external_writes::ExternalWrites;
pub use first_steps::{FirstSteps, FirstStepsProgress};
pub use float_shortage::FloatShortage;
pub use idempotency::{Idempotency, IdempotentResult};
pub use key_endpoints::{AddedEndpoint, KeyEndpoints};
pub use ledger::{Ledger, verify_ledger};
pub use link_management::LinkManagement;
pub use links::{LinkPayer, Links};
pub use mail_contents::{
    AccountReport, AccountReports, AlertDetails, AlertMail, AlertSubject, AlertSubjects, LinkMail,
    MAX_ALERTS_IN_MESSAGE, MailContent, MailContents, NoticeMail, ReceiptMail, ReportMail,
    UnsentMail,
};
pub use mail_outbox::MailOutbox;
pub use mail_queue::MailQueue;
pub use mail_servers::{MailServerTest, MailServers, MailSource};
pub use members::{Members, PersonOfAddress};
pub use monthly_reports::{MonthlyReading, MonthlyReports};
pub use networks::Networks;
pub use newest_transactions::TransactionSelection;
pub use operator_alerts::OperatorAlerts;
pub use operator_checks::OperatorChecks;
pub use operator_connections::{
    CheckedConnection, Credentials, Loading, NewConnection, OperatorConnections,
};
pub use operator_floats::{OperatorFloat, OperatorFloats};
pub use operator_gateway::OperatorGateway;
pub use passkeys::Passkeys;
pub use password_check::{Attempt, SignInError};
pub use password_work::StrangerQueue;
pub use payees::{Payee, PayeeSearch, Payees};
pub use payment_search::{FoundPayment, LookupCoverage, PayersSearch, PaymentSearch};
pub use payments::Payments;
pub use payout_limits::{CurrentLimits, PayoutLimits, WaitingLift};
pub use payout_lists::{
    ApprovalCounts, BatchOrigin, PayoutLists, PayoutOverview, WaitingBatch, WaitingPayout,
    WaitingPayouts,
};
pub use payouts::Payouts;
pub use person_security::{PersonSecurity, SecurityOverview};
pub use personal_data::{ErasePersonError, ErasedPerson, PersonExport, PersonalData};
pub use provider_sign_in::{Browser, ProviderSignIn};
pub use readiness::Readiness;
pub use refund_lists::{RefundLists, RefundPage};
pub use refunds::{RefundRequest, Refunds};
pub use reports::Reports;
pub use requester::{CommandLineRequester, Requester};
pub use retention::{PruneStep, Retention};
pub use reviews::Reviews;
pub use sandbox_clock::{KeySandboxClock, SandboxClock, TestKey};
pub use server_keys::{RegisterKeyError, ServerKeys};
pub use sessions::{FoundSession, OpenSession, Proof, RequestedBy, Sessions};
pub use statements::Statements;
pub use status_queries::StatusQueries;
pub use stored_operators::StoredOperators;
pub use stored_secrets::StoredSecrets;
pub use test_checkouts::TestCheckouts;
pub use till_pins::UnlockOutcome;
pub use transaction_records::{
    AskedRefund, PermittedActions, TransactionDetails, TransactionRecord, TransactionRecords,
};
pub use transactions::{TransactionResource, Transactions};
pub use unserved_payments::{MissingOperator, UnservedPayments};
pub use webhook_endpoints::{EndpointWithSecret, FailingEndpoint, PingError, WebhookEndpoints};
