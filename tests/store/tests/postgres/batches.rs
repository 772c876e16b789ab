//! Batched writes of a PostgreSQL node: a faulty write does not affect the others, and nothing is
//! done twice.

use futures_util::future::join_all;
use jiff::SignedDuration;
use tokio_postgres::{Client, NoTls};
use tua_contract::{Amount, Network, Phone, Step, lifecycle::Observation};
use tua_domain::{
    Details, Kind, Mode, Scope, Transaction, TransactionId, TransactionOrder, Transfer,
    idempotency::{Attempt, Fingerprint},
    ports::{BeginError, Clock, StoreError},
    tariff::Price,
    transaction::Sending,
};
use tua_test_support::{TestApp, eventually, idempotency::count, test_database};

struct Node {
    app: TestApp,
    scope: Scope,
    /// A connection of the test.
    beside: Client,
}

impl Node {
    async fn start() -> Self {
        let app = TestApp::with_stopped_clock(|operators| operators).await;
        let scope = Scope { account: app.account("Adom Stores").await, mode: Mode::Test };
        let url = test_database::url_with(app.folder.path(), |url| url);
        let (beside, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        Self { app, scope, beside }
    }

    fn charge(&self, reference: &str) -> TransactionOrder {
        TransactionOrder {
            link: None,
            refund: None,
            key: None,
            batch: None,
            needs_approval: false,
            id: TransactionId::mint(),
            scope: self.scope.clone(),
            reference: reference.to_owned(),
            checkout: None,
            transfer: Transfer {
                kind: Kind::Charge,
                amount: Amount::from_pesewas(1050).unwrap(),
                network: Network::Mtn,
                phone: Phone::parse("0241234567").unwrap(),
            },
            price: Price::without_tariff(Amount::from_pesewas(1050).unwrap()),
            details: Details::default(),
        }
    }

    fn attempt(&self, key: &str) -> Attempt {
        let scope = "of this test/charge".to_owned();
        let fingerprint = Fingerprint([0; 32]);
        Attempt {
            scope,
            key: key.to_owned(),
            fingerprint,
            earlier_fingerprints: Vec::new(),
            instance: self.app.running().idempotency.instance.clone(),
            retained_since: self.app.clock.now() - SignedDuration::from_hours(7 * 24),
        }
    }

    async fn begin(&self, new: TransactionOrder, key: &str) -> Result<Transaction, BeginError> {
        let store = &self.app.running().store;
        let now = self.app.clock.now();
        let sending =
            Sending::AtOnce { first_query_at: now + SignedDuration::from_hours(1), operator: None };
        store.begin(new.into(), sending, Some(self.attempt(key)), Vec::new(), now).await
    }

    /// Creates charges concurrently. On one thread none is written before all are queued.
    async fn create_concurrently(
        &self,
        charges: Vec<(&str, TransactionOrder)>,
    ) -> Vec<Result<Transaction, BeginError>> {
        join_all(charges.into_iter().map(|(key, new)| self.begin(new, key))).await
    }

    /// The number of server transactions that wrote charges with these references.
    fn transactions_that_wrote(&self, reference: &str) -> i64 {
        self.app.query_number(&format!(
            "SELECT count(DISTINCT xmin::text) FROM transactions WHERE reference LIKE '{reference}'"
        ))
    }
}

fn single_node() -> bool {
    test_database::skip_on_sqlite("one thread writes")
}

#[tokio::test]
async fn concurrent_writes_share_one_server_transaction() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    let keys: Vec<String> = (0..20).map(|number| format!("k{number}")).collect();
    let charges = keys.iter().map(|key| (key.as_str(), node.charge("together"))).collect();
    let begun = node.create_concurrently(charges).await;
    assert!(begun.iter().all(Result::is_ok), "{begun:?}");
    assert_eq!(node.transactions_that_wrote("together"), 1);
}

#[tokio::test]
async fn two_requests_with_one_idempotency_key_in_a_batch_create_one_charge() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    let charges = vec![
        ("a", node.charge("a")),
        ("twice", node.charge("twice")),
        ("twice", node.charge("twice")),
        ("b", node.charge("b")),
    ];
    let begun = node.create_concurrently(charges).await;
    assert!(
        matches!(begun[..], [Ok(_), Ok(_), Err(BeginError::Repeat(_)), Ok(_)]),
        "the first of a key is taken, and nobody beside it is refused: {begun:?}"
    );
    assert_eq!((count(&node.app, "transactions"), count(&node.app, "attempts")), (3, 3));
}

#[tokio::test]
async fn a_rejected_write_in_a_batch_does_not_affect_the_others() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    node.begin(node.charge("before"), "known").await.unwrap();
    let charges =
        vec![("a", node.charge("a")), ("known", node.charge("again")), ("b", node.charge("b"))];
    let begun = node.create_concurrently(charges).await;
    assert!(matches!(begun[..], [Ok(_), Err(BeginError::Repeat(_)), Ok(_)]), "{begun:?}");
    assert_eq!((node.transactions_that_wrote("again"), node.transactions_that_wrote("_")), (0, 1));
    assert_eq!((count(&node.app, "transactions"), count(&node.app, "transaction_events")), (3, 3));
}

#[tokio::test]
async fn a_write_that_the_server_rejects_does_not_affect_the_others() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    // PostgreSQL stores no text with a NUL.
    let charges =
        vec![("a", node.charge("a")), ("bad", node.charge("\0")), ("b", node.charge("b"))];
    let begun = node.create_concurrently(charges).await;
    assert!(
        matches!(begun[..], [Ok(_), Err(BeginError::Store(StoreError::Failed(_))), Ok(_)]),
        "{begun:?}"
    );
    assert_eq!((count(&node.app, "transactions"), count(&node.app, "attempts")), (2, 2));
}

#[tokio::test]
async fn a_batch_whose_commit_fails_is_retried_without_the_faulty_write() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    let at_the_commit = "
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this \
        one'; END $$;
        CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON transactions DEFERRABLE INITIALLY \
        DEFERRED
        FOR EACH ROW WHEN (NEW.reference = 'bad') EXECUTE FUNCTION refuse()";
    node.beside.batch_execute(at_the_commit).await.unwrap();
    let charges =
        vec![("a", node.charge("a")), ("bad", node.charge("bad")), ("b", node.charge("b"))];
    let begun = node.create_concurrently(charges).await;
    assert!(
        matches!(begun[..], [Ok(_), Err(BeginError::Store(StoreError::Failed(_))), Ok(_)]),
        "{begun:?}"
    );
    assert_eq!((node.transactions_that_wrote("bad"), count(&node.app, "attempts")), (0, 2));
}

#[tokio::test]
async fn a_batch_on_a_broken_connection_creates_each_payment_once() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    let charges = vec![("a", node.charge("a")), ("b", node.charge("b")), ("c", node.charge("c"))];
    node.beside.batch_execute("BEGIN; LOCK TABLE transactions IN SHARE MODE").await.unwrap();
    let break_them = async {
        let held_up = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
                       WHERE NOT granted AND relation = 'transactions'::regclass";
        eventually("a connection is broken", async || node.app.query_number(held_up) > 0).await;
        node.beside.batch_execute("COMMIT").await.unwrap();
    };
    let (begun, ()) = tokio::join!(node.create_concurrently(charges), break_them);
    assert!(begun.iter().all(Result::is_ok), "{begun:?}");
    assert_eq!((count(&node.app, "transactions"), count(&node.app, "transaction_events")), (3, 3));
}

#[tokio::test]
async fn a_write_that_waits_for_a_row_lock_does_not_delay_others() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    // As if another node had started the same request and hung.
    let held = "BEGIN; INSERT INTO attempts (scope, key, fingerprint, subject, instance, \
        running_until, retained_from)
                VALUES ('of this test/charge', 'held', '', '', '', 0, 0)";
    node.beside.batch_execute(held).await.unwrap();
    let (held, free) = tokio::join!(node.begin(node.charge("held"), "held"), async {
        let begun =
            node.create_concurrently(vec![("a", node.charge("a")), ("b", node.charge("b"))]).await;
        node.beside.batch_execute("ROLLBACK").await.unwrap();
        begun
    });
    assert!(held.is_ok() && free.iter().all(Result::is_ok), "{held:?} {free:?}");
}

#[tokio::test]
async fn two_concurrent_observations_of_one_payment_apply_one() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    let store = &node.app.running().store;
    let now = node.app.clock.now();
    let one = node.begin(node.charge("one"), "one").await.unwrap();
    let other = node.begin(node.charge("other"), "other").await.unwrap();
    let said = [
        (&one, Observation::Awaits(Step::ApproveOnPhone)),
        (&one, Observation::Succeeded),
        (&other, Observation::Succeeded),
    ];
    let observed =
        join_all(said.map(|(asked, word)| store.observe(asked, word.into(), None, now))).await;
    assert!(observed.iter().all(Result::is_ok), "{observed:?}");
    for (id, events) in [(&one.order.id, 3), (&other.order.id, 2)] {
        let stored = store.transaction(id).await.unwrap().unwrap();
        assert!(stored.state.is_final() && stored.version == events, "{stored:?}");
        assert_eq!(store.events(id).await.unwrap().len(), usize::try_from(events).unwrap());
    }
}

#[tokio::test]
async fn an_invalid_id_in_a_batch_is_not_found_and_does_not_affect_others() {
    if single_node() {
        return;
    }
    let node = Node::start().await;
    let store = &node.app.running().store;
    let known = node.begin(node.charge("known"), "known").await.unwrap().order.id.clone();
    let asked: Vec<_> = (0..50)
        .map(|number| if number % 2 == 0 { known.clone() } else { TransactionId::new("txn_\0") })
        .collect();
    let found = join_all(asked.iter().map(|id| store.transaction(id))).await;
    for (id, found) in asked.iter().zip(found) {
        assert_eq!(found.unwrap().is_some(), *id == known);
    }
}
