//! Checkpoints the WAL on a thread of its own, because a checkpoint on the writer thread delays
//! every queued write.
//!
//! The WAL is reused from its start only once all its frames are copied. Beside a busy writer the
//! thread hardly ever gets there, so it copies nearly everything, and the writer thread copies the
//! rest.

use super::connection::CHECKPOINT_PAGES;
use rusqlite::Connection;
use std::{
    cell::Cell,
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{SyncSender, sync_channel},
    },
    thread,
};

/// How often the thread tries to catch up with the writer. Only the last checkpoint has to sync the
/// file.
const MAX_PASSES: usize = 8;

thread_local! {
    /// Pages in the WAL after this thread's last commit. SQLite's hook takes a function pointer and
    /// no closure.
    static WAL_PAGES: Cell<i64> = const { Cell::new(0) };
}

/// A handle on the checkpoint thread. The thread ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    requests: SyncSender<()>,
    writer_should_finish: Arc<AtomicBool>,
}

impl Checkpoints {
    /// Starts the thread, which owns `connection`.
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (requests, receiver) = sync_channel(1);
        let writer_should_finish = Arc::new(AtomicBool::new(false));
        let should_finish = writer_should_finish.clone();
        let work = move || {
            while receiver.recv().is_ok() {
                for _ in 0..MAX_PASSES {
                    if checkpoint(&connection) {
                        break;
                    }
                }
                should_finish.store(true, Ordering::Release);
            }
        };
        thread::Builder::new().name("tua-checkpoint".to_owned()).spawn(work)?;
        Ok(Self { requests, writer_should_finish })
    }

    /// Replaces SQLite's automatic checkpoint, which runs inside the commit that makes the WAL too
    /// long.
    pub(super) fn install_hook(connection: &Connection) {
        connection.wal_hook(Some(|_, pages| {
            WAL_PAGES.set(pages.into());
            Ok(())
        }));
    }

    /// Requests a checkpoint if the WAL is long. Call it after each commit on the thread that
    /// called [`Self::install_hook`].
    pub(super) fn after_commit(&self, connection: &Connection) {
        if WAL_PAGES.get() < CHECKPOINT_PAGES {
            return;
        }
        if self.writer_should_finish.swap(false, Ordering::Acquire) {
            checkpoint(connection);
        } else {
            // The channel is full if a request is already waiting.
            let _ = self.requests.try_send(());
        }
    }
}

/// Copies frames that no reader needs. Returns whether all were copied. After an error the next
/// commit tries again.
fn checkpoint(connection: &Connection) -> bool {
    let checkpointed = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok(row.get::<_, i64>("log")? == row.get::<_, i64>("checkpointed")?)
    });
    checkpointed.unwrap_or_else(|error| {
        tracing::error!(%error, "WAL checkpoint failed");
        false
    })
}
