//! The shared memory of the connections to one database: the index of the write-ahead log.

use std::ffi::c_void;

/// The regions, which never move.
#[derive(Debug, Default)]
pub(super) struct SharedMemory {
    regions: Vec<Box<[u64]>>,
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
            self.regions.push(vec![0; bytes.div_ceil(size_of::<u64>())].into_boxed_slice());
        }
        self.regions.get_mut(number).map(|region| region.as_mut_ptr().cast())
    }
}
