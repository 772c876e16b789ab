//! The locks that connections to one database hold: on the file, and on its shared memory.

use std::collections::BTreeMap;

/// Names a connection's open file.
pub type Holder = u64;

/// The number of locks on the shared memory (`SQLITE_SHM_NLOCK`).
pub const SHM_LOCKS: usize = 8;

/// The level of a lock on the file, as `SQLITE_LOCK_…` numbers them: 0 none, 1 shared,
/// 2 reserved, 3 pending, 4 exclusive.
pub type Level = i32;

/// The locks on one database.
#[derive(Debug, Default)]
pub struct Locks {
    file: BTreeMap<Holder, Level>,
    shared: [Vec<Holder>; SHM_LOCKS],
    exclusive: [Option<Holder>; SHM_LOCKS],
}

impl Locks {
    /// Raises a lock on the file to a level. Returns `false` if another connection prevents it.
    pub fn lock_file(&mut self, holder: Holder, level: Level) -> bool {
        let others = self.file.iter().filter(|(one, _)| **one != holder);
        let highest = others.map(|(_, level)| *level).max().unwrap_or(0);
        let is_free = match level {
            0 | 1 => highest < 3,
            2 => highest < 2,
            _ => highest < 1,
        };
        if is_free {
            self.file.insert(holder, level);
        }
        is_free
    }

    /// Lowers a lock on the file to a level.
    pub fn unlock_file(&mut self, holder: Holder, level: Level) {
        if level == 0 {
            self.file.remove(&holder);
        } else {
            self.file.insert(holder, level);
        }
    }

    /// Whether a connection holds a reserved lock or a higher one.
    #[must_use]
    pub fn is_reserved(&self) -> bool {
        self.file.values().any(|level| *level >= 2)
    }

    /// Takes shared locks on the shared memory, all or none.
    pub fn lock_shared(&mut self, holder: Holder, slots: std::ops::Range<usize>) -> bool {
        let is_free =
            slots.clone().all(|slot| self.exclusive[slot].is_none_or(|other| other == holder));
        if is_free {
            for slot in slots {
                if !self.shared[slot].contains(&holder) {
                    self.shared[slot].push(holder);
                }
            }
        }
        is_free
    }

    /// Takes exclusive locks on the shared memory, all or none.
    pub fn lock_exclusive(&mut self, holder: Holder, slots: std::ops::Range<usize>) -> bool {
        let is_free = slots.clone().all(|slot| {
            self.exclusive[slot].is_none_or(|other| other == holder)
                && self.shared[slot].iter().all(|other| *other == holder)
        });
        if is_free {
            slots.for_each(|slot| self.exclusive[slot] = Some(holder));
        }
        is_free
    }

    /// Releases locks on the shared memory.
    pub fn unlock_slots(&mut self, holder: Holder, slots: std::ops::Range<usize>) {
        for slot in slots {
            self.shared[slot].retain(|other| *other != holder);
            if self.exclusive[slot] == Some(holder) {
                self.exclusive[slot] = None;
            }
        }
    }
}
