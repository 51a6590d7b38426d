//! The ways of running a program that are compared: five, and a sixth with clang.

use serde::Serialize;

/// How a program is built and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Way {
    /// As a user builds it.
    Plain,
    /// With visible loads and stores, linked with callbacks that return at once: the floor of seeing them at all.
    Floor,
    /// With the compiler's own thread sanitizer, its reports switched off: where other tools start from.
    Sanitizer,
    /// The plain binary under the checker, which sees its MPI calls only.
    Calls,
    /// The binary of the floor under the checker, which sees loads and stores too.
    Accesses,
    /// As before, but with a call at every access: without the plugin that clang gets.
    EveryAccess,
    /// The plain binary under the checker, which sees loads and stores by faults of guarded pages.
    Guarded,
}

/// Which binary a way runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Build {
    /// Plain compiler.
    Plain,
    /// `farside cc`.
    Instrumented,
    /// `farside cc` without the plugin for clang.
    Unfiltered,
    /// `-fsanitize=thread` and its own runtime.
    Sanitizer,
}

impl Build {
    /// Suffix of the binary.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Instrumented => "instrumented",
            Self::Unfiltered => "unfiltered",
            Self::Sanitizer => "sanitizer",
        }
    }
}

impl Way {
    /// All ways, in the order in which they take turns.
    pub(crate) const ALL: [Self; 7] = [
        Self::Plain,
        Self::Floor,
        Self::Sanitizer,
        Self::Calls,
        Self::Accesses,
        Self::EveryAccess,
        Self::Guarded,
    ];

    /// Its name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Floor => "floor",
            Self::Sanitizer => "thread sanitizer",
            Self::Calls => "calls only",
            Self::Accesses => "loads and stores",
            Self::EveryAccess => "call at every access",
            Self::Guarded => "guarded pages",
        }
    }

    /// The binary that it runs.
    pub(crate) fn build(self) -> Build {
        match self {
            Self::Plain | Self::Calls | Self::Guarded => Build::Plain,
            Self::Floor | Self::Accesses => Build::Instrumented,
            Self::Sanitizer => Build::Sanitizer,
            Self::EveryAccess => Build::Unfiltered,
        }
    }

    /// Whether it runs under `farside check`.
    pub(crate) fn checked(self) -> bool {
        matches!(
            self,
            Self::Calls | Self::Accesses | Self::EveryAccess | Self::Guarded
        )
    }
}
