//! Finding programs and asking them for their version, without trusting them to answer.

use super::Found;
use crate::fault::plain;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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
    let mut child = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdout = child.stdout.take()?;
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = stdout.read_to_end(&mut text);
        text
    });
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => {
                let text = reader.join().ok()?;
                return status
                    .success()
                    .then(|| String::from_utf8_lossy(&text).into_owned());
            }
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(5)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
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

/// Files whose names begin with `prefix`, in folders that match: each folder pattern may hold one `*` as a whole or
/// partial last-but-one component.
pub(super) fn libraries(folders: &[&str], prefix: &str) -> Vec<Found> {
    let mut seen = BTreeSet::new();
    let mut list = Vec::new();
    for folder in folders.iter().flat_map(|pattern| expand(pattern)) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let matches = entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.starts_with(prefix));
            if matches && fs::canonicalize(entry.path()).is_ok_and(|real| seen.insert(real)) {
                list.push(found(&entry.path(), ""));
            }
        }
    }
    list
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
        fs::write(base.path().join("llvm-19/lib/libomp.so.5"), "").unwrap();
        let pattern = format!("{}/llvm-*/lib", base.path().display());
        assert_eq!(expand(&pattern).len(), 2);
        assert_eq!(libraries(&[&pattern], "libomp.so").len(), 1);
    }
}
