use super::*;
use crate::postgres::connect::Connector;
use futures_util::future::join_all;
use tua_metrics::StoreMetrics;

/// A batch with this number fails because the server is unreachable.
const UNREACHABLE: usize = 1_000;
/// A batch with this number fails because of this request.
const FAULTY: usize = 1_001;
/// A batch with this number panics.
const PANICKING: usize = 1_002;
/// This number gets no outcome in a batch with others.
const DEFERRED: usize = 1_003;

type Log = Arc<Mutex<Vec<Vec<usize>>>>;

/// Its outcome is its number. Logs the batches.
struct Number(usize, Option<&'static str>, Log);

#[async_trait]
impl BatchOp for Number {
    const OPERATION: Operation = Operation::Write;

    type Outcome = usize;

    fn conflict_keys(&self) -> Vec<String> {
        self.1.into_iter().map(str::to_owned).collect()
    }

    async fn execute(
        _: &TxRunner,
        _: LockWait,
        ops: &[&Self],
    ) -> Result<Vec<Option<usize>>, Error> {
        let numbers: Vec<usize> = ops.iter().map(|Self(number, ..)| *number).collect();
        ops[0].2.lock().unwrap().push(numbers.clone());
        assert!(!numbers.contains(&PANICKING), "as it was asked for");
        match numbers {
            numbers if numbers.contains(&UNREACHABLE) => Err(Error::ConnectTimeout),
            numbers if numbers.contains(&FAULTY) => Err(Error::MissingRow),
            numbers if numbers.len() > 1 && numbers.contains(&DEFERRED) => Ok(numbers
                .into_iter()
                .map(|number| (number != DEFERRED).then_some(number))
                .collect()),
            numbers => Ok(numbers.into_iter().map(Some).collect()),
        }
    }
}

/// Submits all at the same time, on one thread: none is executed before all are queued.
async fn submit_all(
    ops: Vec<(usize, Option<&'static str>)>,
) -> (Vec<Result<usize, StoreError>>, Vec<Vec<usize>>) {
    let nowhere = Connector::new(&"postgres://tua@127.0.0.1:1/nowhere".parse().unwrap()).unwrap();
    let batcher =
        Batcher::new(&TxRunner { pool: nowhere.pool().unwrap(), metrics: StoreMetrics::default() });
    let log = Log::default();
    let answers = join_all(
        ops.into_iter().map(|(number, name)| batcher.submit(Number(number, name, log.clone()))),
    )
    .await;
    let log = log.lock().unwrap().clone();
    (answers, log)
}

fn numbers(numbers: impl IntoIterator<Item = usize>) -> Vec<(usize, Option<&'static str>)> {
    numbers.into_iter().map(|number| (number, None)).collect()
}

#[tokio::test]
async fn concurrent_requests_share_a_batch_and_get_their_own_outcomes() {
    let (answers, log) = submit_all(numbers(0..300)).await;
    assert!(answers.iter().enumerate().all(|(number, answer)| answer.as_ref().unwrap() == &number));
    assert_eq!(
        log.iter().map(Vec::len).collect::<Vec<_>>(),
        [MAX_BATCH, MAX_BATCH, 300 - 2 * MAX_BATCH]
    );
}

#[tokio::test]
async fn requests_with_a_common_key_run_in_different_batches() {
    let (_, log) =
        submit_all(vec![(0, Some("a")), (1, Some("a")), (2, Some("b")), (3, Some("a")), (4, None)])
            .await;
    assert_eq!(log, [vec![0, 2, 4], vec![1], vec![3]]);
}

#[tokio::test]
async fn the_error_of_one_request_fails_only_that_request() {
    let (answers, log) = submit_all(numbers([0, FAULTY, 2])).await;
    assert!(matches!(answers[..], [Ok(0), Err(StoreError::Failed(_)), Ok(2)]), "{answers:?}");
    assert_eq!(log, [vec![0, FAULTY, 2], vec![0], vec![FAULTY], vec![2]]);
}

#[tokio::test]
async fn a_request_without_an_outcome_is_executed_again() {
    let (answers, log) = submit_all(numbers([0, DEFERRED, 2])).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(log, [vec![0, DEFERRED, 2], vec![DEFERRED]]);
}

#[tokio::test]
async fn an_unreachable_server_fails_all_waiting_requests_at_once() {
    let (answers, log) =
        submit_all(numbers((0..300).map(|number| if number == 0 { UNREACHABLE } else { number })))
            .await;
    assert!(answers.iter().all(|answer| matches!(answer, Err(StoreError::Unavailable(_)))));
    assert_eq!(log.len(), 1);
}

#[tokio::test]
async fn a_panic_fails_only_its_own_batch() {
    let (answers, log) = submit_all(vec![(0, Some("a")), (PANICKING, None), (2, Some("a"))]).await;
    assert!(
        matches!(answers[..], [Err(StoreError::Failed(_)), Err(StoreError::Failed(_)), Ok(2)]),
        "{answers:?}"
    );
    assert_eq!(log, [vec![0, PANICKING], vec![2]]);
}
