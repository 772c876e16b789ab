//! A change of a value that may be absent.

/// What a change does to a value that may be absent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Change<T> {
    /// The value stays as it is, or absent.
    #[default]
    Keep,
    /// The value is removed.
    Clear,
    /// The value is replaced by this one.
    Set(T),
}

impl<T> Change<T> {
    /// The value after the change.
    #[must_use]
    pub fn apply(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Keep => before,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// Sets a value, or removes it where there is none.
impl<T> From<Option<T>> for Change<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Clear, Self::Set)
    }
}
