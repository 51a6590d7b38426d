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
        // The compiler writes the name into the debug information, which is text.
        if file.to_str().is_none() {
            let why = "its name is not UTF-8: rename it, or give a link to it".into();
            return Err(Fault::NotLinted(file.clone(), why));
        }
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
                options: for_compiler(language, options.to_vec()),
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
    let count = entries.len();
    let units = entries.into_iter().filter_map(|entry| {
        let words = entry
            .arguments
            .unwrap_or_else(|| entry.command.as_deref().map(words).unwrap_or_default());
        let mut options: Vec<OsString> = relevant(&words).into_iter().map(OsString::from).collect();
        options.extend(more.iter().cloned());
        let language = language(&entry.file)?;
        Some(Unit {
            language,
            file: entry.directory.join(&entry.file),
            options: for_compiler(language, options),
            folder: Some(entry.directory),
        })
    });
    let units: Vec<Unit> = units.collect();
    match (units.is_empty(), count) {
        (false, _) => Ok(units),
        (true, 0) => Err(Fault::NotLinted(path.to_path_buf(), "it names no sources".into())),
        (true, _) => {
            let why = format!("it names {count} files, none of which is a source that can be read");
            Err(Fault::NotLinted(path.to_path_buf(), why))
        }
    }
}

/// The options that say what the source means; warnings, optimisation and outputs are left out.
fn relevant(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let with_value = [
            "-I",
            "-D",
            "-U",
            "-J",
            "-module-dir",
            "-include",
            "-isystem",
            "-iquote",
        ];
        if with_value.contains(&word.as_str()) {
            kept.push(word.clone());
            kept.extend(rest.next().cloned());
        } else if [
            "-I", "-D", "-U", "-J", "-std=", "-fopenmp", "-isystem", "-include", "-pthread",
        ]
        .iter()
        .chain(&OF_FORTRAN)
        .any(|start| word.starts_with(start))
        {
            kept.push(word.clone());
        }
    }
    kept
}

/// Beginnings of options that change what a source in Fortran means. Those that only gfortran has are among them: a
/// source that needs one is refused, not misread.
const OF_FORTRAN: [&str; 17] = [
    "-cpp",
    "-nocpp",
    "-fbackslash",
    "-fno-backslash",
    "-fconvert=",
    "-fdefault-",
    "-ffixed-form",
    "-ffixed-line-length",
    "-ffree-form",
    "-fimplicit-none",
    "-finteger-4-integer-8",
    "-flogical-abbreviations",
    "-fno-automatic",
    "-fopenacc",
    "-freal-",
    "-fsave-main-program",
    "-fxor-operator",
];

/// Options as the compiler takes them that reads the source: of gfortran's, flang refuses many.
fn for_compiler(language: Language, options: Vec<OsString>) -> Vec<OsString> {
    if language != Language::Fortran {
        return options;
    }
    let mut taken = Vec::new();
    let mut rest = options.into_iter();
    while let Some(option) = rest.next() {
        let word = option.to_string_lossy();
        // Modules are made in a folder of the lint's own; those that lie there already are looked for.
        let folder = match &*word {
            "-J" | "-module-dir" => rest.next(),
            _ => word.strip_prefix("-J").map(OsString::from),
        };
        if let Some(folder) = folder {
            taken.extend(["-I".into(), folder]);
        } else if !is_of_no_meaning(&word) {
            taken.push(option);
        }
    }
    taken
}

/// Whether an option of a compiler of Fortran does not change what a source means: standards that the compiler is to
/// warn of, checks, warnings, optimisation.
fn is_of_no_meaning(word: &str) -> bool {
    let kept = OF_FORTRAN.iter().chain(&["-fopenmp", "-std=f2018", "-mllvm"]);
    let dropped = [
        "-f",
        "-std=",
        "-W",
        "-O",
        "-g",
        "-m",
        "-pedantic",
        "-pipe",
        "-pthread",
    ];
    !kept.into_iter().any(|start| word.starts_with(start))
        && dropped.iter().any(|start| word.starts_with(start))
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

    #[test]
    fn options_of_gfortran_become_those_of_flang() {
        let given = "gfortran -O2 -ffree-line-length-none -fallow-argument-mismatch -std=legacy -fcheck=all \
                     -fbacktrace -J mods -Jmore -Iinc -DX -fcray-pointer -fno-range-check -finit-local-zero \
                     -fmax-errors=5 -fdefault-real-8 -ffixed-line-length-132 -fopenmp -cpp";
        let options = |words: Vec<String>| words.into_iter().map(OsString::from).collect::<Vec<_>>();
        let wanted = "-I mods -I more -Iinc -DX -fdefault-real-8 -ffixed-line-length-132 -fopenmp -cpp";
        let taken = for_compiler(Language::Fortran, options(words(given)[1..].to_vec()));
        assert_eq!(taken, options(words(wanted)));
        let of_database = for_compiler(Language::Fortran, options(relevant(&words(given))));
        assert_eq!(of_database, options(words(wanted)));
        assert_eq!(for_compiler(Language::C, vec!["-O2".into()]), ["-O2"]);
    }
}
