//! Stores the exchanges with operators, many in one write.

use std::sync::Arc;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};
use tua_domain::{
    exchange::Exchange,
    ports::{ExchangeLog, ExchangeRecorder},
};

/// How many exchanges wait to be stored; more are dropped, so that a database that is down does not
/// fill the memory.
const MAX_WAITING: usize = 10_000;

/// How many are stored in one write.
const MAX_BATCH: usize = 200;

/// Takes exchanges from connectors.
#[derive(Clone, Debug)]
pub struct Recorder(Sender<Exchange>);

/// A recorder, and what it takes.
#[must_use]
pub fn recorder() -> (Recorder, Receiver<Exchange>) {
    let (sender, receiver) = channel(MAX_WAITING);
    (Recorder(sender), receiver)
}

impl ExchangeRecorder for Recorder {
    fn record(&self, exchange: Exchange) {
        let transaction = exchange.transaction.clone();
        match self.0.try_send(exchange) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                warn!(%transaction, "the record of an exchange with an operator is dropped: too \
                    many wait to be stored");
            }
            Err(TrySendError::Closed(_)) => {
                warn!(%transaction, "the record of an exchange with an operator is dropped: it \
                    came after the end of a stop");
            }
        }
    }
}

/// Stores exchanges until there are no more connectors, or `ending` is cancelled; then those that
/// wait. `ending` must come after the last call of an operator has ended, since what is recorded
/// later is dropped.
pub async fn run(
    log: Arc<dyn ExchangeLog>,
    mut exchanges: Receiver<Exchange>,
    ending: CancellationToken,
) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    loop {
        let count = tokio::select! {
            biased;
            count = exchanges.recv_many(&mut batch, MAX_BATCH) => count,
            () = ending.cancelled() => {
                exchanges.close();
                continue;
            }
        };
        if count == 0 {
            return;
        }
        if let Err(error) = log.insert_exchanges(std::mem::take(&mut batch)).await {
            error!(%error, "records of exchanges with operators are lost");
        }
    }
}
