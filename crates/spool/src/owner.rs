//! Who owns the folder of a spool.

use crate::processes::machine;
use std::fs;
use std::path::Path;

/// The file that says who owns the folder.
pub const OWNER: &str = "owner";

/// The owner of a spool folder: a process of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    pid: u32,
    started: u64,
    machine: String,
}

impl Owner {
    /// A living process of this machine.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        Some(Self {
            pid,
            started: farside_processes::start_time(pid)?,
            machine: machine().to_string(),
        })
    }

    /// Who owns `folder`, if it is said there.
    #[must_use]
    pub fn read(folder: &Path) -> Option<Self> {
        let text = fs::read_to_string(folder.join(OWNER)).ok()?;
        let mut words = text.splitn(3, ' ');
        Some(Self {
            pid: words.next()?.parse().ok()?,
            started: words.next()?.parse().ok()?,
            machine: words.next()?.to_string(),
        })
    }

    /// What the file [`OWNER`] holds.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} {} {}", self.pid, self.started, self.machine)
    }

    /// Its process id and start time.
    #[must_use]
    pub fn process(&self) -> (u32, u64) {
        (self.pid, self.started)
    }

    /// Whether the folder may be swept: its owner ran where we run, and is dead.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        machine().to_string() == self.machine && Self::of(self.pid).as_ref() != Some(self)
    }
}
