//! The systems that an operator has.

/// Which of an operator's systems is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Environment {
    /// The one that moves money.
    Production,
    /// The operator's own test environment.
    Sandbox,
}

impl Environment {
    /// The name in the settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Sandbox => "sandbox",
        }
    }
}
