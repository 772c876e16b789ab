//! Whether what lies on disk agrees with itself and with the operator, whatever happened before.

use crate::support::{TestApp, fake_operator::FakeOperator, test_database};
use std::collections::HashMap;
use tua_contract::Status;
use tua_service::domain::{Event, Transaction, TransactionId, ports::Store, webhook::EventType};

/// Events rebuild rows, rows agree with the operator, every announced event waits in the outbox, every
/// remembered attempt names something that exists, and a session is paid once.
pub async fn holds(app: &TestApp, till: &FakeOperator) {
    let ids = test_database::texts(app.folder.path(), "SELECT id FROM transactions");
    let orders = till.orders();
    assert!(orders.values().all(|order| order.executed <= 1), "sent twice: {orders:?}");
    let store = &app.running().app.store;
    let mut announced: HashMap<(String, &str), usize> = HashMap::new();
    let mut paid: HashMap<String, usize> = HashMap::new();
    for id in &ids {
        let id = TransactionId::new(id);
        let (transaction, events) = consistent(store.as_ref(), &id).await;
        let finals = events.iter().filter(|event| matches!(event, Event::Moved(state) if state.is_final())).count();
        assert_eq!(finals, usize::from(transaction.state.is_final()), "{events:?}");
        assert!(transaction.code_attempts <= 5);
        if transaction.state.status() == Status::Successful {
            assert_eq!(orders[&transaction.begun.id.operator_reference()].executed, 1, "paid, and never ordered: {id}");
            if let Some(checkout) = &transaction.begun.checkout {
                *paid.entry(checkout.as_str().to_owned()).or_default() += 1;
            }
        }
        let mut told = Transaction::begin(transaction.begun.clone(), transaction.created_at);
        for event in &events {
            told.take(event, transaction.updated_at);
            if let Some(event_type) = EventType::of(&told, event) {
                *announced.entry((id.as_str().to_owned(), event_type.as_str())).or_default() += 1;
            }
        }
    }
    assert!(paid.values().all(|times| *times == 1), "a session was paid twice: {paid:?}");
    let endpoints = app.number("SELECT count(*) FROM webhook_endpoints");
    let waiting = test_database::texts(app.folder.path(), "SELECT subject || ' ' || type FROM webhook_deliveries");
    for ((subject, event_type), times) in announced {
        let waits = waiting.iter().filter(|one| **one == format!("{subject} {event_type}")).count();
        let waits = i64::try_from(waits).unwrap();
        assert_eq!(waits, endpoints * i64::try_from(times).unwrap(), "{event_type} of {subject}");
    }
    let strays = "SELECT subject FROM attempts
                  WHERE subject NOT IN (SELECT id FROM transactions UNION SELECT id FROM checkouts)";
    assert_eq!(test_database::texts(app.folder.path(), strays), Vec::<String>::new());
}

/// A row and the events that make it what it is.
async fn consistent(store: &dyn Store, id: &TransactionId) -> (Transaction, Vec<Event>) {
    let events = store.events(id).await.unwrap();
    let transaction = store.transaction(id).await.unwrap().unwrap();
    assert_eq!(Transaction::replay(events.clone()).as_ref(), Some(&transaction));
    (transaction, events.into_iter().map(|(_, event)| event).collect())
}
