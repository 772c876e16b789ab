//! The variables of the environment that set up logs and traces.

use std::env;

/// The value of a variable, empty if it is not set.
///
/// # Errors
/// One line that names a variable whose value is not UTF-8.
pub(super) fn variable(name: &str) -> Result<String, String> {
    match env::var(name) {
        Ok(text) => Ok(text),
        Err(env::VarError::NotPresent) => Ok(String::new()),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name}: it is not UTF-8")),
    }
}
