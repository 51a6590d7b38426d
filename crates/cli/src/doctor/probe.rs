//! Finding programs and asking them for their version, without trusting them to answer.

use super::Found;
use farside_processes::limited::{self, Ended};
use farside_processes::plain;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// The programs of these names in `PATH`, each file once.
pub(super) fn programs(names: &[&str]) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut seen = BTreeSet::new();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .filter(|file| rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok() && file.is_file())
        .filter(|file| fs::canonicalize(file).is_ok_and(|real| seen.insert(real)))
        .collect()
}

/// Everything that a program prints when it runs with `argument`; `None` if it does not run or does not end.
pub(super) fn answer(program: &Path, argument: &str) -> Option<String> {
    match limited::run(Command::new(program).arg(argument), PATIENCE) {
        Ended::Exited(output) if output.status.success() => {
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        _ => None,
    }
}

/// The first line of a program's `--version`.
pub(super) fn with_version(program: &Path) -> Found {
    let text = answer(program, "--version").unwrap_or_default();
    found(
        program,
        text.lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default(),
    )
}

/// A program or library with its version.
pub(super) fn found(path: &Path, version: &str) -> Found {
    Found {
        path: plain(&path.display().to_string()),
        version: plain(version.trim()),
    }
}

/// Files whose names begin with `prefix`, each once: where the loader looks (`LD_LIBRARY_PATH`, its cache, its own
/// folders), and in `folders`, each of which may hold one `*`.
pub(super) fn libraries(folders: &[&str], prefix: &str) -> Vec<Found> {
    const LOADER: [&str; 6] = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/local/lib",
        "/usr/local/lib64",
        "/usr/lib64",
        "/usr/lib",
    ];
    let named = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let named: Vec<PathBuf> = std::env::split_paths(&named)
        .filter(|folder| folder.is_absolute())
        .collect();
    let known = LOADER.iter().chain(folders).flat_map(|pattern| expand(pattern));
    let files = |folder: PathBuf| {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
    };
    let begins = |file: &PathBuf| {
        let name = file.file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| name.starts_with(prefix))
    };
    let mut seen = BTreeSet::new();
    let all = named
        .into_iter()
        .flat_map(files)
        .chain(cached())
        .chain(known.flat_map(files));
    all.filter(begins)
        .filter_map(|file| Some((fs::canonicalize(&file).ok()?, file)))
        .filter(|(real, _)| seen.insert(real.clone()))
        .map(|(real, file)| found(&file, version_in_name(&real)))
        .collect()
}

/// The libraries in the loader's cache.
fn cached() -> Vec<PathBuf> {
    let found = programs(&["ldconfig"]).into_iter().next();
    let list = answer(&found.unwrap_or_else(|| "/sbin/ldconfig".into()), "-p").unwrap_or_default();
    let files = list.lines().filter_map(|line| line.split_once("=> "));
    files.map(|(_, file)| file.trim().into()).collect()
}

/// `1.18.1` in `libfabric.so.1.18.1`; a number alone is that of the interface, and says nothing.
fn version_in_name(file: &Path) -> &str {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let version = name.split_once(".so.").map_or("", |(_, version)| version);
    if version.contains('.') { version } else { "" }
}

/// Folders that a pattern like `/usr/lib/llvm-*/lib` stands for.
fn expand(pattern: &str) -> Vec<PathBuf> {
    let Some((before, after)) = pattern.split_once('*') else {
        return vec![pattern.into()];
    };
    let (parent, start) = before.rsplit_once('/').unwrap_or(("", before));
    let mut folders: Vec<PathBuf> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.starts_with(start))
        })
        .map(|entry| PathBuf::from(format!("{}{after}", entry.path().display())))
        .collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_once_and_answer() {
        let shells = programs(&["sh", "sh"]);
        assert!(!shells.is_empty());
        assert!(programs(&["no-such-program-here"]).is_empty());
        let echo = &programs(&["echo"])[0];
        assert_eq!(answer(echo, "hello").as_deref(), Some("hello\n"));
        assert_eq!(answer(&programs(&["false"])[0], "x"), None);
    }

    #[test]
    fn folders_by_pattern() {
        let base = tempfile::tempdir().unwrap();
        for version in ["llvm-14", "llvm-19", "other"] {
            fs::create_dir_all(base.path().join(version).join("lib")).unwrap();
        }
        fs::write(base.path().join("llvm-19/lib/libomp.so.5x"), "").unwrap();
        let pattern = format!("{}/llvm-*/lib", base.path().display());
        assert_eq!(expand(&pattern).len(), 2);
        assert_eq!(libraries(&[&pattern], "libomp.so.5x").len(), 1);
        assert_eq!(version_in_name(Path::new("/x/libfabric.so.1.18.1")), "1.18.1");
        assert_eq!(version_in_name(Path::new("/x/libfabric.so.1")), "");
    }
}
