//! What many ask for at once is done together.
//!
//! Whoever asks while nothing is under way is served at once. Who asks meanwhile waits for that to end, and is then
//! served together with all others who waited: statements, round trips and the sync of a commit are shared, the
//! more the busier a node is, and nobody waits for company.

use super::{
    error::Error,
    session::{Sessions, Terms},
};
use crate::{metrics::Queued, store::StoreError};
use async_trait::async_trait;
use std::{
    collections::{HashSet, VecDeque},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// How many are served together at the most.
const BATCH: usize = 128;

/// Something that is asked for, and can be done for many at once.
#[async_trait]
pub(super) trait Batched: Sized + Send + Sync + 'static {
    /// What comes of it.
    type Outcome: Send + 'static;

    /// What no other of the same batch may name: that one is served in the next.
    fn names(&self) -> Vec<String>;

    /// Serves them, one outcome for each in their order. Those without are served again, without the others.
    async fn serve(sessions: &Sessions, terms: Terms, these: &[&Self]) -> Result<Vec<Option<Self::Outcome>>, Error>;
}

type Answer<T> = Result<<T as Batched>::Outcome, StoreError>;

struct Asked<T: Batched> {
    one: T,
    answer: oneshot::Sender<Answer<T>>,
}

struct Queue<T: Batched> {
    waiting: VecDeque<(Asked<T>, Queued)>,
    /// Whether a batch is under way.
    is_busy: bool,
}

struct Shared<T: Batched> {
    sessions: Sessions,
    queue: Mutex<Queue<T>>,
}

/// Where one kind of thing is asked for.
pub(super) struct Batcher<T: Batched>(Arc<Shared<T>>);

impl<T: Batched> Batcher<T> {
    pub(super) fn new(sessions: &Sessions) -> Self {
        let queue = Mutex::new(Queue { waiting: VecDeque::new(), is_busy: false });
        Self(Arc::new(Shared { sessions: sessions.clone(), queue }))
    }

    /// It is done even where nobody waits for it any more.
    pub(super) async fn ask(&self, one: T) -> Answer<T> {
        let (answer, answered) = oneshot::channel();
        let queued = self.0.sessions.metrics.queued();
        if self.0.lock().join(Asked { one, answer }, queued) {
            tokio::spawn(attend(self.0.clone()));
        }
        answered.await.unwrap_or_else(|_| Err(StoreError::failed("a batch panicked")))
    }
}

impl<T: Batched> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Queue<T>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Batched> Queue<T> {
    /// Says whether somebody must begin to attend to the queue.
    fn join(&mut self, asked: Asked<T>, queued: Queued) -> bool {
        self.waiting.push_back((asked, queued));
        !std::mem::replace(&mut self.is_busy, true)
    }

    /// Those who are served next; where there are none, nobody attends any more.
    fn next(&mut self) -> Vec<Asked<T>> {
        let (mut batch, mut later, mut named) = (Vec::new(), VecDeque::new(), HashSet::new());
        while batch.len() < BATCH
            && let Some((asked, queued)) = self.waiting.pop_front()
        {
            let names = asked.one.names();
            match names.iter().any(|name| named.contains(name)) {
                true => later.push_back((asked, queued)),
                false => batch.push(asked),
            }
            named.extend(names);
        }
        // Before whoever came after them.
        later.append(&mut self.waiting);
        self.waiting = later;
        self.is_busy = !batch.is_empty();
        batch
    }
}

async fn attend<T: Batched>(shared: Arc<Shared<T>>) {
    loop {
        let batch = shared.lock().next();
        if batch.is_empty() {
            return;
        }
        // A panic costs its own batch, and not all who come after it.
        let _ = tokio::spawn(serve(shared.clone(), Terms::Together, batch)).await;
    }
}

/// Serves them together. Where that fails because of one of them, each is served alone, and holds up nobody.
fn serve<T: Batched>(shared: Arc<Shared<T>>, terms: Terms, mut batch: Vec<Asked<T>>) -> Serving {
    Box::pin(async move {
        while !batch.is_empty() {
            let these: Vec<&T> = batch.iter().map(|asked| &asked.one).collect();
            match T::serve(&shared.sessions, terms, &these).await {
                Ok(served) => batch = batch.into_iter().zip(served).filter_map(answered).collect(),
                Err(error) if terms == Terms::Together && error.is_of_one() => {
                    tracing::debug!(%error, "what was asked for together is done one by one");
                    for asked in batch {
                        tokio::spawn(serve(shared.clone(), Terms::Alone, vec![asked]));
                    }
                    return;
                }
                Err(error) => {
                    // Who waits behind them hears of it now, and not after as long a wait each.
                    if !error.is_of_one() {
                        batch.extend(shared.lock().waiting.drain(..).map(|(asked, _)| asked));
                    }
                    let error = Arc::new(error);
                    batch.into_iter().for_each(|asked| asked.tell(Err(error.clone().into())));
                    return;
                }
            }
        }
    })
}

type Serving = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Who is still without an outcome is given back.
fn answered<T: Batched>((asked, outcome): (Asked<T>, Option<T::Outcome>)) -> Option<Asked<T>> {
    let Some(outcome) = outcome else { return Some(asked) };
    asked.tell(Ok(outcome));
    None
}

impl<T: Batched> Asked<T> {
    fn tell(self, answer: Answer<T>) {
        // Nobody listens any more where the request was given up.
        drop(self.answer.send(answer));
    }
}

#[cfg(test)]
mod tests;
