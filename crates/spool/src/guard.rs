//! Whether loads and stores of programs as they are built are seen, by faults of guarded pages: what `farside check
//! --guard` tells the library that it preloads.

use std::fmt;
use std::str::FromStr;

/// The environment variable that says it to checked processes.
pub const VARIABLE: &str = "FARSIDE_GUARD";

/// Whether a library of this build can guard pages: it decodes the instructions that fault, and knows those of x86-64.
pub const AVAILABLE: bool = cfg!(target_arch = "x86_64");

/// How many of a process' loads and stores of guarded pages are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All, until seeing them takes a third of the time; from then on those between some calls of the library, and not
    /// those between others.
    Bounded,
    /// All.
    All,
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bounded => "bounded",
            Self::All => "all",
        })
    }
}

/// Neither `bounded` nor `all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `bounded` or `all`")]
pub struct UnknownExtent;

impl FromStr for Extent {
    type Err = UnknownExtent;

    fn from_str(text: &str) -> Result<Self, UnknownExtent> {
        match text {
            "bounded" => Ok(Self::Bounded),
            "all" => Ok(Self::All),
            _ => Err(UnknownExtent),
        }
    }
}

/// What this process was told.
#[must_use]
pub fn told() -> Option<Extent> {
    std::env::var(VARIABLE).ok()?.parse().ok()
}

/// Variables by which libraries are asked not to copy between two processes by ways that meet guarded pages of another
/// process, where nobody can open them in time. `process_vm_readv(2)` may: the preloaded library sees to it.
pub const NO_FOREIGN_PAGES: [(&str, &str); 3] = [
    ("OMPI_MCA_smsc", "^knem,xpmem"),
    ("MPIR_CVAR_CH4_XPMEM_ENABLE", "0"),
    ("FI_SHM_DISABLE_CMA", "1"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_read_as_they_are_written() {
        for extent in [Extent::Bounded, Extent::All] {
            assert_eq!(extent.to_string().parse(), Ok(extent));
        }
        assert_eq!("some".parse::<Extent>(), Err(UnknownExtent));
    }
}
