//! What to do where a commit is in doubt.

/// What to do where the connection broke during a commit and the server crashed since, so that the
/// outcome stays unknown. A commit in doubt on SQLite is always
/// [`tua_domain::ports::StoreError::Uncertain`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InDoubt<'a> {
    /// Retry the transaction: it is idempotent.
    Retry,
    /// Look for a row that the transaction writes: a query, and the row's id.
    Verify(&'static str, &'a str),
    /// Return [`tua_domain::ports::StoreError::Uncertain`] to the caller.
    Surface,
}
