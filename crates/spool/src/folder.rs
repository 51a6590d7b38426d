//! The private folder of a spool: which files are ours, and how it goes.

pub use crate::owner::{OWNER, Owner};

use crate::agreement::is_of_agreement;
use crate::elsewhere;
use crate::format::Recording;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Longer than a file system's clock takes for a step.
const TICK: Duration = Duration::from_millis(50);
/// After this a folder is read in any case: the clock of a file system on another machine may differ from ours.
const LONG: Duration = Duration::from_millis(250);
/// What the names of spool folders begin with.
pub const PREFIX: &str = "farside-spool-";
/// Whoever holds a lock of this file brings what the folder has to `farside check` on another host.
pub const LOCK: &str = "lock";
/// A link to the preloaded library, where its own path has a blank.
pub const LINK: &str = "libfarside_interpose.so";

/// A folder that is read again and again.
#[derive(Debug)]
pub struct Watched {
    path: PathBuf,
    /// When files last came or went, and when that was asked; `None`: the folder may have changed since.
    read: Option<(SystemTime, Instant)>,
}

impl Watched {
    /// One that was not read yet.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            read: None,
        }
    }

    /// What is in it, unless no file came or went since it was last read.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn news(&mut self) -> io::Result<Option<fs::ReadDir>> {
        let modified = fs::metadata(&self.path)?.modified()?;
        if self
            .read
            .is_some_and(|(then, at)| then == modified && at.elapsed() < LONG)
        {
            return Ok(None);
        }
        // What comes in the same tick of the clock has the same time.
        let is_past = modified.elapsed().is_ok_and(|age| age > TICK);
        let entries = fs::read_dir(&self.path)?;
        self.read = is_past.then(|| (modified, Instant::now()));
        Ok(Some(entries))
    }

    /// The next news are all that is in it.
    pub fn forget(&mut self) {
        self.read = None;
    }
}

/// Whether a file of this name is one that a spool folder may hold.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    // Chunks, and drafts that a killed process left.
    let chunk = || Recording::parse_chunk_name(name.strip_suffix(".new").unwrap_or(name)).is_some();
    [OWNER, LOCK, LINK].contains(&name) || is_of_agreement(name) || elsewhere::is_of(name) || chunk()
}

/// Removes spool folders in `base` whose owners were killed: real folders of this user, made on this boot and in this
/// process namespace.
pub fn sweep(base: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    let Ok(us) = fs::metadata("/proc/self") else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours = entry.file_name().to_str().is_some_and(|n| n.starts_with(PREFIX))
            && fs::symlink_metadata(&path)
                .is_ok_and(|m| m.is_dir() && m.uid() == us.uid() && m.permissions().mode() & 0o777 == 0o700);
        // Only this user can put files into a folder of mode 0700, so reading it follows nobody else's link.
        if is_ours && Owner::read(&path).is_some_and(|owner| owner.is_dead()) {
            remove(&path);
        }
    }
}

/// Removes a spool: its files, and the folder if nothing else is in it.
pub fn remove(path: &Path) {
    // Under another name first: a process that still runs cannot add a chunk while we delete.
    let mut retired = path.as_os_str().to_os_string();
    retired.push("-gone");
    let path = &match fs::rename(path, &retired) {
        Ok(()) => PathBuf::from(retired),
        Err(_) => path.to_path_buf(),
    };
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_ours) {
            let _ = fs::remove_file(entry.path());
        }
    }
    // Not remove_dir_all: what we did not make we do not delete. Failing leaves a private folder.
    let _ = fs::remove_dir(path);
}
