//! The machine that the service runs on: its disk, and when it crashes.

use crate::{
    disk::{Disk, Fault, PowerLossPoint},
    file_log::Survival,
    inspector::Inspector,
    vfs,
    world::World,
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    time::Duration,
};
use tempfile::TempDir;
use tua_domain::ports::Clock;
use tua_store::sqlite::SqliteStore;

/// How long before a crash or a fault of the disk the service may have learnt something that it
/// has not stored.
const UNSTORED: Duration = Duration::from_secs(60);

/// A machine with one disk.
#[derive(Debug)]
pub struct Machine {
    /// The disk as the present process sees it.
    pub disk: Arc<Disk>,
    path: PathBuf,
    next_fault: Option<Fault>,
    /// The store creates an empty file, whose content is on the simulated disk.
    _folder: TempDir,
}

impl Machine {
    /// A machine with a disk that has the tables of the service, and nothing in them. They are made
    /// once, for all simulations.
    ///
    /// # Errors
    /// The folder of the empty file, or a table, cannot be made.
    pub fn new() -> Result<Self, String> {
        static WITH_TABLES: OnceLock<Result<Arc<Disk>, String>> = OnceLock::new();
        let disk = WITH_TABLES.get_or_init(make_tables).clone()?.restart(Survival::All);
        Self::with(disk).map_err(|error| error.to_string())
    }

    fn with(disk: Arc<Disk>) -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().canonicalize()?.join("tua.db");
        vfs::mount(&path, disk.clone());
        Ok(Self { disk, path, next_fault: None, _folder: folder })
    }

    /// The path of the database.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Plans a fault of the disk, for the next commit.
    pub fn plan_disk_fault(&mut self, world: &World) {
        let choice = world.lock().random.u32(..4);
        self.next_fault = Some(match choice {
            0 => Fault::Full,
            1 => Fault::SyncFails(1),
            2 => Fault::SyncFails(2),
            _ => Fault::SyncFails(3),
        });
    }

    /// Cuts the power at once, or plans a loss of power during the next commit.
    pub fn plan_crash(&mut self, world: &World) {
        let choice = world.lock().random.u32(..8);
        let point = match choice {
            0 => PowerLossPoint::BeforeWrite,
            1 => PowerLossPoint::BetweenWrites,
            2 | 3 => PowerLossPoint::BeforeSync,
            4 | 5 => PowerLossPoint::AfterSync,
            _ => return self.disk.cut_power(),
        };
        self.next_fault = Some(Fault::PowerLoss(point));
    }

    /// Sets the planned fault before a commit.
    pub fn begin_commit(&self) {
        self.disk.set_fault(self.next_fault);
    }

    /// Removes the fault after a commit, and counts it.
    pub fn end_commit(&mut self, world: &World) {
        self.disk.set_fault(None);
        let Some(fault) = self.next_fault.take() else { return };
        world.trace(|| format!("the disk fails: {fault:?}"));
        if !matches!(fault, Fault::PowerLoss(_)) {
            world.fault("disk");
        }
        self.doubt(world);
    }

    /// The machine starts again. What was not synced is there or not.
    pub fn restart(&mut self, world: &World) {
        world.fault("crash");
        let survival = {
            let mut state = world.lock();
            match state.random.u32(..4) {
                0 => Survival::Nothing,
                1 => Survival::All,
                2 => Survival::Prefix,
                _ => Survival::Sectors(state.random.u64(..)),
            }
        };
        world.trace(|| format!("the machine crashes; of unsynced writes remain: {survival:?}"));
        self.doubt(world);
        self.next_fault = None;
        self.disk = self.disk.restart(survival);
        vfs::mount(&self.path, self.disk.clone());
    }

    fn doubt(&self, world: &World) {
        let since = world.clock.uptime().saturating_sub(UNSTORED);
        world.lock().books.doubt_acknowledgements_since(since);
    }
}

/// A disk on which the service has made its tables.
fn make_tables() -> Result<Arc<Disk>, String> {
    let machine = Machine::with(Arc::default()).map_err(|error| error.to_string())?;
    let _store = SqliteStore::open(machine.path())?;
    let inspector = Inspector::open(machine.path()).map_err(|error| error.to_string())?;
    inspector.checkpoint().map_err(|error| error.to_string())?;
    Ok(machine.disk.restart(Survival::All))
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.disk.cut_power();
        vfs::unmount(&self.path);
    }
}
