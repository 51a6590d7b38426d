//! Which tests are meant: files, folders, lists, standard input.

use super::LibraryError;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Longer files are no litmus tests: those have at most 64 actions.
const LIMIT: u64 = 1 << 20;
/// Lists in lists, and folders in folders.
const DEPTH: usize = 16;
/// The name of standard input.
const STDIN: &str = "-";

/// The files that are meant, folders in order of names.
///
/// # Errors
/// A folder or list cannot be read, has no test, or is nested too deeply.
pub fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, LibraryError> {
    let mut found = Vec::new();
    for path in named {
        add(path, &mut found, DEPTH)?;
    }
    Ok(found)
}

/// The text of a file, or of standard input if it is called `-`.
///
/// # Errors
/// It cannot be read, or is no text of a length that litmus tests have.
pub fn text(path: &Path) -> Result<String, LibraryError> {
    let unreadable = |error| LibraryError::Unreadable(path.to_path_buf(), error);
    let mut bytes = Vec::new();
    if path == Path::new(STDIN) {
        std::io::stdin()
            .lock()
            .take(LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(unreadable)?;
    } else {
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    let refuse = |why: &str| LibraryError::NotText(path.to_path_buf(), why.to_owned());
    if bytes.len() as u64 > LIMIT {
        return Err(refuse(
            "longer than 1 MiB, which no litmus test is (a path has at most 64 actions)",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        refuse(&format!(
            "byte {} is not UTF-8",
            error.utf8_error().valid_up_to() + 1
        ))
    })
}

fn add(path: &Path, found: &mut Vec<PathBuf>, depth: usize) -> Result<(), LibraryError> {
    let before = found.len();
    if depth == 0 {
        return Err(LibraryError::Empty(
            path.to_path_buf(),
            "folders or lists are nested too deeply",
        ));
    }
    if let Some(list) = path.to_str().and_then(|text| text.strip_prefix('@')) {
        add_list(Path::new(list), found, depth)?;
        if found.len() == before {
            return Err(LibraryError::Empty(path.to_path_buf(), "the list is empty"));
        }
    } else if path.is_dir() {
        add_folder(path, found, depth)?;
        if found.len() == before && depth == DEPTH {
            return Err(LibraryError::Empty(
                path.to_path_buf(),
                "no file in it ends in .litmus",
            ));
        }
    } else {
        found.push(path.to_path_buf());
    }
    Ok(())
}

/// One file, folder or @list a line, beside the list if not absolute; `#` begins a remark.
fn add_list(list: &Path, found: &mut Vec<PathBuf>, depth: usize) -> Result<(), LibraryError> {
    let folder = list.parent().unwrap_or(Path::new(""));
    for line in text(list)?.lines() {
        let name = line.split('#').next().unwrap_or_default().trim();
        if let Some(inner) = name.strip_prefix('@') {
            add_list_at(&folder.join(inner), found, depth - 1)?;
        } else if !name.is_empty() {
            add(&folder.join(name), found, depth - 1)?;
        }
    }
    Ok(())
}

fn add_list_at(list: &Path, found: &mut Vec<PathBuf>, depth: usize) -> Result<(), LibraryError> {
    if depth == 0 {
        return Err(LibraryError::Empty(
            list.to_path_buf(),
            "folders or lists are nested too deeply",
        ));
    }
    add_list(list, found, depth)
}

fn add_folder(folder: &Path, found: &mut Vec<PathBuf>, depth: usize) -> Result<(), LibraryError> {
    let unreadable = |error| LibraryError::Unreadable(folder.to_path_buf(), error);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for entry in entries {
        // A link may lead back up.
        let linked = entry.is_symlink();
        if entry.is_dir() && !linked {
            add(&entry, found, depth - 1)?;
        } else if entry.is_file() && entry.extension().is_some_and(|extension| extension == "litmus") {
            found.push(entry);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_and_lists_in_a_stable_order() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("b")).unwrap();
        for name in [
            "c.litmus",
            "b/two.litmus",
            "b/one.litmus",
            "notes.txt",
            "a.litmus",
        ] {
            fs::write(at(name), "").unwrap();
        }
        fs::write(at("tests.list"), "# all\nc.litmus\n\n@inner.list # more\n").unwrap();
        fs::write(at("inner.list"), "b\n").unwrap();
        let names = |path: PathBuf| -> Vec<String> {
            let found = files(&[path]).unwrap();
            let short = found.iter().map(|p| p.strip_prefix(folder.path()).unwrap());
            short.map(|p| p.display().to_string()).collect()
        };
        assert_eq!(
            names(folder.path().to_path_buf()),
            ["a.litmus", "b/one.litmus", "b/two.litmus", "c.litmus"]
        );
        let list = PathBuf::from(format!("@{}", at("tests.list").display()));
        assert_eq!(names(list), ["c.litmus", "b/one.litmus", "b/two.litmus"]);
    }

    #[test]
    fn a_list_that_names_itself_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("a.list");
        fs::write(&list, "@a.list\n").unwrap();
        let named = PathBuf::from(format!("@{}", list.display()));
        assert!(matches!(files(&[named]), Err(LibraryError::Empty(..))));
    }
}
