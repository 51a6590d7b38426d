//! The plugins of compilers that make callbacks cheap (`llvm-filter`, `gcc-filter`), and what is done where they do not
//! work.
//!
//! One is given to clang and flang of the LLVM that it was built for, the other to gcc, g++ and gfortran of the very
//! version that it was built for. A compiler of this version that cannot load it, or that it breaks down in, runs a
//! second time without it, and says so: what the plugin saves is time, never a build. With `FARSIDE_FILTER=off` in the
//! environment it is left out.

use super::compiler::{Compiler, Family, version_in};
use super::runtime;
use crate::libraries;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

/// `off` leaves the plugin out.
pub(super) const SWITCH: &str = "FARSIDE_FILTER";
/// The file name of the plugin for LLVM.
pub(super) const LIBRARY: &str = "libfarside_filter.so";
/// The version of LLVM that the plugin is built for: its classes look different in every other one.
pub(super) const LLVM: u32 = 19;
/// What GCC's driver returns if a compiler proper broke down.
const BREAKDOWN: i32 = 4;

/// A plugin, found.
#[derive(Debug)]
pub(super) struct Filter {
    library: PathBuf,
}

impl Filter {
    /// The plugin, if a compiler of this family may be able to load it and the user has not switched it off.
    pub(super) fn of(family: Family) -> Option<Self> {
        if std::env::var_os(SWITCH).is_some_and(|value| value == "off") {
            return None;
        }
        let library = |name: &str| Some(runtime::folder().ok()?.join(name)).filter(|path| path.is_file());
        let library = match family {
            Family::Clang { major } | Family::Flang { major } => {
                (major == Some(LLVM)).then(|| library(LIBRARY)).flatten()
            }
            Family::Gcc { version } => {
                let fits = |path: &PathBuf| {
                    let wanted = libraries::gcc_of(path).as_deref().and_then(version_in);
                    wanted.is_some() && wanted == version
                };
                library(libraries::GCC_PLUGIN).filter(fits)
            }
        };
        Some(Self { library: library? })
    }

    /// The plugin's file.
    pub(super) fn library(&self) -> &Path {
        &self.library
    }

    /// The option that loads it.
    pub(super) fn option(&self, family: Family) -> OsString {
        let mut plugin = OsString::from(match family {
            Family::Gcc { .. } => "-fplugin=",
            Family::Clang { .. } | Family::Flang { .. } => "-fpass-plugin=",
        });
        plugin.push(&self.library);
        plugin
    }

    /// Options by which the compiler loads it: clang without a warning where nothing is compiled, and without files
    /// about a breakdown, for there will be a second attempt.
    pub(super) fn options(&self, family: Family) -> Vec<OsString> {
        let option = self.option(family);
        match family {
            Family::Clang { .. } => vec![
                "--start-no-unused-arguments".into(),
                option,
                "-fno-crash-diagnostics".into(),
                "--end-no-unused-arguments".into(),
            ],
            Family::Gcc { .. } | Family::Flang { .. } => vec![option],
        }
    }

    /// What tells ccache that objects depend on the plugin's contents, of which it knows only the option; with the
    /// user's own list.
    pub(super) fn hashed_by_ccache(&self) -> (&'static str, OsString) {
        const FILES: &str = "CCACHE_EXTRAFILES";
        let given = std::env::var_os(FILES).filter(|files| !files.is_empty());
        let files = given
            .iter()
            .flat_map(std::env::split_paths)
            .chain([self.library.clone()]);
        // A name with a colon cannot be in such a list; then the option alone must do.
        (
            FILES,
            std::env::join_paths(files).unwrap_or_else(|_| given.clone().unwrap_or_default()),
        )
    }

    /// Whether a compilation that ended with `status` might have ended better without the plugin.
    pub(super) fn at_fault(&self, compiler: &Compiler, family: Family, status: ExitStatus) -> bool {
        match status.code() {
            Some(0) => false,
            // The driver says so when a compiler proper was ended by a signal.
            Some(128..) | None => true,
            Some(BREAKDOWN) if matches!(family, Family::Gcc { .. }) => true,
            Some(_) => !self.loads(compiler, family),
        }
    }

    fn loads(&self, compiler: &Compiler, family: Family) -> bool {
        let mut command = compiler.command();
        let fortran = matches!(family, Family::Flang { .. });
        command
            .args(self.options(family))
            .args(["-x", if fortran { "f95" } else { "c" }]);
        command
            .args(["-c", "/dev/null", "-o", "/dev/null"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}
