//! The PIN of a till: it unlocks a session on a shared phone, without a new sign-in
//! (docs/reference/dashboard.md#a-pin-for-the-till). It proves less than a password: it never
//! begins a session, and never makes a proof fresh.

use super::PasswordHash;
use jiff::{SignedDuration, Timestamp};
use std::{fmt, ops::RangeInclusive};
use tua_contract::plain_text::normalize_text;

/// A session with a PIN locks itself after so long without a person's request.
pub const LOCK_AFTER: SignedDuration = SignedDuration::from_mins(2);

/// So many wrong PINs one after the other end the session.
pub const MAX_PIN_TRIES: u32 = 5;

/// A PIN of 4 to 8 digits that is not one of the first that a stranger tries. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct TillPin(String);

/// Why digits are no PIN.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TillPinFault {
    /// It does not consist of 4 to 8 digits.
    #[error("a PIN has 4 to 8 digits")]
    NotDigits,
    /// It is one digit again and again, such as `0000`.
    #[error("a PIN is not one digit repeated")]
    OneDigit,
    /// Each digit is the next one, or each is the one before, such as `1234` or `9876`. After 9
    /// comes 0.
    #[error("a PIN is not a run of digits")]
    Run,
}

/// The longest text that is read as a PIN.
const TYPED_MAX_CHARS: usize = 64;

impl TillPin {
    /// How many digits it has.
    pub const DIGITS: RangeInclusive<usize> = 4..=8;

    /// The PIN in this text, in digits of any script, with spaces and hyphens.
    ///
    /// # Errors
    /// [`TillPinFault`]
    pub fn new(text: &str) -> Result<Self, TillPinFault> {
        let pin = Self::parse_typed(text).ok_or(TillPinFault::NotDigits)?;
        let digits = pin.0.as_bytes();
        let all_step =
            |step: u8| digits.windows(2).all(|pair| (pair[0] - b'0' + step) % 10 == pair[1] - b'0');
        if all_step(0) {
            Err(TillPinFault::OneDigit)
        } else if all_step(1) || all_step(9) {
            Err(TillPinFault::Run)
        } else {
            Ok(pin)
        }
    }

    /// What a person has typed to unlock a session; `None` if no PIN looks like that.
    #[must_use]
    pub fn parse_typed(text: &str) -> Option<Self> {
        if text.chars().count() > TYPED_MAX_CHARS {
            return None;
        }
        let mut digits = normalize_text(text);
        digits.retain(|character| !matches!(character, ' ' | '-'));
        let is_pin = Self::DIGITS.contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_pin.then_some(Self(digits))
    }

    /// What is stored of it. This takes as long as [`PasswordHash::of`].
    #[must_use]
    pub fn hash(&self) -> PasswordHash {
        PasswordHash::of_text(&self.0)
    }

    /// Whether the hash is of this PIN. This takes as long as [`Self::hash`].
    #[must_use]
    pub fn matches(&self, hash: &PasswordHash) -> bool {
        PasswordHash::matching(std::slice::from_ref(hash), &self.0) == [true]
    }
}

impl fmt::Debug for TillPin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TillPin(…)")
    }
}

/// The lock of a session that has a PIN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TillLock {
    /// The hash of the PIN.
    pub pin: PasswordHash,
    /// How many PINs were tried since the session was last unlocked.
    pub tries: u32,
    /// When a person pressed *Lock*, if the session was not unlocked since.
    pub locked_at: Option<Timestamp>,
    /// When the PIN last unlocked the session.
    pub unlocked_at: Option<Timestamp>,
}

impl TillLock {
    /// Whether it is locked: by a person, or because the last request of a person (`seen_at`) was
    /// too long ago.
    #[must_use]
    pub fn is_locked(&self, seen_at: Timestamp, now: Timestamp) -> bool {
        self.locked_at.is_some() || now >= seen_at + LOCK_AFTER
    }

    /// Whether the PIN has unlocked the session since the person gave password and code.
    #[must_use]
    pub fn is_unlocked_since(&self, proven_at: Timestamp) -> bool {
        self.unlocked_at.is_some_and(|at| proven_at <= at)
    }

    /// How many more PINs may be wrong until the session ends.
    #[must_use]
    pub const fn tries_left(&self) -> u32 {
        MAX_PIN_TRIES.saturating_sub(self.tries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(locked_at: Option<Timestamp>) -> TillLock {
        let pin = PasswordHash::from_column(String::new());
        TillLock { pin, tries: 0, locked_at, unlocked_at: None }
    }

    #[test]
    fn a_pin_has_4_to_8_digits_and_is_none_that_is_tried_first() {
        for (text, expected) in [
            ("2580", "2580"),
            (" 13 57 ", "1357"),
            ("12-34 56 79", "12345679"),
            ("1122", "1122"),
            ("0001", "0001"),
            ("١٣٥٧", "1357"),
            ("1\u{200b}357", "1357"),
        ] {
            let pin = TillPin::new(text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            assert_eq!(pin.0, expected, "{text:?}");
        }
        for (text, fault) in [
            ("", TillPinFault::NotDigits),
            ("123", TillPinFault::NotDigits),
            ("135791357", TillPinFault::NotDigits),
            ("12a4", TillPinFault::NotDigits),
            ("1.357", TillPinFault::NotDigits),
            ("0000", TillPinFault::OneDigit),
            ("99999999", TillPinFault::OneDigit),
            ("1234", TillPinFault::Run),
            ("4321", TillPinFault::Run),
            ("34567890", TillPinFault::Run),
            ("8901234", TillPinFault::Run),
            ("0987", TillPinFault::Run),
        ] {
            assert_eq!(TillPin::new(text), Err(fault), "{text}");
        }
        assert_eq!(format!("{:?}", TillPin::parse_typed("1234")), "Some(TillPin(…))");
    }

    #[test]
    fn a_till_is_locked_by_a_person_or_after_two_minutes() {
        let seen_at = Timestamp::from_second(1_000).unwrap();
        let after = |seconds| seen_at + SignedDuration::from_secs(seconds);
        for (locked_at, seconds, expected) in [
            (None, 0, false),
            (None, 119, false),
            (None, 120, true),
            (Some(seen_at), 0, true),
            (Some(after(1)), 1, true),
        ] {
            let is_locked = lock(locked_at).is_locked(seen_at, after(seconds));
            assert_eq!(is_locked, expected, "{locked_at:?} {seconds}");
        }
    }

    #[test]
    fn only_the_same_pin_matches_its_salted_hash() {
        let pin = TillPin::new("2580").unwrap();
        let hash = pin.hash();
        assert_ne!(pin.hash(), hash, "each hash has a salt of its own");
        assert!(pin.matches(&hash));
        assert!(!TillPin::new("2581").unwrap().matches(&hash));
    }

    #[test]
    fn five_pins_can_be_tried() {
        for (tries, left) in [(0, 5), (3, 2), (5, 0), (6, 0)] {
            assert_eq!(TillLock { tries, ..lock(None) }.tries_left(), left, "{tries}");
        }
    }
}
