//! SQLite's interface to the operating system (<https://sqlite.org/vfs.html>), over disks in
//! memory.
//!
//! It becomes the default of the process, so that the store opens its database as it always does.
//! The package `sqlite-plugin` would do without `unsafe` here, but it generates bindings of its own
//! and needs libclang for that.
#![expect(unsafe_code, reason = "SQLite calls a table of functions with pointers")]

mod file;
mod shared_memory;

use crate::{
    disk::{Disk, FileName},
    locks::Locks,
};
use file::{METHODS, OpenFile, SimulatedFile};
use rusqlite::ffi;
use shared_memory::SharedMemory;
use std::{
    collections::HashMap,
    ffi::{CStr, c_char, c_int},
    path::Path,
    ptr,
    sync::{Arc, LazyLock, Mutex, MutexGuard, Once, PoisonError},
};

/// What all connections to one disk share.
#[derive(Debug)]
struct Mounted {
    disk: Arc<Disk>,
    locks: Mutex<Locks>,
    memory: Mutex<SharedMemory>,
}

/// The disk that a path of a database leads to.
static MOUNTS: LazyLock<Mutex<HashMap<String, Arc<Mounted>>>> = LazyLock::new(Mutex::default);

/// Lets connections to this path that are opened from now on use this disk. Connections that are
/// open keep theirs.
///
/// # Panics
/// If SQLite cannot register the interface.
pub fn mount(path: &Path, disk: Arc<Disk>) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(register);
    let mounted = Mounted { disk, locks: Mutex::default(), memory: Mutex::default() };
    lock(&MOUNTS).insert(path.to_string_lossy().into_owned(), Arc::new(mounted));
}

/// Removes a disk from its path.
pub fn unmount(path: &Path) {
    lock(&MOUNTS).remove(&*path.to_string_lossy());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn register() {
    // SAFETY: `sqlite3_vfs_find` returns null or an interface that is never freed. The copy and its
    // name live as long as the process.
    unsafe {
        assert_eq!(ffi::sqlite3_initialize(), ffi::SQLITE_OK);
        let default = ffi::sqlite3_vfs_find(ptr::null());
        assert!(!default.is_null(), "SQLite has no interface to the operating system");
        let mut vfs = *default;
        vfs.zName = c"tua-simulation".as_ptr();
        vfs.szOsFile = size_of::<SimulatedFile>() as c_int;
        vfs.pNext = ptr::null_mut();
        vfs.xOpen = Some(open);
        vfs.xDelete = Some(delete);
        vfs.xAccess = Some(access);
        vfs.xFullPathname = Some(full_pathname);
        let vfs = Box::leak(Box::new(vfs));
        assert_eq!(ffi::sqlite3_vfs_register(vfs, 1), ffi::SQLITE_OK);
    }
}

/// The disk and the file that a name means; `None` where nothing is mounted there.
///
/// # Safety
/// `name` is a string that ends with a zero byte.
unsafe fn find(name: *const c_char) -> Option<(Arc<Mounted>, FileName)> {
    // SAFETY: as promised by the caller.
    let name = unsafe { CStr::from_ptr(name) }.to_str().ok()?;
    let kinds = [("-wal", FileName::Wal), ("-journal", FileName::Journal)];
    let (path, kind) = kinds
        .into_iter()
        .find_map(|(suffix, kind)| Some((name.strip_suffix(suffix)?, kind)))
        .unwrap_or((name, FileName::Main));
    Some((lock(&MOUNTS).get(path)?.clone(), kind))
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives `szOsFile` bytes for the file, and a valid name or none. A file without
    // methods is not closed.
    unsafe {
        let file = file.cast::<SimulatedFile>();
        (*file).base.pMethods = ptr::null();
        let is_temporary = name.is_null();
        let found = if is_temporary { Some(temporary()) } else { find(name) };
        let Some((mounted, kind)) = found else { return ffi::SQLITE_CANTOPEN };
        if mounted.disk.is_off() {
            return ffi::SQLITE_IOERR;
        }
        if flags & ffi::SQLITE_OPEN_CREATE != 0 {
            mounted.disk.create(kind);
        } else if !mounted.disk.exists(kind) {
            return ffi::SQLITE_CANTOPEN;
        }
        ptr::write(&raw mut (*file).open, Box::into_raw(Box::new(OpenFile::new(mounted, kind))));
        (*file).base.pMethods = &raw const METHODS;
        if !out_flags.is_null() {
            *out_flags = flags;
        }
    }
    ffi::SQLITE_OK
}

/// A file without a name, on a disk of its own.
fn temporary() -> (Arc<Mounted>, FileName) {
    let disk = Arc::new(Disk::default());
    let mounted = Mounted { disk, locks: Mutex::default(), memory: Mutex::default() };
    (Arc::new(mounted), FileName::Main)
}

unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, name: *const c_char, _: c_int) -> c_int {
    // SAFETY: SQLite gives a valid name.
    let Some((mounted, kind)) = (unsafe { find(name) }) else {
        return ffi::SQLITE_IOERR_DELETE_NOENT;
    };
    if mounted.disk.is_off() {
        return ffi::SQLITE_IOERR_DELETE;
    }
    mounted.disk.delete(kind);
    ffi::SQLITE_OK
}

unsafe extern "C" fn access(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    _: c_int,
    result: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives a valid name, and a place for the result.
    unsafe {
        *result = find(name).is_some_and(|(mounted, kind)| mounted.disk.exists(kind)).into();
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn full_pathname(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    length: c_int,
    result: *mut c_char,
) -> c_int {
    // SAFETY: SQLite gives a valid name, and `length` bytes for the result. The paths of the store
    // are absolute and lead through no links.
    unsafe {
        let name = CStr::from_ptr(name).to_bytes_with_nul();
        if name.len() > usize::try_from(length).unwrap_or(0) {
            return ffi::SQLITE_CANTOPEN;
        }
        ptr::copy_nonoverlapping(name.as_ptr().cast(), result, name.len());
    }
    ffi::SQLITE_OK
}
