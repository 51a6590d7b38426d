//! Puts what was built in its place: each file is written beside the old one and takes its name, so that programs that
//! run keep the old one.

use super::build::Built;
use super::failure::Failure;
use super::parts::Part;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Where headers go: `#include <shmem.h>` with this folder searched.
const HEADERS: &str = "include/farside";

/// Installs a part and the headers of its package; its place is returned.
///
/// # Errors
/// A folder or file cannot be read or written.
pub(super) fn put(part: Part, built: &Built, root: &Path) -> Result<PathBuf, Failure> {
    let place = root.join(part.folder());
    folder(&place)?;
    let mode = if part.is_program() { 0o755 } else { 0o644 };
    let path = copy(built.file(), &place, mode)?;
    for header in headers(built.package())? {
        let place = root.join(HEADERS);
        folder(&place)?;
        copy(&header, &place, 0o644)?;
    }
    Ok(path)
}

/// Whether all of the part is in its file: the plugin for GCC is an empty library where GCC's headers are missing.
pub(super) fn is_whole(part: Part, installed: &Path) -> bool {
    part != Part::GccPlugin || crate::libraries::gcc_of(installed).is_some()
}

/// Makes a folder, and those that it is in.
fn folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| Failure::Unwritable(path.to_path_buf(), error))
}

/// The headers for users in a package: `include/*.h`.
fn headers(package: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    let Some(folder) = package.map(|package| package.join("include")) else {
        return Ok(Vec::new());
    };
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&folder).map_err(|error| Failure::Unreadable(folder.clone(), error))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    Ok(paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "h"))
        .collect())
}

fn copy(file: &Path, folder: &Path, mode: u32) -> Result<PathBuf, Failure> {
    let name = file.file_name().unwrap_or_default();
    let place = folder.join(name);
    let unwritable = |error| Failure::Unwritable(place.clone(), error);
    let bytes = fs::read(file).map_err(|error| Failure::Unreadable(file.to_path_buf(), error))?;
    let new = tempfile::NamedTempFile::new_in(folder).map_err(unwritable)?;
    fs::write(new.path(), bytes).map_err(unwritable)?;
    fs::set_permissions(new.path(), Permissions::from_mode(mode)).map_err(unwritable)?;
    new.persist(&place).map_err(|error| unwritable(error.error))?;
    Ok(place)
}
