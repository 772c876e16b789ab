//! Personal data: finds and overwrites it.

use super::{
    PostgresStore, batch_ops::Lookup, checkouts, db::Db, error::Result, sandbox::Reference,
    transaction_rows::lock,
};
use crate::{
    audit_values,
    columns::number,
    event_json,
    in_doubt::InDoubt,
    privacy::{
        BATCH_REFERENCES, CHECKOUTS, COUNTERS, LINKS, ORDERS, TRANSACTIONS, check, folded, pattern,
        select,
    },
    queries::{audit, links},
    rows,
};
use async_trait::async_trait;
use jiff::SignedDuration;
use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};
use tua_contract::typed_text::ascii_digit;
use tua_domain::{
    CheckoutId, LinkId, NewTransaction, Transaction, TransactionId,
    audit::AuditContext,
    ports::{EraseError, Erased, PersonalData, PersonsData, StoreError},
    privacy::{EraseRefused, Person, erased_phone},
};

#[async_trait]
impl PersonalData for PostgresStore {
    async fn persons_data(&self, person: &Person) -> std::result::Result<PersonsData, StoreError> {
        self.tx.read_long(|db| async move { find(&db, person).await }).await
    }

    async fn erase_person(
        &self,
        person: &Person,
        live: SignedDuration,
        by: &AuditContext,
    ) -> std::result::Result<Erased, EraseError> {
        let erase = |db| async move { erase(&db, person, live, by).await };
        Ok(self.tx.try_write(InDoubt::Surface, erase).await??)
    }

    /// The server keeps earlier versions of rows until VACUUM, and its write-ahead log as long as
    /// it is set to.
    async fn scrub(&self, _: &Person) -> std::result::Result<bool, StoreError> {
        Ok(false)
    }
}

/// What is written before and after a text, to leave its digits, in ASCII.
static DIGITS: LazyLock<(String, String)> = LazyLock::new(|| {
    let all = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
    let (written, ascii): (String, String) =
        all.filter_map(|one| Some((one, ascii_digit(one)?))).unzip();
    let after = format!(", '{written}', '{ascii}'), '[^0123456789]', '', 'g')");
    ("regexp_replace(translate(".to_owned(), after)
});

/// The texts that a query of `store::privacy` finds.
async fn found(db: &Db, sql: &str, person: &Person) -> Result<Vec<String>> {
    let (before, after) = &*DIGITS;
    texts(db, &folded(sql, person, (before, after)), &pattern(person)).await
}

async fn texts(db: &Db, sql: &str, parameter: &str) -> Result<Vec<String>> {
    db.query(sql, &[&parameter]).await?.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

/// Finds and locks the rows, so that none changes before it is overwritten.
async fn find(db: &Db, person: &Person) -> Result<PersonsData> {
    let mut transactions = Vec::new();
    let mut noted = HashSet::new();
    for id in found(db, TRANSACTIONS, person).await? {
        let sql = "SELECT event FROM transaction_events WHERE transaction_id = $1";
        if texts(db, sql, &id).await?.iter().any(|event| person.is_named_in(event)) {
            noted.insert(id.clone());
        }
        transactions.push(lock(db, &TransactionId::new(id)).await?);
    }
    let mut sessions = Vec::new();
    for id in found(db, CHECKOUTS, person).await? {
        sessions.extend(checkouts::by_id(db, &CheckoutId::new(id)).await?);
    }
    let references = transactions.iter().map(|one| one.begun.id.operator_reference());
    let references: BTreeSet<String> = references.chain(found(db, ORDERS, person).await?).collect();
    let references: Vec<Reference> = references.into_iter().map(Reference).collect();
    let orders = Reference::find(db, &references.iter().collect::<Vec<_>>()).await?;
    let orders = orders.into_iter().flatten().map(|received| received.order).collect();
    let counters = found(db, COUNTERS, person).await?;
    let mut links = Vec::new();
    for id in found(db, LINKS, person).await? {
        let found = links::by_id(db, &LinkId::new(id)).await?;
        links.extend(found.map(|found| found.link).filter(|link| link.names(person)));
    }
    Ok(PersonsData { links, ..select(person, transactions, &noted, sessions, orders, counters) })
}

async fn erase(
    db: &Db,
    person: &Person,
    live: SignedDuration,
    by: &AuditContext,
) -> Result<std::result::Result<Erased, EraseRefused>> {
    db.allow_long_statements().await?;
    let data = find(db, person).await?;
    if let Err(refused) = check(&data, live, by.at) {
        return Ok(Err(refused));
    }
    for (transaction, is_theirs) in &data.transactions {
        erase_transaction(db, person, transaction.clone(), *is_theirs).await?;
    }
    for (checkout, is_theirs) in &data.checkouts {
        let mut checkout = checkout.clone();
        person.erase_checkout(&mut checkout, *is_theirs);
        let id = checkout.id.as_str();
        let terms = &checkout.terms;
        let sql = "UPDATE checkouts SET email = $2, metadata = $3, return_url = $4, reference = $5 \
            WHERE id = $1";
        db.execute(
            sql,
            &[&id, &terms.email, &terms.metadata, &terms.return_url, &checkout.reference],
        )
        .await?;
    }
    for link in &data.links {
        let link = link.overwritten(person);
        let id = link.id.as_str();
        let terms = &link.terms;
        let sql = "UPDATE payment_links SET title = $2, description = $3, metadata = $4, reference \
            = $5 WHERE id = $1";
        db.execute(sql, &[&id, &terms.title, &terms.description, &terms.metadata, &link.reference])
            .await?;
    }
    for order in &data.orders {
        let sql = "UPDATE sandbox_orders SET phone = $2, message = NULL WHERE reference = $1";
        db.execute(sql, &[&order.reference, &erased_phone().as_str()]).await?;
    }
    for reference in found(db, BATCH_REFERENCES, person).await? {
        if person.is_named_in(&reference) {
            let sql = "UPDATE payout_batches SET reference = $2 WHERE reference = $1";
            db.execute(sql, &[&reference, &person.overwritten(&reference)]).await?;
        }
    }
    for name in &data.counters {
        db.execute("DELETE FROM buckets WHERE name = $1", &[name]).await?;
    }
    audit::append(db, by, &audit_values::server::person_erased(data.counts())).await?;
    Ok(Ok(data.counts()))
}

async fn erase_transaction(
    db: &Db,
    person: &Person,
    transaction: Transaction,
    is_theirs: bool,
) -> Result<()> {
    let mut begun = NewTransaction::clone(&transaction.begun);
    let id = begun.id.clone();
    let sql = "SELECT version, at, event FROM transaction_events WHERE transaction_id = $1";
    for row in db.query(sql, &[&id.as_str()]).await? {
        let version: i64 = number(&row, "version")?;
        let event = event_json::write(&person.erase_event(rows::event(&row)?.1, is_theirs));
        let sql =
            "UPDATE transaction_events SET event = $3 WHERE transaction_id = $1 AND version = $2";
        db.execute(sql, &[&id.as_str(), &version, &event]).await?;
    }
    // What was sent to an operator and received has the merchant's texts, too.
    db.execute("DELETE FROM operator_exchanges WHERE transaction_id = $1", &[&id.as_str()]).await?;
    person.erase(&mut begun, is_theirs);
    let details = &begun.details;
    let sql = "UPDATE transactions
               SET phone = $2, email = $3, metadata = $4, payer_message = $5, payee_note = $6, \
        reference = $7
               WHERE id = $1";
    db.execute(
        sql,
        &[
            &id.as_str(),
            &begun.transfer.phone.as_str(),
            &details.email,
            &details.metadata,
            &details.payer_message,
            &details.payee_note,
            &begun.reference,
        ],
    )
    .await
    .map(drop)
}
