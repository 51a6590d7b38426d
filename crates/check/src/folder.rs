//! The private folder in which the checked processes leave their events.
//!
//! Promise: the folder has mode 0700 and an unpredictable name; it is removed when [`SpoolFolder`] is dropped, which
//! covers every way out of this program but SIGKILL. For that one, the next run sweeps: it removes folders whose
//! recorded owner is dead. It touches only real folders of this user, made on this boot and in this process
//! namespace, and deletes only files that a spool has.

use crate::error::Error;
use farside_spool::format::Recording;
use farside_spool::is_of_agreement;
use farside_spool::processes::machine;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

const PREFIX: &str = "farside-spool-";
/// With less free space than this, some process could not even begin its recording.
const LEAST_SPACE: u64 = 16 << 20;
const OWNER: &str = "owner";
const LINK: &str = "libfarside_interpose.so";

/// A spool folder; dropping it removes it.
#[derive(Debug)]
pub(crate) struct SpoolFolder {
    path: PathBuf,
    keep: bool,
}

impl SpoolFolder {
    /// Makes a folder in `base`, after sweeping what dead runs left there.
    pub(crate) fn create(base: &Path, keep: bool) -> Result<Self, Error> {
        sweep(base);
        let fault = |error| Error::Spool(base.to_path_buf(), error);
        let base = fs::canonicalize(base).map_err(fault)?;
        let free = rustix::fs::statvfs(&base).map_err(|error| fault(error.into()))?;
        if free.f_bavail.saturating_mul(free.f_frsize) < LEAST_SPACE {
            return Err(fault(std::io::ErrorKind::StorageFull.into()));
        }
        let path = tempfile::Builder::new()
            .prefix(PREFIX)
            .rand_bytes(16)
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(base)
            .map_err(fault)?
            .keep();
        let folder = Self { path, keep };
        if !keep {
            // A folder that is kept on purpose must not be swept, so it has no owner file.
            let owner =
                Owner::of(std::process::id()).ok_or_else(|| fault(std::io::Error::other("no /proc")))?;
            let mut file = fs::File::create_new(folder.path.join(OWNER)).map_err(fault)?;
            file.write_all(owner.0.as_bytes()).map_err(fault)?;
        }
        Ok(folder)
    }

    /// A path of `library` that LD_PRELOAD can hold: blanks and colons separate its entries, so a path with one of
    /// them gets a symbolic link in the spool folder.
    pub(crate) fn preloadable(&self, library: &Path) -> Result<PathBuf, Error> {
        let separates = |path: &Path| {
            path.as_os_str()
                .as_encoded_bytes()
                .iter()
                .any(|b| b" :".contains(b))
        };
        if !separates(library) {
            return Ok(library.to_path_buf());
        }
        let link = self.path.join(LINK);
        if separates(&link) {
            let error = std::io::Error::other("its path has a blank or a colon, and so has farside's own");
            return Err(Error::Spool(self.path.clone(), error));
        }
        std::os::unix::fs::symlink(library, &link).map_err(|error| Error::Spool(self.path.clone(), error))?;
        Ok(link)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it stays after the run.
    pub(crate) fn kept(&self) -> bool {
        self.keep
    }
}

impl Drop for SpoolFolder {
    fn drop(&mut self) {
        if !self.keep {
            remove(&self.path);
        }
    }
}

/// The owner of a spool folder, as text: process id, its start time, the boot, the process namespace.
#[derive(Debug, PartialEq, Eq)]
struct Owner(String);

impl Owner {
    fn of(pid: u32) -> Option<Self> {
        let started = farside_processes::start_time(pid)?;
        Some(Self(format!("{pid} {started} {}", machine())))
    }

    /// Whether the folder may be swept: its owner ran where we run, and is dead.
    fn is_dead(&self) -> bool {
        let mut words = self.0.splitn(3, ' ');
        let (Some(pid), Some(_), Some(machine)) = (words.next(), words.next(), words.next()) else {
            return false;
        };
        let Ok(pid) = pid.parse() else { return false };
        self::machine().to_string() == machine && Self::of(pid).as_ref() != Some(self)
    }
}

fn sweep(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    let us = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_str().is_some_and(|n| n.starts_with(PREFIX))
            && fs::symlink_metadata(&path)
                .is_ok_and(|m| m.is_dir() && m.uid() == us && m.permissions().mode() & 0o777 == 0o700);
        // Only this user can put files into a folder of mode 0700, so reading it follows nobody else's link.
        let owner = fs::read_to_string(path.join(OWNER)).map(Owner);
        if is_ours && owner.is_ok_and(|owner| owner.is_dead()) {
            remove(&path);
        }
    }
}

/// Removes a spool: its chunks and other files of ours, and the folder if nothing else is in it.
pub(crate) fn remove(path: &Path) {
    // Under another name first: a process that still runs cannot add a chunk while we delete.
    let mut retired = path.as_os_str().to_os_string();
    retired.push("-gone");
    let path = &match fs::rename(path, &retired) {
        Ok(()) => PathBuf::from(retired),
        Err(_) => path.to_path_buf(),
    };
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name
            .to_str()
            .is_some_and(|name| is_chunk(name) || is_of_agreement(name))
        {
            let _ = fs::remove_file(entry.path());
        }
    }
    let _ = fs::remove_file(path.join(LINK));
    let _ = fs::remove_file(path.join(OWNER));
    // Not remove_dir_all: what we did not make we do not delete. Failing leaves an empty, private folder.
    let _ = fs::remove_dir(path);
}

/// Chunks, and drafts that a killed process left.
fn is_chunk(name: &str) -> bool {
    Recording::parse_chunk_name(name.strip_suffix(".new").unwrap_or(name)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_private_folder_that_goes_away() {
        let base = tempfile::tempdir().unwrap();
        let folder = SpoolFolder::create(base.path(), false).unwrap();
        let path = folder.path().to_path_buf();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        let recording = farside_spool::processes::recording(5, 2);
        fs::write(path.join(recording.chunk_name(0)), b"x").unwrap();
        fs::write(path.join(format!("{}.new", recording.chunk_name(1))), b"").unwrap();
        let member = farside_spool::Member::join(&path, "job", 0).unwrap();
        assert!(member.all_record(1));
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn paths_that_ld_preload_cannot_hold() {
        let base = tempfile::tempdir().unwrap();
        let folder = SpoolFolder::create(base.path(), false).unwrap();
        let path = folder.path().to_path_buf();
        let plain = Path::new("/x/libfarside_interpose.so");
        assert_eq!(folder.preloadable(plain).unwrap(), plain);
        let link = folder
            .preloadable(Path::new("/my programs/libfarside_interpose.so"))
            .unwrap();
        assert_eq!(link, path.join(LINK));
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn sweeping_takes_the_dead_and_leaves_the_living() {
        let base = tempfile::tempdir().unwrap();
        let living = SpoolFolder::create(base.path(), false).unwrap();
        let kept = SpoolFolder::create(base.path(), true).unwrap();
        let dead = SpoolFolder::create(base.path(), true).unwrap();
        // This process' own id with another start time: a process that is gone, and whose id was used again.
        let owner = format!("{} 1 {}", std::process::id(), machine());
        fs::write(dead.path().join(OWNER), owner).unwrap();
        let elsewhere = SpoolFolder::create(base.path(), true).unwrap();
        fs::write(elsewhere.path().join(OWNER), "1 1 another-machine").unwrap();
        sweep(base.path());
        assert!(living.path().exists() && kept.path().exists() && elsewhere.path().exists());
        assert!(!dead.path().exists());
    }
}
