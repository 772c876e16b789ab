//! Files of mode 0600 in the data folder, such as the server key, and whose they are.
//!
//! Commands often run as root, and the service does not. So a file that root makes gets the owner
//! of its folder, and a file that takes another one's place gets that one's owner and mode:
//! otherwise the service could not open it any more.

use rustix::{fs::OFlags, io::Errno, process::geteuid};
use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, Read, Write},
    os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown},
    path::{Path, PathBuf},
};

/// The user id of root.
const ROOT: u32 = 0;

/// The mode bits of the group.
const GROUP: u32 = 0o070;

/// The mode bits that say who may read, write and execute.
const ACCESS: u32 = 0o777;

/// Creates a file that does not exist. It never follows a symbolic link.
///
/// # Errors
/// Those of the file system; `AlreadyExists` if anything has this name.
pub fn create(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    give_to_owner_of(&file, folder(path));
    Ok(file)
}

/// How many symbolic links are followed to one file.
const LINKS_MAX: usize = 8;

/// A symbolic link that another user has made. Root would write where that user wants.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{} is a symbolic link of user {owner}; remove it, or let root make it", link.display())]
pub struct ForeignLink {
    link: PathBuf,
    owner: u32,
}

/// The path of the file that a path leads to, which need not exist. Links of this user and of root
/// are followed. Of a path that leads nowhere, opening it reports the reason.
///
/// # Errors
/// [`ForeignLink`].
pub fn resolve(path: &Path) -> Result<PathBuf, ForeignLink> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        let (Ok(folder), Some(name)) = (fs::canonicalize(folder(&path)), path.file_name()) else {
            break;
        };
        let found = folder.join(name);
        let Ok(target) = fs::read_link(&found) else { return Ok(found) };
        // One that is gone again is not followed: a file that is new there is private.
        let Ok(link) = fs::symlink_metadata(&found) else { return Ok(found) };
        let owner = link.uid();
        if owner != ROOT && owner != geteuid().as_raw() {
            return Err(ForeignLink { link: path, owner });
        }
        path = folder.join(target);
    }
    Ok(path)
}

/// Reads a text file, as [`resolve`] finds it.
///
/// # Errors
/// Those of the file system, a [`ForeignLink`], or it is no regular file.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_regular(&resolve(path).map_err(io::Error::other)?)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Opens a file for reading. It follows no symbolic link, and waits for nobody, as a pipe would let
/// it.
///
/// # Errors
/// Those of the file system, or it is no regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).bits().cast_signed();
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| {
        let is_link = error.raw_os_error() == Some(Errno::LOOP.raw_os_error());
        if is_link { io::Error::other("it is a symbolic link") } else { error }
    })?;
    let is_regular = file.metadata()?.is_file();
    is_regular.then_some(file).ok_or_else(|| io::Error::other("it is not a regular file"))
}

/// Opens a file for locking, and creates it if it does not exist. A lock needs no right to write.
///
/// # Errors
/// Those of [`open_regular`].
pub fn open_lock(path: &Path) -> io::Result<File> {
    loop {
        match open_regular(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        match create(path) {
            // Another process has just created it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created,
        }
    }
}

/// Writes a secret to a new file.
///
/// The secret is written to a draft, synced, then linked into place. So a crash leaves the whole
/// secret or none, and of two processes that start at once the second fails with `AlreadyExists`.
///
/// # Errors
/// Those of the file system.
pub fn write_new(path: &Path, secret: &str) -> io::Result<()> {
    let draft = beside(path, &format!(".{}", std::process::id()));
    write(create_anew(&draft)?, secret)?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    linked
}

/// Writes what is to take the place of `path` to `draft`, with the owner and the mode of `path`. It
/// is on disk when this returns.
///
/// # Errors
/// Those of the file system; `PermissionDenied` if the owner cannot be kept.
pub fn write_replacement(path: &Path, draft: &Path, secret: &str) -> io::Result<()> {
    let replaced = fs::metadata(path)?;
    let file = create_anew(draft)?;
    keep_access(&file, &replaced).inspect_err(|_| {
        // Nobody needs an empty draft. The error below says what is wrong.
        let _ = fs::remove_file(draft);
    })?;
    write(file, secret)
}

/// Puts a draft in the place of a file.
///
/// # Errors
/// Those of the file system.
pub fn replace(path: &Path, draft: &Path) -> io::Result<()> {
    fs::rename(draft, path)?;
    // The folder's entry, too, must survive a power failure.
    File::open(folder(path))?.sync_all()
}

/// If root has made this file, gives it to the owner of its folder, as SQLite does with its own
/// files. Where the system does not permit that, the file stays as it is: `tua doctor` finds it.
pub fn give_to_owner_of(file: &File, folder: &Path) {
    let (Ok(made), Ok(folder)) = (file.metadata(), fs::metadata(folder)) else { return };
    if made.uid() == ROOT && folder.uid() != ROOT {
        let _ = fchown(file, Some(folder.uid()), Some(folder.gid()));
    }
}

/// The folder of a file.
#[must_use]
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path with an extension behind its whole name.
#[must_use]
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    PathBuf::from(name)
}

/// Creates a draft. One that a crash has left is removed before.
///
/// # Errors
/// Those of the file system.
pub fn create_anew(draft: &Path) -> io::Result<File> {
    match fs::remove_file(draft) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => create(draft),
    }
}

fn keep_access(file: &File, replaced: &Metadata) -> io::Result<()> {
    let mut mode = replaced.mode() & ACCESS;
    if file.metadata()?.uid() != replaced.uid() {
        fchown(file, Some(replaced.uid()), None).map_err(|error| {
            let uid = replaced.uid();
            io::Error::new(
                error.kind(),
                format!("it belongs to user {uid}; run the command as that user or as root"),
            )
        })?;
    }
    // A group that this user is not in cannot be kept. Then no other group gets its rights.
    if file.metadata()?.gid() != replaced.gid() && fchown(file, None, Some(replaced.gid())).is_err()
    {
        mode &= !GROUP;
    }
    file.set_permissions(Permissions::from_mode(mode))
}

fn write(mut file: File, secret: &str) -> io::Result<()> {
    file.write_all(secret.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & ACCESS
    }

    #[test]
    fn a_new_secret_is_private_and_an_existing_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        write_new(&path, "one").unwrap();
        assert_eq!(mode(&path), 0o600);
        assert_eq!(write_new(&path, "two").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn a_replacement_keeps_the_mode_and_a_leftover_draft_does_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        let draft = folder.path().join("secret.next");
        write_new(&path, "one").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        fs::write(&draft, "left by a crash").unwrap();
        write_replacement(&path, &draft, "two").unwrap();
        replace(&path, &draft).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap(), mode(&path)), ("two".to_owned(), 0o640));
    }

    #[test]
    fn a_draft_never_goes_through_a_symbolic_link() {
        let folder = tempfile::tempdir().unwrap();
        let [path, draft, other] =
            ["secret", "secret.next", "other"].map(|name| folder.path().join(name));
        write_new(&path, "one").unwrap();
        fs::write(&other, "of somebody else").unwrap();
        std::os::unix::fs::symlink(&other, &draft).unwrap();
        write_replacement(&path, &draft, "two").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "of somebody else");
    }

    #[test]
    fn a_lock_is_a_regular_file_and_waits_for_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let [lock, pipe, link] = ["lock", "pipe", "link"].map(|name| folder.path().join(name));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        std::os::unix::fs::symlink(folder.path().join("nothing"), &link).unwrap();
        assert!(open_lock(&lock).is_ok() && open_lock(&lock).is_ok());
        assert_eq!(open_lock(&pipe).unwrap_err().to_string(), "it is not a regular file");
        assert_eq!(open_lock(&link).unwrap_err().to_string(), "it is a symbolic link");
        assert!(!folder.path().join("nothing").exists());
    }

    #[test]
    fn own_links_are_followed_also_to_what_does_not_exist_yet() {
        let folder = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(folder.path()).unwrap();
        std::os::unix::fs::symlink("second", real.join("first")).unwrap();
        std::os::unix::fs::symlink(real.join("file"), real.join("second")).unwrap();
        assert_eq!(resolve(&folder.path().join("first")), Ok(real.join("file")));
        fs::write(real.join("file"), "secret").unwrap();
        assert_eq!(resolve(&real.join("file")), Ok(real.join("file")));
        assert_eq!(read_to_string(&real.join("first")).unwrap(), "secret");
        std::os::unix::fs::symlink("round", real.join("round")).unwrap();
        assert!(read_to_string(&real.join("round")).is_err());
    }
}
