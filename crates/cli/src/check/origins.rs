//! Who launched a process: what tells the processes of two jobs apart.
//!
//! The launcher's traces are in the environment and the ancestors of a living process. A process may end within
//! milliseconds of its recording's begin, so a thread waits for new recordings (inotify) and looks at once. Where
//! that is not possible, processes are looked at when the spool is next read.

use crate::processes;
use farside_trace::Recording;
use rustix::fs::inotify;
use std::collections::HashMap;
use std::fs;
use std::mem::MaybeUninit;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The origins of all processes that record into one folder.
#[derive(Debug, Default)]
pub(super) struct Origins(Arc<Mutex<HashMap<u32, Origin>>>);

impl Origins {
    /// Begins to watch `folder`.
    pub(super) fn watch(folder: &Path) -> Self {
        let origins = Self::default();
        let Ok(watch) = inotify::init(inotify::CreateFlags::CLOEXEC) else {
            return origins;
        };
        let new_files = inotify::WatchFlags::CREATE | inotify::WatchFlags::MOVED_TO;
        if inotify::add_watch(&watch, folder, new_files).is_ok() {
            let known = Arc::clone(&origins.0);
            std::thread::spawn(move || {
                let mut buffer = [MaybeUninit::uninit(); 4096];
                let mut events = inotify::Reader::new(watch, &mut buffer);
                // Ends with the folder: its last event has no file name.
                while let Ok(event) = events.next()
                    && let Some(name) = event.file_name()
                {
                    if let Some(pid) = name.to_str().ok().and_then(begun_by) {
                        look(&known, pid);
                    }
                }
            });
        }
        origins
    }

    /// The origin of a process, from when its recording began if possible.
    pub(super) fn of(&self, pid: u32) -> Origin {
        look(&self.0, pid)
    }
}

/// The process whose first chunk, or the draft of it, has this name.
fn begun_by(name: &str) -> Option<u32> {
    let (recording, number) = Recording::parse_chunk_name(name.strip_suffix(".new").unwrap_or(name))?;
    (number == 0).then_some(recording.pid)
}

fn look(known: &Mutex<HashMap<u32, Origin>>, pid: u32) -> Origin {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(pid).or_insert_with(|| Origin::of(pid)).clone()
}

/// Who launched an MPI process: what tells the processes of two jobs apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    /// Equal for the processes of one job and different for another job; `None` if it could not be found out.
    pub(super) job: Option<String>,
    /// The launcher that set the environment up, and the number of processes that it says it started.
    pub(super) promised: Option<(&'static str, u32)>,
}

/// Launchers as they show in `/proc/PID/stat`, which cuts names at 15 characters.
const LAUNCHERS: [&str; 9] = [
    "mpirun",
    "mpiexec",
    "orterun",
    "prterun",
    "prte",
    "orted",
    "hydra_pmi_proxy",
    "srun",
    "slurmstepd",
];

impl Origin {
    /// Looks at a living process; everything is unknown for one that is gone.
    pub(super) fn of(pid: u32) -> Self {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        if environment.is_empty() {
            // Gone, or just going: its parent alone would say less than its siblings' environments.
            return Self::default();
        }
        let value = |name: &str| {
            environment.split(|&b| b == 0).find_map(|entry| {
                let entry = std::str::from_utf8(entry).ok()?;
                entry.strip_prefix(name)?.strip_prefix('=').map(str::to_string)
            })
        };
        let number = |name| value(name).and_then(|v| v.parse().ok());
        let promised = number("OMPI_COMM_WORLD_SIZE")
            .map(|n| ("Open MPI", n))
            .or_else(|| number("PMI_SIZE").map(|n| ("MPICH (or another PMI launcher)", n)));
        // `farside run`, Open MPI and other PMIx launchers name the job. Elsewhere the nearest launcher process stands for it.
        let job = value("FARSIDE_JOB")
            .or_else(|| value("PMIX_NAMESPACE"))
            .or_else(|| processes::ancestor(pid, is_launcher).map(|pid| format!("launcher {pid}")));
        Self { job, promised }
    }
}

fn is_launcher(name: &str) -> bool {
    LAUNCHERS.iter().any(|launcher| {
        name.strip_prefix(launcher)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn origins_outlive_their_processes() {
        let folder = tempfile::tempdir().unwrap();
        let origins = Origins::watch(folder.path());
        let mut child = Command::new("cat")
            .env("PMI_SIZE", "3")
            .env("PMIX_NAMESPACE", "job 7")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let name = Recording::of_process(child.id()).chunk_name(0);
        // Between fork and exec, the child's environment is still ours, and then for a moment empty.
        let environment = format!("/proc/{}/environ", child.id());
        while !String::from_utf8_lossy(&fs::read(&environment).unwrap()).contains("job 7") {
            std::thread::yield_now();
        }
        fs::write(folder.path().join(format!("{name}.new")), "").unwrap();
        while origins.0.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        drop(child.stdin.take());
        child.wait().unwrap();
        let origin = origins.of(child.id());
        assert_eq!(origin.job.as_deref(), Some("job 7"));
        assert_eq!(origin.promised.map(|(_, n)| n), Some(3));
    }

    #[test]
    fn launchers() {
        assert!(is_launcher("mpirun.openmpi") && is_launcher("hydra_pmi_proxy"));
        assert!(!is_launcher("mpirunner") && !is_launcher("sh"));
        assert_eq!(begun_by("12.0.chunk.new"), Some(12));
        assert_eq!((begun_by("12.1.chunk"), begun_by("owner")), (None, None));
    }
}
