//! Why a write is taken back.

use std::convert::Infallible;
use tua_domain::ports::StoreError;

/// Why a write is taken back with everything that it has written.
#[derive(Debug, PartialEq, Eq)]
pub enum WriteError<Rejection, Failure> {
    /// A rule forbids what the request asks for.
    Rejected(Rejection),
    /// The database has failed.
    Failed(Failure),
}

impl<Rejection, Failure> From<Failure> for WriteError<Rejection, Failure> {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl<Rejection, Failure> WriteError<Rejection, Failure> {
    /// The same, with another error of the database.
    pub fn map_failure<Other>(
        self,
        map: impl FnOnce(Failure) -> Other,
    ) -> WriteError<Rejection, Other> {
        match self {
            Self::Rejected(rejection) => WriteError::Rejected(rejection),
            Self::Failed(failure) => WriteError::Failed(map(failure)),
        }
    }
}

impl<Failure> WriteError<Infallible, Failure> {
    /// The failure of a write that rejects nothing.
    pub fn into_failure(self) -> Failure {
        let Self::Failed(failure) = self;
        failure
    }
}

impl<Rejection> WriteError<Rejection, StoreError> {
    /// The error of a port.
    pub fn into_error<E: From<Rejection> + From<StoreError>>(self) -> E {
        match self {
            Self::Rejected(rejection) => rejection.into(),
            Self::Failed(failure) => failure.into(),
        }
    }
}
