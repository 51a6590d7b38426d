//! The private folder in which the checked processes leave their events.
//!
//! Promise: the folder has mode 0700 and an unpredictable name; it is removed when [`SpoolFolder`] is dropped, which
//! covers every way out of this program but SIGKILL. For that one, the next run sweeps: it removes folders whose
//! recorded owner is dead. It touches only real folders of this user, made on this boot and in this process
//! namespace, and deletes only files that a spool has.

use crate::error::Error;
use farside_spool::folder::{LINK, OWNER, Owner, PREFIX, remove, sweep};
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// With less free space than this, some process could not even begin its recording.
const LEAST_SPACE: u64 = 16 << 20;

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
            file.write_all(owner.text().as_bytes()).map_err(fault)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use farside_spool::agreement::Decides;
    use farside_spool::processes::machine;

    #[test]
    fn a_private_folder_that_goes_away() {
        let base = tempfile::tempdir().unwrap();
        let folder = SpoolFolder::create(base.path(), false).unwrap();
        let path = folder.path().to_path_buf();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        let recording = farside_spool::processes::recording(5, 2);
        fs::write(path.join(recording.chunk_name(0)), b"x").unwrap();
        fs::write(path.join(format!("{}.new", recording.chunk_name(1))), b"").unwrap();
        let member = farside_spool::Member::join(&path, "job", 0, Decides::Here).unwrap();
        assert!(member.all_record(1, None));
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
