//! Phone numbers in the international format, as operators and chats write them.

use tua_contract::Phone;

/// The number in the international format without `+`: `233241234567`.
#[must_use]
pub fn international(phone: &Phone) -> String {
    let local = phone.as_str();
    format!("233{}", local.strip_prefix('0').unwrap_or(local))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_country_code_replaces_the_first_zero() {
        assert_eq!(international(&Phone::parse("0241234567").unwrap()), "233241234567");
        assert_eq!(international(&Phone::parse("0001234567").unwrap()), "233001234567");
    }
}
