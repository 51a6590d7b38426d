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
    #[error("no such program: {0}; {what_to_do}", what_to_do = where_missing(.0))]
    NotThere(String),
    /// It is there, but may not be run.
    #[error("not executable: {path}: {why}{what_to_do}", path = .0.display(), why = .1, what_to_do = where_denied(.0))]
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

/// What to do about a program that is not there.
fn where_missing(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or(program);
    if name.starts_with("mpirun") || name.starts_with("mpiexec") {
        "install an MPI library (Debian: openmpi-bin libopenmpi-dev, or mpich libmpich-dev); `farside doctor` lists \
         what is here"
            .into()
    } else if matches!(program, "-n" | "-np") {
        "it is an option of the launcher, which comes first: mpirun -n 2 ./program".into()
    } else if program.starts_with('-') {
        "it is no option of this command either, whose --help lists them".into()
    } else if program.contains('/') {
        match std::env::current_dir() {
            Ok(here) if !program.starts_with('/') => {
                format!("build it, or say where it is (this is {})", here.display())
            }
            _ => "build it, or say where it is".into(),
        }
    } else if Path::new(program).is_dir() {
        "it is a folder; name the program in it".into()
    } else if Path::new(program).exists() {
        format!("there is one in this folder: ./{program}")
    } else {
        "no folder of PATH has it: install it, or give its path".into()
    }
}

/// What to do about a file that is no program.
fn where_denied(path: &Path) -> String {
    let shown = plain(&path.to_string_lossy());
    let compiled = plain(&path.with_extension("").to_string_lossy());
    let wrapper = match path.extension().and_then(OsStr::to_str) {
        _ if path.is_dir() => return "; name the program in it".into(),
        Some("c") => "cc mpicc",
        Some("cc" | "cpp" | "cxx" | "C") => "cxx mpicxx",
        Some("f" | "F" | "f90" | "F90" | "f08" | "F08") => "fc mpifort",
        Some("py") => return format!("; run its interpreter: python3 {shown}"),
        _ => return format!("; `chmod +x {shown}` gives it, if it is a program"),
    };
    format!("; it is a source: `farside {wrapper} -g {shown} -o {compiled}` makes the program")
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
        let launcher = find(OsStr::new("-np"), None).unwrap_err().to_string();
        assert!(launcher.ends_with("mpirun -n 2 ./program"), "{launcher}");
        let folder = find(OsStr::new("src"), None).unwrap_err().to_string();
        assert!(
            folder.ends_with("it is a folder; name the program in it"),
            "{folder}"
        );
        let unknown = find(OsStr::new("no-such-program"), None).unwrap_err().to_string();
        assert!(unknown.ends_with("install it, or give its path"), "{unknown}");
        // Tests run in the folder of the crate.
        let here = find(OsStr::new("Cargo.toml"), None).unwrap_err().to_string();
        assert!(here.ends_with("in this folder: ./Cargo.toml"), "{here}");
        let unbuilt = find(OsStr::new("./unbuilt"), None).unwrap_err().to_string();
        assert!(
            unbuilt.contains("build it, or say where it is (this is /"),
            "{unbuilt}"
        );
        for there in ["/etc", "/etc/passwd"] {
            let found = find(OsStr::new(there), None);
            assert!(matches!(found, Err(Unusable::NotExecutable(..))));
        }
        assert!(find(OsStr::new("sh"), None).is_ok());
    }

    #[test]
    fn what_is_no_program_says_what_makes_one() {
        let said = |path: &str| {
            let why = "it has no execute permission for you";
            Unusable::NotExecutable(path.into(), why).to_string()
        };
        for (path, expected) in [
            (
                "./heat.c",
                "`farside cc mpicc -g ./heat.c -o ./heat` makes the program",
            ),
            (
                "mesh.cpp",
                "`farside cxx mpicxx -g mesh.cpp -o mesh` makes the program",
            ),
            ("a.F90", "`farside fc mpifort -g a.F90 -o a` makes the program"),
            ("prog.py", "run its interpreter: python3 prog.py"),
            ("./run", "`chmod +x ./run` gives it, if it is a program"),
            ("/etc", "name the program in it"),
        ] {
            let said = said(path);
            assert!(
                said.starts_with(&format!("not executable: {path}: ")) && said.ends_with(expected),
                "{said}"
            );
        }
    }
}
