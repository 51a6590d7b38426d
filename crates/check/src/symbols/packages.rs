//! Packages of Python: what an installer has put where it lies, and a program uses.
//!
//! Promise: a file is a package's if a list of installed files names it: `RECORD` of a `*.dist-info` folder (pip, uv,
//! conda), or `installed-files.txt` of an `*.egg-info` one, in a folder above the file. So packages are told wherever
//! they lie: in `pip install --target`, on `PYTHONPATH`. What such a list does not name is the program's own: its
//! script beside them, and a project that was installed to be edited (`pip install -e`), whose sources no list names;
//! `top_level.txt` is not asked, because an editable project has one beside its own sources.
//! Limits: packages without such a list are told by the folders that Python itself makes for them
//! ([`Place::is_in_system_header`](farside_findings::Place::is_in_system_header)). Files of other hosts are looked for
//! here.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What is known of folders with packages; each is read once.
#[derive(Debug, Default)]
pub(super) struct Packages {
    /// The files that lists in this folder name, from there.
    listed: HashMap<PathBuf, HashSet<PathBuf>>,
}

impl Packages {
    /// Whether a file belongs to a package; where its path is a relative one, from the current folder.
    pub(super) fn hold(&mut self, file: &str) -> bool {
        let Ok(file) = std::path::absolute(file) else {
            return false;
        };
        file.ancestors().skip(1).any(|folder| {
            let known = self.listed.contains_key(folder);
            let listed = match known {
                true => &self.listed[folder],
                false => self
                    .listed
                    .entry(folder.to_path_buf())
                    .or_insert_with(|| listed_in(folder)),
            };
            let inside = file.strip_prefix(folder);
            inside.is_ok_and(|inside| listed.contains(inside))
        })
    }
}

/// The files that the lists of the packages in a folder name.
fn listed_in(folder: &Path) -> HashSet<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.flat_map(|entry| listed_by(&entry.path())).collect()
}

/// The files that the list in a folder of metadata names, from the folder that this lies in.
fn listed_by(metadata: &Path) -> Vec<PathBuf> {
    let kind = metadata.extension().and_then(|kind| kind.to_str());
    let (list, named, from): (&str, fn(&str) -> String, &str) = match kind {
        Some("dist-info") => ("RECORD", first_field, ""),
        Some("egg-info") => ("installed-files.txt", str::to_owned, ".."),
        _ => return Vec::new(),
    };
    // A list that is not text names nothing.
    let text = fs::read_to_string(metadata.join(list)).unwrap_or_default();
    let inside = |path: PathBuf| {
        let path = path.strip_prefix(from).ok()?;
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        is_inside.then(|| path.to_path_buf())
    };
    text.lines()
        .filter_map(|line| inside(PathBuf::from(named(line))))
        .collect()
}

/// The first field of a line of comma-separated values: `"a,b.py",sha256=...,12` begins with `a,b.py`.
fn first_field(line: &str) -> String {
    match line.strip_prefix('"') {
        Some(quoted) => {
            let mut field = String::new();
            let mut letters = quoted.chars().peekable();
            while let Some(letter) = letters.next() {
                if letter == '"' && letters.next_if_eq(&'"').is_none() {
                    break;
                }
                field.push(letter);
            }
            field
        }
        None => line.split(',').next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, and whether each of some files in it is a package's.
    fn held<const N: usize>(files: &[(&str, &str)], asked: [&str; N]) -> [bool; N] {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut packages = Packages::default();
        asked.map(|name| packages.hold(folder.path().join(name).to_str().unwrap()))
    }

    #[test]
    fn a_package_is_told_by_its_record_wherever_it_lies() {
        let record =
            "fields/core/sum.py,sha256=x,12\nfields/_sum.so,,\n\"a,\"\"b\"\".py\",,\n../../bin/fields,,\n";
        let files = [("deps/fields-1.0.dist-info/RECORD", record)];
        let asked = [
            "deps/fields/core/sum.py",
            "deps/fields/_sum.so",
            "deps/a,\"b\".py",
            "deps/heat.py",
            "deps/fields/mine.py",
            "fields/core/sum.py",
        ];
        assert_eq!(held(&files, asked), [true, true, true, false, false, false]);
    }

    #[test]
    fn older_packages_have_a_list_of_installed_files() {
        let list = "../fields/sum.py\nPKG-INFO\n../../../bin/fields\n";
        let files = [("deps/fields-1.0.egg-info/installed-files.txt", list)];
        let asked = ["deps/fields/sum.py", "deps/PKG-INFO", "bin/fields"];
        assert_eq!(held(&files, asked), [true, false, false]);
    }

    #[test]
    fn a_project_that_was_installed_to_be_edited_is_the_users_own() {
        let files = [
            ("env/heat-1.0.dist-info/RECORD", "__editable__.heat-1.0.pth,,\n"),
            ("src/heat.egg-info/top_level.txt", "heat\n"),
            ("src/heat.egg-info/SOURCES.txt", "src/heat/step.py\n"),
        ];
        assert_eq!(held(&files, ["src/heat/step.py"]), [false]);
    }
}
