//! The exit status: an interface of the command line.

use std::process::ExitCode;

/// How `farside` ends. The numbers never change their meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// 0: the question was answered, and nothing is wrong.
    Clean,
    /// 1: findings (those that a suppression file hides do not count).
    Findings,
    /// 2: wrong usage, or an input that cannot be used: no such program, an unwritable output.
    Usage,
    /// 3: the checked program itself failed; the report shows its status, and the findings so far.
    ProgramFailed,
    /// 4: nothing was checked, or the result is inconclusive.
    Inconclusive,
    /// 5: ranks were lost, and the others went on, as was asked for, and ended well.
    WithoutSome,
}

impl Status {
    /// The number that the shell sees. A bug of ours ends with 101, the number of a Rust panic.
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::ProgramFailed => 3,
            Self::Inconclusive => 4,
            Self::WithoutSome => 5,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status.number())
    }
}
