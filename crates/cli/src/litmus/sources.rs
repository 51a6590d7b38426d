//! Tests as they are read, with where they come from.

use crate::fault::Fault;
use farside_conform::library::{self, LibraryError};
use std::path::{Path, PathBuf};

/// A text and where it comes from.
#[derive(Debug)]
pub(crate) struct Source {
    /// As it was named.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
}

/// The files that are meant, folders in order of names.
pub(crate) fn find(named: &[PathBuf]) -> Result<Vec<PathBuf>, Fault> {
    library::files(named).map_err(fault)
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<Source, Fault> {
    Ok(Source {
        path: path.to_path_buf(),
        text: library::text(path).map_err(fault)?,
    })
}

fn fault(error: LibraryError) -> Fault {
    match error {
        LibraryError::Unreadable(path, error) => Fault::Unreadable(path, error),
        LibraryError::NotText(path, why) | LibraryError::Mistake(path, why) => Fault::NotText(path, why),
        LibraryError::Empty(path, why) => Fault::NoTests(path, why),
    }
}
