//! Rules of calls that one process alone can break (OpenSHMEM 1.5 annex C and the sections of the calls).
//!
//! Promise: what is told is wrong whatever the library makes of it, and such a call is not followed further. Limits:
//! what overlaps is looked for in the memory of the caller alone; that a lock is not zero at its first use, or held at
//! the end, is not seen.

use super::{After, Call, collective, context, symmetric, team};
use crate::machine::Both;
use crate::recorder::{record, thread_id};
use farside_calls::shmem::{Atomic, Collective, Meaning, Members, Returns, Strided};
use farside_events::{EventKind, Mistake, StackId, ThreadId};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks that this process has, by address: the thread that set it, and its call.
static LOCKS: Mutex<BTreeMap<usize, (ThreadId, &'static str, StackId)>> = Mutex::new(BTreeMap::new());

fn locks() -> MutexGuard<'static, BTreeMap<usize, (ThreadId, &'static str, StackId)>> {
    LOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A call that sets a lock, and what follows it otherwise; `tests` says that it returns 0 if the caller has the lock.
pub(super) fn locking(after: After, tests: bool) -> After {
    Some(Box::new(move |call: &Call, result: Both| {
        if !tests || result.word as u32 == 0 {
            let holder = (thread_id().thread(), call.function().name(), call.stack());
            locks().insert(call.word(0), holder);
        }
        if let Some(after) = after {
            after(call, result);
        }
    }))
}

/// Elements in memory of this process, or of another one as this process names them.
#[derive(Clone, Copy)]
struct Elements {
    argument: &'static str,
    address: usize,
    count: usize,
    stride: usize,
    size: usize,
}

impl Elements {
    /// From the first byte to the last.
    fn span(self) -> Range<usize> {
        let last = self.count.saturating_sub(1).saturating_mul(self.stride);
        let bytes = match self.count {
            0 => 0,
            _ => last.saturating_add(1).saturating_mul(self.size),
        };
        self.address..self.address.saturating_add(bytes)
    }

    fn each(self) -> impl Iterator<Item = Range<usize>> {
        let step = self.stride.saturating_mul(self.size);
        (0..self.count).map(move |number| {
            let start = self.address.saturating_add(number.saturating_mul(step));
            start..start.saturating_add(self.size)
        })
    }

    /// Whether they have a byte in common; both go upwards.
    fn overlap(self, other: Self) -> bool {
        let (one, two) = (self.span(), other.span());
        if one.start >= two.end || two.start >= one.end {
            return false;
        }
        if self.stride <= 1 && other.stride <= 1 {
            return true;
        }
        let (mut left, mut right) = (self.each().peekable(), other.each().peekable());
        while let (Some(one), Some(two)) = (left.peek(), right.peek()) {
            if one.end <= two.start {
                left.next();
            } else if two.end <= one.start {
                right.next();
            } else {
                return true;
            }
        }
        false
    }
}

/// Looks at a call before it is forwarded; says whether its effect is what its arguments say.
pub(super) fn is_followed(call: &Call) -> bool {
    let mut look = Look { call, fine: true };
    look.there();
    if !look.fine {
        return false;
    }
    match call.function().meaning() {
        Meaning::Put(_, strided) => look.moves(strided, ["dest", "source"], true),
        Meaning::Get(_, strided) => look.moves(strided, ["dest", "source"], false),
        Meaning::PutValue => {
            let ((_, next), elements) = (call.value(1), look.elements("dest", 0, 1));
            look.of_pe(elements, call.int(next));
            look.no_lock(elements);
        }
        Meaning::GetValue => look.of_pe(look.elements("source", 0, 1), call.int(1)),
        Meaning::Atomic(what, fetches) => look.atomic(what, fetches == Some(Returns::Issued)),
        Meaning::PutSignal(_) => look.signal(),
        Meaning::Signal => look.symmetric(look.word("sig_addr", 0)),
        Meaning::Wait | Meaning::Test => look.symmetric(look.elements("ivar", 0, 1)),
        Meaning::WaitArray { .. } => look.symmetric(look.elements("ivars", 0, call.word(1))),
        Meaning::SetLock => {
            look.symmetric(look.word("lock", 0));
            let held = locks().get(&call.word(0)).copied();
            if let Some((thread, name, stack)) = held
                && thread == thread_id().thread()
            {
                look.wrong(Mistake::LockHeld, Some((name, stack)));
            }
        }
        Meaning::TestLock => look.symmetric(look.word("lock", 0)),
        Meaning::ClearLock => {
            look.symmetric(look.word("lock", 0));
            if look.fine && locks().remove(&call.word(0)).is_none() {
                look.wrong(Mistake::LockNotHeld, None);
            }
        }
        Meaning::Free => look.allocation(),
        Meaning::Reallocate => look.allocation(),
        Meaning::Barrier(Members::ActiveSet) | Meaning::Sync(Members::ActiveSet) => {
            look.symmetric(look.word("pSync", 3));
        }
        Meaning::Collective(what) => look.collective(what),
        Meaning::TeamCollective(what) => look.team_collective(what),
        _ => {}
    }
    look.fine
}

struct Look<'a> {
    call: &'a Call,
    fine: bool,
}

impl Look<'_> {
    /// Something is wrong, for an earlier call if there is one.
    fn wrong(&mut self, mistake: Mistake, earlier: Option<(&'static str, StackId)>) {
        self.fine = false;
        record(EventKind::Mistaken {
            mistake,
            name: self.call.function().name().into(),
            stack: self.call.stack(),
            earlier: earlier.map(|(name, stack)| (name.into(), stack)),
        });
    }

    /// The context or the team that it is made on was not destroyed before.
    fn there(&mut self) {
        let (argument, by) = match self.call.function().meaning() {
            Meaning::ContextDestroy => ("ctx", context::destroyed(self.call.word(0))),
            Meaning::Team | Meaning::TeamDestroy | Meaning::TeamCollective(_) => {
                ("team", team::destroyed(self.call.word(0)))
            }
            Meaning::ContextCreate { of_team: true } => ("team", team::destroyed(self.call.word(0))),
            _ => ("ctx", self.call.context().and_then(context::destroyed)),
        };
        if by.is_some() {
            let argument = argument.into();
            self.wrong(Mistake::Destroyed { argument }, by);
        }
    }

    /// So many elements that an argument names.
    fn elements(&self, argument: &'static str, place: usize, count: usize) -> Elements {
        Elements {
            argument,
            address: self.call.word(place),
            count,
            stride: 1,
            size: self.call.function().element().size as usize,
        }
    }

    /// A word of eight bytes that an argument names.
    fn word(&self, argument: &'static str, place: usize) -> Elements {
        Elements {
            size: 8,
            ..self.elements(argument, place, 1)
        }
    }

    /// Elements of a process are in its symmetric memory.
    fn of_pe(&mut self, elements: Elements, pe: i32) {
        let Some((_, processes)) = collective::numbers() else {
            return;
        };
        let processes = context::size_of(self.call).unwrap_or(processes);
        if elements.count > 0 && !u32::try_from(pe).is_ok_and(|pe| pe < processes) {
            return self.wrong(
                Mistake::Target {
                    number: pe,
                    processes,
                },
                None,
            );
        }
        self.symmetric(elements);
    }

    /// Elements are in symmetric memory.
    fn symmetric(&mut self, elements: Elements) {
        let Range { start, end } = elements.span();
        if !self.fine || start == end {
            return;
        }
        let argument = elements.argument.into();
        if let Some(object) = symmetric::find(start) {
            let from = start - object.base();
            if end - start > object.size() - from {
                let beyond = Mistake::Beyond {
                    argument,
                    start: from as u64,
                    end: (from + (end - start)) as u64,
                    size: object.size() as u64,
                };
                self.wrong(beyond, None);
            }
        } else if let Some((by, _)) = symmetric::freed(start) {
            self.wrong(Mistake::Freed { argument }, Some(by));
        } else {
            self.wrong(Mistake::NotSymmetric { argument }, None);
        }
    }

    /// Elements that are written are no lock that this process has.
    fn no_lock(&mut self, elements: Elements) {
        if !self.fine {
            return;
        }
        let word = |address: usize| Elements {
            argument: "lock",
            address,
            count: 1,
            stride: 1,
            size: size_of::<::libc::c_long>(),
        };
        let held = locks();
        let mut written = held
            .iter()
            .filter(|(address, _)| elements.overlap(word(**address)));
        let by = written.next().map(|(_, (_, name, stack))| (*name, *stack));
        drop(held);
        if by.is_some() {
            let argument = elements.argument.into();
            self.wrong(Mistake::OnLock { argument }, by);
        }
    }

    /// Two arguments have no byte in common.
    fn apart(&mut self, one: Elements, other: Elements) {
        if self.fine && one.overlap(other) {
            let arguments = [one.argument.into(), other.argument.into()];
            self.wrong(Mistake::Overlap { arguments }, None);
        }
    }

    fn is_own(&self, pe: i32) -> bool {
        let own = collective::numbers().map(|(rank, _)| rank);
        own.is_some() && context::process(self.call, pe) == own
    }

    /// Put or get: destination, source, their number and the other process.
    fn moves(&mut self, strided: Strided, names: [&'static str; 2], puts: bool) {
        let (strides, next) = match strided {
            Strided::No => ([1, 1], 2),
            Strided::Yes => ([self.call.word(2), self.call.word(3)], 4),
        };
        let (count, pe) = (self.call.word(next), self.call.int(next + 1));
        let [destination, source] = [0, 1].map(|place| Elements {
            stride: strides[place],
            ..self.elements(names[place], place, count)
        });
        self.of_pe(if puts { destination } else { source }, pe);
        if puts {
            self.no_lock(destination);
        }
        if self.is_own(pe) {
            self.apart(destination, source);
        }
    }

    fn atomic(&mut self, what: Atomic, issued: bool) {
        let word = usize::from(issued);
        let next = match what {
            Atomic::CompareSwap => self.call.value(word + 1).1,
            _ => word + 1,
        };
        let next = match what {
            Atomic::Fetch | Atomic::Inc => next,
            _ => self.call.value(next).1,
        };
        let argument = if what == Atomic::Fetch { "source" } else { "dest" };
        let (remote, pe) = (self.elements(argument, word, 1), self.call.int(next));
        self.of_pe(remote, pe);
        if what != Atomic::Fetch {
            self.no_lock(remote);
        }
        if issued && self.is_own(pe) {
            self.apart(self.elements("fetch", 0, 1), remote);
        }
    }

    /// `shmem_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe)`.
    fn signal(&mut self) {
        let (count, pe) = (self.call.word(2), self.call.int(6));
        let destination = self.elements("dest", 0, count);
        let source = self.elements("source", 1, count);
        let signal = self.word("sig_addr", 3);
        self.of_pe(signal, pe);
        self.symmetric(destination);
        self.apart(destination, signal);
        if self.is_own(pe) {
            self.apart(destination, source);
        }
    }

    /// What is freed or moved is an allocation; nothing is freed at NULL.
    fn allocation(&mut self) {
        let address = self.call.word(0);
        let is_allocated = symmetric::find(address).is_some_and(|object| object.is_allocated_at(address));
        if address == 0 || is_allocated {
            return;
        }
        match symmetric::freed(address) {
            Some((by, true)) => self.wrong(Mistake::FreedTwice, Some(by)),
            _ => self.wrong(Mistake::NotAllocated, None),
        }
    }

    /// Destination, source, strides (alltoalls), the number of elements, the root (broadcast), the set, and its words.
    fn collective(&mut self, what: Collective) {
        let (count, set) = match what {
            Collective::Broadcast => (2, 4),
            Collective::Alltoalls => (4, 5),
            _ => (2, 3),
        };
        let elements = match what {
            Collective::Reduce => usize::try_from(self.call.int(count)).unwrap_or(0),
            _ => self.call.word(count),
        };
        let members = usize::try_from(self.call.int(set + 2)).unwrap_or(0);
        let strides = match what {
            Collective::Alltoalls => [self.call.word(2), self.call.word(3)],
            _ => [1, 1],
        };
        if what == Collective::Broadcast {
            self.root(self.call.int(3), members);
        }
        self.exchange(what, 0, (elements, members), strides);
        if what == Collective::Reduce {
            self.symmetric(self.elements("pWrk", set + 3, 1));
            self.symmetric(self.word("pSync", set + 4));
        } else {
            self.symmetric(self.word("pSync", set + 3));
        }
    }

    /// The same on a team, which is the first argument; how many its members are is not known here.
    fn team_collective(&mut self, what: Collective) {
        let (count, strides) = match what {
            Collective::Alltoalls => (5, [self.call.word(3), self.call.word(4)]),
            _ => (3, [1, 1]),
        };
        let members = team::size_of(self.call);
        if let (Collective::Broadcast, Some(members)) = (what, members) {
            self.root(self.call.int(4), members);
        }
        let members = members.unwrap_or(1);
        self.exchange(what, 1, (self.call.word(count), members), strides);
    }

    /// The process from which a broadcast comes is a member, by its number among them.
    fn root(&mut self, number: i32, members: usize) {
        if !usize::try_from(number).is_ok_and(|number| number < members) {
            let processes = u32::try_from(members).unwrap_or(u32::MAX);
            self.wrong(Mistake::Target { number, processes }, None);
        }
    }

    fn exchange(
        &mut self,
        what: Collective,
        first: usize,
        (elements, members): (usize, usize),
        strides: [usize; 2],
    ) {
        let all = elements.saturating_mul(members);
        // How much is collected only the others know, but no less than of this process.
        let (written, read) = match what {
            Collective::Fcollect => (all, elements),
            Collective::Alltoall | Collective::Alltoalls => (all, all),
            _ => (elements, elements),
        };
        let destination = Elements {
            stride: strides[0],
            ..self.elements("dest", first, written)
        };
        let source = Elements {
            stride: strides[1],
            ..self.elements("source", first + 1, read)
        };
        self.symmetric(destination);
        self.symmetric(source);
        // A reduction may have its result where its operand is; a broadcast reads and writes at different processes.
        let in_place = matches!(what, Collective::Reduce | Collective::Broadcast)
            && destination.address == source.address;
        if !in_place {
            self.apart(destination, source);
        }
    }
}
