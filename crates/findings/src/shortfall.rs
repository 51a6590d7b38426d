//! What was not seen.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that was not seen, or not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shortfall {
    /// Which kind.
    pub id: ShortfallKind,
    /// In words, with what to do.
    pub message: String,
    /// Ranks concerned; empty means all.
    pub ranks: Vec<u32>,
}

impl Shortfall {
    /// One that concerns all ranks.
    #[must_use]
    pub fn of_all(id: ShortfallKind, message: impl Into<String>) -> Self {
        Self {
            id,
            message: message.into(),
            ranks: Vec::new(),
        }
    }
}

/// The kinds of things that are not seen. Their names in reports never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShortfallKind {
    /// Part of a recording could not be read, or a recording could not be used.
    DamagedRecording,
    /// Ranks ran different builds of a program or library.
    DifferentBuilds,
    /// Loads and stores were seen by faults of guarded pages, and not all were.
    GuardedInPart,
    /// Ways through the program that an input decides were not tried.
    InputsLeft,
    /// A bug of ours switched recording off.
    InternalError,
    /// Not all rounds of a loop were followed.
    LoopCut,
    /// A simulation was ended for want of memory.
    MemoryLimit,
    /// Processes of a job were not seen.
    MissingProcesses,
    /// A program built with one MPI was started by the launcher of another.
    MixedMpi,
    /// Places have no source lines, for a module was compiled without them.
    NoDebugInformation,
    /// There is no function `main`.
    NoMain,
    /// No process initialised MPI, or a World of the crate farside.
    NoMpiProcess,
    /// The program made no window and no one-sided call.
    NoOneSidedCall,
    /// The address space for the page table could not be reserved, so that loads and stores were not seen.
    NoPageTable,
    /// No solver was there to find inputs by.
    NoSolver,
    /// Something depends on values that are not computed, so that what is found after it is possible only.
    NotComputed,
    /// Loads and stores were not seen, only calls.
    NotInstrumented,
    /// Events were recorded, and not judged.
    NotJudged,
    /// A file could not be read.
    NotRead,
    /// The processes of a job could not be recorded, or some of them.
    NotRecorded,
    /// Numbers of processes with which the program does not come to its end were left out.
    NumbersLeft,
    /// The order of events on several hosts is not known.
    OrderUnknown,
    /// The program is longer than the limit of steps.
    OutOfSteps,
    /// A process ended without ending its recording.
    ProcessLost,
    /// Calls of the program were not reached, see [`Coverage`](crate::Coverage).
    SitesNotReached,
    /// Not all rounds of a loop were followed without arguments, and all were with some.
    SmallInput,
    /// There was no room for a recording.
    SpoolFull,
    /// A process was still running when the command had ended.
    StillRunning,
    /// The command was ended at its time limit.
    TimeLimit,
    /// Suggestions were tried until the clock ended that, so that they may be others at another time.
    TrialsStopped,
    /// A call that is not understood.
    UnknownCall,
    /// A recording could not be read to its end.
    UnusableRecording,
}

impl ShortfallKind {
    /// All of them.
    pub const ALL: [Self; 32] = [
        Self::DamagedRecording,
        Self::DifferentBuilds,
        Self::GuardedInPart,
        Self::InputsLeft,
        Self::InternalError,
        Self::LoopCut,
        Self::MemoryLimit,
        Self::MissingProcesses,
        Self::MixedMpi,
        Self::NoDebugInformation,
        Self::NoMain,
        Self::NoMpiProcess,
        Self::NoOneSidedCall,
        Self::NoPageTable,
        Self::NoSolver,
        Self::NotComputed,
        Self::NotInstrumented,
        Self::NotJudged,
        Self::NotRead,
        Self::NotRecorded,
        Self::NumbersLeft,
        Self::OrderUnknown,
        Self::OutOfSteps,
        Self::ProcessLost,
        Self::SitesNotReached,
        Self::SmallInput,
        Self::SpoolFull,
        Self::StillRunning,
        Self::TimeLimit,
        Self::TrialsStopped,
        Self::UnknownCall,
        Self::UnusableRecording,
    ];

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DamagedRecording => "damaged-recording",
            Self::DifferentBuilds => "different-builds",
            Self::GuardedInPart => "guarded-in-part",
            Self::InputsLeft => "inputs-left",
            Self::InternalError => "internal-error",
            Self::LoopCut => "loop-cut",
            Self::MemoryLimit => "memory-limit",
            Self::MissingProcesses => "missing-processes",
            Self::MixedMpi => "mixed-mpi",
            Self::NoDebugInformation => "no-debug-information",
            Self::NoMain => "no-main",
            Self::NoMpiProcess => "no-mpi-process",
            Self::NoOneSidedCall => "no-one-sided-call",
            Self::NoPageTable => "no-page-table",
            Self::NoSolver => "no-solver",
            Self::NotComputed => "not-computed",
            Self::NotInstrumented => "not-instrumented",
            Self::NotJudged => "not-judged",
            Self::NotRead => "not-read",
            Self::NotRecorded => "not-recorded",
            Self::NumbersLeft => "numbers-left",
            Self::OrderUnknown => "order-unknown",
            Self::OutOfSteps => "out-of-steps",
            Self::ProcessLost => "process-lost",
            Self::SitesNotReached => "sites-not-reached",
            Self::SmallInput => "small-input",
            Self::SpoolFull => "spool-full",
            Self::StillRunning => "still-running",
            Self::TimeLimit => "time-limit",
            Self::TrialsStopped => "trials-stopped",
            Self::UnknownCall => "unknown-call",
            Self::UnusableRecording => "unusable-recording",
        }
    }

    /// Whether a run that has it, and no findings, says nothing of the program.
    #[must_use]
    pub fn leaves_a_run_open(self) -> bool {
        match self {
            Self::DamagedRecording
            | Self::InternalError
            | Self::MissingProcesses
            | Self::MixedMpi
            | Self::NoMpiProcess
            | Self::NoOneSidedCall
            | Self::NotJudged
            | Self::NotRecorded
            | Self::OrderUnknown
            | Self::ProcessLost
            | Self::SitesNotReached
            | Self::SpoolFull
            | Self::StillRunning
            | Self::UnusableRecording => true,
            Self::DifferentBuilds
            | Self::GuardedInPart
            | Self::InputsLeft
            | Self::LoopCut
            | Self::MemoryLimit
            | Self::NoDebugInformation
            | Self::NoMain
            | Self::NoPageTable
            | Self::NoSolver
            | Self::NotComputed
            | Self::NotInstrumented
            | Self::NotRead
            | Self::NumbersLeft
            | Self::OutOfSteps
            | Self::SmallInput
            | Self::TimeLimit
            | Self::TrialsStopped
            | Self::UnknownCall => false,
        }
    }
}

impl fmt::Display for ShortfallKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_name_in_words_and_in_json() {
        for kind in ShortfallKind::ALL {
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
        }
    }

    #[test]
    fn reports_sort_kinds_by_name() {
        let names = ShortfallKind::ALL.map(ShortfallKind::name);
        assert!(names.is_sorted() && ShortfallKind::ALL.is_sorted());
    }
}
