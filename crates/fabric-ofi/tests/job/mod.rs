//! Jobs of processes for tests: the test binary starts itself once a rank, with a folder to meet in.

use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error, Rank, Result};
use farside_processes::limited;
use std::cell::Cell;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Longest a rank waits for another while the job starts or ends.
const LIMIT: Duration = Duration::from_secs(120);

/// Ranks that meet in a folder: a file for each name, one for each fence, one that names a lost rank.
pub(crate) struct Folder {
    path: PathBuf,
    rank: Rank,
    size: u32,
    fences: Mutex<Cell<u32>>,
}

impl Folder {
    /// Of the environment that [`Job::start`] made.
    pub(crate) fn of_environment() -> Self {
        let read = |name: &str| std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"));
        Self {
            path: read("JOB_FOLDER").into(),
            rank: read("JOB_RANK").parse().expect("a rank"),
            size: read("JOB_SIZE").parse().expect("a number of ranks"),
            fences: Mutex::default(),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let failed = |error: std::io::Error| Error::Bootstrap(error.to_string());
        let new = self.path.join(format!("{name}.{}.new", self.rank));
        std::fs::write(&new, bytes).map_err(failed)?;
        std::fs::rename(new, self.path.join(name)).map_err(failed)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>> {
        let began = Instant::now();
        loop {
            if let Ok(bytes) = std::fs::read(self.path.join(name)) {
                return Ok(bytes);
            }
            if let Some(rank) = self.lost() {
                return Err(Error::PeerLost { rank });
            }
            if began.elapsed() > LIMIT {
                return Err(Error::TimeOut(LIMIT));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Bootstrap for Folder {
    fn rank(&self) -> Rank {
        self.rank
    }

    fn size(&self) -> u32 {
        self.size
    }

    fn job(&self) -> &str {
        "test"
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write(&format!("{name}-{}", self.rank), bytes)
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        self.read(&format!("{name}-{rank}"))
    }

    fn fence(&self) -> Result<()> {
        let fence = {
            let fences = self.fences.lock().expect("no panic");
            fences.set(fences.get() + 1);
            fences.get()
        };
        self.publish(&format!("fence{fence}"), &[])?;
        (0..self.size).try_for_each(|rank| self.lookup(rank, &format!("fence{fence}")).map(drop))
    }

    fn finish(&self) -> Result<()> {
        self.publish("finished", &[])
    }

    fn lost(&self) -> Option<Rank> {
        let text = std::fs::read_to_string(self.path.join("lost")).ok()?;
        text.parse().ok()
    }
}

/// Whether libfabric is there; says so if it is not.
pub(crate) fn has_libfabric() -> bool {
    let name = std::env::var("FARSIDE_LIBFABRIC").unwrap_or_else(|_| "libfabric.so.1".into());
    // SAFETY: loading libfabric runs its initialisers only.
    let found = unsafe { libloading::Library::new(name) };
    if found.is_err() {
        eprintln!("skipped: libfabric is not installed (Debian: libfabric1)");
    }
    found.is_ok()
}

/// How a rank ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With this status.
    Status(i32),
    /// By a signal.
    Signal,
    /// It was ended, for the time was over.
    Late,
}

/// Runs the test `child` of this binary `size` times, and says how each rank ended; what they print comes along.
pub(crate) fn run(child: &str, size: u32, environment: &[(&str, &str)], limit: Duration) -> Vec<Ended> {
    let folder = tempfile::tempdir().expect("a folder");
    let children: Vec<Child> = (0..size)
        .map(|rank| {
            let mut command = Command::new(std::env::current_exe().expect("this test"));
            command
                .args(["--exact", child, "--ignored", "--nocapture", "--test-threads=1"])
                .env("JOB_FOLDER", folder.path())
                .env("JOB_RANK", rank.to_string())
                .env("JOB_SIZE", size.to_string())
                .envs(environment.iter().copied())
                .stdin(Stdio::null());
            // SAFETY: a system call that is allowed between fork and exec: ranks do not outlive a test that is killed.
            unsafe {
                command.pre_exec(|| {
                    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                    Ok(())
                });
            }
            command.spawn().expect("a rank")
        })
        .collect();
    let wait = &|rank: usize, mut child: Child| {
        let ended = match limited::wait(&mut child, limit).expect("a status") {
            Some(status) => status.code().map_or(Ended::Signal, Ended::Status),
            None => {
                child.kill().expect("it runs");
                child.wait().expect("a status");
                return Ended::Late;
            }
        };
        if ended != Ended::Status(0) {
            say_lost(folder.path(), rank);
        }
        ended
    };
    std::thread::scope(|scope| {
        let children = children.into_iter().enumerate();
        let waiting: Vec<_> = children
            .map(|(rank, child)| scope.spawn(move || wait(rank, child)))
            .collect();
        let ended = waiting.into_iter().map(|thread| thread.join().expect("no panic"));
        ended.collect()
    })
}

/// Tells all ranks that one is lost; the first one counts.
fn say_lost(folder: &Path, rank: usize) {
    let (new, lost) = (folder.join("lost.new"), folder.join("lost"));
    if !lost.exists() {
        std::fs::write(&new, rank.to_string()).expect("the folder is there");
        std::fs::rename(new, lost).expect("the folder is there");
    }
}
