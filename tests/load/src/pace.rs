//! Requests at a steady rate, independent of the responses.

use crate::client::Client;
use anyhow::Result;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::task::JoinSet;

/// The interval at which requests are sent.
const SEND_INTERVAL: Duration = Duration::from_millis(2);

/// Calls `send` at this rate with an idle client, the number of the request, and the time when it
/// was due. A request is not sent if no client is idle. Returns what came of each request that was
/// sent.
pub async fn at_rate<T, F>(
    clients: Vec<Client>,
    rate: u64,
    lasting: Duration,
    send: impl Fn(Client, u64, Instant) -> F,
) -> Result<Vec<T>>
where
    T: Send + 'static,
    F: Future<Output = Result<(Client, T)>> + Send + 'static,
{
    let idle = Arc::new(Mutex::new(clients));
    let began = Instant::now();
    let mut callers = JoinSet::new();
    let mut number = 0;
    while began.elapsed() < lasting {
        let due = u64::try_from(began.elapsed().as_micros())? * rate / 1_000_000;
        for number in number..due {
            let Some(client) = idle.lock().unwrap_or_else(PoisonError::into_inner).pop() else {
                break;
            };
            let request =
                send(client, number, began + Duration::from_micros(number * 1_000_000 / rate));
            let idle = idle.clone();
            callers.spawn(async move {
                let (client, outcome) = request.await?;
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(client);
                Ok(outcome)
            });
        }
        number = due;
        tokio::time::sleep(SEND_INTERVAL).await;
    }
    callers.join_all().await.into_iter().collect()
}
