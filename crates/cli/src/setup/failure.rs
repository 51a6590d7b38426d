//! Why a part was not built or not installed: the file or program at fault, and what to do.

use crate::fault::Fault;
use std::path::PathBuf;

/// Why a part was not installed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// There is no cargo.
    #[error(
        "cannot run {program} ({error}); `farside setup` builds the parts with Rust: install it, set CARGO to its cargo, or \
         install a package of farside, which has all parts (docs/install.md)",
        program = .0.display(),
        error = .1
    )]
    NoCargo(PathBuf, std::io::Error),
    /// cargo ended without the part.
    #[error("cargo could not build {package} {version}, and says why above", package = .0, version = .1)]
    NotBuilt(&'static str, &'static str),
    /// A file or folder could not be written.
    #[error("cannot write {path}: {error}; `farside setup --root FOLDER` installs elsewhere", path = .0.display(), error = .1)]
    Unwritable(PathBuf, std::io::Error),
    /// A folder or file of a package could not be read.
    #[error("cannot read {path}: {error}", path = .0.display(), error = .1)]
    Unreadable(PathBuf, std::io::Error),
    /// This program does not know where it is.
    #[error("cannot find the folder above that of this program; `farside setup --root FOLDER` names one")]
    NoRoot,
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Self::NotInstalled(failure.to_string())
    }
}
