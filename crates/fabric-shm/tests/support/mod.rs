//! A launcher for tests and examples: ranks are copies of this program, which find one another through files of a
//! folder.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Rank, Result};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Set for ranks: the folder, the rank, the number of ranks.
const VARIABLES: [&str; 3] = ["FARSIDE_TEST_FOLDER", "FARSIDE_TEST_RANK", "FARSIDE_TEST_SIZE"];

/// The file in which the launcher names a lost rank.
const LOST: &str = "lost";

/// Longest time for all ranks to come.
const LIMIT: Duration = Duration::from_secs(60);

/// The rank that this process is.
pub(crate) struct Folder {
    folder: PathBuf,
    job: String,
    rank: Rank,
    size: u32,
    fences: AtomicU64,
}

impl Folder {
    /// The rank that this process was started as, if it was.
    pub(crate) fn here() -> Option<Self> {
        let [folder, rank, size] = VARIABLES.map(|name| std::env::var(name).ok());
        let folder = PathBuf::from(folder?);
        Some(Self {
            job: folder.file_name()?.to_string_lossy().into_owned(),
            folder,
            rank: rank?.parse().ok()?,
            size: size?.parse().ok()?,
            fences: AtomicU64::new(0),
        })
    }

    fn file(&self, rank: Rank, name: &str) -> PathBuf {
        self.folder.join(format!("{rank}-{name}"))
    }
}

fn system(path: &Path, error: std::io::Error) -> Error {
    Error::Bootstrap(format!("{}: {error}", path.display()))
}

impl Bootstrap for Folder {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn job(&self) -> &str {
        &self.job
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.file(self.rank, name);
        let draft = path.with_extension("draft");
        std::fs::write(&draft, bytes).map_err(|error| system(&draft, error))?;
        std::fs::rename(&draft, &path).map_err(|error| system(&path, error))
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        let path = self.file(rank, name);
        std::fs::read(&path).map_err(|error| system(&path, error))
    }

    fn fence(&self) -> Result<()> {
        let name = format!("fence-{}", self.fences.fetch_add(1, Ordering::Relaxed));
        self.publish(&name, &[])?;
        let began = Instant::now();
        while !(0..self.size).all(|rank| self.file(rank, &name).exists()) {
            if began.elapsed() > LIMIT {
                return Err(Error::TimeOut(LIMIT));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn finish(&self) -> Result<()> {
        self.publish("finished", &[])
    }

    fn lost(&self) -> Option<Rank> {
        std::fs::read_to_string(self.folder.join(LOST)).ok()?.parse().ok()
    }
}

/// A job of processes; those that still run are killed when it is dropped.
pub(crate) struct Job {
    /// By rank.
    pub(crate) ranks: Vec<Child>,
    folder: PathBuf,
}

impl Job {
    /// Starts this program again, once for each rank. `command` sets arguments and environment.
    pub(crate) fn start(size: u32, command: impl Fn(&mut Command)) -> std::io::Result<Self> {
        static JOBS: AtomicU64 = AtomicU64::new(0);
        let number = JOBS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("farside-shm-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let mut job = Self {
            ranks: Vec::new(),
            folder,
        };
        for rank in 0..size {
            let mut program = Command::new(std::env::current_exe()?);
            program
                .env(VARIABLES[0], &job.folder)
                .env(VARIABLES[1], rank.to_string())
                .env(VARIABLES[2], size.to_string());
            command(&mut program);
            job.ranks.push(program.spawn()?);
        }
        Ok(job)
    }

    /// Waits until all ranks have published under a name; false if they do not come in time.
    #[allow(dead_code, reason = "not all who use this module need it")]
    pub(crate) fn reached(&self, name: &str) -> bool {
        let began = Instant::now();
        while !(0..self.ranks.len()).all(|rank| self.folder.join(format!("{rank}-{name}")).exists()) {
            if began.elapsed() > LIMIT {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Tells all ranks, as a launcher, that one is lost.
    #[allow(dead_code, reason = "as above")]
    pub(crate) fn tell_lost(&self, rank: Rank) -> std::io::Result<()> {
        let draft = self.folder.join("lost.draft");
        std::fs::write(&draft, rank.to_string())?;
        std::fs::rename(draft, self.folder.join(LOST))
    }

    /// Waits for all ranks; whether each ended with status 0.
    pub(crate) fn wait(&mut self) -> std::io::Result<Vec<bool>> {
        self.ranks
            .iter_mut()
            .map(|rank| rank.wait().map(|status| status.success()))
            .collect()
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        for rank in &mut self.ranks {
            // Fails for one that has ended and was waited for.
            let _ = rank.kill();
            let _ = rank.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
