//! Sends e-mail that is due. Each message is leased, so that one node sends it.

use futures_util::future::join_all;
use jiff::SignedDuration;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use tua_domain::{
    mail::{MailFault, MailOutcome, Message, QueuedMail},
    ports::{Clock, Mailer, StoreError},
};
use tua_mail::composer::{Composed, Composer};
use tua_use_cases::{MailQueue, MailServers};

/// The timeout of one message, from the connection to the last reply.
const SEND_TIMEOUT: SignedDuration = SignedDuration::from_secs(60);

/// How long a worker holds the lease of a message; longer than [`SEND_TIMEOUT`].
const LEASE_DURATION: SignedDuration = SignedDuration::from_secs(90);

/// The polling interval of the outbox, and the pause after a round in which the server took
/// nothing. It is no multiple of a second, the interval of other workers, so that they do not
/// always read the database at the same moment.
const POLL_INTERVAL: Duration = Duration::from_millis(2500);

/// The number of messages that are sent at the same time.
const MAX_CONCURRENT_SENDS: u32 = 8;

/// Sends the e-mail of the outbox that is due.
#[derive(Debug)]
pub struct MailWorker {
    /// Leases messages, and records what came of them.
    pub queue: MailQueue,
    /// Decides which messages are due, and measures the timeout of a send.
    pub clock: Arc<dyn Clock>,
    /// Sends every message to the mail server of the settings, where they have one.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// Sends messages to the mail servers of accounts, where the settings have none.
    pub servers: MailServers,
    /// Composes each message right before it is sent.
    pub composer: Composer,
    /// Ends the worker, between two rounds.
    pub stopping: CancellationToken,
}

impl MailWorker {
    /// Sends what is due until the service stops.
    pub async fn run(self) {
        let mut limit = MAX_CONCURRENT_SENDS;
        while !self.stopping.is_cancelled() {
            let looked_at = self.clock.uptime();
            let taken = match self.round(limit).await {
                Ok(taken) => taken,
                Err(error) => {
                    error!(%error, "due e-mail could not be read; trying again");
                    Some(false)
                }
            };
            // A server that takes nothing gets one message at a time until it takes one. The server
            // of one account does not slow down the messages of others.
            let is_down = taken == Some(false) && self.mailer.is_some();
            limit = if is_down { 1 } else { MAX_CONCURRENT_SENDS };
            if taken != Some(true) {
                tokio::select! {
                    () = self.clock.sleep_until_uptime(looked_at + POLL_INTERVAL) => {}
                    () = self.stopping.cancelled() => return,
                }
            }
        }
    }

    /// Sends what is due, at most `limit`. Returns whether any was taken or ended; `None` if
    /// nothing was due.
    async fn round(&self, limit: u32) -> Result<Option<bool>, StoreError> {
        if self.mailer.is_none() && !self.servers.is_any_used().await? {
            return Ok(None);
        }
        let now = self.clock.now();
        let leased = self.queue.lease(now, now + LEASE_DURATION, limit).await?;
        let outcomes = join_all(leased.iter().map(|mail| self.deliver(mail))).await;
        Ok((!leased.is_empty())
            .then(|| outcomes.iter().any(|outcome| !matches!(outcome, MailOutcome::NotTaken(_)))))
    }

    async fn send(&self, mail: &QueuedMail, message: &Message) -> Result<(), MailFault> {
        match &self.mailer {
            Some(mailer) => mailer.send(message).await,
            None => self.servers.send(mail, message).await,
        }
    }

    async fn deliver(&self, mail: &QueuedMail) -> MailOutcome {
        let outcome = match self.composer.compose(mail, self.clock.now()).await {
            Ok(Composed::Ready(message)) => {
                let timeout = self.clock.sleep_until(self.clock.now() + SEND_TIMEOUT);
                tokio::select! {
                    sent = self.send(mail, &message) => {
                        sent.map_or_else(outcome_of, |()| MailOutcome::Sent)
                    }
                    () = timeout => {
                        MailOutcome::NotTaken("the server took longer than a minute".to_owned())
                    }
                }
            }
            Ok(Composed::Moot(reason)) => MailOutcome::Moot(reason.to_owned()),
            Ok(Composed::Lost(reason)) => MailOutcome::Refused(reason.to_owned()),
            Err(error) => {
                error!(mail = %mail.id, %error, "an e-mail could not be read; it is tried again");
                MailOutcome::NotTaken("it could not be read from our database".to_owned())
            }
        };
        log(mail, &outcome);
        if let Err(error) = self.queue.record(mail, outcome.clone(), self.clock.now()).await {
            error!(mail = %mail.id, %error, "the result of an e-mail could not be stored; it is \
                sent again");
        }
        outcome
    }
}

fn outcome_of(fault: MailFault) -> MailOutcome {
    match fault {
        MailFault::Refused(_) => MailOutcome::Refused(fault.to_string()),
        MailFault::SignInRefused(_) | MailFault::NotTaken(_) => {
            MailOutcome::NotTaken(fault.to_string())
        }
    }
}

fn log(mail: &QueuedMail, outcome: &MailOutcome) {
    let kind = mail.kind.as_str();
    match outcome {
        MailOutcome::Sent => info!(mail = %mail.id, kind, "e-mail sent"),
        MailOutcome::NotTaken(fault) => warn!(mail = %mail.id, kind, fault, "e-mail not taken"),
        MailOutcome::Refused(fault) => warn!(mail = %mail.id, kind, fault, "e-mail given up"),
        MailOutcome::Moot(reason) => {
            info!(mail = %mail.id, kind, reason, "e-mail not sent: nobody needs it any more")
        }
    }
}
