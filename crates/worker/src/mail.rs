//! Sends e-mail that is due. Each message is leased, so that one node sends it.

use super::mail_places::MailPlaces;
use jiff::SignedDuration;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};
use tua_domain::{
    mail::{MailFault, MailLease, MailOutcome, MailShare, Message, QueuedMail},
    ports::{Clock, Mailer, StoreError},
};
use tua_mail::composer::{Composed, Composer};
use tua_use_cases::{MailQueue, MailServers};

/// The timeout of one message, from the connection to the last reply. A server may need ten minutes
/// to reply to a message that it has received (RFC 5321, section 4.5.3.2.6); [`tua_mail::smtp`] has
/// the shorter timeouts of what comes before.
const SEND_TIMEOUT: SignedDuration = SignedDuration::from_mins(12);

/// How long a worker holds the lease of a message; longer than [`SEND_TIMEOUT`].
const LEASE_DURATION: SignedDuration = SignedDuration::from_mins(13);

/// The polling interval of the outbox, and the pause after the server of the settings did not take
/// a message. It is no multiple of a second, the interval of other workers, so that they do not
/// always read the database at the same moment.
const POLL_INTERVAL: Duration = Duration::from_millis(2500);

/// The number of messages that are sent to the server of the settings at the same time.
const MAX_TO_ONE_SERVER: usize = 8;

/// The number of messages that are sent to the servers of accounts at the same time, one of each
/// account. A server that does not respond holds its place, and delays no other while there are
/// free places.
const MAX_TO_ACCOUNTS: usize = 256;

/// The maximum number of messages of one lease.
const MAX_LEASED: usize = 16;

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
    /// Ends the worker, after the messages that are being sent.
    pub stopping: CancellationToken,
}

/// Whether the server takes messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ServerState {
    Up,
    /// It did not take the last message.
    Down,
}

impl MailWorker {
    /// Sends what is due until the service stops.
    pub async fn run(self) {
        let worker = Arc::new(self);
        let mut places = MailPlaces::default();
        let mut server = ServerState::Up;
        let mut looked_at = worker.clock.uptime();
        while !worker.stopping.is_cancelled() {
            if !worker.is_full(&places, server) {
                looked_at = worker.clock.uptime();
                if let Err(error) = worker.fill(&mut places, server).await {
                    error!(%error, "due e-mail could not be read; trying again");
                }
            }
            server = worker.wait(&mut places, server, looked_at + POLL_INTERVAL).await;
        }
        while places.next_ended().await.is_some() {}
    }

    /// Begins to send what is due, as far as there are free places.
    async fn fill(
        self: &Arc<Self>,
        places: &mut MailPlaces,
        server: ServerState,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        if self.mailer.is_none() && !self.servers.is_any_used().await? {
            return Ok(());
        }
        self.queue.dispatch(now).await;
        loop {
            let limit = places.free(self.max_places(server)).min(MAX_LEASED);
            if limit == 0 {
                return Ok(());
            }
            let lease = MailLease {
                now,
                until: now + LEASE_DURATION,
                limit: u32::try_from(limit).unwrap_or(u32::MAX),
                share: self.share(places),
            };
            let leased = self.queue.lease(&lease).await?;
            let is_last = leased.len() < limit;
            for mail in leased {
                let worker = self.clone();
                places.begin(mail.account.clone(), async move {
                    let until = worker.clock.uptime() + POLL_INTERVAL;
                    let outcome = worker.deliver(&mail).await;
                    worker.pause_after(&outcome, until).await;
                    outcome
                });
            }
            if is_last {
                return Ok(());
            }
        }
    }

    /// A server of the settings that is down gets one message at a time until it takes one. The
    /// server of one account does not slow down the messages of others.
    const fn max_places(&self, server: ServerState) -> usize {
        match (&self.mailer, server) {
            (Some(_), ServerState::Up) => MAX_TO_ONE_SERVER,
            (Some(_), ServerState::Down) => 1,
            (None, _) => MAX_TO_ACCOUNTS,
        }
    }

    fn is_full(&self, places: &MailPlaces, server: ServerState) -> bool {
        places.free(self.max_places(server)) == 0
    }

    fn share(&self, places: &MailPlaces) -> MailShare {
        match &self.mailer {
            Some(_) => MailShare::All,
            None => MailShare::OneOfOthers(places.accounts()),
        }
    }

    /// Waits until a place is free again, or until this time if one is free already. Returns
    /// whether the server takes messages. One of the settings that did not take a message gets none
    /// before that time.
    async fn wait(
        &self,
        places: &mut MailPlaces,
        mut server: ServerState,
        until: Duration,
    ) -> ServerState {
        loop {
            tokio::select! {
                () = self.clock.sleep_until_uptime(until), if !self.is_full(places, server) => {
                    return server;
                }
                () = self.stopping.cancelled() => return server,
                Some(ended) = places.next_ended() => {
                    let is_taken = !matches!(ended, MailOutcome::NotTaken(_));
                    server = if is_taken { ServerState::Up } else { ServerState::Down };
                    if is_taken || self.mailer.is_none() {
                        return server;
                    }
                }
            }
        }
    }

    /// After a failure the place of an account stays taken until this time. Otherwise a server that
    /// is down, or refuses the password, would be tried for each waiting message at once.
    async fn pause_after(&self, outcome: &MailOutcome, until: Duration) {
        if self.mailer.is_some() || !matches!(outcome, MailOutcome::NotTaken(_)) {
            return;
        }
        tokio::select! {
            () = self.clock.sleep_until_uptime(until) => {}
            () = self.stopping.cancelled() => {}
        }
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
                        let minutes = SEND_TIMEOUT.as_mins();
                        MailOutcome::NotTaken(format!("the server took longer than {minutes} min"))
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
