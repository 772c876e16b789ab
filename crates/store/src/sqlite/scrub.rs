//! Overwrites what is left of erased personal data in the file and its write-ahead log.

use super::{connection::connect, error::store_error};
use backon::{BlockingRetryable, ConstantBuilder};
use rusqlite::{Connection, OpenFlags};
use std::{
    fs,
    io::Read,
    path::Path,
    time::{Duration, Instant},
};
use tua_domain::{ports::StoreError, privacy::Person};

/// For how long a truncation of the WAL is tried: longer than a checkpoint of a long WAL, or a page
/// of a list, takes on a slow disk.
const MAX_TRUNCATION_TIME: Duration = Duration::from_secs(30);

/// The pause between two attempts.
const TRUNCATION_RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Truncates the WAL, which has earlier versions of pages. `secure_delete` overwrites deleted rows,
/// but a page that was split or merged may have a copy, so the file is searched, and rebuilt if
/// something is found.
pub(super) fn scrub(path: &Path, person: &Person) -> Result<(), StoreError> {
    let db = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(store_error)?;
    truncate_wal(&db, MAX_TRUNCATION_TIME)?;
    if contains(path, person).map_err(StoreError::unavailable)? {
        db.execute_batch("VACUUM").map_err(store_error)?;
        truncate_wal(&db, MAX_TRUNCATION_TIME)?;
    }
    Ok(())
}

/// Why an attempt to truncate the WAL failed.
#[derive(Debug, thiserror::Error)]
enum TruncateError {
    /// Another connection reads from the WAL, or is checkpointing it. SQLite waits for readers
    /// only, as long as the busy timeout, and not for another checkpoint, such as that of a
    /// service that runs on the database.
    #[error("readers, or another checkpoint, keep the write-ahead log from being truncated")]
    Busy,
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
}

impl From<TruncateError> for StoreError {
    fn from(error: TruncateError) -> Self {
        match error {
            TruncateError::Busy => Self::unavailable(error),
            TruncateError::Sqlite(error) => store_error(error),
        }
    }
}

/// Tries again while other connections prevent it, for at least `max_time`.
fn truncate_wal(db: &Connection, max_time: Duration) -> Result<(), TruncateError> {
    let started = Instant::now();
    let interval = ConstantBuilder::new().with_delay(TRUNCATION_RETRY_INTERVAL).without_max_times();
    (|| try_truncate_wal(db))
        .retry(interval)
        .when(|error| matches!(error, TruncateError::Busy) && started.elapsed() < max_time)
        .call()
}

fn try_truncate_wal(db: &Connection) -> Result<(), TruncateError> {
    let is_busy: bool =
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get("busy"))?;
    if is_busy { Err(TruncateError::Busy) } else { Ok(()) }
}

/// Whether the bytes of the file may name the person. Then the file is rebuilt, perhaps needlessly.
fn contains(path: &Path, person: &Person) -> std::io::Result<bool> {
    /// More bytes than a mention has.
    const OVERLAP: usize = 1 << 10;
    let mut file = fs::File::open(path)?;
    let mut window = Vec::new();
    let mut block = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            return Ok(false);
        }
        window.extend_from_slice(&block[..read]);
        if person.may_be_named_in(&window) {
            return Ok(true);
        }
        // The end of a block and the beginning of the next may have it together.
        window.drain(..window.len().saturating_sub(OVERLAP));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread::{self, JoinHandle},
    };

    /// Whether the other checkpoint waits for its reader, so that it holds SQLite's lock of
    /// checkpoints. A busy handler is a function pointer and no closure.
    static IS_CHECKPOINT_WAITING: AtomicBool = AtomicBool::new(false);

    fn wait_for_reader(_: i32) -> bool {
        IS_CHECKPOINT_WAITING.store(true, Ordering::Release);
        thread::sleep(Duration::from_millis(1));
        true
    }

    fn open(path: &Path) -> Connection {
        let db = Connection::open(path).unwrap();
        db.pragma_update(None, "journal_mode", "WAL").unwrap();
        db
    }

    /// Begins a checkpoint that ends when the returned reader does.
    fn begin_checkpoint(path: &Path) -> (Connection, JoinHandle<()>) {
        let reader = open(path);
        reader.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema").unwrap();
        let other = open(path);
        other.execute_batch("CREATE TABLE after_the_reader (id)").unwrap();
        other.busy_handler(Some(wait_for_reader)).unwrap();
        let checkpoint = thread::spawn(move || {
            other.query_row("PRAGMA wal_checkpoint(FULL)", [], |_| Ok(())).unwrap();
        });
        while !IS_CHECKPOINT_WAITING.load(Ordering::Acquire) {
            thread::yield_now();
        }
        (reader, checkpoint)
    }

    #[test]
    fn the_wal_is_truncated_after_another_checkpoint_has_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tua.db");
        let db = open(&path);
        db.execute_batch("CREATE TABLE before_the_reader (id)").unwrap();
        let (reader, checkpoint) = begin_checkpoint(&path);
        let error = truncate_wal(&db, Duration::ZERO).unwrap_err().to_string();
        assert!(error.contains("readers, or another checkpoint"), "{error}");

        let end = thread::spawn(move || {
            thread::sleep(TRUNCATION_RETRY_INTERVAL);
            drop(reader);
        });
        truncate_wal(&db, MAX_TRUNCATION_TIME).unwrap();
        assert_eq!(fs::metadata(folder.path().join("tua.db-wal")).unwrap().len(), 0);
        end.join().unwrap();
        checkpoint.join().unwrap();
    }

    #[test]
    fn remains_are_found_in_any_case_and_across_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let person = Person::Email("Élodie@example.com".to_owned());
        for (before, text, is_found) in [
            (0, "élodie@EXAMPLE.com", true),
            ((1 << 20) - 4, "ÉLODIE@example.com", true),
            (7, "ama@example.com", false),
        ] {
            fs::write(&path, [vec![0; before], text.as_bytes().to_vec(), vec![0; 9]].concat())
                .unwrap();
            assert_eq!(contains(&path, &person).unwrap(), is_found, "{text}");
        }
    }
}
