//! Orders the service's TLS certificate from an ACME server (RFC 8555), and renews it.
//!
//! Everything is stored in the database. Of several nodes one places the order, any of them can
//! answer the ACME server's validation, and all of them serve the certificate. A certificate that
//! is in use stays in use until a new one has been verified, whatever the ACME server does.
//!
//! | module | contents |
//! |---|---|
//! | [`settings`] | the settings, validated |
//! | `records` | what is stored |
//! | `order` | places one order |
//! | `challenges` | answers the ACME server's validations |
//! | `http_client` | HTTP requests to the ACME server |
//! | `failure` | why an order failed, and what to do |

mod challenges;
mod failure;
mod http_client;
mod order;
mod records;
pub mod settings;

pub use challenges::StoredChallenges;
pub use records::OrderState;
pub use records::Records;
pub use settings::AcmeSettings;

use crate::tls::{Certificate, Tls};
use failure::Failure;
use jiff::{SignedDuration, Timestamp};
use records::StoredCertificate;
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tua_domain::ports::{Clock, StoreError};
use tua_metrics::Metrics;

/// How often the stored certificate is read, so that a node serves what another one has ordered.
const CHECK_INTERVAL: SignedDuration = SignedDuration::from_secs(10);

/// The timeout of an order.
const ORDER_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// How long no other node places an order. Longer than the timeout, so that two never order at the
/// same time.
const ORDER_LEASE: SignedDuration = SignedDuration::from_mins(10);

/// The pause after a successful order, so that nodes with different settings cannot order in a
/// loop.
const PAUSE_AFTER_SUCCESS: SignedDuration = SignedDuration::from_hours(1);

/// The pause after the first failure. It doubles with each failure: five orders in the first hour,
/// which is what Let's Encrypt permits (<https://letsencrypt.org/docs/rate-limits/>).
const FIRST_PAUSE: SignedDuration = SignedDuration::from_mins(2);

/// The longest pause between two orders.
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(6);

/// A service that was started again, perhaps with a corrected setting, waits only this long after
/// the last attempt.
const PAUSE_AT_START: SignedDuration = SignedDuration::from_mins(15);

/// Keeps the service's certificate valid.
#[derive(Debug)]
pub struct Acme {
    /// Which certificate to order, and where.
    pub settings: AcmeSettings,
    /// The ACME account, the state of the orders and the certificate, which all nodes share.
    pub records: Records,
    /// Where the certificate is used.
    pub tls: Arc<Tls>,
    /// Decides when a check, an order or a renewal is due.
    pub clock: Arc<dyn Clock>,
    /// Counts the orders by outcome, `issued` or `failed`.
    pub metrics: Arc<Metrics>,
}

/// The certificate in use.
struct Current {
    stored: StoredCertificate,
    renew_at: Timestamp,
    not_after: Timestamp,
}

impl Acme {
    /// Serves the stored certificate and renews it, until `stopping` is cancelled.
    pub async fn run(self, stopping: CancellationToken) {
        let mut current = None;
        let mut is_first = true;
        let work = async {
            loop {
                if let Err(error) = self.step(&mut current, is_first).await {
                    tracing::warn!(%error, "certificate records cannot be read or written; trying \
                        again");
                }
                is_first = false;
                self.clock.sleep_until(self.clock.now() + CHECK_INTERVAL).await;
            }
        };
        tokio::select! {
            () = work => {}
            () = stopping.cancelled() => {}
        }
    }

    /// Uses the stored certificate, and orders one if it is due.
    async fn step(&self, current: &mut Option<Current>, is_first: bool) -> Result<(), StoreError> {
        let now = self.clock.now();
        let stored = self.records.certificate().await?;
        if let Some(stored) =
            stored.filter(|stored| current.as_ref().is_none_or(|one| one.stored != *stored))
        {
            match stored.parse() {
                Ok(certificate) => *current = Some(self.serve(stored, certificate)),
                Err(error) => tracing::error!(
                    error,
                    "the stored certificate is invalid; ordering another one"
                ),
            }
        }
        if current.as_ref().is_some_and(|current| now < current.renew_at) {
            return Ok(());
        }
        let seen = self.records.order().await?;
        if !seen.as_ref().is_none_or(|(_, state)| state.may_order(now, is_first)) {
            return Ok(());
        }
        let failures = seen.as_ref().map_or(0, |(_, state)| state.failures);
        let running =
            OrderState { running: true, failures, attempted_at: now, next_at: now + ORDER_LEASE };
        if !self.records.swap_order(seen.map(|(record, _)| record), &running).await? {
            return Ok(());
        }
        let order =
            tokio::time::timeout(ORDER_TIMEOUT, order::place(&self.settings, &self.records, now))
                .await;
        let next = match order.unwrap_or(Err(Failure::TimedOut)) {
            Ok((stored, certificate)) => {
                self.metrics.acme_order("issued");
                tracing::info!(
                    names = ?self.settings.names,
                    expires = %certificate.not_after,
                    "certificate issued"
                );
                *current = Some(self.serve(stored, certificate));
                OrderState::after_success(now)
            }
            Err(failure) => {
                self.metrics.acme_order("failed");
                let next = OrderState::after_failure(failures, now);
                let expires = current.as_ref().map(|current| current.not_after);
                self.log(&failure, next.next_at, expires);
                next
            }
        };
        self.records.put_order(&next).await
    }

    fn serve(&self, stored: StoredCertificate, certificate: Certificate) -> Current {
        let not_after = certificate.not_after;
        let renew_at = if stored.is_for(&self.settings) {
            // When two thirds of the lifetime have passed, as Let's Encrypt recommends for any
            // lifetime.
            not_after - not_after.duration_since(certificate.not_before) / 3
        } else {
            // Ordered with other settings: used only until there is another one.
            Timestamp::MIN
        };
        self.tls.replace(certificate);
        Current { stored, renew_at, not_after }
    }

    fn log(&self, failure: &Failure, next_at: Timestamp, expires: Option<Timestamp>) {
        let remedy = failure.remedy(&self.settings);
        match expires {
            Some(expires) => {
                tracing::error!(%failure, remedy, %next_at, %expires, "certificate not renewed; \
                    the old one is in use");
            }
            None => {
                tracing::error!(%failure, remedy, %next_at, "no certificate; HTTPS connections are \
                    refused")
            }
        }
    }
}

impl OrderState {
    /// Whether an order may be placed. `is_first` is set in the first step after a start.
    fn may_order(&self, now: Timestamp, is_first: bool) -> bool {
        let corrected = is_first && !self.running && self.failures > 0;
        self.next_at <= now || (corrected && self.attempted_at + PAUSE_AT_START <= now)
    }

    fn after_success(now: Timestamp) -> Self {
        Self { running: false, failures: 0, attempted_at: now, next_at: now + PAUSE_AFTER_SUCCESS }
    }

    fn after_failure(failures: u32, now: Timestamp) -> Self {
        let pause = FIRST_PAUSE
            .as_secs()
            .saturating_mul(1 << failures.min(16))
            .min(LONGEST_PAUSE.as_secs());
        let next_at = now + SignedDuration::from_secs(pause);
        Self { running: false, failures: failures.saturating_add(1), attempted_at: now, next_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_between_failures_double_up_to_six_hours() {
        let start = Timestamp::UNIX_EPOCH;
        let pauses = (0..10).map(|failures| {
            let state = OrderState::after_failure(failures, start);
            state.next_at.duration_since(start).as_mins()
        });
        assert_eq!(pauses.collect::<Vec<_>>(), [2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
        assert_eq!(OrderState::after_failure(u32::MAX, start).next_at, start + LONGEST_PAUSE);
    }

    #[test]
    fn a_restart_shortens_the_pause_after_a_failure_but_not_a_running_order() {
        let start = Timestamp::UNIX_EPOCH;
        let at = |minutes| Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes);
        let failed = OrderState::after_failure(9, start);
        assert!(!failed.may_order(at(16), false) && failed.may_order(at(360), false));
        assert!(!failed.may_order(at(14), true) && failed.may_order(at(15), true));
        let running = OrderState { running: true, next_at: at(60), ..failed };
        assert!(!running.may_order(at(30), true) && running.may_order(at(60), false));
        assert!(!OrderState::after_success(start).may_order(at(59), true));
    }
}
