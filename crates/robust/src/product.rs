//! The product of paper 003, section 5: normal-form computations, their marked events, and cycles of the form (CYC),
//! one step at a time.
//!
//! A state is that of the program behind the first part, the parts that the operations of each queue have reached, and the
//! marks. Commands are generated in order; the events of an operation go to parts 1 to 4 (here 0 to 3) in one shot
//! (Table 2). A cycle enters a process at one event and leaves it at one that is not issued before (Lemma 13); two marks
//! are linked when there is a conflict, or when both are of one barrier.
//!
//! Differences from the paper, each with its reason:
//! 1. Cycle types are not enumerated: which process follows which is decided when two marks are linked. The cycle is
//!    closed when every process that was entered is left and no mark is open.
//! 2. The first mark is that of an enter event behind part 1. Otherwise the first mark would be an enter event whose
//!    predecessor on the cycle is generated before it, and so would not be first. (Of a barrier, one of the two processes
//!    would enter and leave at it, and could be left out of the cycle.)
//! 3. Only marked events are delayed more than their queue demands. In a normal-form violation all commands but the last
//!    are as in a sequentially consistent computation (Lemma 7); an event that nothing in the first part waits to see
//!    changed can as well take effect in it at its place there, which keeps all values and conflicts but those with
//!    the last command, and these are on the cycle only if they are marked.
//! 4. A wait is a step that is possible if what it waits for is in part 1: no events are removed or moved before it by
//!    the proof of Theorem 5, since cancellation takes the last command, behind the wait or the wait itself.
//! 5. Unordered queues choose parts freely; a fence makes the part of earlier operations a floor for later ones to the
//!    same target. Within a part events keep the order of issue, as (NF) demands, which respects every fence.

use crate::issue::{Issued, Remote, RemoteKind, issue};
use crate::layout::Layout;
use farside_pgas::ast::{Completion, Order};
use farside_pgas::calculus::{Command, Program, Undefined};

/// The number of parts.
const PARTS: u32 = 4;
const NONE: u32 = 0;
const LINKED: u32 = 1;

/// A step of a path; enough to repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The process; for a barrier, that of the first.
    pub(crate) rank: u16,
    /// Index of its transition; for a barrier, a number for those of all processes.
    pub(crate) transition: u32,
    /// The parts of popa and popb.
    pub(crate) parts: (u8, u8),
}

/// An access that can be marked.
#[derive(Clone, Copy, Debug)]
struct Access {
    part: u32,
    address: u32,
    writes: bool,
    /// Of popa 0, of popb 1.
    which: usize,
    /// Nobody else names the address.
    private: bool,
}

/// Something that goes wrong under sequential consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    Assertion,
    Undefined(bool),
}

/// What a visitor gets.
pub(crate) trait Visitor {
    /// A next state.
    fn next(&mut self, state: &[u32], step: Step);
    /// A failure of the transition of a rank, before anything was delayed.
    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong);
}

/// Counts the next states on their way.
struct Counted<'v, V> {
    inner: &'v mut V,
    steps: usize,
}

impl<V: Visitor> Visitor for Counted<'_, V> {
    fn next(&mut self, state: &[u32], step: Step) {
        self.steps += 1;
        self.inner.next(state, step);
    }

    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong) {
        self.inner.wrong(rank, transition, wrong);
    }
}

/// The product automaton of a program.
pub(crate) struct Product<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: Layout,
    /// Transitions by rank and control state.
    outgoing: Vec<Vec<Vec<usize>>>,
    /// By code and control state: its steps touch nothing that others touch, and do not run in a circle.
    quiet: Vec<Vec<bool>>,
    /// By cell: only its own process names it, so that only a cycle within that process goes over it.
    private: Vec<bool>,
    pub(crate) reduce: bool,
}

impl<'p> Product<'p> {
    pub(crate) fn new(program: &'p Program, reduce: bool) -> Self {
        let outgoing: Vec<Vec<Vec<usize>>> = program
            .codes
            .iter()
            .map(|code| {
                let mut by_state = vec![Vec::new(); code.states];
                for (index, transition) in code.transitions.iter().enumerate() {
                    by_state[transition.from].push(index);
                }
                by_state
            })
            .collect();
        let quiet = crate::quiet::quiet(program);
        let named = crate::quiet::remote_cells(program);
        let private = (0..program.cells.len())
            .map(|cell| reduce && !named.contains(&cell))
            .collect();
        Self {
            program,
            layout: Layout::new(program),
            outgoing,
            quiet,
            private,
            reduce,
        }
    }

    pub(crate) fn first(&self) -> Vec<u32> {
        let mut state = vec![0; self.layout.words()];
        for rank in 0..self.layout.ranks {
            for (index, &value) in self.program.first_registers[rank].iter().enumerate() {
                state[self.layout.register(rank, index)] = value;
            }
            for (index, &value) in self.program.first_cells[rank].iter().enumerate() {
                state[self.layout.cell(rank, index)] = value;
            }
        }
        state
    }

    /// Whether a cycle is closed.
    pub(crate) fn accepts(&self, state: &[u32]) -> bool {
        let mut any = false;
        for rank in 0..self.layout.ranks {
            match (state[self.layout.enter(rank)], state[self.layout.leave(rank)]) {
                (NONE, NONE) => {}
                (LINKED, LINKED) => any = true,
                _ => return false,
            }
        }
        any
    }

    /// Whether no cycle can be closed any more: a process that was entered, and not left, waits for what was delayed.
    pub(crate) fn hopeless(&self, state: &[u32]) -> bool {
        self.reduce
            && (0..self.layout.ranks).any(|rank| {
                let entered =
                    state[self.layout.enter(rank)] != NONE && state[self.layout.leave(rank)] == NONE;
                let code = &self.program.codes[self.program.code_of_rank[rank]];
                entered
                    && self.transitions(rank, state).iter().all(|&index| {
                        let command = &code.transitions[index].command;
                        matches!(command, Command::Wait { .. }) && {
                            let register = |register: farside_pgas::calculus::Register| {
                                state[self.layout.register(rank, register.0)]
                            };
                            match issue(self.program, rank, command, &register) {
                                Ok(Issued::Wait {
                                    queues,
                                    handles,
                                    completion,
                                }) => !self.waited(rank, state, &queues, &handles, completion),
                                _ => true,
                            }
                        }
                    })
            })
    }

    /// Whether a wait is possible.
    fn waited(
        &self,
        rank: usize,
        state: &[u32],
        queues: &[usize],
        handles: &[usize],
        completion: Completion,
    ) -> bool {
        let channels = queues
            .iter()
            .flat_map(|&queue| self.layout.channels_of(rank, queue));
        let mut words = channels.chain(handles.iter().map(|&handle| self.layout.handle(rank, handle)));
        words.all(|word| {
            let [pa, pb, ..] = unpack(state[word]);
            pa == 0 && (completion == Completion::Local || pb == 0)
        })
    }

    /// All steps from a state.
    pub(crate) fn steps(&self, state: &[u32], visitor: &mut impl Visitor) {
        if self.reduce {
            // One process whose steps concern nobody else goes first; the others find the same behind it.
            for rank in 0..self.layout.ranks {
                let (code, control) = (
                    self.program.code_of_rank[rank],
                    state[self.layout.control(rank)] as usize,
                );
                if self.quiet[code][control] {
                    let mut counted = Counted {
                        inner: visitor,
                        steps: 0,
                    };
                    self.steps_of(rank, state, &mut counted);
                    if counted.steps > 0 {
                        return;
                    }
                    // It is stuck for ever; the others are not.
                }
            }
        }
        for rank in 0..self.layout.ranks {
            let (code, control) = (
                self.program.code_of_rank[rank],
                state[self.layout.control(rank)] as usize,
            );
            if !(self.reduce && self.quiet[code][control]) {
                self.steps_of(rank, state, visitor);
            }
        }
        self.barrier(state, visitor);
    }

    fn transitions(&self, rank: usize, state: &[u32]) -> &[usize] {
        &self.outgoing[self.program.code_of_rank[rank]][state[self.layout.control(rank)] as usize]
    }

    fn steps_of(&self, rank: usize, state: &[u32], visitor: &mut impl Visitor) {
        let code = &self.program.codes[self.program.code_of_rank[rank]];
        for &index in self.transitions(rank, state) {
            let transition = &code.transitions[index];
            let registers =
                |register: farside_pgas::calculus::Register| state[self.layout.register(rank, register.0)];
            let issued = match issue(self.program, rank, &transition.command, &registers) {
                Ok(issued) => issued,
                Err(undefined) => {
                    if self.nothing_delayed(state) {
                        visitor.wrong(
                            rank,
                            index,
                            Wrong::Undefined(undefined == Undefined::DivisionByZero),
                        );
                    }
                    continue;
                }
            };
            let mut next = state.to_vec();
            next[self.layout.control(rank)] = transition.to as u32;
            let step = Step {
                rank: rank as u16,
                transition: index as u32,
                parts: (0, 0),
            };
            let local = |cell: usize, writes| Access {
                part: 0,
                address: self.layout.address(rank, cell),
                writes,
                which: 0,
                private: self.private[cell],
            };
            match issued {
                Issued::Barrier => {}
                Issued::Stuck => {
                    if matches!(transition.command, Command::Assume { asserted: true, .. })
                        && self.nothing_delayed(state)
                    {
                        visitor.wrong(rank, index, Wrong::Assertion);
                    }
                }
                Issued::Assume => {
                    self.bury(&mut next, rank, index);
                    visitor.next(&next, step);
                }
                Issued::Assign { into, value } => {
                    next[self.layout.register(rank, into)] = value;
                    self.bury(&mut next, rank, index);
                    visitor.next(&next, step);
                }
                Issued::Load { into, cell } => {
                    next[self.layout.register(rank, into)] = next[self.layout.cell(rank, cell)];
                    self.bury(&mut next, rank, index);
                    self.marked(rank, &mut next, &[local(cell, false)], [false; 2], step, visitor);
                }
                Issued::Store { cell, value } => {
                    next[self.layout.cell(rank, cell)] = value;
                    self.bury(&mut next, rank, index);
                    self.marked(rank, &mut next, &[local(cell, true)], [false; 2], step, visitor);
                }
                Issued::Fence { queue, target } => {
                    let channels = match target {
                        Some(target) => {
                            let one = self.layout.channel(rank, queue, target);
                            one..one + 1
                        }
                        None => self.layout.channels_of(rank, queue),
                    };
                    for channel in channels {
                        let [pa, pb, target, _] = unpack(next[channel]);
                        next[channel] = pack([pa, pb, target, target]);
                    }
                    self.bury(&mut next, rank, index);
                    visitor.next(&next, step);
                }
                Issued::Wait {
                    queues,
                    handles,
                    completion,
                } => {
                    if self.waited(rank, state, &queues, &handles, completion) {
                        self.bury(&mut next, rank, index);
                        visitor.next(&next, step);
                    }
                }
                Issued::Remote(remote) => {
                    self.bury(&mut next, rank, index);
                    self.remote(rank, &next, &remote, step, visitor);
                }
            }
        }
    }

    /// Registers that nobody needs any more are forgotten.
    fn bury(&self, next: &mut [u32], rank: usize, index: usize) {
        let code = &self.program.codes[self.program.code_of_rank[rank]];
        for register in &code.transitions[index].dead {
            next[self.layout.register(rank, register.0)] = 0;
        }
    }

    fn nothing_delayed(&self, state: &[u32]) -> bool {
        (0..self.layout.ranks).all(|rank| {
            self.layout.all_channels(rank).all(|channel| {
                let [pa, pb, ..] = unpack(state[channel]);
                pa == 0 && pb == 0
            })
        })
    }

    /// Rule (write') of Table 2, and its like.
    fn remote(&self, rank: usize, state: &[u32], remote: &Remote, step: Step, visitor: &mut impl Visitor) {
        let channel = self.layout.channel(rank, remote.queue, remote.target);
        let [max_pa, max_pb, max_target, fence] = unpack(state[channel]);
        let is_write = remote.kind == RemoteKind::Write;
        let (mut least_pa, mut least_pb) = (0, 0);
        let floor = match self.program.queues[remote.queue].order {
            Order::Ordered | Order::PerTarget => {
                (least_pa, least_pb) = (max_pa, max_pb);
                // At the target, atomics and writes keep their order; a read is only behind earlier reads (Table 1).
                if remote.kind == RemoteKind::Read {
                    0
                } else {
                    max_target
                }
            }
            Order::Unordered if remote.after_earlier => max_target,
            Order::Unordered => fence,
        };
        if is_write {
            least_pb = least_pb.max(floor);
        } else {
            least_pa = least_pa.max(floor);
        }
        for pa in least_pa..PARTS {
            for pb in least_pb.max(pa)..PARTS {
                // Which of the events are later than they need be: those must be marked.
                let late = [
                    pa > least_pa,
                    pb > least_pb.max(pa) && remote.destination.is_some(),
                ];
                if remote.destination.is_none() && pb > least_pb.max(pa) {
                    continue;
                }
                let mut next = state.to_vec();
                let at_target = if is_write { pb } else { pa };
                next[channel] = pack([max_pa.max(pa), max_pb.max(pb), max_target.max(at_target), fence]);
                if let Some(handle) = remote.handle {
                    let word = self.layout.handle(rank, handle);
                    let [handle_pa, handle_pb, ..] = unpack(next[word]);
                    next[word] = pack([handle_pa.max(pa), handle_pb.max(pb), 0, 0]);
                }
                let source = self.layout.cell(remote.source.0, remote.source.1);
                if pa == 0 {
                    let old = next[source];
                    if let Some(left) = remote.kind.leaves(old, self.program.domain) {
                        next[source] = left;
                    }
                    if let (0, Some((to, cell))) = (pb, remote.destination) {
                        next[self.layout.cell(to, cell)] = old;
                    }
                }
                let mut accesses = vec![Access {
                    part: pa,
                    address: self.layout.address(remote.source.0, remote.source.1),
                    writes: matches!(remote.kind, RemoteKind::Atomic { .. }),
                    which: 0,
                    private: self.private[remote.source.1],
                }];
                if let Some((to, cell)) = remote.destination {
                    let (address, private) = (self.layout.address(to, cell), self.private[cell]);
                    accesses.push(Access {
                        part: pb,
                        address,
                        writes: true,
                        which: 1,
                        private,
                    });
                }
                let step = Step {
                    parts: (pa as u8, pb as u8),
                    ..step
                };
                self.marked(rank, &mut next, &accesses, late, step, visitor);
            }
        }
    }

    /// All ways to mark the accesses of a command; those that are late must be marked.
    fn marked(
        &self,
        rank: usize,
        next: &mut [u32],
        accesses: &[Access],
        late: [bool; 2],
        step: Step,
        visitor: &mut impl Visitor,
    ) {
        if !late[0] && !late[1] {
            visitor.next(next, step);
        }
        let (enter, leave) = (self.layout.enter(rank), self.layout.leave(rank));
        let covered = |marks: &[usize]| (0..2).all(|which| !late[which] || marks.contains(&which));
        let any_mark = (0..self.layout.ranks).any(|other| next[self.layout.enter(other)] != NONE);
        // A leave event alone.
        if next[enter] != NONE && next[leave] == NONE {
            for access in accesses {
                if covered(&[access.which]) {
                    self.leave(rank, next, access, true, step, visitor);
                }
            }
        }
        if next[enter] != NONE {
            return;
        }
        for access in accesses {
            // (position of the enter mark, rank to link with)
            let mut ways: Vec<Option<usize>> = Vec::new();
            if access.part > 0 {
                ways.push(None);
            }
            if any_mark {
                ways.extend(
                    (0..self.layout.ranks)
                        .filter(|&other| other != rank)
                        .filter(|&other| {
                            let mark = next[self.layout.leave(other)];
                            conflict(mark, access).is_some_and(|part| part <= access.part)
                        })
                        .map(Some),
                );
            }
            for way in ways {
                let undone = way.map(|other| (self.layout.leave(other), next[self.layout.leave(other)]));
                match undone {
                    None => next[enter] = open(access),
                    Some((word, _)) => {
                        next[enter] = LINKED;
                        next[word] = LINKED;
                    }
                }
                if covered(&[access.which]) {
                    visitor.next(next, step);
                }
                for second in accesses {
                    if covered(&[access.which, second.which]) {
                        self.leave(rank, next, second, false, step, visitor);
                    }
                }
                next[enter] = NONE;
                if let Some((word, mark)) = undone {
                    next[word] = mark;
                }
            }
        }
    }

    /// All ways to leave a rank at an access; `own`: its enter event is of an earlier command.
    fn leave(
        &self,
        rank: usize,
        next: &mut [u32],
        access: &Access,
        own: bool,
        step: Step,
        visitor: &mut impl Visitor,
    ) {
        let leave = self.layout.leave(rank);
        if !access.private {
            next[leave] = open(access);
            visitor.next(next, step);
        }
        next[leave] = LINKED;
        for other in 0..self.layout.ranks {
            let word = self.layout.enter(other);
            let mark = next[word];
            if (other != rank || own) && conflict(mark, access).is_some_and(|part| access.part < part) {
                next[word] = LINKED;
                visitor.next(next, step);
                next[word] = mark;
            }
        }
        next[leave] = NONE;
    }

    fn barrier(&self, state: &[u32], visitor: &mut impl Visitor) {
        let ranks = self.layout.ranks;
        let choices: Vec<Vec<usize>> = (0..ranks)
            .map(|rank| {
                let code = &self.program.codes[self.program.code_of_rank[rank]];
                let is_barrier = |index: &usize| code.transitions[*index].command == Command::Barrier;
                self.transitions(rank, state)
                    .iter()
                    .copied()
                    .filter(is_barrier)
                    .collect()
            })
            .collect();
        let combinations: usize = choices.iter().map(Vec::len).product();
        for number in 0..combinations {
            let mut next = state.to_vec();
            for (rank, index) in taken(&choices, number).into_iter().enumerate() {
                let code = &self.program.codes[self.program.code_of_rank[rank]];
                next[self.layout.control(rank)] = code.transitions[index].to as u32;
                self.bury(&mut next, rank, index);
            }
            let step = Step {
                rank: u16::MAX,
                transition: number as u32,
                parts: (0, 0),
            };
            visitor.next(&next, step);
            for from in 0..ranks {
                if next[self.layout.enter(from)] == NONE || next[self.layout.leave(from)] != NONE {
                    continue;
                }
                for to in 0..ranks {
                    if to != from && next[self.layout.enter(to)] == NONE {
                        let mut linked = next.clone();
                        linked[self.layout.leave(from)] = LINKED;
                        linked[self.layout.enter(to)] = LINKED;
                        visitor.next(&linked, step);
                    }
                }
            }
        }
    }

    /// The transition of each rank at a barrier.
    pub(crate) fn barrier_transitions(&self, controls: &[usize], number: usize) -> Vec<usize> {
        let choices: Vec<Vec<usize>> = (0..self.layout.ranks)
            .map(|rank| {
                let code = self.program.code_of_rank[rank];
                let is_barrier =
                    |index: &usize| self.program.codes[code].transitions[*index].command == Command::Barrier;
                self.outgoing[code][controls[rank]]
                    .iter()
                    .copied()
                    .filter(is_barrier)
                    .collect()
            })
            .collect();
        taken(&choices, number)
    }
}

fn taken(choices: &[Vec<usize>], mut number: usize) -> Vec<usize> {
    choices
        .iter()
        .map(|choice| {
            let index = choice[number % choice.len()];
            number /= choice.len();
            index
        })
        .collect()
}

/// An open mark.
fn open(access: &Access) -> u32 {
    2 + access.part + 4 * (u32::from(access.writes) + 2 * access.address)
}

/// The part of an open mark that conflicts with an access.
fn conflict(mark: u32, access: &Access) -> Option<u32> {
    let mark = mark.checked_sub(2)?;
    let (part, writes, address) = (mark % 4, mark / 4 % 2 == 1, mark / 8);
    (address == access.address && (writes || access.writes)).then_some(part)
}

/// Largest part of popa, of popb, of the event at the target; part behind which a fence keeps what is issued later.
fn unpack(word: u32) -> [u32; 4] {
    [word & 3, word >> 2 & 3, word >> 4 & 3, word >> 6 & 3]
}

fn pack([pa, pb, target, fence]: [u32; 4]) -> u32 {
    pa | pb << 2 | target << 4 | fence << 6
}
