//! A disk in memory: what was written, what of it is certainly on the medium, and what a loss of
//! power leaves.

use crate::file_log::{FileLog, Survival};
use std::{
    collections::BTreeMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// A file of a SQLite database.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileName {
    /// The file of the database.
    Main,
    /// The write-ahead log, `-wal`.
    Wal,
    /// Its rollback journal, from before the database was in WAL mode.
    Journal,
}

/// A fault that a disk has once it is asked for. Faults concern the write-ahead log: in WAL mode a
/// commit writes and syncs this file alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// This number of syncs report an error. What was written before may be lost, also if a later
    /// sync succeeds, as Linux behaves.
    SyncFails(u32),
    /// No write has space until the fault is removed.
    Full,
    /// The power fails at this point of a commit.
    PowerLoss(PowerLossPoint),
}

/// When the power fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PowerLossPoint {
    /// Before the first write of a commit.
    BeforeWrite,
    /// After some writes of a commit.
    BetweenWrites,
    /// After all writes of a commit, before they are synced.
    BeforeSync,
    /// After the sync: the commit is durable, and not acknowledged.
    AfterSync,
}

/// What an operation on a disk returns if it does not succeed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiskError {
    /// The power is off.
    Off,
    /// There is no space left.
    Full,
    /// A sync failed: what was written is not certain.
    SyncFailed,
}

/// A disk with the files of one database. It ends with the power; [`Disk::restart`] makes the one
/// that the next process finds.
#[derive(Debug)]
pub struct Disk {
    state: Mutex<State>,
    gate_opened: Condvar,
}

#[derive(Debug)]
struct State {
    files: BTreeMap<FileName, FileLog>,
    is_off: bool,
    fault: Option<Fault>,
    /// Writes of the log since the fault was set.
    writes: u32,
    /// Whether a connection may begin to write.
    is_gate_open: bool,
}

impl Default for Disk {
    fn default() -> Self {
        Self::with_files(BTreeMap::new())
    }
}

impl Disk {
    fn with_files(files: BTreeMap<FileName, FileLog>) -> Self {
        let state = State { files, is_off: false, fault: None, writes: 0, is_gate_open: true };
        Self { state: Mutex::new(state), gate_opened: Condvar::new() }
    }

    /// Sets the fault of the next operations, or removes it.
    pub fn set_fault(&self, fault: Option<Fault>) {
        let mut state = self.lock();
        state.fault = fault;
        state.writes = 0;
    }

    /// Whether the power has failed.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.lock().is_off
    }

    /// Switches the power off.
    pub fn cut_power(&self) {
        self.lock().is_off = true;
        self.gate_opened.notify_all();
    }

    /// The disk that a process finds after the power has failed. Of what was not synced `survival`
    /// decides.
    #[must_use]
    pub fn restart(&self, survival: Survival) -> Arc<Self> {
        let state = self.lock();
        let files = state.files.iter().map(|(name, file)| (*name, file.after_loss(survival)));
        Arc::new(Self::with_files(files.collect()))
    }

    /// Lets connections begin to write, or makes them wait.
    pub fn set_gate(&self, is_open: bool) {
        self.lock().is_gate_open = is_open;
        self.gate_opened.notify_all();
    }

    /// Waits until a connection may begin to write, or the power is off.
    pub fn wait_at_gate(&self) {
        let state = self.lock();
        let waits = |state: &mut State| !state.is_gate_open && !state.is_off;
        drop(self.gate_opened.wait_while(state, waits).unwrap_or_else(PoisonError::into_inner));
    }

    /// The length of a file in bytes; zero where it does not exist.
    #[must_use]
    pub fn length(&self, name: FileName) -> u64 {
        let state = self.lock();
        state.files.get(&name).map_or(0, |file| file.content().len() as u64)
    }

    /// Whether a file exists.
    #[must_use]
    pub fn exists(&self, name: FileName) -> bool {
        self.lock().files.contains_key(&name)
    }

    /// Creates a file where it does not exist.
    pub fn create(&self, name: FileName) {
        self.lock().files.entry(name).or_default();
    }

    /// Deletes a file. Its name is certainly gone when this returns.
    pub fn delete(&self, name: FileName) {
        self.lock().files.remove(&name);
    }

    /// Reads into `buffer`, and returns how many bytes there were.
    ///
    /// # Errors
    /// [`DiskError::Off`].
    pub fn read(&self, name: FileName, offset: u64, buffer: &mut [u8]) -> Result<usize, DiskError> {
        let state = self.lock();
        if state.is_off {
            return Err(DiskError::Off);
        }
        let content = state.files.get(&name).map_or(&[][..], FileLog::content);
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(content.len());
        let count = buffer.len().min(content.len() - from);
        buffer[..count].copy_from_slice(&content[from..from + count]);
        Ok(count)
    }

    /// Writes, where nothing is certain before a sync.
    ///
    /// # Errors
    /// [`DiskError::Off`] and [`DiskError::Full`].
    pub fn write(&self, name: FileName, offset: u64, data: &[u8]) -> Result<(), DiskError> {
        let mut state = self.lock();
        if name == FileName::Wal {
            state.before_log_write();
        }
        if state.is_off {
            return Err(DiskError::Off);
        }
        if name == FileName::Wal && state.fault == Some(Fault::Full) {
            return Err(DiskError::Full);
        }
        state.files.entry(name).or_default().write(offset, data);
        Ok(())
    }

    /// Cuts or extends a file to a length.
    ///
    /// # Errors
    /// [`DiskError::Off`].
    pub fn truncate(&self, name: FileName, length: u64) -> Result<(), DiskError> {
        let mut state = self.lock();
        if state.is_off {
            return Err(DiskError::Off);
        }
        state.files.entry(name).or_default().truncate(length);
        Ok(())
    }

    /// Makes all writes of a file durable.
    ///
    /// # Errors
    /// [`DiskError::Off`] and [`DiskError::SyncFailed`].
    pub fn sync(&self, name: FileName) -> Result<(), DiskError> {
        let mut state = self.lock();
        let fault = state.fault.filter(|_| name == FileName::Wal && state.writes > 0);
        if fault == Some(Fault::PowerLoss(PowerLossPoint::BeforeSync)) {
            state.is_off = true;
        }
        if state.is_off {
            return Err(DiskError::Off);
        }
        let file = state.files.entry(name).or_default();
        match fault {
            Some(Fault::SyncFails(left @ 1..)) => {
                file.fail_sync();
                state.fault = Some(Fault::SyncFails(left - 1));
                return Err(DiskError::SyncFailed);
            }
            Some(Fault::PowerLoss(PowerLossPoint::AfterSync)) => {
                file.sync();
                state.is_off = true;
                return Err(DiskError::Off);
            }
            _ => file.sync(),
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn before_log_write(&mut self) {
        self.writes += 1;
        let fails_now = match self.fault {
            Some(Fault::PowerLoss(PowerLossPoint::BeforeWrite)) => true,
            Some(Fault::PowerLoss(PowerLossPoint::BetweenWrites)) => self.writes > 2,
            _ => false,
        };
        self.is_off |= fails_now;
    }
}
