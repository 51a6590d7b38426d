//! The side of a host: where its processes record, and the collector that brings it to the front.
//!
//! The first process of a host that finds the front's folder missing makes a private folder of this host, and starts a
//! collector for it: a grandchild in a session of its own, which holds nothing open of the process. All this happens
//! when the process begins, while it has one thread and no MPI. Later processes find the folder, and the lock that the
//! collector holds.
//!
//! Promise: where any of it fails, the process has no place to record, which the agreement at `MPI_Init` makes known to
//! all; nothing of it changes what the program does.

mod collector;
mod detach;
mod file;
mod judge;
mod outgoing;
mod recording;

pub use collector::collect;

use crate::address::Address;
use farside_processes::start_time;
use farside_spool::folder::{LOCK, Owner, PREFIX};
use farside_spool::format::Recording;
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
            Some(front) => settle(&spool, &front),
            None => Some(Home::of_this_machine(spool)),
        }
    })
    .as_ref()
}

/// Where processes of this host record that are to record into `spool` of `front`; starts a collector where one is
/// needed. For who starts such processes: call it while this process has one thread.
#[must_use]
pub fn settle(spool: &Path, front: &Address) -> Option<Home> {
    match front.is_here(spool) {
        true => Some(Home::of_this_machine(spool.to_path_buf())),
        false => Home::on_this_host(front, occupy),
    }
}

/// As [`home()`], for a process that may have threads already: it starts no collector, so that on another host it
/// records only where one was started before it, by who started it or by a library that was preloaded.
#[must_use]
pub fn found() -> Option<Home> {
    let spool = farside_spool::folder()?;
    match Address::of_environment() {
        Some(front) if !front.is_here(&spool) => match is_collected(&spool) {
            Some(()) => Some(Home {
                folder: spool,
                brought: true,
            }),
            None => Home::on_this_host(&front, |folder, _| is_collected(folder)),
        },
        _ => Some(Home::of_this_machine(spool)),
    }
}

impl Home {
    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The variable by which processes that are started here find it, and its value.
    #[must_use]
    pub fn variable(&self) -> (&'static str, &Path) {
        (farside_spool::FOLDER, &self.folder)
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

    /// Whether what is recorded is read: the collector was not killed, where there is one.
    #[must_use]
    pub fn is_read(&self) -> bool {
        !self.brought || Owner::read(&self.folder).is_none_or(|owner| !owner.is_dead())
    }

    /// Waits until the front has `chunk`, the last one of a recording that is sealed; not for ever. Batch systems end
    /// what is left of a job when its processes have ended. Where the collector was killed, nothing is left here
    /// either.
    pub fn deliver(&self, chunk: &Path) {
        let end = Instant::now() + TIME_TO_DELIVER;
        let mut pause = Duration::from_millis(1);
        while self.brought && self.is_read() && chunk.exists() && Instant::now() < end {
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        // It may have been killed after it had all of this process.
        if !self.is_read() {
            self.clear(chunk);
        }
    }

    /// Removes the recording of this process, whose last chunk is `chunk`, and the folder if no other process uses it.
    fn clear(&self, chunk: &Path) {
        let recording = |name: &str| Some(Recording::parse_chunk_name(name)?.0);
        let own = chunk.file_name().and_then(OsStr::to_str).and_then(recording);
        // One after the other, so that the last one sees that it is.
        let Some(lock) = open_lock(&self.folder) else {
            return;
        };
        if flock(lock.as_fd(), FlockOperation::LockExclusive).is_err() {
            return;
        }
        let mut used = false;
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let found = entry.file_name().to_str().and_then(recording);
            if found.is_some() && found == own {
                let _ = fs::remove_file(entry.path());
            } else {
                used |= found.is_some_and(|other| start_time(other.pid) == Some(other.started));
            }
        }
        if !used {
            farside_spool::folder::remove(&self.folder);
        }
    }

    fn of_this_machine(folder: PathBuf) -> Self {
        Self {
            folder,
            brought: false,
        }
    }

    /// The folder of this host for the recordings that `front` is to get, with a collector: the first that can be had
    /// by `take`.
    fn on_this_host(front: &Address, take: impl Fn(&Path, &Address) -> Option<()>) -> Option<Self> {
        let temporary = std::env::var_os("TMPDIR").filter(|path| Path::new(path).is_absolute());
        let places = [
            temporary.as_deref(),
            Some(OsStr::new("/tmp")),
            Some(OsStr::new("/dev/shm")),
        ];
        let name = name(front);
        let folder = places.into_iter().flatten().find_map(|place| {
            let folder = Path::new(place).join(&name);
            (0..LOOKS).find_map(|_| take(&folder, front))?;
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
    if !is_ours(folder) {
        return None;
    }
    let lock = open_lock(folder)?;
    if is_held(&lock) {
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

/// Whether there is a collector for `folder`.
fn is_collected(folder: &Path) -> Option<()> {
    let lock = File::open(folder.join(LOCK)).ok()?;
    (is_ours(folder) && is_held(&lock)).then_some(())
}

/// A folder that nobody else can write to.
fn is_ours(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|found| {
        found.is_dir()
            && found.uid() == rustix::process::geteuid().as_raw()
            && found.permissions().mode() & 0o777 == 0o700
    })
}

/// Whether another open file has the lock; else this one has it now.
fn is_held(lock: &File) -> bool {
    flock(lock.as_fd(), FlockOperation::NonBlockingLockExclusive).is_err()
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

#[cfg(test)]
mod tests {
    use super::*;
    use farside_spool::Spool;
    use farside_spool::folder::OWNER;
    use farside_spool::processes::{machine, recording};

    /// A folder of this host whose collector is a process of this id that started then.
    fn home(parent: &Path, pid: u32, started: u64) -> Home {
        let folder = parent.join("home");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(OWNER), format!("{pid} {started} {}", machine())).unwrap();
        Home {
            folder,
            brought: true,
        }
    }

    #[test]
    fn where_the_collector_was_killed_the_last_process_leaves_nothing() {
        let parent = tempfile::tempdir().unwrap();
        let home = home(parent.path(), std::process::id(), 1);
        assert!(!home.is_read());
        let [first, last] = [0, 1].map(|part| {
            let spool = Spool::create(home.folder.clone(), recording(std::process::id(), part)).unwrap();
            let chunk = spool.chunk();
            spool.seal();
            chunk
        });
        home.deliver(&first);
        assert!(!first.exists() && last.exists());
        home.deliver(&last);
        assert!(!home.folder.exists());
    }

    #[test]
    fn nothing_is_left_of_a_collector_that_was_killed_when_it_had_all() {
        let parent = tempfile::tempdir().unwrap();
        let home = home(parent.path(), std::process::id(), 1);
        let spool = Spool::create(home.folder.clone(), recording(std::process::id(), 0)).unwrap();
        let chunk = spool.chunk();
        spool.seal();
        fs::remove_file(&chunk).unwrap();
        home.deliver(&chunk);
        assert!(!home.folder.exists());
    }

    #[test]
    fn a_living_collector_is_waited_for_but_not_for_ever() {
        let parent = tempfile::tempdir().unwrap();
        let pid = std::process::id();
        let home = home(parent.path(), pid, start_time(pid).unwrap());
        assert!(home.is_read() && home.collector() == Some((pid, start_time(pid).unwrap())));
        let spool = Spool::create(home.folder.clone(), recording(pid, 0)).unwrap();
        let chunk = spool.chunk();
        spool.seal();
        let start = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(50));
                fs::remove_file(&chunk).unwrap();
            });
            home.deliver(&chunk);
        });
        assert!(start.elapsed() >= Duration::from_millis(50) && start.elapsed() < TIME_TO_DELIVER);
        assert!(home.folder.exists());
    }

    #[test]
    fn the_folder_of_a_host_is_private_and_has_one_collector() {
        let parent = tempfile::tempdir().unwrap();
        let front = Address::of_nowhere();
        let folder = parent.path().join(name(&front));
        assert!(folder.to_str().unwrap().contains(PREFIX));
        // Somebody holds the lock: there is a collector.
        DirBuilder::new().mode(0o700).create(&folder).unwrap();
        let lock = open_lock(&folder).unwrap();
        flock(lock.as_fd(), FlockOperation::LockExclusive).unwrap();
        assert_eq!(occupy(&folder, &front), Some(()));
        assert_eq!(is_collected(&folder), Some(()));
        // What others may look into is none of ours.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(occupy(&folder, &front), None);
        assert_eq!(is_collected(&folder), None);
        // Who only looks finds no collector where none holds the lock, and makes none.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
        drop(lock);
        assert_eq!(is_collected(&folder), None);
        assert_eq!(is_collected(&parent.path().join("nothing")), None);
        assert!(!parent.path().join("nothing").exists());
        fs::write(parent.path().join("file"), "").unwrap();
        assert_eq!(occupy(&parent.path().join("file"), &front), None);
    }
}
