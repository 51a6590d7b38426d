//! The programs of the suite, found by their names: `<topic>/<what-it-shows>-yes.c` and `-no.c`.

use crate::label::{self, Label};
use crate::language::Language;
use std::fs;
use std::path::{Path, PathBuf};

/// A program of the suite.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Its source file.
    pub(crate) path: PathBuf,
    /// The folder that it lies in.
    pub(crate) topic: String,
    /// File name without extension: `lock-without-unlock-yes`.
    pub(crate) name: String,
    /// Its language.
    pub(crate) language: Language,
    /// Its text.
    pub(crate) source: String,
    /// What the checker must say.
    pub(crate) label: Label,
}

impl Program {
    /// The name without its ending, and whether the ending promises an error; `None` if it has neither ending.
    pub(crate) fn twin(&self) -> Option<(&str, bool)> {
        twin(&self.name)
    }
}

fn twin(name: &str) -> Option<(&str, bool)> {
    name.strip_suffix("-yes")
        .map(|stem| (stem, true))
        .or_else(|| name.strip_suffix("-no").map(|stem| (stem, false)))
}

/// A file that is not a valid program, and why.
#[derive(Clone, Debug)]
pub(crate) struct Invalid {
    /// The file.
    pub(crate) path: PathBuf,
    /// What is wrong with it.
    pub(crate) reason: String,
}

/// Reads all programs of the topic folders in `root`, in the order of their paths.
pub(crate) fn discover(root: &Path) -> Result<(Vec<Program>, Vec<Invalid>), String> {
    let (mut programs, mut invalid) = (Vec::new(), Vec::new());
    for topic in entries(root)?.into_iter().filter(|path| path.is_dir()) {
        let topic_name = name_of(&topic);
        for path in entries(&topic)? {
            let Some(language) = Language::of(&path) else {
                continue;
            };
            let read = fs::read_to_string(&path).map_err(|error| error.to_string());
            match read.and_then(|source| label::parse(&source).map(|label| (source, label))) {
                Ok((source, label)) => {
                    let name = path
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into_owned();
                    programs.push(Program {
                        path,
                        topic: topic_name.clone(),
                        name,
                        language,
                        source,
                        label,
                    });
                }
                Err(reason) => invalid.push(Invalid { path, reason }),
            }
        }
    }
    Ok((programs, invalid))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let read = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_the_twin() {
        assert_eq!(twin("put-store-yes"), Some(("put-store", true)));
        assert_eq!(twin("put-store-no"), Some(("put-store", false)));
        assert_eq!(twin("put-store"), None);
    }
}
