//! What a process does on one path, as far as races depend on it: its accesses, and the calls at which all processes
//! meet.
//!
//! Time is the process' own: it goes on with each operation, completion and meeting, so that what has equal times lies
//! between two of these.

use super::affine::Term;
use super::question::Condition;
use crate::ir::PlaceId;
use farside_conflicts::{Effect, Role};

/// Accesses looked back at for one that goes on.
const BACK: usize = 16;

/// Whose bytes they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    /// The memory of a window, by distance from the start of its owner's part. Windows count in the order in which they
    /// are made, which is the same in all processes.
    Window(u32),
    /// Another object of the process, which nobody else reaches.
    Own(u32),
}

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lock {
    pub(super) window: u32,
    /// Whose part it locks; `None`: all.
    pub(super) target: Option<Term>,
    pub(super) exclusive: bool,
}

/// When something is complete: the time, and how many meetings came before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Moment {
    pub(super) time: u32,
    pub(super) meetings: u32,
}

/// What an access is part of, if it is a side of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OfOperation {
    pub(super) number: u32,
    pub(super) window: u32,
    pub(super) target: Term,
    pub(super) request: Option<u32>,
    /// It brings data to its origin: once that is there, it is complete at the target, too.
    pub(super) fetches: bool,
}

/// What some bytes are accessed by.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) space: Space,
    /// The process whose bytes they are; `None`: the one that accesses them.
    pub(super) owner: Option<Term>,
    /// The first byte, and the one after the last.
    pub(super) range: (Term, Term),
    pub(super) role: Role,
    pub(super) effect: Effect,
    pub(super) begun: Moment,
    pub(super) done: Option<Moment>,
    pub(super) place: PlaceId,
    pub(super) operation: Option<OfOperation>,
    /// The lock that it is made under: of the target, or the only one that the process holds of the window.
    pub(super) lock: Option<Lock>,
    /// When it is made at all, besides the conditions of the path.
    pub(super) given: Vec<Condition>,
    /// The loops that were taken together that it is in, the outermost first.
    pub(super) rounds: Vec<InRound>,
}

/// A loop that was taken together, and an access in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InRound {
    /// The number of the loop, which that of its round is a variable of.
    pub(super) round: u32,
    /// The access is complete before the round ends.
    pub(super) complete: bool,
}

/// A call at which all processes meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meeting {
    /// What it is: the same at all processes that meet.
    pub(super) label: String,
    pub(super) place: PlaceId,
    /// Nobody waits for anybody, but operations on this window that come later take effect at a target only after that
    /// has come here: a fence with `MPI_MODE_NOPRECEDE` (MPI-4.1 §12.5.1, §12.5.5).
    pub(super) opens: Option<u32>,
}

/// What a process has done.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    accesses: Vec<Access>,
    meetings: Vec<Meeting>,
    time: u32,
}

/// Which sides of operations a call completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completes {
    /// The buffers of the origin are free, and what was fetched is there.
    Origin,
    /// All of it.
    Everything,
}

impl Trace {
    pub(super) fn accesses(&self) -> &[Access] {
        &self.accesses
    }

    pub(super) fn meetings(&self) -> &[Meeting] {
        &self.meetings
    }

    pub(super) fn now(&self) -> Moment {
        Moment {
            time: self.time,
            meetings: self.meetings.len() as u32,
        }
    }

    /// The process itself accesses bytes.
    pub(super) fn local(&mut self, access: Access) {
        for known in self.accesses.iter_mut().rev().take(BACK) {
            let same = known.begun == access.begun
                && known.operation.is_none()
                && (known.space, known.role, known.effect, known.place, known.lock)
                    == (
                        access.space,
                        access.role,
                        access.effect,
                        access.place,
                        access.lock,
                    );
            if same && known.range == access.range {
                return;
            }
            if same && known.range.1 == access.range.0 {
                known.range.1 = access.range.1;
                return;
            }
        }
        self.accesses.push(access);
    }

    /// Something begins that what came before does not belong to: an operation, a loop.
    pub(super) fn begin(&mut self) {
        self.time += 1;
    }

    /// A side of the operation that has begun.
    pub(super) fn side(&mut self, access: Access) {
        self.accesses.push(access);
    }

    /// The operation is issued: what comes now comes after its beginning.
    pub(super) fn issued(&mut self) {
        self.time += 1;
    }

    /// A call completes operations.
    pub(super) fn complete(&mut self, completes: Completes, which: impl Fn(&OfOperation) -> bool) {
        self.time += 1;
        let now = self.now();
        for access in &mut self.accesses {
            let Some(operation) = access.operation.filter(|_| access.done.is_none()) else {
                continue;
            };
            let fits = completes == Completes::Everything || access.role == Role::Origin || operation.fetches;
            if fits && which(&operation) {
                access.done = Some(now);
            }
        }
    }

    /// All processes meet.
    pub(super) fn meet(&mut self, label: String, place: PlaceId) {
        self.time += 1;
        let opens = None;
        self.meetings.push(Meeting { label, place, opens });
    }

    /// All processes come to a call that only opens the epochs of a window.
    pub(super) fn pass(&mut self, label: String, place: PlaceId, window: u32) {
        self.time += 1;
        let opens = Some(window);
        self.meetings.push(Meeting { label, place, opens });
    }

    /// Takes over what the rounds of a loop did, each on one of these paths that begin here, under further conditions.
    pub(super) fn take_rounds(&mut self, round: u32, ends: &[(Self, Vec<Condition>)]) {
        let before = self.accesses.len();
        for (nth, access) in self
            .accesses
            .iter_mut()
            .enumerate()
            .filter(|(_, access)| access.done.is_none())
        {
            // Complete only if each way through the round completes it.
            let done: Option<Vec<Moment>> = ends.iter().map(|(end, _)| end.accesses[nth].done).collect();
            access.done = done.and_then(|done| done.into_iter().max_by_key(|moment| moment.time));
        }
        for (end, given) in ends {
            for access in &end.accesses[before..] {
                let mut access = access.clone();
                let complete = access.done.is_some();
                access.given.extend(given);
                access.rounds.insert(0, InRound { round, complete });
                self.accesses.push(access);
            }
            self.time = self.time.max(end.time);
        }
        self.time += 1;
    }

    /// Whether operations of a window, or on one target of it, are not complete.
    pub(super) fn is_open(&self, window: u32) -> bool {
        let mut open = self.accesses.iter().filter(|access| access.done.is_none());
        open.any(|access| {
            access
                .operation
                .is_some_and(|operation| operation.window == window)
        })
    }
}
