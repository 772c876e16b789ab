//! Whether the stored data are consistent with each other and with the operator, after any history.

use crate::{TestApp, fake_operator::FakeOperator, test_database};
use std::collections::HashMap;
use tua_contract::Status;
use tua_domain::{Event, Transaction, TransactionId, ports::Transactions, webhook::EventType};
use tua_use_cases::verify_ledger;

/// Asserts that events rebuild rows, rows match the operator's orders, every event has its
/// deliveries in the outbox, every idempotency record refers to an existing row, a session is paid
/// at most once, and the ledger agrees.
pub async fn assert_consistent(app: &TestApp, fake: &FakeOperator) {
    let ids = test_database::query_texts(app.folder.path(), "SELECT id FROM transactions");
    let orders = fake.orders();
    assert!(orders.values().all(|order| order.executed <= 1), "executed twice: {orders:?}");
    let store = &app.running().store;
    assert_eq!(verify_ledger(store.as_ref()).await.unwrap().listed, []);
    let mut announced: HashMap<(String, &str), usize> = HashMap::new();
    let mut paid: HashMap<String, usize> = HashMap::new();
    for id in &ids {
        let id = TransactionId::new(id);
        let (transaction, events) = row_and_events(store.as_ref(), &id).await;
        let finals = events
            .iter()
            .filter(|event| matches!(event, Event::Moved(state, _) if state.is_final()))
            .count();
        assert_eq!(finals, usize::from(transaction.state.is_final()), "{events:?}");
        assert!(transaction.code_attempts <= 5);
        if transaction.state.status() == Status::Successful {
            assert_eq!(
                orders[&transaction.order.id.operator_reference()].executed,
                1,
                "paid without an order: {id}"
            );
            if let Some(checkout) = &transaction.order.checkout {
                *paid.entry(checkout.as_str().to_owned()).or_default() += 1;
            }
        }
        let mut told =
            Transaction::begin(transaction.order.clone(), true, None, transaction.created_at);
        for event in &events {
            told.apply_event(event, transaction.updated_at);
            if let Some(event_type) = EventType::of(&told, event) {
                *announced.entry((id.as_str().to_owned(), event_type.as_str())).or_default() += 1;
            }
        }
    }
    assert!(paid.values().all(|times| *times == 1), "a session was paid twice: {paid:?}");
    let endpoints = app.query_number("SELECT count(*) FROM webhook_endpoints");
    let waiting = test_database::query_texts(
        app.folder.path(),
        "SELECT subject || ' ' || type FROM webhook_deliveries",
    );
    for ((subject, event_type), times) in announced {
        let waits = waiting.iter().filter(|one| **one == format!("{subject} {event_type}")).count();
        let waits = i64::try_from(waits).unwrap();
        assert_eq!(waits, endpoints * i64::try_from(times).unwrap(), "{event_type} of {subject}");
    }
    let strays = "SELECT subject FROM attempts
                  WHERE subject NOT IN (SELECT id FROM transactions UNION SELECT id FROM \
        checkouts)";
    assert_eq!(test_database::query_texts(app.folder.path(), strays), Vec::<String>::new());
}

/// A row and its events. Asserts that the events rebuild the row.
async fn row_and_events(
    transactions: &dyn Transactions,
    id: &TransactionId,
) -> (Transaction, Vec<Event>) {
    // A worker may write between two reads, so the row is read before and after its events.
    let (transaction, events) = loop {
        let before = transactions.transaction(id).await.unwrap();
        let events = transactions.events(id).await.unwrap();
        let after = transactions.transaction(id).await.unwrap();
        if before == after {
            break (after.unwrap(), events);
        }
    };
    assert_eq!(Transaction::replay(events.clone()).as_ref(), Some(&transaction));
    (transaction, events.into_iter().map(|(_, event)| event).collect())
}
