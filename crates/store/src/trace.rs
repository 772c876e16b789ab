//! The spans of the store in a trace, by OpenTelemetry's conventions for database clients.
//!
//! There is one for each use case of the store, whatever number of statements it has. Work that
//! belongs to no trace gets none: a queue that is polled would make a trace for every poll.

use tracing::{Level, Span, field::Empty, info_span, span_enabled};
use tua_domain::ports::StoreError;

/// The values of `db.system.name`.
pub(crate) const SQLITE: &str = "sqlite";
pub(crate) const POSTGRESQL: &str = "postgresql";

/// What a use case of the store does, as the value of `db.operation.name`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    /// Reads only, without a transaction that writes.
    Read,
    /// A transaction that is durable at its end.
    Write,
}

impl Operation {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// The span of a use case on this system, which begins now.
    pub(crate) fn span(self, system: &'static str) -> Span {
        if !span_enabled!(Level::INFO) || Span::current().is_none() {
            return Span::none();
        }
        let operation = self.as_str();
        info_span!(
            "store",
            otel.name = format!("{operation} {system}"),
            otel.kind = "client",
            otel.status_code = Empty,
            db.operation.name = operation,
            db.system.name = system,
            error.type = Empty,
        )
    }
}

/// Adds the kind of an error to the span of a use case. The text of the error is left out: it may
/// quote what was to be stored.
pub(crate) fn record_failure(span: &Span, error: &StoreError) {
    span.record("otel.status_code", "ERROR");
    span.record(
        "error.type",
        match error {
            StoreError::Uncertain(_) => "uncertain",
            StoreError::Unavailable(_) => "unavailable",
            StoreError::Failed(_) => "failed",
        },
    );
}

/// As [`record_failure`], of an outcome.
pub(crate) fn recorded<T>(span: &Span, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
    outcome.inspect_err(|error| record_failure(span, error))
}
