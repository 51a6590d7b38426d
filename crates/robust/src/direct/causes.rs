//! The happens-before relation of the computation so far, as far as later events can close a cycle through it.
//!
//! Events of one command are one, and so are those of one barrier: that is the identity relation. A later event can
//! bring edges *into* the command of an open operation only, and edges *out of* the last command of a process, the last
//! write of an address, and its reads since. So a later cycle goes from such an event, by a new edge, to an open
//! operation, and on to such an event by ways that exist. What is kept is, for each of these events, which open
//! operations have a way to it: its causes. Two computations that agree in them, and in the state, have the same
//! violating continuations.
//!
//! An edge from `u` to the open operation `v` closes a cycle if and only if `v` is a cause of `u`.

use super::operation::Address;
use super::set::Set;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Causes {
    /// Of each open operation; itself is not among them.
    pub(super) operations: Vec<Set>,
    /// Of the last command of each process; if it is an open operation, this is among them.
    pub(super) processes: Vec<Set>,
    /// Of accesses to each address.
    pub(super) cells: Vec<Accesses>,
}

/// Who accessed an address last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Accesses {
    /// The operation that wrote last, if it is open.
    pub(super) writer: Set,
    /// Causes of the last write, but the operation itself.
    pub(super) of_writer: Set,
    /// Open operations that have read since.
    pub(super) readers: Set,
    /// Causes of all reads since, but for each the operation itself.
    pub(super) of_readers: Set,
}

impl Causes {
    pub(super) fn new(ranks: usize, cells: usize) -> Self {
        Self {
            operations: Vec::new(),
            processes: vec![Set::EMPTY; ranks],
            cells: vec![Accesses::default(); cells],
        }
    }

    /// A process executes a command that is not an operation, with or without access to memory: load, store and others.
    pub(super) fn command(&mut self, rank: usize, access: Option<(Address, bool)>) {
        let mut causes = self.processes[rank];
        if let Some((address, writes)) = access {
            let cell = &mut self.cells[address];
            causes = causes.with(cell.writer).with(cell.of_writer);
            if writes {
                causes = causes.with(cell.readers).with(cell.of_readers);
                *cell = Accesses {
                    of_writer: causes,
                    ..Accesses::default()
                };
            } else {
                cell.of_readers = cell.of_readers.with(causes);
            }
        }
        self.processes[rank] = causes;
    }

    /// All processes execute a barrier.
    pub(super) fn barrier(&mut self) {
        let all = self
            .processes
            .iter()
            .fold(Set::EMPTY, |all, &causes| all.with(causes));
        self.processes.fill(all);
    }

    /// An open operation accesses memory by one of its pops; whether this closes a cycle.
    pub(super) fn pop(&mut self, position: usize, address: Address, writes: bool) -> bool {
        let cell = self.cells[address];
        // The edge from the last write, and those from the reads since; none from the operation to itself.
        let mut new = Set::EMPTY;
        if !cell.writer.has(position) {
            new = new.with(cell.writer).with(cell.of_writer);
        }
        if writes {
            new = new.with(cell.readers.without(position)).with(cell.of_readers);
        }
        let violating = new.has(position);
        let new = new.without(position);
        self.add(position, new);
        let causes = self.operations[position];
        let cell = &mut self.cells[address];
        if writes {
            *cell = Accesses {
                writer: Set::of(position),
                of_writer: causes,
                ..Accesses::default()
            };
        } else {
            cell.readers = cell.readers.with(Set::of(position));
            cell.of_readers = cell.of_readers.with(causes);
        }
        violating
    }

    /// More causes of an operation, and so of all that it is a cause of. Causes are closed under having causes.
    fn add(&mut self, position: usize, new: Set) {
        let more = |causes: &mut Set| {
            if causes.has(position) {
                *causes = causes.with(new);
            }
        };
        self.operations.iter_mut().for_each(more);
        self.processes.iter_mut().for_each(more);
        self.operations[position] = self.operations[position].with(new);
        for cell in &mut self.cells {
            if cell.writer.has(position) {
                cell.of_writer = cell.of_writer.with(new);
            }
            if cell.readers.has(position) {
                cell.of_readers = cell.of_readers.with(new);
            }
            more(&mut cell.of_writer);
            more(&mut cell.of_readers);
        }
    }

    /// A process has issued an operation, which is at this position now.
    pub(super) fn make_room(&mut self, position: usize, rank: usize) {
        self.each(|set| set.making_room(position));
        let before = self.processes[rank];
        self.operations.insert(position, before);
        self.processes[rank] = before.with(Set::of(position));
    }

    /// The operation at this position is complete: no event brings an edge into it any more.
    pub(super) fn close_gap(&mut self, position: usize) {
        self.operations.remove(position);
        self.each(|set| set.closing_gap(position));
    }

    /// A process has nothing left to do: no command will follow its last.
    pub(super) fn ended(&mut self, rank: usize) {
        self.processes[rank] = Set::EMPTY;
    }

    fn each(&mut self, change: impl Fn(Set) -> Set) {
        for set in self.operations.iter_mut().chain(&mut self.processes) {
            *set = change(*set);
        }
        for cell in &mut self.cells {
            cell.writer = change(cell.writer);
            cell.of_writer = change(cell.of_writer);
            cell.readers = change(cell.readers);
            cell.of_readers = change(cell.of_readers);
        }
    }
}
