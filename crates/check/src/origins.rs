//! Who launched a process: what tells the processes of two jobs apart.
//!
//! The launcher's traces are in the environment and the ancestors of a living process. A process may end within
//! milliseconds of its recording's begin, so a thread waits for new recordings (inotify) and looks at once. Where
//! that is not possible, processes are looked at when the spool is next read.
//!
//! Of processes of another host it is told by who brings their recordings. Limit: of processes of a container that
//! writes into the spool itself nothing is known.

use farside_spool::elsewhere;
use farside_spool::format::Recording;
use farside_spool::processes::{Launched, machine};
use rustix::fs::inotify;
use std::collections::HashMap;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The origins of all processes that record into one folder.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    folder: PathBuf,
    known: Known,
}

type Known = Arc<Mutex<HashMap<Recording, Origin>>>;

impl Origins {
    /// Begins to watch `folder`.
    pub(crate) fn watch(folder: &Path) -> Self {
        let origins = Self {
            folder: folder.to_path_buf(),
            known: Known::default(),
        };
        let Ok(watch) = inotify::init(inotify::CreateFlags::CLOEXEC) else {
            return origins;
        };
        let new_files = inotify::WatchFlags::CREATE | inotify::WatchFlags::MOVED_TO;
        if inotify::add_watch(&watch, folder, new_files).is_ok() {
            let (folder, known) = (origins.folder.clone(), Arc::clone(&origins.known));
            std::thread::spawn(move || {
                let mut buffer = [MaybeUninit::uninit(); 4096];
                let mut events = inotify::Reader::new(watch, &mut buffer);
                // Ends with the folder: its last event has no file name.
                while let Ok(event) = events.next()
                    && let Some(name) = event.file_name()
                {
                    if let Some(recording) = name.to_str().ok().and_then(begun_by) {
                        look(&folder, &known, recording);
                    }
                }
            });
        }
        origins
    }

    /// The origin of a process, from when its recording began if possible.
    pub(crate) fn of(&self, recording: Recording) -> Origin {
        look(&self.folder, &self.known, recording)
    }
}

/// The recording whose first chunk, or the draft of it, has this name.
fn begun_by(name: &str) -> Option<Recording> {
    let (recording, number) = Recording::parse_chunk_name(name.strip_suffix(".new").unwrap_or(name))?;
    (number == 0).then_some(recording)
}

fn look(folder: &Path, known: &Known, recording: Recording) -> Origin {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(recording)
        .or_insert_with(|| Origin::of(folder, recording))
        .clone()
}

/// Who launched an MPI process: what tells the processes of two jobs apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Equal for the processes of one job and different for another job; `None` if it could not be found out.
    pub(crate) job: Option<String>,
    /// The launcher that set the environment up, and the number of processes that it says it started.
    promised: Option<(&'static str, u32)>,
}

impl Origin {
    /// The launcher that set the environment up, and the number of processes that it says it started.
    pub(crate) fn promised(&self) -> Option<(&'static str, u32)> {
        self.promised
    }

    /// Looks at a living process; everything is unknown for one that is gone. Of one that does not run here, `folder`
    /// says it or nothing.
    fn of(folder: &Path, recording: Recording) -> Self {
        if recording.machine != machine() {
            let job = elsewhere::Origin::read(folder, recording).and_then(|origin| origin.job);
            return Self { job, promised: None };
        }
        let launched = Launched::of(recording.pid);
        Self {
            job: launched.job,
            promised: launched.promised,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_spool::processes::recording;
    use std::fs;
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
        let child_recording = recording(child.id(), 0);
        let name = child_recording.chunk_name(0);
        // Between fork and exec, the child's environment is still ours, and then for a moment empty.
        let environment = format!("/proc/{}/environ", child.id());
        while !String::from_utf8_lossy(&fs::read(&environment).unwrap()).contains("job 7") {
            std::thread::yield_now();
        }
        fs::write(folder.path().join(format!("{name}.new")), "").unwrap();
        while origins.known.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        drop(child.stdin.take());
        child.wait().unwrap();
        let origin = origins.of(child_recording);
        assert_eq!(origin.job.as_deref(), Some("PMIX_NAMESPACE job 7"));
        assert_eq!(origin.promised.map(|(_, n)| n), Some(3));
    }

    #[test]
    fn a_process_of_another_machine_is_not_looked_for_here() {
        let mut other = recording(std::process::id(), 0);
        other.machine.processes += 1;
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Origin::of(folder.path(), other), Origin::default());
        let told = elsewhere::Origin {
            host: "h2".into(),
            job: Some("job 7".into()),
        };
        told.write(folder.path(), other).unwrap();
        assert_eq!(Origin::of(folder.path(), other).job, told.job);
    }

    #[test]
    fn first_chunks() {
        let own = recording(std::process::id(), 0);
        assert_eq!(begun_by(&format!("{}.new", own.chunk_name(0))), Some(own));
        assert_eq!((begun_by(&own.chunk_name(1)), begun_by("owner")), (None, None));
    }
}
