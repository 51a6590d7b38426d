//! The C libraries of Farside: OpenSHMEM and GASPI over its transports, under `farside run`.
//!
//! Their headers are part of this program, so that a test is compiled by the header of the library of this build. The
//! library lies beside the program, in cargo's `deps` there, or where `FARSIDE_LIBRARIES` says.

use super::native::COMPILER;
use super::{Means, Target, own, runs};
use farside_emit::Target as Interface;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A library that programs in C are linked with.
pub(crate) struct Library {
    interface: Interface,
    /// As `-l` takes it.
    name: &'static str,
    /// Cargo's name of the crate that it is made of.
    package: &'static str,
    header: (&'static str, &'static str),
}

/// OpenSHMEM 1.5.
pub(crate) const OPENSHMEM: Library = Library {
    interface: Interface::OpenShmem,
    name: "farside_shmem",
    package: "farside-shmem",
    header: ("shmem.h", include_str!("../../include/shmem.h")),
};

/// GASPI 17.1.
pub(crate) const GASPI: Library = Library {
    interface: Interface::Gaspi,
    name: "farside_gaspi",
    package: "farside-gaspi",
    header: ("GASPI.h", include_str!("../../include/GASPI.h")),
};

impl Library {
    /// Its programs over a transport.
    ///
    /// # Errors
    /// No compiler, or no library where it is looked for.
    pub(crate) fn over(&self, transport: &str) -> Result<Target, String> {
        if !runs(Path::new(COMPILER)) {
            return Err("a C compiler is needed; Debian has one in gcc".to_owned());
        }
        let folder = self.folder()?;
        let mut path = OsString::from("-Wl,-rpath,");
        path.push(&folder);
        Ok(Target {
            means: Means::Emitted {
                interface: self.interface,
                compiler: COMPILER.into(),
                options: vec![
                    "-L".into(),
                    folder.into_os_string(),
                    format!("-l{}", self.name).into(),
                    path,
                ],
                header: Some(self.header),
            },
            ..own::transport(transport, false)
        })
    }

    fn folder(&self) -> Result<PathBuf, String> {
        let file = format!("lib{}.so", self.name);
        let folders = folders();
        let found = folders.iter().find(|folder| folder.join(&file).is_file());
        found.cloned().ok_or_else(|| {
            let places: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
            format!(
                "{file} is not in {}; `farside setup {}` builds and installs it, and `cargo build -p {}` does in the \
                 sources",
                places.join(", "),
                self.package.trim_start_matches("farside-"),
                self.package
            )
        })
    }
}

/// Where libraries of this build are looked for: where cargo makes them, which is never older than what lies beside the
/// program, and then where packages put them.
fn folders() -> Vec<PathBuf> {
    if let Some(folder) = std::env::var_os("FARSIDE_LIBRARIES").filter(|folder| !folder.is_empty()) {
        let folder = PathBuf::from(folder);
        return folder
            .parent()
            .map(Path::to_path_buf)
            .into_iter()
            .chain([folder.clone()])
            .rev()
            .collect();
    }
    let program = super::ourselves();
    let program = std::fs::canonicalize(&program).unwrap_or(program);
    let Some(folder) = program.parent() else {
        return Vec::new();
    };
    let mut folders = vec![folder.join("deps"), folder.to_path_buf()];
    // Packages and `farside setup` have them where users link with them.
    folders.extend(folder.parent().map(|up| up.join("lib")));
    folders
}
