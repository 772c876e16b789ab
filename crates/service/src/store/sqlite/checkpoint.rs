//! Copies the log into the file, on a thread of its own: everybody would wait for it on the writer's.
//!
//! The log begins anew once all of it is copied. A thread beside one that goes on writing hardly ever gets to
//! that point, so it copies nearly everything, and the writer the little that has come since.

use super::CHECKPOINT_PAGES;
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

/// How often the thread tries to catch up with the writer. The last of the copies is the one that waits for the disk.
const TRIES: usize = 8;

thread_local! {
    /// Pages in the log after the last commit of this thread. SQLite takes a function for it, and no closure.
    static LOG: Cell<i64> = const { Cell::new(0) };
}

/// The writer's handle on the copying thread, which ends when the handle is dropped.
#[derive(Debug)]
pub(super) struct Checkpoints {
    wanted: SyncSender<()>,
    nearly_done: Arc<AtomicBool>,
}

impl Checkpoints {
    /// Begins with a connection of the thread's own.
    pub(super) fn start(connection: Connection) -> io::Result<Self> {
        let (wanted, wants) = sync_channel(1);
        let nearly_done = Arc::new(AtomicBool::new(false));
        let done = nearly_done.clone();
        let work = move || {
            while wants.recv().is_ok() {
                let _ = (0..TRIES).find(|_| copy(&connection));
                done.store(true, Ordering::Release);
            }
        };
        thread::Builder::new().name("tua-checkpoint".to_owned()).spawn(work)?;
        Ok(Self { wanted, nearly_done })
    }

    /// Takes over from SQLite, which copies in the middle of whatever commit makes the log too long.
    pub(super) fn attend(connection: &Connection) {
        connection.wal_hook(Some(|_, pages| {
            LOG.set(pages.into());
            Ok(())
        }));
    }

    /// After a commit on this thread, which calls [`Self::attend`] first.
    pub(super) fn after_commit(&self, connection: &Connection) {
        if LOG.get() < CHECKPOINT_PAGES {
            return;
        }
        if self.nearly_done.swap(false, Ordering::Acquire) {
            copy(connection);
        } else {
            // It is at work where it cannot be asked.
            let _ = self.wanted.try_send(());
        }
    }
}

/// Copies what no reader needs any more where it is; whether that was all. What fails is tried again after another commit.
fn copy(connection: &Connection) -> bool {
    let copied = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| {
        Ok(row.get::<_, i64>("log")? == row.get::<_, i64>("checkpointed")?)
    });
    copied.unwrap_or_else(|error| {
        tracing::error!(%error, "the log could not be copied into the database file");
        false
    })
}
