//! Accounts, people and keys: who may do what, and how they prove it. Without payments, HTTP or
//! SQL.
//!
//! `tua-domain` has the rules of payments, and makes all of this public under its own name too.
//!
//! | module | is about |
//! |---|---|
//! | [`account`] | accounts and their secret keys |
//! | [`scope`] | the account and the mode that data belongs to |
//! | [`branding`] | how a merchant's pages look to payers |
//! | [`key_scopes`], [`allowed_addresses`] | what a secret key may do, and from where |
//! | [`transaction_type`] | what kind of transaction may be read |
//! | [`key_use`] | when secret keys were last used |
//! | [`people`] | the people who use the dashboard: roles, memberships, sessions |
//! | [`decision_text`] | what people type about a decision |
//! | [`audit`] | the audit log of administrative changes |
//! | [`change`] | a change of a value that may be absent |
//! | [`mail_server`], [`account_mail_server`] | mail servers that owners set up |
//! | [`bare_address`] | e-mail addresses without a name |
//! | [`ip_prefix`] | by which part of their IP addresses clients are counted |
//! | [`language`] | language tags |
//! | [`mod@line`] | names and notes that people type on one line |
//! | [`bidi`] | marks of the direction of text |
//! | [`secret`] | secret keys, tokens and their digests |
//! | [`readable_code`] | codes that people read over a phone |
//! | [`key_ring`] | the versions of the server key |
//! | [`encrypted_secret`] | secrets encrypted with the server key |
//! | [`id`] | identifiers |
//! | `string_enum` | enums whose variants each have one written form |
//!
//! No two modules import each other.

pub mod account;
pub mod account_mail_server;
pub mod allowed_addresses;
pub mod audit;
pub mod bare_address;
pub mod bidi;
pub mod branding;
pub mod change;
pub mod decision_text;
pub mod encrypted_secret;
pub mod id;
pub mod ip_prefix;
pub mod key_ring;
pub mod key_scopes;
pub mod key_use;
pub mod language;
pub mod line;
pub mod mail_server;
pub mod people;
pub mod readable_code;
pub mod scope;
pub mod secret;
mod string_enum;
pub mod transaction_type;

pub use account::{Account, SecretKey};
pub use allowed_addresses::AllowedAddresses;
pub use id::{
    AccountId, BatchId, ChannelId, CheckoutId, ConnectedOperatorId, DeliveryId, EndpointId,
    IdentityId, KeyId, LinkId, MailId, PasskeyId, SessionId, StatementId, TransactionId, UserId,
};
pub use key_scopes::{Generation, KeyScope, KeyScopes};
pub use scope::{Mode, Scope};
