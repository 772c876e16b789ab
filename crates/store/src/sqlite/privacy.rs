//! Personal data: finds and overwrites it.

use super::{
    SqliteStore, checkouts, connect, record::Record, sql::ready, store_error, transaction_rows,
};
use crate::{
    audit_values, event_json,
    privacy::{
        BATCH_REFERENCES, CHECKOUTS, COUNTERS, LINKS, ORDERS, TRANSACTIONS, check, folded, pattern,
        select,
    },
    queries::{audit, links},
    rows,
};
use async_trait::async_trait;
use jiff::SignedDuration;
use rusqlite::{Connection, OpenFlags, Result, params};
use std::{fs, io::Read, path::Path};
use tua_domain::{
    Checkout, CheckoutId, LinkId, NewTransaction, Transaction, TransactionId,
    audit::AuditContext,
    ports::{EraseError, Erased, PersonalData, PersonsData, StoreError},
    privacy::{EraseRefused, Person, erased_phone},
};

#[async_trait]
impl PersonalData for SqliteStore {
    async fn persons_data(&self, person: &Person) -> std::result::Result<PersonsData, StoreError> {
        let person = person.clone();
        self.readers.read_many(move |db| find(db, &person)).await
    }

    async fn erase_person(
        &self,
        person: &Person,
        live: SignedDuration,
        by: &AuditContext,
    ) -> std::result::Result<Erased, EraseError> {
        let person = person.clone();
        let by = by.clone();
        Ok(self.writer.write(move |db| erase(db, &person, live, &by)).await??)
    }

    async fn scrub(&self, person: &Person) -> std::result::Result<bool, StoreError> {
        let path = self.path.clone();
        let person = person.clone();
        let scrubbed = tokio::task::spawn_blocking(move || scrub(&path, &person))
            .await
            .map_err(StoreError::failed)?;
        scrubbed.map(|()| true)
    }
}

/// The texts that a query of `store::privacy` finds.
fn found(db: &Connection, sql: &str, person: &Person) -> Result<Vec<String>> {
    texts(db, &folded(sql, person, ("tua_digits(", ")")), &pattern(person))
}

fn texts(db: &Connection, sql: &str, pattern: &str) -> Result<Vec<String>> {
    db.prepare_cached(&sql.replace("$1", "?1"))?.query_map([pattern], |row| row.get(0))?.collect()
}

fn find(db: &Connection, person: &Person) -> Result<PersonsData> {
    let mut transactions = Vec::new();
    let mut noted = std::collections::HashSet::new();
    for id in found(db, TRANSACTIONS, person)? {
        let named =
            texts(db, "SELECT event FROM transaction_events WHERE transaction_id = $1", &id)?;
        if named.iter().any(|event| person.is_named_in(event)) {
            noted.insert(id.clone());
        }
        transactions.extend(transaction_rows::by_id(db, &TransactionId::new(id))?);
    }
    let sessions = found(db, CHECKOUTS, person)?
        .into_iter()
        .map(|id| checkouts::by_id(db, &CheckoutId::new(id)));
    let sessions: Vec<Checkout> =
        sessions.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    let references = transactions
        .iter()
        .map(|one| one.begun.id.operator_reference())
        .chain(found(db, ORDERS, person)?);
    let references: std::collections::BTreeSet<String> = references.collect();
    let mut orders = Vec::new();
    for reference in references {
        let mut statement =
            db.prepare_cached("SELECT * FROM sandbox_orders WHERE reference = ?1")?;
        let order = statement.query_map([reference], |row| {
            rows::received(&Record::new(row)).map(|found| found.order)
        })?;
        orders.extend(order.collect::<Result<Vec<_>>>()?);
    }
    let counters = found(db, COUNTERS, person)?;
    let mut links = Vec::new();
    for id in found(db, LINKS, person)? {
        links.extend(
            ready(links::by_id(db, &LinkId::new(id)))?
                .map(|found| found.link)
                .filter(|link| link.names(person)),
        );
    }
    Ok(PersonsData { links, ..select(person, transactions, &noted, sessions, orders, counters) })
}

fn erase(
    db: &Connection,
    person: &Person,
    live: SignedDuration,
    by: &AuditContext,
) -> Result<std::result::Result<Erased, EraseRefused>> {
    let data = find(db, person)?;
    if let Err(refused) = check(&data, live, by.at) {
        return Ok(Err(refused));
    }
    for (transaction, is_theirs) in &data.transactions {
        erase_transaction(db, person, transaction.clone(), *is_theirs)?;
    }
    for (checkout, is_theirs) in &data.checkouts {
        let mut checkout = checkout.clone();
        person.erase_checkout(&mut checkout, *is_theirs);
        let terms = &checkout.terms;
        db.prepare_cached(
            "UPDATE checkouts SET email = ?2, metadata = ?3, return_url = ?4, reference = ?5 WHERE \
             id = ?1",
        )?
        .execute(params![
            checkout.id.as_str(),
            terms.email,
            terms.metadata,
            terms.return_url,
            checkout.reference
        ])?;
    }
    for link in &data.links {
        let link = link.overwritten(person);
        db.prepare_cached(
            "UPDATE payment_links SET title = ?2, description = ?3, metadata = ?4, reference = ?5 \
             WHERE id = ?1",
        )?
        .execute(params![
            link.id.as_str(),
            link.terms.title,
            link.terms.description,
            link.terms.metadata,
            link.reference
        ])?;
    }
    for order in &data.orders {
        db.prepare_cached(
            "UPDATE sandbox_orders SET phone = ?2, message = NULL WHERE reference = ?1",
        )?
        .execute((&order.reference, erased_phone().as_str()))?;
    }
    for reference in
        found(db, BATCH_REFERENCES, person)?.iter().filter(|text| person.is_named_in(text))
    {
        db.prepare_cached("UPDATE payout_batches SET reference = ?2 WHERE reference = ?1")?
            .execute((reference, person.overwritten(reference)))?;
    }
    for name in &data.counters {
        db.prepare_cached("DELETE FROM buckets WHERE name = ?1")?.execute([name])?;
    }
    ready(audit::append(db, by, &audit_values::server::person_erased(data.counts())))?;
    Ok(Ok(data.counts()))
}

fn erase_transaction(
    db: &Connection,
    person: &Person,
    transaction: Transaction,
    is_theirs: bool,
) -> Result<()> {
    let mut begun = NewTransaction::clone(&transaction.begun);
    let sql = "SELECT version, at, event FROM transaction_events WHERE transaction_id = ?1";
    let events: Vec<(u32, tua_domain::Event)> = db
        .prepare_cached(sql)?
        .query_map([begun.id.as_str()], |row| Ok((row.get(0)?, rows::event(&Record::new(row))?.1)))?
        .collect::<Result<_>>()?;
    for (version, event) in events {
        let event = event_json::write(&person.erase_event(event, is_theirs));
        db.prepare_cached(
            "UPDATE transaction_events SET event = ?3 WHERE transaction_id = ?1 AND version = ?2",
        )?
        .execute((begun.id.as_str(), version, event))?;
    }
    // What was sent to an operator and received has the merchant's texts, too.
    db.prepare_cached("DELETE FROM operator_exchanges WHERE transaction_id = ?1")?
        .execute([begun.id.as_str()])?;
    person.erase(&mut begun, is_theirs);
    let details = &begun.details;
    db.prepare_cached(
        "UPDATE transactions
         SET phone = ?2, email = ?3, metadata = ?4, payer_message = ?5, payee_note = ?6, reference \
         = ?7 WHERE id = ?1",
    )?
    .execute(params![
        begun.id.as_str(),
        begun.transfer.phone.as_str(),
        details.email,
        details.metadata,
        details.payer_message,
        details.payee_note,
        begun.reference,
    ])
    .map(drop)
}

/// Truncates the WAL, which has earlier versions of pages. `secure_delete` overwrites deleted rows,
/// but a page that was split or merged may have a copy, so the file is searched, and rebuilt if
/// something is found.
fn scrub(path: &Path, person: &Person) -> std::result::Result<(), StoreError> {
    let db = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(store_error)?;
    truncate_wal(&db)?;
    if contains(path, person).map_err(StoreError::unavailable)? {
        db.execute_batch("VACUUM").map_err(store_error)?;
        truncate_wal(&db)?;
    }
    Ok(())
}

fn truncate_wal(db: &Connection) -> std::result::Result<(), StoreError> {
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
