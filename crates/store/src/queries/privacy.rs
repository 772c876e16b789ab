//! Personal data: finds and overwrites it.

use super::{checkouts, links, webhook_responses};
use crate::{
    payment_sql::PaymentSql,
    privacy::{
        BATCH_REFERENCES, CHECKOUTS, COUNTERS, LINKS, ORDERS, TRANSACTIONS, check, folded, pattern,
        select,
    },
};
use std::collections::{BTreeSet, HashSet};
use tua_domain::{
    CheckoutId, LinkId, Transaction, TransactionId, TransactionOrder,
    audit::AuditContext,
    ports::{EraseError, Order, PersonsData, PersonsDataCounts},
    privacy::{Person, Retention, erased_phone},
};
use tua_sql::{
    audit_values,
    columns::{number, text},
    event_json,
    queries::audit,
    rows::{self, received_columns},
    sql::{MissingRow, Sql},
    write_error::WriteError,
};

/// The texts of a column that a query of [`crate::privacy`] finds.
async fn found<S: Sql>(
    db: &S,
    sql: &str,
    column: &'static str,
    person: &Person,
) -> Result<Vec<String>, S::Error> {
    let sql = folded(sql, person, S::digits_only());
    db.query(&sql, &[&pattern(person)]).await?.iter().map(|row| text(row, column)).collect()
}

/// Finds the rows, and locks the transactions, so that none changes before it is overwritten.
pub(crate) async fn find<S: PaymentSql>(db: &S, person: &Person) -> Result<PersonsData, S::Error> {
    let mut transactions = Vec::new();
    let mut noted = HashSet::new();
    for id in found(db, TRANSACTIONS, "id", person).await? {
        // Locked first: then no event is added any more.
        let transaction = db.lock_transaction(&TransactionId::new(id.clone())).await?;
        let transaction = transaction.ok_or(MissingRow)?;
        let sql = "SELECT event FROM transaction_events WHERE transaction_id = $1";
        for row in db.query(sql, &[&id]).await? {
            if person.is_named_in(&text(&row, "event")?) {
                noted.insert(id.clone());
            }
        }
        transactions.push(transaction);
    }
    let mut sessions = Vec::new();
    for id in found(db, CHECKOUTS, "id", person).await? {
        sessions.extend(checkouts::by_id(db, &CheckoutId::new(id)).await?);
    }
    let references = transactions.iter().map(|one| one.order.id.operator_reference());
    let references: BTreeSet<String> =
        references.chain(found(db, ORDERS, "reference", person).await?).collect();
    let mut orders = Vec::new();
    for reference in references {
        orders.extend(order(db, &reference).await?);
    }
    let counters = found(db, COUNTERS, "name", person).await?;
    let mut named_links = Vec::new();
    for id in found(db, LINKS, "id", person).await? {
        let link = links::by_id(db, &LinkId::new(id)).await?.map(|found| found.link);
        named_links.extend(link.filter(|link| link.names(person)));
    }
    let selected = select(person, transactions, &noted, sessions, orders, counters);
    Ok(PersonsData { links: named_links, ..selected })
}

async fn order<S: Sql>(db: &S, reference: &str) -> Result<Option<Order>, S::Error> {
    let sql = concat!("SELECT ", received_columns!(), " FROM sandbox_orders WHERE reference = $1");
    let found = db.query_opt(sql, &[&reference]).await?;
    Ok(found.as_ref().map(rows::received).transpose()?.map(|received| received.order))
}

pub(crate) async fn erase<S: PaymentSql>(
    db: &S,
    person: &Person,
    live: Retention,
    by: &AuditContext,
) -> Result<PersonsDataCounts, WriteError<EraseError, S::Error>> {
    db.allow_long_statements().await?;
    let data = find(db, person).await?;
    check(&data, live, by.at).map_err(|refused| WriteError::Rejected(refused.into()))?;
    for (transaction, is_theirs) in &data.transactions {
        erase_transaction(db, person, transaction, *is_theirs).await?;
    }
    for (checkout, is_theirs) in &data.checkouts {
        let mut checkout = checkout.clone();
        person.erase_checkout(&mut checkout, *is_theirs);
        let id = checkout.id.as_str();
        let terms = &checkout.terms;
        let sql = "UPDATE checkouts SET email = $2, metadata = $3, return_url = $4, reference = $5,
                       answer = $6
                   WHERE id = $1";
        db.execute(
            sql,
            &[
                &id,
                &terms.email,
                &terms.metadata,
                &terms.return_url,
                &checkout.reference,
                &terms.answer,
            ],
        )
        .await?;
    }
    webhook_responses::erase(db, &data).await?;
    for link in &data.links {
        let link = link.overwritten(person);
        let id = link.id.as_str();
        let terms = &link.terms;
        let sql = "UPDATE payment_links
                   SET title = $2, description = $3, metadata = $4, reference = $5, question = $6
                   WHERE id = $1";
        db.execute(
            sql,
            &[
                &id,
                &terms.title,
                &terms.description,
                &terms.metadata,
                &link.reference,
                &terms.question,
            ],
        )
        .await?;
    }
    for order in &data.orders {
        let sql = "UPDATE sandbox_orders SET phone = $2, message = NULL WHERE reference = $1";
        db.execute(sql, &[&order.reference, &erased_phone().as_str()]).await?;
    }
    for reference in found(db, BATCH_REFERENCES, "reference", person).await? {
        if person.is_named_in(&reference) {
            let sql = "UPDATE payout_batches SET reference = $2 WHERE reference = $1";
            db.execute(sql, &[&reference, &person.overwritten(&reference)]).await?;
        }
    }
    for name in &data.counters {
        db.execute("DELETE FROM buckets WHERE name = $1", &[name]).await?;
    }
    audit::append(db, by, &audit_values::server::person_erased(data.counts())).await?;
    Ok(data.counts())
}

async fn erase_transaction<S: Sql>(
    db: &S,
    person: &Person,
    transaction: &Transaction,
    is_theirs: bool,
) -> Result<(), S::Error> {
    let mut order = TransactionOrder::clone(&transaction.order);
    let id = order.id.clone();
    let sql = "SELECT version, at, event FROM transaction_events WHERE transaction_id = $1";
    for row in db.query(sql, &[&id.as_str()]).await? {
        let version: u32 = number(&row, "version")?;
        let event = event_json::write(&person.erase_event(rows::event(&row)?.1, is_theirs));
        let sql =
            "UPDATE transaction_events SET event = $3 WHERE transaction_id = $1 AND version = $2";
        db.execute(sql, &[&id.as_str(), &version, &event]).await?;
    }
    // What was sent to an operator and received has the merchant's texts, too.
    db.execute("DELETE FROM operator_exchanges WHERE transaction_id = $1", &[&id.as_str()]).await?;
    person.erase(&mut order, is_theirs);
    let details = &order.details;
    let sql = "UPDATE transactions
               SET phone = $2, email = $3, metadata = $4, payer_message = $5, payee_note = $6,
                   reference = $7, answer = $8
               WHERE id = $1";
    db.execute(
        sql,
        &[
            &id.as_str(),
            &order.transfer.phone.as_str(),
            &details.email,
            &details.metadata,
            &details.payer_message,
            &details.payee_note,
            &order.reference,
            &details.answer,
        ],
    )
    .await
    .map(drop)
}
