//! The shared memory of the connections to one database: the index of the write-ahead log.

use std::{
    ffi::c_void,
    sync::{Arc, atomic::AtomicU64},
};

/// The regions. They never move, and SQLite writes into them from several threads.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    regions: Vec<Arc<[AtomicU64]>>,
    users: usize,
}

impl SharedMemory {
    /// Counts a connection that uses it.
    pub(super) fn enter(&mut self) {
        self.users += 1;
    }

    /// Counts a connection less. After the last one the next connection finds no regions.
    pub(super) fn leave(&mut self) {
        self.users = self.users.saturating_sub(1);
        if self.users == 0 {
            self.regions.clear();
        }
    }

    /// The address of a region of so many bytes, which is created with zeros if `extends`.
    pub(super) fn region(
        &mut self,
        number: usize,
        bytes: usize,
        extends: bool,
    ) -> Option<*mut c_void> {
        while extends && self.regions.len() <= number {
            let words = bytes.div_ceil(size_of::<AtomicU64>());
            self.regions.push((0..words).map(|_| AtomicU64::new(0)).collect());
        }
        self.regions.get(number).map(|region| Arc::as_ptr(region).cast_mut().cast())
    }
}
