//! The side of a host: where its processes record, and the collector that brings it to the front.
//!
//! The first process of a host that finds the front's folder missing makes a private folder of this host, and starts a
//! collector for it: a grandchild in a session of its own, which holds nothing open of the process. All this happens when
//! the process begins, while it has one thread and no MPI. Later processes find the folder, and the lock that the
//! collector holds.
//!
//! Promise: where any of it fails, the process has no place to record, which the agreement at `MPI_Init` makes known to
//! all; nothing of it changes what the program does.

mod collector;
mod detach;
mod recording;

pub use collector::collect;

use crate::address::Address;
use farside_spool::folder::{LOCK, Owner, PREFIX};
use rustix::fs::{FlockOperation, flock};
use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::AsFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long a process waits at its end for what it recorded last to be delivered.
const TIME_TO_DELIVER: Duration = Duration::from_secs(10);
/// Looks for a folder that another process removes meanwhile.
const LOOKS: u32 = 4;

/// Where a process records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    folder: PathBuf,
    /// It is brought to another host from there.
    brought: bool,
}

/// Where this process records, if it is to. The first call decides, and starts a collector where one is needed: make it
/// while the process has one thread.
pub fn home() -> Option<&'static Home> {
    static HOME: OnceLock<Option<Home>> = OnceLock::new();
    HOME.get_or_init(|| {
        let spool = farside_spool::folder()?;
        match Address::of_environment() {
            Some(front) if !front.is_here(&spool) => Home::on_this_host(&front),
            _ => Some(Home {
                folder: spool,
                brought: false,
            }),
        }
    })
    .as_ref()
}

impl Home {
    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether what is recorded there is brought to another host.
    #[must_use]
    pub fn is_brought(&self) -> bool {
        self.brought
    }

    /// The collector's process id and start time, where there is one.
    #[must_use]
    pub fn collector(&self) -> Option<(u32, u64)> {
        self.brought
            .then(|| Owner::read(&self.folder))?
            .map(|owner| owner.process())
    }

    /// Waits until the front has `chunk`, the last one of a recording that is sealed; not for ever, and not for a
    /// collector that is gone. Batch systems end what is left of a job when its processes have ended.
    pub fn deliver(&self, chunk: &Path) {
        let end = Instant::now() + TIME_TO_DELIVER;
        let mut pause = Duration::from_millis(1);
        while self.brought && chunk.exists() && Instant::now() < end {
            let Some(owner) = Owner::read(&self.folder).filter(|owner| !owner.is_dead()) else {
                break;
            };
            drop(owner);
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// The folder of this host for the recordings that `front` is to get, with a collector.
    fn on_this_host(front: &Address) -> Option<Self> {
        let temporary = std::env::var_os("TMPDIR").filter(|path| Path::new(path).is_absolute());
        let places = [
            temporary.as_deref(),
            Some(OsStr::new("/tmp")),
            Some(OsStr::new("/dev/shm")),
        ];
        let name = name(front);
        let folder = places.into_iter().flatten().find_map(|place| {
            let folder = Path::new(place).join(&name);
            (0..LOOKS).find_map(|_| occupy(&folder, front))?;
            Some(folder)
        })?;
        Some(Self {
            folder,
            brought: true,
        })
    }
}

/// The same for all processes of this host and job, and known to nobody else.
fn name(front: &Address) -> String {
    let machine = farside_spool::processes::machine();
    let mut words = [0; 2];
    for (salt, word) in words.iter_mut().enumerate() {
        let mut hasher = DefaultHasher::new();
        (salt, front.token(), machine).hash(&mut hasher);
        *word = hasher.finish();
    }
    format!("{PREFIX}{:016x}{:016x}", words[0], words[1])
}

/// Makes `folder` and starts its collector, unless that was done. `None`: it is not to be had.
fn occupy(folder: &Path, front: &Address) -> Option<()> {
    // That it exists is no error; whose it is shows below.
    let _ = DirBuilder::new().mode(0o700).create(folder);
    let is_ours = fs::symlink_metadata(folder).is_ok_and(|found| {
        found.is_dir()
            && found.uid() == rustix::process::geteuid().as_raw()
            && found.permissions().mode() & 0o777 == 0o700
    });
    if !is_ours {
        return None;
    }
    let lock = open_lock(folder)?;
    if flock(lock.as_fd(), FlockOperation::NonBlockingLockExclusive).is_err() {
        // There is a collector.
        return Some(());
    }
    // A collector that has ended meanwhile has taken the folder away, and the lock with it.
    if fs::metadata(folder.join(LOCK)).ok()?.ino() != lock.metadata().ok()?.ino() {
        return None;
    }
    // The lock belongs to the open file, which the collector keeps.
    detach::detached(&lock, || collect(folder, front)).then_some(())
}

fn open_lock(folder: &Path) -> Option<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(folder.join(LOCK))
        .ok()
}
