//! Farside's own shared libraries: where they are, and whether they are of this build.

use crate::fault::Fault;
use object::{Object, ObjectSection, ObjectSymbol, ReadCache};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The library that is preloaded into the checked processes.
pub(crate) const INTERPOSE: &str = "libfarside_interpose.so";
/// The library that instrumented programs are linked with.
pub(crate) const CALLBACKS: &str = "libfarside_callbacks.so";

/// Folder of the libraries, for installations of another shape.
pub(crate) const FOLDER_VARIABLE: &str = "FARSIDE_LIBRARIES";
/// The plugin for gcc, g++ and gfortran.
pub(crate) const GCC_PLUGIN: &str = "libfarside_gcc_filter.so";
/// A library may say what build it is of, in a string with this symbol.
const BUILD_SYMBOL: &str = "FARSIDE_BUILD";
/// The plugin for GCC says here which version it is for.
const GCC_SYMBOL: &str = "FARSIDE_GCC";

/// Finds one of the libraries, and checks that it is a library of this build.
///
/// A library that does not say what build it is of passes: its events carry a version, which is checked again.
pub(crate) fn find(name: &'static str) -> Result<PathBuf, Fault> {
    let folders = folders();
    let Some(path) = folders.iter().map(|f| f.join(name)).find(|p| p.is_file()) else {
        let places: Vec<_> = folders.iter().map(|f| f.display().to_string()).collect();
        return Err(Fault::LibraryMissing {
            name,
            places: places.join(", "),
        });
    };
    let ours = farside_spool::BUILD.to_owned();
    let found = match build_of(&path) {
        Ok(found) => found.unwrap_or_else(|| ours.clone()),
        Err(error) => format!("unreadable: {error}"),
    };
    if found == ours {
        // Absolute: the checked processes may run in another folder.
        Ok(std::fs::canonicalize(&path).unwrap_or(path))
    } else {
        Err(Fault::LibraryMismatch {
            path,
            found: farside_processes::plain(&found),
            ours,
        })
    }
}

fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE).filter(|f| !f.is_empty()) {
        return vec![folder.into()];
    }
    let program = std::env::current_exe().and_then(std::fs::canonicalize);
    let Some(folder) = program.ok().and_then(|p| p.parent().map(Path::to_path_buf)) else {
        return Vec::new();
    };
    let beside = folder.parent().map(|up| up.join("lib/farside"));
    std::iter::once(folder).chain(beside).collect()
}

/// The folders of Farside's own headers for programs, `shmem.h` and `GASPI.h`: where they are installed, or in the
/// sources that the command was built from.
pub(crate) fn headers() -> Vec<PathBuf> {
    let places = [
        "../../include/farside",
        "../include/farside",
        "../../crates/shmem/include",
        "../../crates/gaspi/include",
    ];
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in folders() {
        let known = places.iter().map(|place| folder.join(place));
        let known = known.filter(|place| {
            ["shmem.h", "GASPI.h"]
                .iter()
                .any(|header| place.join(header).is_file())
        });
        found.extend(known.filter_map(|place| std::fs::canonicalize(place).ok()));
    }
    found.dedup();
    found
}

/// The version of GCC that the plugin at `path` is for, such as `12.2.0`; `None` if there is no plugin in that library,
/// for it was built without GCC's headers, or no library at all.
pub(crate) fn gcc_of(path: &Path) -> Option<String> {
    let version = string_of(path, GCC_SYMBOL).ok().flatten();
    version.filter(|version| !version.is_empty())
}

/// The build string of a library; `None` if it has none.
fn build_of(path: &Path) -> Result<Option<String>, String> {
    string_of(path, BUILD_SYMBOL)
}

/// The string that a library has under a symbol.
fn string_of(path: &Path, symbol: &str) -> Result<Option<String>, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let cache = ReadCache::new(file);
    parse_string(&cache, symbol).map_err(|error| error.to_string())
}

fn parse_string(cache: &ReadCache<File>, symbol: &str) -> Result<Option<String>, object::Error> {
    let file = object::File::parse(cache)?;
    let Some(symbol) = file.dynamic_symbols().find(|s| s.name() == Ok(symbol)) else {
        return Ok(None);
    };
    let Some(index) = symbol.section_index() else {
        return Ok(None);
    };
    let section = file.section_by_index(index)?;
    let bytes = section
        .data_range(symbol.address(), symbol.size())?
        .unwrap_or(&[]);
    let text = bytes.split(|&b| b == 0).next().unwrap_or(&[]);
    Ok(Some(String::from_utf8_lossy(text).into_owned()))
}
