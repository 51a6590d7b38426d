//! Where results go: stdout or a file, checked before the work starts.

use crate::fault::Fault;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Says a line on stderr, like `eprintln!`, which panics where nobody reads stderr any more.
macro_rules! say {
    ($($what:tt)*) => {
        $crate::output::say_words(::std::format_args!($($what)*))
    };
}
pub(crate) use say;

/// Where a result goes.
#[derive(Debug)]
pub(crate) enum Destination {
    /// Standard output.
    Stdout,
    /// A file, which is replaced.
    File(PathBuf),
}

impl Destination {
    /// A file that can be written, or stdout.
    pub(crate) fn checked(path: Option<&Path>) -> Result<Self, Fault> {
        let Some(path) = path else { return Ok(Self::Stdout) };
        let writable = match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(found) if found.is_file() => OpenOptions::new().write(true).open(path).map(drop),
            // A pipe or device: opening it could block or have effects.
            Ok(_) => Ok(()),
            Err(_) => tempfile::tempfile_in(folder_of(path)).map(drop),
        };
        match writable {
            Ok(()) => Ok(Self::File(path.to_path_buf())),
            Err(error) => Err(Fault::Unwritable(path.to_path_buf(), error)),
        }
    }

    /// Writes the whole of `text`. A reader that has closed the pipe is no error.
    pub(crate) fn write(&self, text: &str) -> Result<(), Fault> {
        match self {
            Self::Stdout => print(text),
            Self::File(path) => fs::write(path, text).map_err(|error| Fault::Unwritable(path.clone(), error)),
        }
    }

    /// Says on stderr what was found, and in which file the rest stands; nothing if it stands on stdout or in a device.
    pub(crate) fn tell(&self, found: &str) {
        if let Self::File(path) = self
            && path.is_file()
        {
            say!("farside: {found}; the report is in {}", path.display());
        }
    }
}

/// Writes to stdout. A reader that has closed the pipe is no error.
pub(crate) fn print(text: &str) -> Result<(), Fault> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Fault::Unwritable("stdout".into(), error)),
        _ => Ok(()),
    }
}

/// Says a line on stderr. That nobody reads it is no error.
pub(crate) fn say_words(words: std::fmt::Arguments<'_>) {
    // Nothing can be done about a stderr that is gone.
    let _ = std::io::stderr()
        .lock()
        .write_all(format!("{words}\n").as_bytes());
}

/// What the user can put right, as it is said.
pub(crate) fn shown(fault: &Fault) -> String {
    format!("farside: {fault}\n")
}

/// Says on stderr what the user can put right.
pub(crate) fn complain(fault: &Fault) {
    // Nothing can be done about a stderr that is gone.
    let _ = std::io::stderr().write_all(shown(fault).as_bytes());
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checking_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("report.json");
        assert!(Destination::checked(Some(&new)).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let old = folder.path().join("old");
        fs::write(&old, "content").unwrap();
        assert!(Destination::checked(Some(&old)).is_ok());
        assert_eq!(fs::read_to_string(&old).unwrap(), "content");
        for wrong in [
            folder.path().to_path_buf(),
            folder.path().join("missing/report.json"),
        ] {
            assert!(matches!(
                Destination::checked(Some(&wrong)),
                Err(Fault::Unwritable(..))
            ));
        }
    }
}
