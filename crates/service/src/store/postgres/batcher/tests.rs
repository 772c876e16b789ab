use super::*;
use crate::{metrics::StoreMetrics, store::postgres::connect::Connector};
use futures_util::future::join_all;

/// Asked with this, the server is away.
const AWAY: usize = 1_000;
/// Asked with this, it refuses the whole batch.
const BAD: usize = 1_001;
/// Asked with this, it is our fault.
const PANICS: usize = 1_002;
/// Asked with this beside others, it is left out first.
const LATER: usize = 1_003;

type Log = Arc<Mutex<Vec<Vec<usize>>>>;

/// Is answered with its number, and notes who was served together.
struct Number(usize, Option<&'static str>, Log);

#[async_trait]
impl Batched for Number {
    type Outcome = usize;

    fn names(&self) -> Vec<String> {
        self.1.into_iter().map(str::to_owned).collect()
    }

    async fn serve(_: &Sessions, _: Terms, these: &[&Self]) -> Result<Vec<Option<usize>>, Error> {
        let numbers: Vec<usize> = these.iter().map(|Self(number, ..)| *number).collect();
        these[0].2.lock().unwrap().push(numbers.clone());
        assert!(!numbers.contains(&PANICS), "as it was asked for");
        match numbers {
            numbers if numbers.contains(&AWAY) => Err(Error::Slow),
            numbers if numbers.contains(&BAD) => Err(Error::Missing),
            numbers if numbers.len() > 1 && numbers.contains(&LATER) => {
                Ok(numbers.into_iter().map(|number| (number != LATER).then_some(number)).collect())
            }
            numbers => Ok(numbers.into_iter().map(Some).collect()),
        }
    }
}

/// Asks at the same time, on one thread: nobody is served before all have asked.
async fn asked(these: Vec<(usize, Option<&'static str>)>) -> (Vec<Result<usize, StoreError>>, Vec<Vec<usize>>) {
    let nowhere = Connector::new(&"postgres://tua@127.0.0.1:1/nowhere".parse().unwrap()).unwrap();
    let batcher = Batcher::new(&Sessions { pool: nowhere.pool().unwrap(), metrics: StoreMetrics::default() });
    let log = Log::default();
    let answers =
        join_all(these.into_iter().map(|(number, name)| batcher.ask(Number(number, name, log.clone())))).await;
    let log = log.lock().unwrap().clone();
    (answers, log)
}

fn numbers(numbers: impl IntoIterator<Item = usize>) -> Vec<(usize, Option<&'static str>)> {
    numbers.into_iter().map(|number| (number, None)).collect()
}

#[tokio::test]
async fn who_asks_at_the_same_time_is_served_together_and_each_hears_its_own() {
    let (answers, log) = asked(numbers(0..300)).await;
    assert!(answers.iter().enumerate().all(|(number, answer)| answer.as_ref().unwrap() == &number));
    assert_eq!(log.iter().map(Vec::len).collect::<Vec<_>>(), [BATCH, BATCH, 300 - 2 * BATCH]);
}

#[tokio::test]
async fn two_that_name_the_same_are_served_one_after_the_other() {
    let (_, log) = asked(vec![(0, Some("a")), (1, Some("a")), (2, Some("b")), (3, Some("a")), (4, None)]).await;
    assert_eq!(log, [vec![0, 2, 4], vec![1], vec![3]]);
}

#[tokio::test]
async fn the_fault_of_one_is_told_to_that_one() {
    let (answers, log) = asked(numbers([0, BAD, 2])).await;
    assert!(matches!(answers[..], [Ok(0), Err(StoreError::Failed(_)), Ok(2)]), "{answers:?}");
    assert_eq!(log, [vec![0, BAD, 2], vec![0], vec![BAD], vec![2]]);
}

#[tokio::test]
async fn who_is_left_out_is_served_again_without_the_others() {
    let (answers, log) = asked(numbers([0, LATER, 2])).await;
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(log, [vec![0, LATER, 2], vec![LATER]]);
}

#[tokio::test]
async fn where_the_server_is_away_all_who_wait_hear_of_it_at_once() {
    let (answers, log) = asked(numbers((0..300).map(|number| if number == 0 { AWAY } else { number }))).await;
    assert!(answers.iter().all(|answer| matches!(answer, Err(StoreError::Unavailable(_)))));
    assert_eq!(log.len(), 1);
}

#[tokio::test]
async fn a_panic_costs_its_own_batch_and_not_those_after_it() {
    let (answers, log) = asked(vec![(0, Some("a")), (PANICS, None), (2, Some("a"))]).await;
    assert!(matches!(answers[..], [Err(StoreError::Failed(_)), Err(StoreError::Failed(_)), Ok(2)]), "{answers:?}");
    assert_eq!(log, [vec![0, PANICS], vec![2]]);
}
