//! The outbox of e-mail: messages, their attempts and when the next one is.

use crate::{
    AccountId, Event, Kind, MailId, Transaction, TransactionId, UserId,
    encrypted_secret::EncryptedSecret,
    language::LanguageTag,
    people::{EnrolmentLink, User},
    privacy::ERASED_EMAIL,
    retry_schedule::next_attempt,
    string_enum,
};
use jiff::{SignedDuration, Timestamp};
use tua_contract::Status;

/// The purpose of the encryption of links in the outbox.
pub const INVITATION_SECRET: &[u8] = b"tua: links in e-mail, XChaCha20-Poly1305";

/// After this time nobody needs the message any more. Longer than all attempts, which take about
/// three days.
pub const NEWS_LIFETIME: SignedDuration = SignedDuration::from_hours(4 * 24);

string_enum! {
    /// What a message is about.
    pub enum MailKind {
        /// An invitation to the dashboard, with a link.
        Invitation = "INVITATION",
        /// A link with which a person enrols again.
        Reset = "RESET",
        /// Alerts to an owner of an account.
        Alerts = "ALERTS",
        /// The receipt of a successful charge, to its payer.
        Receipt = "RECEIPT",
        /// A successful refund, to the payer of the charge.
        Refund = "REFUND",
        /// A change of a person's access, or of a role or a live key of an account.
        Security = "SECURITY",
        /// The report of a day or a week, to a person who chose it.
        Report = "REPORT",
    }
}

string_enum! {
    /// The status of a message.
    pub enum MailStatus {
        /// An attempt is due.
        Waiting = "WAITING",
        /// The server accepted it.
        Sent = "SENT",
        /// The server refused it for good, all attempts failed, or it was not sent in time.
        GivenUp = "GIVEN_UP",
        /// Nobody needs it any more, so it was not sent.
        Moot = "MOOT",
    }
}

/// A message in the outbox. It has no address and no body: both are read when it is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueuedMail {
    /// Its id, of which the Message-ID is made.
    pub id: MailId,
    /// What it is about.
    pub kind: MailKind,
    /// The account that it is about.
    pub account: Option<AccountId>,
    /// The recipient, if that is a person of the dashboard.
    pub user: Option<UserId>,
    /// The transaction that it is about, whose payer is the recipient if `user` is `None`.
    pub transaction: Option<TransactionId>,
    /// The language, where it is not the person's.
    pub language: Option<LanguageTag>,
    /// The id of the digest, of alerts; the notice, of a security notice; the period, of a report.
    pub detail: Option<String>,
    /// Encrypted with the server key: the path of a link, or the mail server that a notice is sent
    /// through instead of the account's. `None` once the message is sent, given up or moot.
    pub secret: Option<EncryptedSecret>,
    /// The time of the change that it reports.
    pub occurred_at: Timestamp,
    /// After this time it is not sent any more.
    pub expires_at: Option<Timestamp>,
    /// Whether it waits for an attempt, was sent, was given up, or is moot.
    pub status: MailStatus,
    /// The number of attempts.
    pub attempts: u32,
    /// The time of the next attempt.
    pub due_at: Option<Timestamp>,
    /// The time of the last attempt.
    pub attempted_at: Option<Timestamp>,
    /// Why the last attempt failed, or why it is moot, without the address.
    pub fault: Option<String>,
}

/// Which messages a list contains.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MailFilter {
    /// Those about this account; `None` for all.
    pub account: Option<AccountId>,
    /// Only those that were given up.
    pub is_given_up: bool,
}

/// Which due messages a worker leases, oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MailLease {
    /// Messages whose next attempt is due at this time.
    pub now: Timestamp,
    /// Until then no other worker gets them.
    pub until: Timestamp,
    /// The maximum number of messages.
    pub limit: u32,
    /// How many of one account.
    pub share: MailShare,
}

/// How many messages of one account are leased.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailShare {
    /// Any number: one server sends all messages.
    All,
    /// One message of each account, and none of these accounts, of which one is being sent.
    OneOfOthers(Vec<AccountId>),
}

/// The outcome of one attempt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MailOutcome {
    /// The server accepted the message.
    Sent,
    /// The server did not take it now, or could not be reached.
    NotTaken(String),
    /// The server refused it for good, or it cannot be composed any more.
    Refused(String),
    /// It was not sent, because nobody needs it any more.
    Moot(String),
}

impl MailKind {
    /// Whether it has a link with which a person gets access: who reads it could use it first. No
    /// mail server of an account sends it, because the link opens every account of the person.
    #[must_use]
    pub const fn has_link(self) -> bool {
        matches!(self, Self::Invitation | Self::Reset)
    }
}

impl QueuedMail {
    /// A message that is due at once.
    #[must_use]
    pub fn new(kind: MailKind, now: Timestamp) -> Self {
        Self {
            id: MailId::mint(),
            kind,
            account: None,
            user: None,
            transaction: None,
            language: None,
            detail: None,
            secret: None,
            occurred_at: now,
            expires_at: None,
            status: MailStatus::Waiting,
            attempts: 0,
            due_at: Some(now),
            attempted_at: None,
            fault: None,
        }
    }

    /// Alerts to an owner of an account: those of the digest with this id.
    #[must_use]
    pub fn alerts(account: AccountId, owner: UserId, digest: &MailId, now: Timestamp) -> Self {
        Self {
            account: Some(account),
            user: Some(owner),
            detail: Some(digest.as_str().to_owned()),
            expires_at: Some(now + NEWS_LIFETIME),
            ..Self::new(MailKind::Alerts, now)
        }
    }

    /// The receipt that follows from an event which `transaction` already includes. `None` where
    /// the payer gave no address or it was erased, and for every event that does not end a charge
    /// or refund as successful.
    #[must_use]
    pub fn receipt(transaction: &Transaction, event: &Event) -> Option<Self> {
        let order = &transaction.order;
        let kind = match (order.transfer.kind, &order.refund) {
            (Kind::Charge, _) => MailKind::Receipt,
            (Kind::Payout, Some(_)) => MailKind::Refund,
            (Kind::Payout, None) => return None,
        };
        let Event::Moved(state, _) = event else { return None };
        let has_address = order.details.email.as_deref().is_some_and(|email| email != ERASED_EMAIL);
        (state.status() == Status::Successful && has_address).then(|| Self {
            account: Some(order.scope.account.clone()),
            transaction: Some(order.id.clone()),
            language: order.details.language.clone(),
            expires_at: Some(transaction.updated_at + NEWS_LIFETIME),
            ..Self::new(kind, transaction.updated_at)
        })
    }

    /// A message with the path of an enrolment link, to the person that it is for.
    #[must_use]
    pub fn link(link: &EnrolmentLink, user: &User, path: EncryptedSecret, now: Timestamp) -> Self {
        let kind = if user.is_enrolled { MailKind::Reset } else { MailKind::Invitation };
        Self {
            user: Some(user.id.clone()),
            secret: Some(path),
            expires_at: Some(link.expires_at),
            ..Self::new(kind, now)
        }
    }

    /// The digest of the alerts of a message that has ended without being sent.
    #[must_use]
    pub fn unsent_digest(&self) -> Option<&str> {
        let is_unsent = matches!(self.status, MailStatus::GivenUp | MailStatus::Moot);
        self.detail.as_deref().filter(|_| is_unsent && self.kind == MailKind::Alerts)
    }

    /// Records the outcome of an attempt, and schedules the next attempt if the retry schedule has
    /// one before the message expires. A message that is moot was not attempted.
    pub fn record_outcome(&mut self, outcome: &MailOutcome, now: Timestamp) {
        if !matches!(outcome, MailOutcome::Moot(_)) {
            self.attempts += 1;
            self.attempted_at = Some(now);
        }
        self.due_at = match outcome {
            MailOutcome::NotTaken(_) => next_attempt(self.attempts, now)
                .filter(|next| self.expires_at.is_none_or(|expires_at| *next < expires_at)),
            MailOutcome::Sent | MailOutcome::Refused(_) | MailOutcome::Moot(_) => None,
        };
        (self.status, self.fault) = match (outcome, self.due_at) {
            (MailOutcome::Sent, _) => (MailStatus::Sent, None),
            (MailOutcome::NotTaken(fault), Some(_)) => (MailStatus::Waiting, Some(fault.clone())),
            (MailOutcome::Moot(reason), _) => (MailStatus::Moot, Some(reason.clone())),
            (MailOutcome::NotTaken(fault) | MailOutcome::Refused(fault), _) => {
                (MailStatus::GivenUp, Some(fault.clone()))
            }
        };
        if self.due_at.is_none() {
            self.secret = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::ServerKey;

    fn not_taken() -> MailOutcome {
        MailOutcome::NotTaken("try again later".to_owned())
    }

    #[test]
    fn a_server_that_is_away_for_a_day_gets_the_message_and_none_is_tried_for_ever() {
        let start = Timestamp::UNIX_EPOCH;
        let mut mail = QueuedMail::new(MailKind::Invitation, start);
        let mut attempts_after_a_day = 0;
        while let Some(due) = mail.due_at {
            attempts_after_a_day += u32::from(due >= start + SignedDuration::from_hours(24));
            mail.record_outcome(&not_taken(), due);
        }
        assert_eq!((mail.status, mail.attempts), (MailStatus::GivenUp, 10));
        assert!(attempts_after_a_day > 0);
    }

    #[test]
    fn alerts_that_expire_get_every_attempt() {
        let start = Timestamp::UNIX_EPOCH;
        let mut mail =
            QueuedMail::alerts(AccountId::mint(), UserId::mint(), &MailId::mint(), start);
        while let Some(due) = mail.due_at {
            mail.record_outcome(&not_taken(), due);
        }
        assert_eq!((mail.status, mail.attempts), (MailStatus::GivenUp, 10));
    }

    #[test]
    fn a_permanent_refusal_ends_it_at_once_and_the_secret_goes() {
        let key = ServerKey::parse(&"A".repeat(43)).unwrap();
        let secret =
            || Some(EncryptedSecret::encrypt_for(INVITATION_SECRET, &key, "/dashboard/enrol/abc"));
        for (outcome, status, attempts) in [
            (MailOutcome::Refused("550".to_owned()), MailStatus::GivenUp, 2),
            (MailOutcome::Sent, MailStatus::Sent, 2),
            (MailOutcome::Moot("the person was removed".to_owned()), MailStatus::Moot, 1),
        ] {
            let now = Timestamp::UNIX_EPOCH;
            let mut mail =
                QueuedMail { secret: secret(), ..QueuedMail::new(MailKind::Invitation, now) };
            mail.record_outcome(&not_taken(), now);
            assert!(mail.secret.is_some());
            mail.record_outcome(&outcome, now);
            assert_eq!(
                (mail.status, mail.attempts, mail.due_at, mail.secret),
                (status, attempts, None, None)
            );
        }
    }

    #[test]
    fn a_link_that_ends_before_the_next_attempt_is_given_up() {
        let now = Timestamp::UNIX_EPOCH;
        let expires_at = Some(now + SignedDuration::from_mins(4));
        let mut mail = QueuedMail { expires_at, ..QueuedMail::new(MailKind::Invitation, now) };
        mail.record_outcome(&not_taken(), now);
        assert_eq!(mail.status, MailStatus::Waiting, "after five seconds");
        mail.record_outcome(&not_taken(), mail.due_at.unwrap());
        assert_eq!(mail.status, MailStatus::GivenUp, "after five minutes the link has ended");
    }
}
