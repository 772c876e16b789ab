//! Why a database cannot be opened.

/// Why a database cannot be opened: one line that names it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpenError {
    /// Its server cannot be reached, or accepts no connection now.
    #[error("{0}")]
    Unreachable(String),
    /// It cannot be used: the file, the server or its schema is unsuitable.
    #[error("{0}")]
    Unusable(String),
}

impl OpenError {
    /// The same with the name of the database before it.
    pub(crate) fn with_name(self, name: &str) -> Self {
        match self {
            Self::Unreachable(fault) => Self::Unreachable(format!("database {name}: {fault}")),
            Self::Unusable(fault) => Self::Unusable(format!("database {name}: {fault}")),
        }
    }
}

impl From<String> for OpenError {
    fn from(fault: String) -> Self {
        Self::Unusable(fault)
    }
}

impl From<OpenError> for String {
    fn from(error: OpenError) -> Self {
        error.to_string()
    }
}
