//! Errors, panics and locks under a batch of writes.

use super::*;
use std::{
    path::Path,
    sync::{
        Arc, Once,
        atomic::{AtomicUsize, Ordering},
    },
};
use tempfile::TempDir;
use tokio::task::{JoinHandle, yield_now};

type Work = Box<dyn Fn(&Connection) -> rusqlite::Result<()> + Send>;
type Written = Result<(), StoreError>;

/// Creates a database with one table and at most this many pages.
fn database(folder: &Path, pages: u32) -> (Connection, Identity) {
    let path = folder.join("test.db");
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.execute_batch("CREATE TABLE t (x BLOB PRIMARY KEY) STRICT, WITHOUT ROWID").unwrap();
    connection.pragma_update(None, "max_page_count", pages).unwrap();
    (connection, Identity::of(&path).unwrap())
}

fn writer(pages: u32) -> (TempDir, Writer) {
    let folder = tempfile::tempdir().unwrap();
    let (connection, file) = database(folder.path(), pages);
    let writer = start(folder.path(), connection, file);
    (folder, writer)
}

fn start(folder: &Path, connection: Connection, file: Identity) -> Writer {
    let checkpoints =
        Checkpoints::start(Connection::open(folder.join("test.db")).unwrap()).unwrap();
    Writer::start(connection, file, checkpoints, StoreMetrics::default()).unwrap()
}

fn insert(bytes: usize, name: u8) -> Work {
    Box::new(move |db| {
        db.execute("INSERT INTO t VALUES (?1)", [[vec![name], vec![0; bytes]].concat()]).map(drop)
    })
}

fn count(folder: &TempDir) -> usize {
    let connection = Connection::open(folder.path().join("test.db")).unwrap();
    connection.query_row("SELECT count(*) FROM t", [], |row| row.get::<_, u32>(0)).unwrap() as usize
}

/// Queues all works in this order; they are queued when it returns.
async fn queue(writer: &Arc<Writer>, works: Vec<Work>) -> Vec<JoinHandle<Written>> {
    let mut asked = Vec::new();
    for work in works {
        let writer = writer.clone();
        asked.push(tokio::spawn(async move { writer.write(work).await }));
        // All tasks run on one thread, so the task has queued its work when this continues.
        yield_now().await;
    }
    asked
}

async fn outcomes(asked: Vec<JoinHandle<Written>>) -> Vec<Written> {
    let mut answers = Vec::new();
    for one in asked {
        answers.push(one.await.unwrap());
    }
    answers
}

/// Runs works in one batch, queued behind a write that blocks until all are queued.
async fn run_together(writer: Writer, works: Vec<Work>) -> (Arc<Writer>, Vec<Written>) {
    let writer = Arc::new(writer);
    let (began, begun) = channel();
    let (open, gate) = channel();
    let once = Once::new();
    let wait = move |_: &Connection| {
        once.call_once(|| {
            began.send(()).unwrap();
            gate.recv().unwrap();
        });
        Ok(())
    };
    writer.write_later(wait).unwrap();
    begun.recv().unwrap();
    let asked = queue(&writer, works).await;
    open.send(()).unwrap();
    (writer, outcomes(asked).await)
}

#[tokio::test]
async fn a_full_disk_fails_every_write_of_its_commit() {
    let (folder, writer) = writer(30);
    let works = (0..8).map(|n| insert(if n == 3 { 1 << 20 } else { 10 }, n)).collect();
    let (writer, answers) = run_together(writer, works).await;
    let kept = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(kept, count(&folder), "{answers:?}");
    assert!(
        answers
            .iter()
            .flat_map(|answer| answer.as_ref().err())
            .all(|error| matches!(error, StoreError::Unavailable(_)))
    );
    assert!(answers[3].is_err() && answers[4..].iter().all(Result::is_ok), "{answers:?}");
    writer.write(insert(10, 100)).await.unwrap();
}

#[tokio::test]
async fn a_panic_fails_only_its_own_write() {
    let (folder, writer) = writer(1000);
    let panics: Work = Box::new(|db| {
        insert(10, 2)(db)?;
        panic!("a bug of ours")
    });
    let (_, answers) = run_together(writer, vec![insert(10, 1), panics, insert(10, 3)]).await;
    assert!(
        answers[0].is_ok()
            && matches!(answers[1], Err(StoreError::Failed(_)))
            && answers[2].is_ok(),
        "{answers:?}"
    );
    assert_eq!(count(&folder), 2);
}

#[tokio::test]
async fn writes_that_fail_halfway_are_left_out_and_the_others_keep_their_order() {
    let (folder, writer) = writer(1000);
    let fails = |name: u8| -> Work {
        Box::new(move |db| {
            insert(10, name)(db)?;
            insert(10, name)(db)
        })
    };
    let works =
        vec![insert(10, 1), fails(2), insert(10, 3), fails(4), insert(10, 5), insert(10, 1)];
    let (_, answers) = run_together(writer, works).await;
    let kept: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!((kept, count(&folder)), (vec![true, false, true, false, true, false], 3));
}

/// How often the lock was waited for, and whether the wait may end.
static WAITS: AtomicUsize = AtomicUsize::new(0);
static WAIT_MAY_END: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[tokio::test]
async fn a_locked_file_fails_all_queued_writes_after_one_timeout() {
    let folder = tempfile::tempdir().unwrap();
    let (connection, file) = database(folder.path(), 1000);
    let wait = |_| {
        WAITS.fetch_add(1, Ordering::SeqCst);
        drop(WAIT_MAY_END.lock());
        false
    };
    connection.busy_handler(Some(wait)).unwrap();
    let stranger = Connection::open(folder.path().join("test.db")).unwrap();
    stranger.execute_batch("BEGIN IMMEDIATE").unwrap();
    let writer = Arc::new(start(folder.path(), connection, file));
    let asked = {
        let _still_waiting = WAIT_MAY_END.lock();
        queue(&writer, (0..20).map(|n| insert(10, n)).collect()).await
    };
    let answers = outcomes(asked).await;
    assert!(
        answers.iter().all(|answer| matches!(answer, Err(StoreError::Unavailable(_)))),
        "{answers:?}"
    );
    assert_eq!(WAITS.load(Ordering::SeqCst), 1);
    stranger.execute_batch("ROLLBACK").unwrap();
    writer.write(insert(10, 100)).await.unwrap();
    assert_eq!(count(&folder), 1);
}

#[tokio::test]
async fn a_moved_file_accepts_no_write_until_it_is_back() {
    let (folder, writer) = writer(1000);
    let path = folder.path().join("test.db");
    let elsewhere = folder.path().join("elsewhere.db");
    std::fs::rename(&path, &elsewhere).unwrap();
    let refused = writer.write(insert(10, 1)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    std::fs::rename(&elsewhere, &path).unwrap();
    writer.write(insert(10, 2)).await.unwrap();
    assert_eq!(count(&folder), 1);
}

#[tokio::test]
async fn a_rejection_takes_back_what_it_wrote_and_leaves_the_other_writes_of_its_batch() {
    let (folder, writer) = writer(1_000);
    let writer = Arc::new(writer);
    let rejecting = {
        let writer = writer.clone();
        async move {
            let work = |db: &Connection| {
                insert(8, b'r')(db)?;
                Err::<(), _>(WriteError::Rejected("rejected"))
            };
            writer.try_write(work).await
        }
    };
    let (before, rejected, after) =
        tokio::join!(writer.write(insert(8, b'a')), rejecting, writer.write(insert(8, b'z')));
    assert!(before.is_ok() && after.is_ok());
    assert!(matches!(rejected, Err(WriteError::Rejected("rejected"))), "{rejected:?}");
    assert_eq!(count(&folder), 2);
    let accepted: Outcome<(), &str> = writer.try_write(|db| Ok(insert(8, b'r')(db)?)).await;
    assert!(accepted.is_ok(), "{accepted:?}");
    assert_eq!(count(&folder), 3);
}

/// Fails in one of two ways the first `failures` times: by itself, or with its whole transaction.
fn failing_first(failures: usize, rolls_back: bool) -> Work {
    let left = AtomicUsize::new(failures);
    Box::new(move |db| {
        insert(10, 1)(db)?;
        let one_less = |left: usize| left.checked_sub(1);
        if left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_err() {
            return Ok(());
        }
        if rolls_back {
            db.execute_batch("ROLLBACK")?;
        }
        Err(rusqlite::Error::InvalidQuery)
    })
}

#[tokio::test]
async fn a_write_that_nobody_waits_for_is_repeated_until_it_is_committed() {
    let (folder, writer) = writer(1000);
    writer.write_later(failing_first(2, false)).unwrap();
    for name in 2..5 {
        writer.write(insert(10, name)).await.unwrap();
    }
    assert_eq!(count(&folder), 4);
}

#[tokio::test]
async fn no_write_is_committed_without_an_earlier_one_that_was_rolled_back() {
    let (folder, writer) = writer(1000);
    writer.write_later(failing_first(3, true)).unwrap();
    let mut refused = 0;
    while writer.write(insert(10, 2)).await.is_err() {
        refused += 1;
        assert_eq!(count(&folder), 0);
    }
    assert_eq!((refused, count(&folder)), (2, 2));
}

#[tokio::test]
async fn a_write_that_nobody_waits_for_and_that_always_fails_is_given_up() {
    let (folder, writer) = writer(1000);
    writer.write_later(failing_first(usize::MAX, false)).unwrap();
    for name in 2..40 {
        writer.write(insert(10, name)).await.unwrap();
    }
    assert_eq!(count(&folder), 38);
}
