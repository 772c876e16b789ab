//! Codes that people read over a phone.

use super::secret::random_bytes;

/// Digits and capital letters without 0 and O, 1, I and L.
pub const ALPHABET: &[u8; 31] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";

/// A code of so many characters, from the system's random source. Each has almost 5 bits.
#[must_use]
pub fn random_code(characters: usize) -> String {
    let mut code = String::with_capacity(characters);
    while code.len() < characters {
        // Larger values are dropped: a remainder would prefer some characters.
        let drawn = random_bytes::<16>().into_iter().map(|byte| byte >> 3);
        let known = drawn.filter_map(|index| ALPHABET.get(usize::from(index)));
        code.extend(known.map(|character| char::from(*character)).take(characters - code.len()));
    }
    code
}

/// A reference for what the merchant gave none, such as `TUA-7F3K-92QD`: short, because a payer
/// reads it to the shop. References need not be unique.
#[must_use]
pub fn generated_reference() -> String {
    format!("TUA-{}-{}", random_code(4), random_code(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_reference_is_short_and_has_no_character_that_is_mistaken_for_another() {
        for _ in 0..100 {
            let reference = generated_reference();
            let parts: Vec<&str> = reference.split('-').collect();
            assert!(
                matches!(
                    parts[..],
                    ["TUA", first, second] if first.len() == 4 && second.len() == 4
                ),
                "{reference}"
            );
            assert!(!parts[1..].concat().contains(['0', 'O', '1', 'I', 'L']), "{reference}");
        }
        assert_ne!(generated_reference(), generated_reference());
    }
}
