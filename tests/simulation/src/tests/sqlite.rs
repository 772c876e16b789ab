//! SQLite on a simulated disk.

use crate::{
    disk::{Disk, Fault, FileName, PowerLossPoint},
    file_log::Survival,
    vfs,
};
use rusqlite::Connection;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

const ROWS: &str = "SELECT count(*) FROM t";

fn connect(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    connection.pragma_update(None, "synchronous", "FULL").unwrap();
    connection
}

fn new_database(name: &str) -> (PathBuf, Arc<Disk>, Connection) {
    let path = PathBuf::from(format!("/simulated/{name}.db"));
    let disk = Arc::new(Disk::default());
    vfs::mount(&path, disk.clone());
    let connection = connect(&path);
    connection.execute_batch("CREATE TABLE t (x BLOB NOT NULL)").unwrap();
    (path, disk, connection)
}

/// Two rows of several pages, in one transaction.
fn insert(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "BEGIN IMMEDIATE; INSERT INTO t VALUES (zeroblob(9000)); INSERT INTO t VALUES \
         (zeroblob(9000)); COMMIT",
    )
}

fn rows_after_loss(path: &Path, disk: &Disk, survival: Survival) -> u32 {
    vfs::mount(path, disk.restart(survival));
    let connection = connect(path);
    let check: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    connection.query_row(ROWS, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_transaction_that_was_acknowledged_survives_a_loss_of_power() {
    let (path, disk, connection) = new_database("acknowledged");
    insert(&connection).unwrap();
    disk.cut_power();
    assert!(insert(&connection).is_err());
    for survival in [Survival::Nothing, Survival::Prefix, Survival::Sectors(7), Survival::All] {
        assert_eq!(rows_after_loss(&path, &disk, survival), 2, "{survival:?}");
    }
}

#[test]
fn a_transaction_that_was_not_acknowledged_survives_whole_or_not_at_all() {
    use PowerLossPoint::{AfterSync, BeforeSync, BeforeWrite, BetweenWrites};
    for point in [BeforeWrite, BetweenWrites, BeforeSync, AfterSync] {
        let (path, disk, connection) = new_database(&format!("{point:?}"));
        insert(&connection).unwrap();
        disk.set_fault(Some(Fault::PowerLoss(point)));
        assert!(insert(&connection).is_err(), "{point:?}");
        let survivals = (0..50).map(Survival::Sectors);
        for survival in survivals.chain([Survival::Nothing, Survival::Prefix]) {
            let rows = rows_after_loss(&path, &disk, survival);
            assert_eq!(rows, if point == AfterSync { 4 } else { 2 }, "{point:?} {survival:?}");
        }
        let all = rows_after_loss(&path, &disk, Survival::All);
        let is_complete = matches!(point, BeforeSync | AfterSync);
        assert_eq!(all, if is_complete { 4 } else { 2 }, "{point:?}");
    }
}

#[test]
fn a_full_disk_fails_a_commit_and_keeps_the_earlier_ones() {
    let (path, disk, connection) = new_database("full");
    insert(&connection).unwrap();
    disk.set_fault(Some(Fault::Full));
    assert!(insert(&connection).is_err());
    let _ = connection.execute_batch("ROLLBACK");
    disk.set_fault(None);
    insert(&connection).unwrap();
    disk.cut_power();
    assert_eq!(rows_after_loss(&path, &disk, Survival::Nothing), 4);
}

#[test]
fn a_commit_after_a_failed_sync_survives_with_those_before_it() {
    for survival in [Survival::Nothing, Survival::Prefix, Survival::Sectors(7), Survival::All] {
        let (path, disk, connection) = new_database(&format!("failed sync {survival:?}"));
        insert(&connection).unwrap();
        disk.set_fault(Some(Fault::SyncFails(1)));
        assert!(insert(&connection).is_err());
        let _ = connection.execute_batch("ROLLBACK");
        disk.set_fault(None);
        insert(&connection).unwrap();
        disk.cut_power();
        assert_eq!(rows_after_loss(&path, &disk, survival), 4, "{survival:?}");
    }
}

#[test]
fn a_connection_from_before_a_loss_of_power_deletes_nothing_when_it_closes() {
    let (path, disk, connection) = new_database("closed");
    insert(&connection).unwrap();
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).unwrap();
    disk.cut_power();
    let restarted = disk.restart(Survival::Nothing);
    vfs::mount(&path, restarted.clone());
    assert!(restarted.exists(FileName::Wal));
    drop(connection);
    assert!(restarted.exists(FileName::Wal));
}

#[test]
fn a_connection_that_writes_waits_at_the_gate_and_one_that_reads_does_not() {
    let (path, disk, connection) = new_database("gate");
    disk.set_gate(false);
    let writer = std::thread::spawn(move || insert(&connection).unwrap());
    let reader = connect(&path);
    assert_eq!(reader.query_row(ROWS, [], |row| row.get::<_, u32>(0)).unwrap(), 0);
    disk.set_gate(true);
    writer.join().unwrap();
    assert_eq!(reader.query_row(ROWS, [], |row| row.get::<_, u32>(0)).unwrap(), 2);
}
