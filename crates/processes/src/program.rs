//! The file that a program's name stands for, and why it cannot be started.

use crate::plain;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Why a program cannot be started.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It is not there.
    #[error("no such program: {0}{hint}", hint = launcher_hint(.0))]
    NotThere(String),
    /// It is there, but may not be run.
    #[error("not executable: {path}: {why}", path = .0.display(), why = .1)]
    NotExecutable(PathBuf, &'static str),
}

impl Unusable {
    /// What the system's error says of a program, where it speaks of the program.
    #[must_use]
    pub fn of(name: &OsStr, error: &std::io::Error) -> Option<Self> {
        match error.kind() {
            std::io::ErrorKind::NotFound => Some(Self::NotThere(plain(&name.to_string_lossy()))),
            std::io::ErrorKind::PermissionDenied => Some(Self::NotExecutable(
                name.into(),
                "it has no execute permission for you",
            )),
            _ => None,
        }
    }
}

fn launcher_hint(program: &str) -> &'static str {
    let name = program.rsplit('/').next().unwrap_or(program);
    if name.starts_with("mpirun") || name.starts_with("mpiexec") {
        "; install an MPI library (Debian: openmpi-bin libopenmpi-dev, or mpich libmpich-dev); `farside doctor` lists \
         what is here"
    } else if program.starts_with('-') {
        "; it is no option of this command either, whose --help lists them"
    } else {
        ""
    }
}

/// The file that a program name stands for, as the shell would find it, or in one more folder.
///
/// # Errors
/// There is none, or none that may be run.
pub fn find(name: &OsStr, also_in: Option<&Path>) -> Result<PathBuf, Unusable> {
    let not_there = || Unusable::NotThere(plain(&name.to_string_lossy()));
    let direct = Path::new(name);
    if name.as_encoded_bytes().contains(&b'/') {
        return executable(direct).unwrap_or_else(|| Err(not_there()));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(also_in.map(Path::to_path_buf));
    let mut denied = None;
    for found in folders.filter_map(|folder| executable(&folder.join(direct))) {
        match found {
            Ok(path) => return Ok(path),
            Err(unusable) => denied = denied.or(Some(unusable)),
        }
    }
    Err(denied.unwrap_or_else(not_there))
}

/// A file that can be executed, or why it cannot; `None` if there is no such file.
fn executable(path: &Path) -> Option<Result<PathBuf, Unusable>> {
    let metadata = fs::metadata(path).ok()?;
    let denied = |why| Some(Err(Unusable::NotExecutable(path.to_path_buf(), why)));
    if metadata.is_dir() {
        return denied("it is a folder");
    }
    let access = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    if !access || metadata.permissions().mode() & 0o111 == 0 {
        return denied("it has no execute permission for you");
    }
    Some(Ok(path.to_path_buf()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let missing = find(OsStr::new("/nowhere/mpirun"), None).unwrap_err();
        let words = missing.to_string();
        assert!(
            words.starts_with("no such program: /nowhere/mpirun; install an MPI"),
            "{words}"
        );
        let option = find(OsStr::new("--formt"), None).unwrap_err().to_string();
        assert!(option.ends_with("whose --help lists them"), "{option}");
        for there in ["/etc", "/etc/passwd"] {
            let found = find(OsStr::new(there), None);
            assert!(matches!(found, Err(Unusable::NotExecutable(..))));
        }
        assert!(find(OsStr::new("sh"), None).is_ok());
    }
}
