//! The two sorts of things that are asked for together: rows to be found, and rows to be written.

use super::{
    batcher::Batched,
    db::Db,
    doubt::InDoubt,
    error::Result,
    session::{Sessions, Terms},
};
use async_trait::async_trait;
use tokio_postgres::Row;

/// What a row is found by.
#[async_trait]
pub(super) trait Lookup: Send + Sync + 'static {
    /// What is found.
    type Found: Send + 'static;

    /// Finds them, each in its place.
    async fn find(db: &Db, these: &[&Self]) -> Result<Vec<Option<Self::Found>>>;
}

/// Is looked up together with others.
pub(super) struct Looked<L>(pub(super) L);

#[async_trait]
impl<L: Lookup> Batched for Looked<L> {
    type Outcome = Option<L::Found>;

    fn names(&self) -> Vec<String> {
        Vec::new()
    }

    async fn serve(sessions: &Sessions, _: Terms, these: &[&Self]) -> Result<Vec<Option<Self::Outcome>>> {
        let these: &[&L] = &these.iter().map(|Self(one)| one).collect::<Vec<_>>();
        let found = sessions.read_together(|db| async move { L::find(&db, these).await }).await?;
        Ok(found.into_iter().map(Some).collect())
    }
}

/// What is written, or refused.
#[async_trait]
pub(super) trait Write: Send + Sync + 'static {
    /// What was done.
    type Done: Send + 'static;
    /// Why it was not.
    type Refusal: Send + 'static;

    /// The rows that it is about: no two of one transaction may name the same, so that each finds them as if it were
    /// alone.
    fn names(&self) -> Vec<String>;

    /// What tells later whether it was written.
    fn doubt(&self) -> InDoubt<'_>;

    /// Writes them as if none were refused, and says which are. Where any is, nothing of all this is kept.
    async fn write(db: &Db, these: &[&Self]) -> Result<Vec<std::result::Result<Self::Done, Self::Refusal>>>;
}

/// Is written together with others.
pub(super) struct Written<W>(pub(super) W);

#[async_trait]
impl<W: Write> Batched for Written<W> {
    type Outcome = std::result::Result<W::Done, W::Refusal>;

    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    /// Who is refused hears of it, and the others are written again without.
    async fn serve(sessions: &Sessions, terms: Terms, these: &[&Self]) -> Result<Vec<Option<Self::Outcome>>> {
        let these: &[&W] = &these.iter().map(|Self(one)| one).collect::<Vec<_>>();
        // Of all or none.
        let doubt = these.first().map_or(InDoubt::Repeat, |one| one.doubt());
        let decided = sessions.decide_together(terms, doubt, these.len(), |db| async move {
            let outcomes = W::write(&db, these).await?;
            Ok(if outcomes.iter().all(std::result::Result::is_ok) { Ok(outcomes) } else { Err(outcomes) })
        });
        Ok(match decided.await? {
            Ok(written) => written.into_iter().map(Some).collect(),
            Err(undone) => undone.into_iter().map(|outcome| outcome.is_err().then_some(outcome)).collect(),
        })
    }
}

/// A column of rows that are written together.
pub(super) fn column<'a, Row, Value>(rows: &'a [Row], of: impl Fn(&'a Row) -> Value) -> Vec<Value> {
    rows.iter().map(of).collect()
}

/// Rows that were asked for `WITH ORDINALITY`, `n`, each in the place where it was asked for.
pub(super) fn placed<T>(many: usize, rows: Vec<Row>, read: impl Fn(Row) -> Result<T>) -> Result<Vec<Option<T>>> {
    let mut places: Vec<Option<T>> = std::iter::repeat_with(|| None).take(many).collect();
    for row in rows {
        let place = usize::try_from(row.try_get::<_, i64>("n")?).ok().and_then(|n| places.get_mut(n.checked_sub(1)?));
        if let Some(place) = place {
            *place = Some(read(row)?);
        }
    }
    Ok(places)
}

/// No text in a table holds a NUL, so that nothing is found by one; the server refuses even to look, and would refuse
/// all who ask together.
pub(super) fn findable(text: &str) -> &str {
    if text.contains('\0') { "" } else { text }
}
