//! The five ways of running a program that are compared.

use serde::Serialize;

/// How a program is built and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
}

/// Which binary a way runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Build {
    /// Plain compiler.
    Plain,
    /// `farside cc`.
    Instrumented,
    /// `-fsanitize=thread` and its own runtime.
    Sanitizer,
}

impl Build {
    /// All builds.
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Instrumented, Self::Sanitizer];

    /// Suffix of the binary.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Instrumented => "instrumented",
            Self::Sanitizer => "sanitizer",
        }
    }
}

impl Way {
    /// All ways, in the order in which they take turns.
    pub(crate) const ALL: [Self; 5] = [
        Self::Plain,
        Self::Floor,
        Self::Sanitizer,
        Self::Calls,
        Self::Accesses,
    ];

    /// Its name in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Floor => "floor",
            Self::Sanitizer => "thread sanitizer",
            Self::Calls => "calls only",
            Self::Accesses => "loads and stores",
        }
    }

    /// The binary that it runs.
    pub(crate) fn build(self) -> Build {
        match self {
            Self::Plain | Self::Calls => Build::Plain,
            Self::Floor | Self::Accesses => Build::Instrumented,
            Self::Sanitizer => Build::Sanitizer,
        }
    }

    /// Whether it runs under `farside check`.
    pub(crate) fn checked(self) -> bool {
        matches!(self, Self::Calls | Self::Accesses)
    }
}
