//! Rules, without HTTP, SQL or any operator's wire format.
//!
//! The domain depends on `tua-contract`, on `tua-accounts` and on the traits in [`ports`], which
//! adapters implement; nothing here names an adapter. What the service does with these rules is in
//! `tua-use-cases`.
//!
//! | module | is about |
//! |---|---|
//! | [`ports`] | what it needs from outside, as traits |
//! | all of [`tua_accounts`] | accounts, people and keys: who may do what |
//! | [`caller`] | who calls: the holder of a secret key or of a checkout token |
//! | [`checkout`] | checkout sessions |
//! | [`link`] | payment links: pages at which a payer opens a session |
//! | [`sending`] | when the order of a new transaction is sent |
//! | [`transaction_order`] | what a transaction is begun with |
//! | [`transaction`], [`event`] | a transaction, derived from its events |
//! | [`transfer`] | the movement of money, and what a merchant adds to it |
//! | [`instruction`] | what a caller asks for when it begins a payment |
//! | [`payout_controls`], [`approval`] | limits of payouts, and payouts that wait for a person |
//! | [`payout_route`] | who sends a payout or refund, chosen when it begins or is approved |
//! | [`wallet_tiers`] | what wallets may move in a day |
//! | [`payout_batch`] | batches of payouts, which are begun, approved and refused whole |
//! | [`refund`] | what a refund returns, how, and how much is left of a charge |
//! | [`refusal_order`] | in which order a request for something new is refused |
//! | [`rules`] | rules that every store applies inside its own transactions |
//! | [`idempotency`] | requests that may be sent again without harm |
//! | [`verdict`] | verdicts on passcodes and vouchers |
//! | [`routing`], [`capabilities`] | which operator serves a payment, and what operators can do |
//! | [`mail_server_fault`] | why a message could not be sent with the mail server of an account |
//! | [`connected_operator`], [`credential_field`] | operators that people connect, and their fields |
//! | [`tariff`], [`quote`] | what operators charge, who bears that, what a payment would cost |
//! | [`file_lines`] | what became of the lines of a file |
//! | [`exchange`] | exchanges with operators, kept as evidence |
//! | [`international`] | phone numbers as operators and chats write them |
//! | [`calendar`] | days in UTC |
//! | [`steady_time`] | the time for long ages, which follows no step of the clock |
//! | [`known_orders`] | for how long this process has known that an order waits or was sent |
//! | [`poll_schedule`] | when an operator is asked for the status of a pending transaction |
//! | [`sandbox_clock`] | advances what is scheduled in test mode of an account |
//! | [`sandbox_times`] | the present time on these clocks |
//! | [`test_log`] | requests and webhook deliveries of test mode, for developers who follow them |
//! | [`repeated_charge`] | charges that may have been paid twice |
//! | [`review`] | people's decisions where the operator gives no final status |
//! | [`webhook`] | events, endpoints and deliveries |
//! | [`past_events`] | the events that happened before the record of an account and mode began |
//! | [`mail`] | e-mail messages and their outbox |
//! | [`operator_transaction_id`] | the operator's id of a payment, as a payer types it |
//! | [`prompt_instructions`] | how a payer who sees no prompt approves |
//! | [`listing`] | filters, pages and cursors of transactions |
//! | [`ledger`] | double-entry postings of every transaction |
//! | [`reporting`] | lists, sums and figures for people |
//! | [`books`] | the books of a month |
//! | [`statement`] | statements of operators, and how their lines agree with the transactions |
//! | [`public_url`] | the URL under which people and programs reach the service |
//! | [`queue`] | queues of due work by mode, direction and operator |
//! | [`pending`] | pending transactions by age |
//! | [`retention`] | what is deleted, and when |
//! | [`privacy`] | personal data: where it is, and how it is erased |
//! | [`rate_limit`] | rate limits: what is limited, and at which rate |
//! | [`enforcement`] | whether rate limits are enforced |
//! | [`payment_limits`], [`persistent_bucket`] | the limits of prompts and codes |
//! | [`admission`] | load shedding |
//! | [`change_notifier`] | notifies tasks that wait for a change |
//!
//! No two modules import each other. Values that several of them need are in private files, such as
//! `finding`, `pinned_operator` and `refund_values`. They are public through the module that they
//! belong to: [`admission`], [`approval`], [`ports`], [`refund`], [`review`] or [`routing`].

pub mod admission;
pub mod alert_channel;
pub mod approval;
pub mod books;
mod breaker_change;
pub mod calendar;
mod callback_request;
pub mod caller;
pub mod capabilities;
pub mod change_notifier;
pub mod checkout;
pub mod checkout_listing;
pub mod connected_operator;
mod connected_routes;
pub mod credential_field;
pub mod enforcement;
pub mod event;
pub mod exchange;
pub mod file_lines;
mod finding;
pub mod idempotency;
pub mod instruction;
pub mod international;
pub mod key_revocation;
pub mod known_orders;
pub mod ledger;
pub mod limit_lift;
pub mod link;
pub mod listing;
pub mod mail;
pub mod mail_server_fault;
pub mod operator_transaction_id;
mod overloaded;
pub mod past_events;
pub mod payment_limits;
pub mod payout_batch;
pub mod payout_controls;
pub mod payout_route;
mod payout_route_choice;
pub mod pending;
pub mod persistent_bucket;
mod pinned_operator;
pub mod poll_schedule;
pub mod ports;
pub mod privacy;
pub mod prompt_instructions;
pub mod public_url;
pub mod queue;
pub mod quote;
pub mod rate_limit;
pub mod recipient_name;
pub mod refund;
mod refund_values;
pub mod refusal_order;
pub mod repeated_charge;
pub mod reporting;
pub mod retention;
mod retry_schedule;
pub mod review;
mod route_error;
pub mod routing;
pub mod rules;
pub mod sandbox_clock;
pub mod sandbox_times;
pub mod sending;
pub mod simulated_phone;
pub mod statement;
pub mod steady_time;
mod store_error;
pub mod tariff;
pub mod test_log;
pub mod transaction;
pub mod transaction_order;
pub mod transfer;
pub mod verdict;
pub mod wallet_tiers;
pub mod webhook;

pub use caller::Caller;
pub use checkout::{Checkout, CheckoutSummary};
pub use event::Event;
pub use transaction::Transaction;
pub use transaction_order::TransactionOrder;
pub use transfer::{Details, Kind, Transfer};
pub use tua_accounts::{
    Account, AccountId, AllowedAddresses, BatchId, ChannelId, CheckoutId, ConnectedOperatorId,
    DeliveryId, EndpointId, Generation, IdentityId, KeyId, KeyScope, KeyScopes, LinkId, MailId,
    Mode, PasskeyId, Scope, SecretKey, SessionId, StatementId, TransactionId, UserId, account,
    account_mail_server, allowed_addresses, audit, bare_address, branding, change,
    encrypted_secret, id, ip_prefix, key_ring, key_scopes, key_use, language, line, mail_server,
    people, readable_code, scope, secret, string_enum,
};
use tua_accounts::{bidi, decision_text};
