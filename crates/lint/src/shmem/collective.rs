//! What sets of processes do together (OpenSHMEM 1.5 §9.9): barriers, and collective movement of data on active sets.

use super::movement::Movement;
use super::pe::Set;
use super::symmetric::{WORLD, mix};
use super::{Call, Shmem};
use crate::flow::{Flow, NOTHING};
use crate::matching::{Kind, MeetingKey};
use crate::memory::Content;
use crate::process::Entered;
use farside_calls::shmem::{Collective, Members};
use farside_events::{Call as Event, CommId, Direction, EventKind, Rank};

/// Sets the calls of OpenSHMEM on a set apart from those of MPI.
const OF_OPENSHMEM: u64 = 1 << 62;

impl Shmem<'_, '_> {
    /// The process enters a call that a set of processes makes together, with what it brings. Gives which of their
    /// calls it is, as events have it.
    pub(super) fn enter_together(
        &mut self,
        call: &Call<'_>,
        comm: CommId,
        direction: Direction,
        words: Vec<u64>,
        content: Option<Content>,
    ) -> u64 {
        let sequence = self.pe_mut().next_call(comm);
        self.caller.enter(Event::Collective {
            comm,
            sequence: sequence | OF_OPENSHMEM,
            direction,
            name: call.name().into(),
            request: None,
        });
        let key = (Kind::Collective, comm.0, sequence);
        let rank = self.caller.rank();
        self.library.meetings.arrive(key, rank, words, Vec::new());
        if let Some(content) = content {
            let brought = self.library.brought.entry(key).or_default();
            brought.contents.insert(rank, content);
        }
        self.caller.set_entered(Entered::Meeting(key));
        sequence | OF_OPENSHMEM
    }

    /// An argument that all members of a call must agree on.
    pub(super) fn agree(&mut self, (comm, sequence): (CommId, u64), argument: &str, value: u64) {
        self.caller.emit(EventKind::Agreed {
            comm,
            sequence,
            argument: argument.into(),
            value,
        });
    }

    /// Where the process has met the others, once so many are there.
    pub(super) fn met(&self, members: usize) -> Option<MeetingKey> {
        match self.caller.entered() {
            Some(Entered::Meeting(key)) => (self.library.meetings.so_far(key) >= members).then_some(key),
            _ => None,
        }
    }

    /// An active set, or a team that the library has made: told at its first use. Those of the same processes are one:
    /// each of these makes the calls on all of them in the same order. Calls that all processes make are on the team of
    /// all (§9.9.1, §9.9.3).
    pub(super) fn set_of(&mut self, members: Vec<u32>) -> Set {
        if members.iter().copied().eq(0..self.caller.size()) {
            return Set::new(WORLD, members);
        }
        self.tell_set(mix(("set", &members)), members)
    }

    /// A team that a call of all members of another has made, and which of its teams it is.
    pub(super) fn team_of(&mut self, by: (CommId, u64), which: u64, members: Vec<u32>) -> Set {
        self.tell_set(mix(("team", by, which, &members)), members)
    }

    fn tell_set(&mut self, id: u64, members: Vec<u32>) -> Set {
        let comm = CommId(id);
        if !self.pe_mut().knows(comm) {
            let members = members.iter().copied().map(Rank).collect();
            self.caller.emit(EventKind::Comm { id: comm, members });
        }
        Set::new(comm, members)
    }

    /// A barrier; `completes` says whether it completes the operations of the caller first.
    pub(super) fn barrier(&mut self, call: &Call<'_>, members: Members, completes: bool) -> Flow {
        let (comm, count) = match members {
            Members::All => (WORLD, self.caller.size() as usize),
            Members::ActiveSet => {
                let Some(members) = self.active_set(call, 0) else {
                    return NOTHING;
                };
                let set = self.set_of(members);
                (set.comm(), set.members().len())
            }
        };
        if self.caller.entered().is_none() {
            if completes {
                self.complete_default();
            }
            self.enter_together(call, comm, Direction::All, Vec::new(), None);
        }
        match self.met(count) {
            Some(_) => self.caller.done(),
            None => Flow::Block,
        }
    }

    /// The processes of the active set that three arguments from this one on name; `None` if one of them is not there.
    fn active_set(&mut self, call: &Call<'_>, place: usize) -> Option<Vec<u32>> {
        let argument = |offset: usize| u32::try_from(call.int(place + offset)).ok();
        let (start, log, size) = (argument(0)?, argument(1)?, argument(2)?);
        let stride = 1_u32.checked_shl(log).filter(|_| log < 31)?;
        let last = start.checked_add(size.checked_sub(1)?.checked_mul(stride)?)?;
        if last >= self.caller.size() {
            self.caller.notes().miss_rank();
            return None;
        }
        Some((0..size).map(|number| start + number * stride).collect())
    }

    /// Movement of data on an active set. Arguments are the destination, the source, strides (alltoalls), the number
    /// of elements, the root (broadcast), and the set.
    pub(super) fn move_data(&mut self, call: &Call<'_>, what: Collective) -> Flow {
        let (count, set) = match what {
            Collective::Broadcast => (2, 4),
            Collective::Alltoalls => (4, 5),
            _ => (2, 3),
        };
        let Some(members) = self.active_set(call, set) else {
            return NOTHING;
        };
        let elements = match what {
            // An `int`, where the others have a `size_t`.
            Collective::Reduce => u64::try_from(call.int(count)).unwrap_or(0),
            _ => call.word(count),
        };
        let root = match what {
            Collective::Broadcast => {
                let Some(root) = self.root(call, call.int(3), &members) else {
                    return NOTHING;
                };
                Some(root)
            }
            _ => None,
        };
        let strides = match what {
            Collective::Alltoalls => (call.word(2), call.word(3)),
            _ => (1, 1),
        };
        let movement = Movement::new(what, elements, root, strides);
        let set = self.set_of(members);
        self.carry_out(call, &movement, &set)
    }
}
