//! Which files are compiled, and with which options.

use crate::fault::Fault;
use crate::kinds::{self, Language, language};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    pub(super) file: PathBuf,
    pub(super) language: Language,
    /// Options for the compiler.
    pub(super) options: Vec<OsString>,
    /// Where the compiler is started.
    pub(super) folder: Option<PathBuf>,
}

impl Unit {
    /// The file.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The file as the compiler is told it, and so names it.
    pub(crate) fn whole_path(&self) -> PathBuf {
        std::path::absolute(&self.file).unwrap_or_else(|_| self.file.clone())
    }

    /// Another file in place of it, for which headers lie where this one does.
    pub(crate) fn in_place(&self, file: PathBuf) -> Self {
        let mut unit = self.clone();
        if let Some(folder) = self.whole_path().parent() {
            unit.options
                .splice(0..0, [OsString::from("-iquote"), folder.into()]);
        }
        unit.file = file;
        unit
    }
}

/// An entry of a JSON compilation database, as CMake and others write it.
#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// The units that files are, with these options for the compiler.
///
/// # Errors
/// A file is not there, or no source.
pub(crate) fn units(files: &[PathBuf], options: &[OsString]) -> Result<Vec<Unit>, Fault> {
    let mut units = Vec::new();
    for file in files {
        if file.extension().is_some_and(|extension| extension == "json") {
            units.extend(database(file, options)?);
        } else {
            let language = language(file).ok_or_else(|| {
                let why = if file.is_dir() {
                    "it is a folder; name its sources, or its compile_commands.json".into()
                } else {
                    kinds::taken_by_another(file, "lint").unwrap_or_else(|| {
                        "its name does not say what it is: .c, .cc, .cpp, .cxx, .f90, .F90, .ll or .bc".into()
                    })
                };
                Fault::NotLinted(file.clone(), why)
            })?;
            std::fs::metadata(file).map_err(|error| Fault::Unreadable(file.clone(), error))?;
            units.push(Unit {
                file: file.clone(),
                language,
                options: options.to_vec(),
                folder: None,
            });
        }
    }
    Ok(units)
}

fn database(path: &Path, more: &[OsString]) -> Result<Vec<Unit>, Fault> {
    let text = std::fs::read_to_string(path).map_err(|error| Fault::Unreadable(path.to_path_buf(), error))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        let why = format!(
            "not a compilation database: {error}; CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear(1) for \
             make"
        );
        Fault::NotLinted(path.to_path_buf(), why)
    })?;
    let units = entries.into_iter().filter_map(|entry| {
        let words = entry
            .arguments
            .unwrap_or_else(|| entry.command.as_deref().map(words).unwrap_or_default());
        let mut options: Vec<OsString> = relevant(&words).into_iter().map(OsString::from).collect();
        options.extend(more.iter().cloned());
        Some(Unit {
            language: language(&entry.file)?,
            file: entry.directory.join(&entry.file),
            options,
            folder: Some(entry.directory),
        })
    });
    Ok(units.collect())
}

/// The options that say what the source means; warnings, optimisation and outputs are left out.
fn relevant(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let with_value = ["-I", "-D", "-U", "-include", "-isystem", "-iquote"];
        if with_value.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(rest.next().cloned());
        } else if [
            "-I", "-D", "-U", "-std=", "-fopenmp", "-isystem", "-include", "-pthread",
        ]
        .iter()
        .any(|start| word.starts_with(start))
        {
            kept.push(word.clone());
        }
    }
    kept
}

/// Splits a command as a shell does, without expansions.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut inside, mut quote) = (Vec::new(), String::new(), false, None);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(mark), _) if letter == mark => quote = None,
            (Some('\''), _) => word.push(letter),
            (_, '\\') => word.extend(letters.next()),
            (None, '\'' | '"') => (quote, inside) = (Some(letter), true),
            (None, _) if letter.is_whitespace() => {
                if inside || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                inside = false;
            }
            _ => word.push(letter),
        }
    }
    if inside || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(
            words(r#"cc -DA="b c" 'd e' f\ g"#),
            ["cc", "-DA=b c", "d e", "f g"]
        );
        assert_eq!(words(r#"cc "" x"#), ["cc", "", "x"]);
    }

    #[test]
    fn only_options_that_change_the_meaning_are_kept() {
        let command = words("mpicc -O2 -Wall -Iinc -I more -DX=1 -o a.o -c a.c -fopenmp");
        assert_eq!(relevant(&command), ["-Iinc", "-I", "more", "-DX=1", "-fopenmp"]);
    }
}
