//! What the messages of the outbox are about.

use crate::reports::AttentionTotals;
use jiff::civil::Date;
use tua_domain::{
    Account, Transaction,
    mail::{Alert, ReportInterval, SecurityNotice},
    people::User,
    ports::StoreError,
    reporting::DayTotal,
    review::Case,
};

/// What a message is about.
#[derive(Clone, Debug)]
pub enum MailContent {
    /// The link of an invitation or a reset.
    Link(LinkMail),
    /// Alerts of an account.
    Alerts(AlertMail),
    /// A change that concerns the security of a person or an account.
    Notice(Box<NoticeMail>),
    /// The report of a day or a week.
    Report(ReportMail),
    /// The receipt of a charge or refund.
    Receipt(Box<ReceiptMail>),
}

/// The link of an invitation or a reset. `Debug` hides the path, which opens the account.
#[derive(Clone)]
pub struct LinkMail {
    /// The person to whom it is sent.
    pub user: User,
    /// The path of the link.
    pub path: String,
    /// The name of the account to which the person is invited; `None` for a reset.
    pub invited_to: Option<String>,
}

impl std::fmt::Debug for LinkMail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkMail")
            .field("user", &self.user)
            .field("invited_to", &self.invited_to)
            .finish_non_exhaustive()
    }
}

/// Alerts of an account, to a person who is told about them.
#[derive(Clone, Debug)]
pub struct AlertMail {
    /// The recipient, who has a role in the account.
    pub user: User,
    /// The name of the account.
    pub account: String,
    /// The most urgent alerts, in this order.
    pub alerts: Vec<AlertDetails>,
    /// How many there are in all.
    pub count: u32,
}

/// An alert, and what it is about.
#[derive(Clone, Debug)]
pub struct AlertDetails {
    /// The alert, with its kind and its time.
    pub alert: Alert,
    /// What it is about.
    pub subject: AlertSubject,
}

/// What an alert is about.
#[derive(Clone, Debug)]
pub enum AlertSubject {
    /// A payment, with its review if it has one.
    Payment {
        /// The payment; `None` where it does not exist.
        payment: Option<Box<Transaction>>,
        /// Why it waits for review now; `None` where it does not, or the alert is no review.
        case: Option<Case>,
    },
    /// A batch of payouts, which the alert names.
    Batch {
        /// Whether a payout of it still waits for an approval.
        is_waiting: bool,
    },
    /// A webhook endpoint, by its host.
    Endpoint(Option<String>),
    /// An operator, which the alert names.
    Operator,
    /// A person, whom no message names.
    Person,
    /// A key, by its name.
    Key(Option<String>),
}

/// A change that concerns the security of a person or an account.
#[derive(Clone, Debug)]
pub struct NoticeMail {
    /// The person to whom it is sent.
    pub user: User,
    /// The change, with who made it and from which address.
    pub notice: SecurityNotice,
    /// The account of a role or a key.
    pub account: Option<Account>,
    /// The name of a key, or the host of a webhook endpoint.
    pub name: Option<String>,
    /// Whether it is about the recipient.
    pub is_own: bool,
}

/// The report of a day or a week.
#[derive(Clone, Debug)]
pub struct ReportMail {
    /// The person to whom it is sent.
    pub user: User,
    /// Whether it is of a day or a week.
    pub interval: ReportInterval,
    /// The last day of its period.
    pub last: Date,
    /// The accounts that the person may read, at least one.
    pub accounts: Vec<AccountReport>,
}

/// What a report contains of an account, in live mode.
#[derive(Clone, Debug)]
pub struct AccountReport {
    /// The account of these sums.
    pub account: Account,
    /// The sums of each day.
    pub totals: Vec<DayTotal>,
    /// The payments that wait for a person now.
    pub waiting: AttentionTotals,
}

/// The receipt of a charge or refund, for its payer.
#[derive(Clone, Debug)]
pub struct ReceiptMail {
    /// The address of the payer.
    pub email: String,
    /// The account of the merchant that was paid.
    pub account: Account,
    /// The charge or refund.
    pub transaction: Transaction,
}

/// Why a message is not sent now.
#[derive(Debug, thiserror::Error)]
pub enum UnsentMail {
    /// Nobody needs it any more, for this reason.
    #[error("{0}")]
    Moot(&'static str),
    /// It cannot be sent any more although somebody may need it, for this reason.
    #[error("{0}")]
    Lost(&'static str),
    /// The store failed. It is tried again.
    #[error(transparent)]
    Store(#[from] StoreError),
}
