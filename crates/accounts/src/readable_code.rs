//! Codes that people read over a phone.

use super::secret::random_bytes;
use uuid::Uuid;

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
    reference_of(Uuid::now_v7())
}

/// How many milliseconds share the first six characters, which return after 31^6 such times: five
/// months and a half.
const TICK_MS: u64 = 16;

/// What the last two characters can be.
const CODES_PER_TICK: u64 = 31 * 31;

/// The first six characters order references by their time, and the last two are random. The
/// references of one moment then stand beside each other in the store's index, so that a commit of
/// many payments writes few of its pages. With random references these were two of five pages
/// written.
fn reference_of(minted: Uuid) -> String {
    let (high, low) = minted.as_u64_pair();
    let milliseconds = high >> 16;
    let mut number = milliseconds / TICK_MS * CODES_PER_TICK + low % CODES_PER_TICK;
    let mut code = ['2'; 8];
    for character in code.iter_mut().rev() {
        *character = char::from(ALPHABET[(number % 31) as usize]);
        number /= 31;
    }
    let (first, second) = code.split_at(4);
    format!("TUA-{}-{}", String::from_iter(first), String::from_iter(second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
        let [one, other] = [1, 2].map(|random| reference_of(minted_at(0, random)));
        assert_ne!(one, other, "of one moment");
    }

    fn minted_at(milliseconds: u64, random: u8) -> Uuid {
        uuid::Builder::from_unix_timestamp_millis(milliseconds, &[random; 10]).into_uuid()
    }

    proptest! {
        #[test]
        fn generated_references_sort_by_time(
            cycles in 1..100_u64, tick in 0..31_u64.pow(6) - 1, one: u8, other: u8
        ) {
            let at = (cycles * 31_u64.pow(6) + tick) * TICK_MS;
            let reference = reference_of(minted_at(at, one));
            prop_assert!(reference < reference_of(minted_at(at + TICK_MS, other)));
            let same_tick = reference_of(minted_at(at + TICK_MS - 1, other));
            prop_assert_eq!(&reference[..11], &same_tick[..11]);
        }
    }
}
