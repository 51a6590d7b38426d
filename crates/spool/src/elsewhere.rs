//! What is known of a process of another host: two files beside its chunks, by who brings them from there.
//!
//! `RECORDING.origin` is there before the first chunk: the name of the host, and the job. `RECORDING.end` comes when
//! nothing more can come of a recording that was not sealed. Both appear whole.

use crate::format::Recording;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const ORIGIN: &str = "origin";
const END: &str = "end";
const PROCESS: &str = "process";
const HOST: &str = "host";

/// Where a recording comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The name of the host, in one line.
    pub host: String,
    /// See [`Launched::job`](crate::processes::Launched::job).
    pub job: Option<String>,
}

/// Why nothing more comes of a recording that was not sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gone {
    /// The process ended.
    Process,
    /// Its host cannot be reached any more.
    Host,
}

impl Origin {
    /// Says it in `folder`.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, folder: &Path, recording: Recording) -> io::Result<()> {
        let one_line = |text: &str| text.replace('\n', " ");
        let job = self.job.as_deref().map_or_else(String::new, one_line);
        let path = path(folder, recording, ORIGIN);
        let draft = path.with_extension("draft");
        fs::write(&draft, format!("{}\n{job}", one_line(&self.host)))?;
        fs::rename(draft, path)
    }

    /// What `folder` says of it.
    #[must_use]
    pub fn read(folder: &Path, recording: Recording) -> Option<Self> {
        let text = fs::read_to_string(path(folder, recording, ORIGIN)).ok()?;
        let (host, job) = text.split_once('\n')?;
        Some(Self {
            host: host.to_string(),
            job: (!job.is_empty()).then(|| job.to_string()),
        })
    }
}

impl Gone {
    /// Says it in `folder`; of a recording of which it is said already, nothing changes.
    pub fn write(self, folder: &Path, recording: Recording) {
        let word = match self {
            Self::Process => PROCESS,
            Self::Host => HOST,
        };
        // One that fails leaves a recording that is cut some time after the command's end.
        let _ = symlink(word, path(folder, recording, END));
    }

    /// What `folder` says of it.
    #[must_use]
    pub fn read(folder: &Path, recording: Recording) -> Option<Self> {
        let word = fs::read_link(path(folder, recording, END)).ok()?;
        Some(if word == Path::new(PROCESS) {
            Self::Process
        } else {
            Self::Host
        })
    }
}

/// Whether a file of a spool folder is one of these, or a draft of one.
#[must_use]
pub fn is_of(name: &str) -> bool {
    let Some((recording, kind)) = name.split_once('.') else {
        return false;
    };
    [ORIGIN, END, "draft"].contains(&kind) && Recording::parse(recording).is_some()
}

fn path(folder: &Path, recording: Recording, kind: &str) -> PathBuf {
    folder.join(format!("{recording}.{kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::recording;

    #[test]
    fn what_is_said_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let recording = recording(7, 0);
        assert_eq!(Origin::read(folder.path(), recording), None);
        assert_eq!(Gone::read(folder.path(), recording), None);
        for job in [None, Some("PMIX_NAMESPACE 1".to_string())] {
            let origin = Origin {
                host: "h2".into(),
                job,
            };
            origin.write(folder.path(), recording).unwrap();
            assert_eq!(Origin::read(folder.path(), recording), Some(origin));
        }
        Gone::Process.write(folder.path(), recording);
        Gone::Host.write(folder.path(), recording);
        assert_eq!(Gone::read(folder.path(), recording), Some(Gone::Process));
        for entry in fs::read_dir(folder.path()).unwrap() {
            assert!(is_of(entry.unwrap().file_name().to_str().unwrap()));
        }
        assert!(!is_of("owner.end") && !is_of(&recording.chunk_name(0)));
    }
}
