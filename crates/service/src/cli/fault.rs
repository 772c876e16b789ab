//! Why a command failed: its exit code, its line on standard error, and with `--json` its object on
//! standard output (docs/reference/command-line.md#exit-codes).

use serde_json::{Value, json};
use std::{
    io::{self, Write},
    process::ExitCode,
};
use tua_domain::ports::StoreError;
use tua_store::database::OpenError;
use tua_use_cases::AccountReadError;

/// Why a command failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fault {
    kind: FaultKind,
    /// The code for programs.
    code: String,
    /// Says what failed, where, and what to do.
    message: String,
    /// What else a program may want to know. In a box, so that each `Result` stays small.
    details: Option<Box<Value>>,
}

/// What kind of fault it is, which the exit code tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// The command ran, and what it was about did not succeed.
    NotDone,
    /// The command could not run: an invalid argument, setting, file or database, or a refusal.
    Failed,
    /// What an argument names does not exist.
    NotFound,
    /// The database or the API cannot be reached, or cannot serve the command now.
    Unavailable,
}

impl FaultKind {
    const fn exit_code(self) -> u8 {
        match self {
            Self::NotDone => 1,
            Self::Failed => 2,
            Self::NotFound => 3,
            Self::Unavailable => 4,
        }
    }
}

impl Fault {
    pub(crate) fn new(kind: FaultKind, code: &str, message: impl Into<String>) -> Self {
        Self { kind, code: code.to_owned(), message: message.into(), details: None }
    }

    /// The arguments cannot be read.
    pub(crate) fn invalid_argument(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Failed, "invalid_argument", message)
    }

    /// What an argument names does not exist.
    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(FaultKind::NotFound, "not_found", message)
    }

    /// The database cannot be reached, or is busy or full.
    fn database_unavailable(message: impl Into<String>) -> Self {
        Self::new(FaultKind::Unavailable, "database_unavailable", message)
    }

    /// The same with what else a program may want to know.
    pub(crate) fn with_details(self, details: Value) -> Self {
        Self { details: Some(Box::new(details)), ..self }
    }

    /// What failed, where, and what to do.
    pub(crate) fn into_message(self) -> String {
        self.message
    }

    /// Prints the line, and with `--json` the object, and returns the exit code.
    pub(crate) fn report(&self, is_json: bool) -> ExitCode {
        let Self { kind, code, message, details } = self;
        let message = message.replace('\n', " ");
        eprintln!("tua: {message}");
        if is_json {
            let error = json!({ "code": code, "message": message, "details": details });
            // Without standard output there is nowhere to print it.
            let _ = writeln!(io::stdout(), "{}", json!({ "error": error }));
        }
        ExitCode::from(kind.exit_code())
    }
}

/// A fault of arguments, settings or files, or a refusal.
impl From<String> for Fault {
    fn from(message: String) -> Self {
        Self::new(FaultKind::Failed, "failed", message)
    }
}

impl From<&str> for Fault {
    fn from(message: &str) -> Self {
        Self::from(message.to_owned())
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::database_unavailable(error.to_string()),
            StoreError::Uncertain(_) | StoreError::Failed(_) => error.to_string().into(),
        }
    }
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::Unreachable(message) => Self::database_unavailable(message),
            OpenError::Unusable(message) => message.into(),
        }
    }
}

impl From<AccountReadError> for Fault {
    fn from(error: AccountReadError) -> Self {
        match error {
            AccountReadError::NoAccount(_) => Self::not_found(error.to_string()),
            AccountReadError::Store(error) => error.into(),
        }
    }
}
