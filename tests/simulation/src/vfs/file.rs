//! The methods of an open file.

use super::{Mounted, lock};
use crate::{
    disk::{DiskError, FileName},
    locks::Holder,
};
use rusqlite::ffi;
use std::{
    ffi::{c_int, c_void},
    ops::Range,
    ptr, slice,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering, fence},
    },
};

/// The lock on the shared memory that a connection takes before it writes
/// (<https://sqlite.org/walformat.html>, section 2.3).
const WRITE_LOCK: usize = 0;

/// What SQLite allocates for a file.
#[repr(C)]
pub(super) struct SimulatedFile {
    pub(super) base: ffi::sqlite3_file,
    pub(super) open: *mut OpenFile,
}

/// A file that a connection has opened.
pub(super) struct OpenFile {
    mounted: Arc<Mounted>,
    name: FileName,
    holder: Holder,
    uses_memory: bool,
}

impl OpenFile {
    pub(super) fn new(mounted: Arc<Mounted>, name: FileName) -> Self {
        static HOLDERS: AtomicU64 = AtomicU64::new(1);
        let holder = HOLDERS.fetch_add(1, Ordering::Relaxed);
        Self { mounted, name, holder, uses_memory: false }
    }

    fn leave_memory(&mut self) {
        let slots = 0..crate::locks::SHM_LOCKS;
        lock(&self.mounted.locks).unlock_slots(self.holder, slots);
        if std::mem::take(&mut self.uses_memory) {
            lock(&self.mounted.memory).leave();
        }
    }
}

pub(super) static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock_file),
    xUnlock: Some(unlock_file),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// The open file behind SQLite's pointer.
///
/// # Safety
/// The file is open, and one thread uses it at a time: a `rusqlite::Connection` is not `Sync`.
unsafe fn of<'a>(file: *mut ffi::sqlite3_file) -> &'a mut OpenFile {
    // SAFETY: as promised by the caller.
    unsafe { &mut *(*file.cast::<SimulatedFile>()).open }
}

fn code(result: Result<(), DiskError>, operation: c_int) -> c_int {
    match result {
        Ok(()) => ffi::SQLITE_OK,
        Err(DiskError::Full) => ffi::SQLITE_FULL,
        Err(DiskError::Off | DiskError::SyncFailed) => operation,
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: the pointer comes from `open`, and is used no more.
    let mut open = unsafe { Box::from_raw((*file.cast::<SimulatedFile>()).open) };
    open.leave_memory();
    lock(&open.mounted.locks).unlock_file(open.holder, 0);
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    buffer: *mut c_void,
    count: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite gives `count` writable bytes, which are initialised here.
    let (file, buffer) = unsafe {
        ptr::write_bytes(buffer.cast::<u8>(), 0, count as usize);
        (of(file), slice::from_raw_parts_mut(buffer.cast::<u8>(), count as usize))
    };
    match file.mounted.disk.read(file.name, offset.unsigned_abs(), buffer) {
        Ok(read) if read == buffer.len() => ffi::SQLITE_OK,
        Ok(_) => ffi::SQLITE_IOERR_SHORT_READ,
        Err(_) => ffi::SQLITE_IOERR_READ,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    data: *const c_void,
    count: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: SQLite gives `count` bytes.
    let (file, data) =
        unsafe { (of(file), slice::from_raw_parts(data.cast::<u8>(), count as usize)) };
    let written = file.mounted.disk.write(file.name, offset.unsigned_abs(), data);
    code(written, ffi::SQLITE_IOERR_WRITE)
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
    // SAFETY: an open file.
    let file = unsafe { of(file) };
    let truncated = file.mounted.disk.truncate(file.name, length.unsigned_abs());
    code(truncated, ffi::SQLITE_IOERR_TRUNCATE)
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: an open file.
    let file = unsafe { of(file) };
    code(file.mounted.disk.sync(file.name), ffi::SQLITE_IOERR_FSYNC)
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, size: *mut i64) -> c_int {
    // SAFETY: an open file, and a place for the size.
    unsafe {
        let file = of(file);
        *size = i64::try_from(file.mounted.disk.length(file.name)).unwrap_or(i64::MAX);
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn lock_file(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: an open file.
    let file = unsafe { of(file) };
    // A process that is gone closes nothing: otherwise it would delete the log of the next one.
    if file.mounted.disk.is_off() {
        return ffi::SQLITE_IOERR_LOCK;
    }
    granted(lock(&file.mounted.locks).lock_file(file.holder, level))
}

const fn granted(is_granted: bool) -> c_int {
    if is_granted { ffi::SQLITE_OK } else { ffi::SQLITE_BUSY }
}

unsafe extern "C" fn unlock_file(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: an open file.
    let file = unsafe { of(file) };
    lock(&file.mounted.locks).unlock_file(file.holder, level);
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(
    file: *mut ffi::sqlite3_file,
    result: *mut c_int,
) -> c_int {
    // SAFETY: an open file, and a place for the result.
    unsafe { *result = lock(&of(file).mounted.locks).is_reserved().into() };
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    512
}

/// As SQLite assumes of the disks of Linux: a write that is cut off damages no other byte. Without
/// this it fills the last sector of each commit with a frame whose end is written after the sync;
/// where the next sync fails, that end may be lost, and every later commit with it.
unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    number: c_int,
    bytes: c_int,
    extends: c_int,
    address: *mut *mut c_void,
) -> c_int {
    // SAFETY: an open file, and a place for the address. Regions live until the last connection
    // that uses them has left.
    unsafe {
        let file = of(file);
        let mut memory = lock(&file.mounted.memory);
        if !file.uses_memory {
            memory.enter();
            file.uses_memory = true;
        }
        let region = memory.region(number as usize, bytes as usize, extends != 0);
        *address = region.unwrap_or(ptr::null_mut());
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    first: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    // SAFETY: an open file.
    let file = unsafe { of(file) };
    let slots: Range<usize> = first as usize..(first + count) as usize;
    if flags & ffi::SQLITE_SHM_UNLOCK != 0 {
        lock(&file.mounted.locks).unlock_slots(file.holder, slots);
        return ffi::SQLITE_OK;
    }
    if flags & ffi::SQLITE_SHM_SHARED != 0 {
        return granted(lock(&file.mounted.locks).lock_shared(file.holder, slots));
    }
    if slots == (WRITE_LOCK..WRITE_LOCK + 1) {
        file.mounted.disk.wait_at_gate();
    }
    if file.mounted.disk.is_off() {
        return ffi::SQLITE_IOERR_SHMLOCK;
    }
    granted(lock(&file.mounted.locks).lock_exclusive(file.holder, slots))
}

unsafe extern "C" fn shm_barrier(_: *mut ffi::sqlite3_file) {
    fence(Ordering::SeqCst);
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: an open file.
    unsafe { of(file) }.leave_memory();
    ffi::SQLITE_OK
}
