//! Variables of the environment that are no flags.
//!
//! An empty value counts as unset, as for flags ([`tua_companion::empty_variables`]):
//! `docker compose` sets variables without a value so.

use std::env;

/// The value of a variable; `None` if it is not set, or empty.
///
/// # Errors
/// One line that names a variable whose value is not UTF-8.
pub(super) fn variable(name: &str) -> Result<Option<String>, String> {
    match env::var(name) {
        Ok(text) => Ok(Some(text).filter(|text| !text.is_empty())),
        Err(env::VarError::NotPresent) => Ok(None),
        Err(env::VarError::NotUnicode(_)) => Err(format!("{name}: it is not UTF-8")),
    }
}
