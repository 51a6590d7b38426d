//! Where the callbacks library lies, and how a program is linked with it.

use super::compiler::Family;
use crate::libraries::FOLDER_VARIABLE;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What an instrumented program is linked with.
pub(super) const LIBRARY: &str = "libfarside_callbacks.so";

/// The folder of [`LIBRARY`]: the one in the environment, next to this program, or `../lib/farside` from there.
///
/// # Errors
/// The folders that were searched.
pub(super) fn folder() -> Result<PathBuf, Vec<PathBuf>> {
    let mut searched = Vec::new();
    if let Some(folder) = env::var_os(FOLDER_VARIABLE).filter(|value| !value.is_empty()) {
        searched.push(PathBuf::from(folder));
    } else if let Some(here) = env::current_exe().ok().as_deref().and_then(Path::parent) {
        searched.push(here.to_owned());
        if let Some(prefix) = here.parent() {
            searched.push(prefix.join("lib/farside"));
        }
    }
    let found = searched.iter().find(|folder| folder.join(LIBRARY).is_file());
    // The run path must hold wherever the program is started.
    match found.and_then(|folder| folder.canonicalize().ok()) {
        Some(folder) => Ok(folder),
        None => Err(searched),
    }
}

/// Options that come after all objects: link with [`LIBRARY`] if an object needs it, and find it at run time.
pub(super) fn link_options(folder: &Path, family: Family) -> Vec<OsString> {
    let to_linker = |word: &OsStr| -> Vec<OsString> {
        match family {
            Family::Flang { .. } => {
                let mut option = OsString::from("-Wl,");
                option.push(word);
                vec![option]
            }
            // -Xlinker, not -Wl: the folder's name may contain a comma.
            _ => vec!["-Xlinker".into(), word.to_owned()],
        }
    };
    let mut search = OsString::from("-L");
    search.push(folder);
    let mut options: Vec<OsString> = vec![search];
    options.extend(
        ["--push-state", "--as-needed"]
            .iter()
            .flat_map(|word| to_linker(word.as_ref())),
    );
    options.push("-lfarside_callbacks".into());
    options.extend(
        ["--pop-state", "-rpath"]
            .iter()
            .flat_map(|word| to_linker(word.as_ref())),
    );
    options.extend(to_linker(folder.as_os_str()));
    options
}
