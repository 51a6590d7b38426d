//! The last steps of each thread: its synchronising calls and its operations, with their places.
//!
//! Nothing is judged by it. Advice needs it (`advice`): to know which synchronisation is there already, and in which
//! call two processes met last.
//!
//! Limit: a thread's steps beyond [`KEPT`] are forgotten. Advice is less exact then, never a finding.

use crate::finding::{CallKind, Site, Spot};
use farside_clocks::Component;
use farside_events::{Assertions, Call, ChannelId, CommId, Direction, Rank, WinId};
use std::collections::VecDeque;

/// Steps kept of a thread.
pub(super) const KEPT: usize = 64;

/// A call of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    mark: u64,
    time: u64,
    site: Site,
    call: CallKind,
    kind: StepKind,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepKind {
    /// All processes of a group meet.
    Meeting(Meeting),
    Flush {
        win: WinId,
        target: Option<Rank>,
        local: bool,
        channel: Option<ChannelId>,
    },
    Sync(WinId),
    /// The beginning of an exposure epoch.
    Post(WinId),
    /// The end of an access epoch.
    Complete(WinId),
    /// The end of an exposure epoch.
    Wait(WinId),
    /// The end of a lock, or of all.
    Unlock(WinId, Option<Rank>),
    /// A one-sided operation.
    Operation,
    Other,
}

/// One collective call that orders all of its group, the same for all who take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    Collective(CommId, u64),
    Fence {
        win: WinId,
        number: u64,
        /// Those of the thread that takes the step; they do not tell one meeting from another.
        assertions: Assertions,
    },
    Free(WinId),
}

impl Meeting {
    /// Whether it is the same call of the whole group.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Fence { win, number, .. },
                Self::Fence {
                    win: w, number: n, ..
                },
            ) => (win, number) == (w, n),
            _ => self == other,
        }
    }
}

impl Step {
    /// A call that began at `mark` in the sequence, and at `time` of its thread.
    pub(super) fn new((mark, time): (u64, u64), site: Site, call: CallKind, kind: StepKind) -> Self {
        Self {
            mark,
            time,
            site,
            call,
            kind,
        }
    }

    /// Place in the sequence.
    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// The thread's local time when it began.
    pub(super) fn time(&self) -> u64 {
        self.time
    }

    pub(super) fn site(&self) -> Site {
        self.site
    }

    pub(super) fn kind(&self) -> StepKind {
        self.kind
    }

    /// Where it is.
    pub(super) fn spot(&self) -> Spot {
        Spot::of_call(self.call, self.site)
    }

    /// Whether it asks if an exposure epoch is over, and does not wait for that.
    pub(super) fn is_test(&self) -> bool {
        self.call == CallKind::Test
    }

    /// The meeting that it is part of.
    pub(super) fn meeting(&self) -> Option<Meeting> {
        match self.kind {
            StepKind::Meeting(meeting) => Some(meeting),
            _ => None,
        }
    }
}

impl StepKind {
    /// What a call does; `fences` gives the number of fences that the process has called on a window before.
    pub(super) fn of(call: &Call, fences: impl Fn(WinId) -> u64) -> Self {
        match call {
            Call::Fence { win, assertions } => Self::Meeting(Meeting::Fence {
                win: *win,
                number: fences(*win),
                assertions: *assertions,
            }),
            Call::Collective {
                comm,
                sequence,
                direction: Direction::All,
                request: None,
                ..
            } => Self::Meeting(Meeting::Collective(*comm, *sequence)),
            Call::WinFree { win } => Self::Meeting(Meeting::Free(*win)),
            Call::Flush {
                win,
                target,
                local,
                channel,
            } => Self::Flush {
                win: *win,
                target: *target,
                local: *local,
                channel: *channel,
            },
            Call::Sync { win } => Self::Sync(*win),
            Call::Post { win, .. } => Self::Post(*win),
            Call::Complete { win } => Self::Complete(*win),
            Call::Wait { win, .. } => Self::Wait(*win),
            Call::Unlock { win, target } => Self::Unlock(*win, Some(*target)),
            Call::UnlockAll { win } => Self::Unlock(*win, None),
            _ => Self::Other,
        }
    }
}

/// The last steps of all threads.
#[derive(Debug, Default)]
pub(super) struct Trail {
    threads: Vec<VecDeque<Step>>,
}

impl Trail {
    /// A thread takes a step.
    pub(super) fn push(&mut self, component: Component, step: Step) {
        let index = component as usize;
        if index >= self.threads.len() {
            self.threads.resize_with(index + 1, VecDeque::new);
        }
        let steps = &mut self.threads[index];
        // A loop of operations is one step.
        let repeats =
            |last: &Step| last.kind == step.kind && last.site == step.site && last.time == step.time;
        if step.kind == StepKind::Operation && steps.back().is_some_and(repeats) {
            return;
        }
        if steps.len() == KEPT {
            steps.pop_front();
        }
        steps.push_back(step);
    }

    /// The steps of a thread, oldest first.
    pub(super) fn of(&self, component: Component) -> impl Iterator<Item = Step> {
        let steps = self.threads.get(component as usize);
        steps.into_iter().flatten().copied()
    }
}
