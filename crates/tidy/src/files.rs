//! The files that people write and read, by their kind.
//!
//! Left out: results of benchmarks, snapshots and expected outputs, data, and what other tools format.

use std::path::Path;
use std::process::Command;

/// How the text of a file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Rust: comments and string literals are for people.
    Rust,
    /// C and C++: likewise.
    C,
    /// Markdown: all of it is.
    Markdown,
    /// Scripts, programs of the libraries of tests, models: all of it is, too.
    Plain,
}

/// A file of the project.
pub(crate) struct File {
    /// From the root of the project.
    name: String,
    kind: Kind,
    text: String,
}

impl File {
    pub(crate) fn new(name: &str, kind: Kind, text: String) -> Self {
        let name = name.to_owned();
        Self { name, kind, text }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// All files that git knows or would add, in the order of their names.
pub(crate) fn all(root: &Path) -> Result<Vec<File>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git ls-files: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "git ls-files: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    let mut names: Vec<&str> = std::str::from_utf8(&output.stdout)
        .map_err(|error| format!("git ls-files: {error}"))?
        .split_terminator('\0')
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut files = Vec::new();
    for name in names {
        let path = root.join(name);
        let Some(kind) = kind(name) else { continue };
        // What git knows may be deleted, and a link is not a file of its own.
        if !path.symlink_metadata().is_ok_and(|data| data.is_file()) {
            continue;
        }
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        files.push(File::new(name, kind, text));
    }
    Ok(files)
}

/// The kind of a file by its name; none if nobody is to read it here.
fn kind(name: &str) -> Option<Kind> {
    if name.starts_with("bench/results/") {
        return None;
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    match last.rsplit_once('.').map(|(_, ending)| ending) {
        Some("rs") => Some(Kind::Rust),
        Some("c" | "cpp" | "h" | "hpp") => Some(Kind::C),
        Some("md") => Some(Kind::Markdown),
        Some("sh" | "py" | "f90" | "litmus" | "pgas" | "model") => Some(Kind::Plain),
        None if name.starts_with("scripts/") || last == "Makefile" || name.starts_with(".ci/") => {
            Some(Kind::Plain)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, kind};

    #[test]
    fn kinds_are_known_by_name() {
        assert_eq!(kind("crates/race/src/lib.rs"), Some(Kind::Rust));
        assert_eq!(kind("scripts/vm"), Some(Kind::Plain));
        assert_eq!(kind("docs/check.md"), Some(Kind::Markdown));
        assert_eq!(kind("bench/results/2026-11-21-vm/table.md"), None);
        assert_eq!(kind("crates/misuse/tests/misuse/a.stderr"), None);
    }
}
