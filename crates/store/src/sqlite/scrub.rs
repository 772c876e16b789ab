//! Overwrites what is left of erased personal data in the file and its write-ahead log.

use super::{connection::connect, error::store_error};
use rusqlite::{Connection, OpenFlags};
use std::{fs, io::Read, path::Path};
use tua_domain::{ports::StoreError, privacy::Person};

/// Truncates the WAL, which has earlier versions of pages. `secure_delete` overwrites deleted rows,
/// but a page that was split or merged may have a copy, so the file is searched, and rebuilt if
/// something is found.
pub(super) fn scrub(path: &Path, person: &Person) -> Result<(), StoreError> {
    let db = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(store_error)?;
    truncate_wal(&db)?;
    if contains(path, person).map_err(StoreError::unavailable)? {
        db.execute_batch("VACUUM").map_err(store_error)?;
        truncate_wal(&db)?;
    }
    Ok(())
}

fn truncate_wal(db: &Connection) -> Result<(), StoreError> {
    let busy: bool = db
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get("busy"))
        .map_err(store_error)?;
    if busy {
        Err(StoreError::unavailable(
            "a reader keeps the write-ahead log from being truncated; try again",
        ))
    } else {
        Ok(())
    }
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
