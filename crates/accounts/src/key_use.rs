//! When secret keys were last used: one write a minute for each key.

use super::KeyId;
use jiff::{SignedDuration, Timestamp};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// The precision of "last used".
const EXACT_TO: SignedDuration = SignedDuration::from_mins(1);

/// The uses that were recorded. The map grows with the keys that exist, not with keys that are
/// guessed.
#[derive(Debug, Default)]
pub struct KeyUses(Mutex<HashMap<KeyId, Timestamp>>);

impl KeyUses {
    /// Whether to record this use of a key. If so, it counts as recorded.
    pub fn is_news(&self, id: &KeyId, now: Timestamp) -> bool {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if written.get(id).is_some_and(|at| now.duration_since(*at).abs() < EXACT_TO) {
            return false;
        }
        written.insert(id.clone(), now);
        true
    }

    /// Whether this is the first use of a key in this process. If so, it counts as recorded.
    pub fn is_first(&self, id: &KeyId, now: Timestamp) -> bool {
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if written.contains_key(id) {
            return false;
        }
        written.insert(id.clone(), now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_written_down_once_a_minute() {
        let uses = KeyUses::default();
        let one = KeyId::mint();
        let other = KeyId::mint();
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        let news = [0, 1, 59, 60, 61, 120].map(|second| uses.is_news(&one, at(second)));
        assert_eq!(news, [true, false, false, true, false, true]);
        assert!(uses.is_news(&other, at(61)));
    }

    #[test]
    fn only_one_use_is_the_first() {
        let uses = KeyUses::default();
        let key = KeyId::mint();
        let first = [0, 1, 60, 3600]
            .map(|second| uses.is_first(&key, Timestamp::from_second(second).unwrap()));
        assert_eq!(first, [true, false, false, false]);
        assert!(uses.is_first(&KeyId::mint(), Timestamp::UNIX_EPOCH));
    }
}
