//! The plugin for clang and flang that makes callbacks cheap (`llvm-filter`), and what is done where it does not work.
//!
//! It is given to compilers of the LLVM that it was built for. A compiler of this version that cannot load it, or that it
//! breaks down in, runs a second time without it, and says so: what the plugin saves is time, never a build. With
//! `FARSIDE_FILTER=off` in the environment it is left out.

use super::compiler::{Compiler, Family};
use super::runtime;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

/// `off` leaves the plugin out.
pub(super) const SWITCH: &str = "FARSIDE_FILTER";
/// The plugin's file name.
pub(super) const LIBRARY: &str = "libfarside_filter.so";
/// The version of LLVM that the plugin is built for: its classes look different in every other one.
pub(super) const LLVM: u32 = 19;

/// The plugin, found.
#[derive(Debug)]
pub(super) struct Filter {
    library: PathBuf,
}

impl Filter {
    /// The plugin, if a clang of version `major` may be able to load it and the user has not switched it off.
    pub(super) fn of(major: Option<u32>) -> Option<Self> {
        if major != Some(LLVM) || std::env::var_os(SWITCH).is_some_and(|value| value == "off") {
            return None;
        }
        let library = runtime::folder().ok()?.join(LIBRARY);
        library.is_file().then_some(Self { library })
    }

    /// The plugin's file.
    pub(super) fn library(&self) -> &Path {
        &self.library
    }

    /// The option that loads it.
    pub(super) fn option(&self) -> OsString {
        let mut plugin = OsString::from("-fpass-plugin=");
        plugin.push(&self.library);
        plugin
    }

    /// Options by which clang loads it. Without a warning where nothing is compiled, and without files about a breakdown: there
    /// will be a second attempt.
    pub(super) fn options(&self) -> [OsString; 4] {
        [
            "--start-no-unused-arguments".into(),
            self.option(),
            "-fno-crash-diagnostics".into(),
            "--end-no-unused-arguments".into(),
        ]
    }

    /// What tells ccache that objects depend on the plugin's contents, of which it knows only the option; with the user's own list.
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
            Some(_) => !self.loads(compiler, family),
        }
    }

    fn loads(&self, compiler: &Compiler, family: Family) -> bool {
        let mut command = compiler.command();
        if matches!(family, Family::Flang { .. }) {
            command.arg(self.option()).args(["-x", "f95"]);
        } else {
            command.args(self.options()).args(["-x", "c"]);
        }
        command
            .args(["-c", "/dev/null", "-o", "/dev/null"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }
}
