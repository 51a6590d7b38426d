//! Rendezvous through files in a folder that all ranks see, such as a shared file system.
//!
//! A value is a file `RANK.NAME` in the folder `JOB`; it is written beside and renamed, so that nobody reads half of
//! it. A fence is a value of each rank. The last rank to finish removes the folder of the job.
//!
//! Limits: nobody watches, so a lost rank shows as a wait that ends at `FARSIDE_BOOT_LIMIT`, and leaves the folder of
//! the job. A job name must not be used again while such a folder is there: that is refused.

use crate::client::Identity;
use crate::error::Error;
use crate::protocol::VALUE_LIMIT;
use farside_fabric::bootstrap::Bootstrap;
use farside_fabric::{Error as FabricError, Rank, Result};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The longest pause between two looks at the folder.
const PAUSE: Duration = Duration::from_millis(20);
/// Names of files are this long at the most, in bytes.
const FILE_NAME: usize = 240;

/// A process that meets others in a folder.
#[derive(Debug)]
pub(crate) struct Folder {
    identity: Identity,
    path: PathBuf,
    patience: Duration,
    /// Fences that were passed; locked in a fence.
    fences: Mutex<u64>,
    /// For names of unfinished files.
    written: AtomicU64,
}

impl Folder {
    /// Makes or finds the folder of the job, and says there that this rank has come.
    pub(crate) fn join(
        folder: &Path,
        identity: Identity,
        patience: Duration,
    ) -> std::result::Result<Self, Error> {
        let path = folder.join(&identity.job);
        let refused = |problem: String| Error::NoWay {
            found: format!("FARSIDE_RENDEZVOUS={}, job {}", folder.display(), identity.job),
            problem,
            advice: "choose a folder that all ranks can write, and a FARSIDE_JOB that was not used before; remove what \
                     an earlier job has left there",
        };
        fs::create_dir_all(&path).map_err(|error| refused(format!("it cannot be made: {error}")))?;
        let process = Self {
            identity: identity.clone(),
            path,
            patience,
            fences: Mutex::new(0),
            written: AtomicU64::new(0),
        };
        process
            .write("joined", identity.size.to_string().as_bytes())
            .map_err(|error| refused(format!("rank {} cannot join: {error}", identity.rank)))?;
        Ok(process)
    }

    fn file(&self, rank: Rank, name: &str) -> Result<PathBuf> {
        let mut file = format!("{rank}.");
        for byte in name.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => file.push(char::from(byte)),
                // Writing to a string cannot fail.
                _ => drop(write!(file, "%{byte:02x}")),
            }
        }
        if file.len() > FILE_NAME {
            return Err(FabricError::TooLong {
                bytes: file.len(),
                limit: FILE_NAME,
            });
        }
        Ok(self.path.join(file))
    }

    /// Writes a value, which must be a new one.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let file = self.file(self.identity.rank, name)?;
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let beside = self
            .path
            .join(format!("+{}.{}.{number}", self.identity.rank, std::process::id()));
        let written = fs::write(&beside, bytes)
            // A link, unlike a renaming, fails if the name is there.
            .and_then(|()| fs::hard_link(&beside, &file).or_else(|error| rename(&beside, &file, error)));
        let _ = fs::remove_file(&beside);
        written.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => FabricError::Bootstrap(format!(
                "{} is there already: the name was published before, or another process or job used it",
                file.display()
            )),
            _ => FabricError::Bootstrap(format!("cannot write {}: {error}", file.display())),
        })
    }

    /// Waits until a rank has written a value.
    fn read(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        let file = self.file(rank, name)?;
        let start = Instant::now();
        let mut pause = Duration::from_micros(100);
        loop {
            match fs::read(&file) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => {
                    return Err(FabricError::Bootstrap(format!(
                        "cannot read {}: {error}",
                        file.display()
                    )));
                }
            }
            if start.elapsed() >= self.patience {
                return Err(FabricError::Bootstrap(format!(
                    "rank {rank} did not write {} within {:?} (FARSIDE_BOOT_LIMIT)",
                    file.display(),
                    self.patience
                )));
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(PAUSE);
        }
    }
}

/// For file systems without hard links; two processes of one rank may then overwrite each other.
fn rename(beside: &Path, file: &Path, error: io::Error) -> io::Result<()> {
    if error.kind() == ErrorKind::AlreadyExists || file.exists() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::rename(beside, file)
}

impl Bootstrap for Folder {
    fn rank(&self) -> Rank {
        self.identity.rank
    }

    fn size(&self) -> u32 {
        self.identity.size
    }

    fn job(&self) -> &str {
        &self.identity.job
    }

    fn publish(&self, name: &str, bytes: &[u8]) -> Result<()> {
        if bytes.len() > VALUE_LIMIT {
            return Err(FabricError::TooLong {
                bytes: bytes.len(),
                limit: VALUE_LIMIT,
            });
        }
        self.write(&format!("value.{name}"), bytes)
    }

    fn lookup(&self, rank: Rank, name: &str) -> Result<Vec<u8>> {
        if rank >= self.identity.size {
            return Err(FabricError::RankOutOfRange {
                rank,
                size: self.identity.size,
            });
        }
        self.read(rank, &format!("value.{name}"))
    }

    fn fence(&self) -> Result<()> {
        let Ok(mut fences) = self.fences.try_lock() else {
            return Err(FabricError::Bootstrap(
                "another thread of this rank waits in the fence".to_owned(),
            ));
        };
        let name = format!("fence.{fences}");
        *fences += 1;
        self.write(&name, &[])?;
        (0..self.identity.size).try_for_each(|rank| self.read(rank, &name).map(drop))
    }

    fn finish(&self) -> Result<()> {
        self.write("finished", &[])?;
        for rank in 0..self.identity.size {
            if !self.file(rank, "finished")?.exists() {
                return Ok(());
            }
        }
        // All have finished. Two may come here at the same time; what one has removed the other need not.
        match fs::remove_dir_all(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(FabricError::Bootstrap(format!(
                "cannot remove {}: {error}",
                self.path.display()
            ))),
            _ => Ok(()),
        }
    }

    fn lost(&self) -> Option<Rank> {
        None
    }
}
