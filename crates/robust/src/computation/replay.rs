//! The plain semantics: one action at a time.

use super::{Action, Event, Kind};
use crate::issue::{Issued, Remote, RemoteKind, ends_poll, issue};
use farside_pgas::ast::{Completion, Order};
use farside_pgas::calculus::{Command, Program};

/// An operation on its way.
struct Open {
    rank: usize,
    command: usize,
    transition: usize,
    remote: Remote,
    value: Option<u32>,
    popa: bool,
    popb: bool,
    /// Open operations that must take effect at the target first.
    behind: Vec<usize>,
}

impl Open {
    fn at_target(&self) -> bool {
        if self.remote.kind == RemoteKind::Write {
            self.popb
        } else {
            self.popa
        }
    }
}

/// The events of a sequence of actions; `None` if Table 1 does not have it.
#[must_use]
pub fn replay(program: &Program, actions: &[Action]) -> Option<Vec<Event>> {
    let mut machine = Machine {
        program,
        controls: vec![0; program.ranks as usize],
        registers: program.first_registers.clone(),
        cells: program.first_cells.clone(),
        operations: Vec::new(),
        fences: Vec::new(),
        events: Vec::new(),
        barriers: 0,
        met: Vec::new(),
    };
    for action in actions {
        match *action {
            Action::Command {
                rank,
                transition,
                command,
            } => machine.command(rank, transition, command)?,
            Action::Popa { command } => machine.popa(command)?,
            Action::Popb { command } => machine.popb(command)?,
        }
    }
    // A barrier is all processes or none, and every operation ends.
    (machine.met.is_empty() && machine.operations.iter().all(|open| open.popa && open.popb))
        .then_some(machine.events)
}

struct Machine<'p> {
    program: &'p Program,
    controls: Vec<usize>,
    registers: Vec<Vec<u32>>,
    cells: Vec<Vec<u32>>,
    operations: Vec<Open>,
    /// Rank, queue, target, and how many operations were issued before.
    fences: Vec<(usize, usize, Option<usize>, usize)>,
    events: Vec<Event>,
    barriers: usize,
    /// Who has come to the barrier that is going on.
    met: Vec<usize>,
}

impl Machine<'_> {
    fn command(&mut self, rank: usize, index: usize, command: usize) -> Option<()> {
        let code = &self.program.codes[*self.program.code_of_rank.get(rank)?];
        let transition = code.transitions.get(index)?;
        if transition.from != self.controls[rank]
            || (!self.met.is_empty() && transition.command != Command::Barrier)
        {
            return None;
        }
        let registers = |register: farside_pgas::calculus::Register| self.registers[rank][register.0];
        let issued = issue(self.program, rank, &transition.command, &registers).ok()?;
        let mut event = Event {
            kind: Kind::Wait,
            rank,
            command,
            transition: index,
            address: None,
            writes: false,
            value: None,
            barrier: None,
        };
        match issued {
            Issued::Stuck => return None,
            Issued::Assume => event.kind = Kind::Assume,
            Issued::Assign { into, value } => {
                self.registers[rank][into] = value;
                (event.kind, event.value) = (Kind::Assign, Some(value));
            }
            Issued::Load { into, cell } => {
                let value = self.cells[rank][cell];
                if !ends_poll(self.program, rank, &transition.command, &registers, value) {
                    return None;
                }
                self.registers[rank][into] = value;
                (event.kind, event.address, event.value) = (Kind::Load, Some((rank, cell)), Some(value));
            }
            Issued::Store { cell, value } => {
                self.cells[rank][cell] = value;
                event.writes = true;
                (event.kind, event.address, event.value) = (Kind::Store, Some((rank, cell)), Some(value));
            }
            Issued::Barrier => {
                (event.kind, event.barrier) = (Kind::Bar, Some(self.barriers));
                if self.met.contains(&rank) {
                    return None;
                }
                self.met.push(rank);
                if self.met.len() == self.program.ranks as usize {
                    self.met.clear();
                    self.barriers += 1;
                }
            }
            Issued::Wait {
                queues,
                handles,
                completion,
            } => {
                let waited = |open: &Open| {
                    open.rank == rank
                        && (queues.contains(&open.remote.queue)
                            || open.remote.handle.is_some_and(|handle| handles.contains(&handle)))
                };
                // What delivers nothing is complete when it is its turn to deliver.
                let done = |at: usize, open: &Open| {
                    let complete = open.popb && self.first(at, |open| open.popb);
                    open.popa && (complete || completion == Completion::Local)
                };
                let mut all = self.operations.iter().enumerate();
                if !all.all(|(at, open)| !waited(open) || done(at, open)) {
                    return None;
                }
            }
            Issued::Fence { queue, target } => {
                event.kind = Kind::Fence;
                self.fences.push((rank, queue, target, self.operations.len()));
            }
            Issued::Remote(remote) => {
                event.kind = match remote.kind {
                    RemoteKind::Read => Kind::Read,
                    RemoteKind::Write => Kind::Write,
                    RemoteKind::Atomic { .. } => Kind::Atomic,
                };
                let behind = self.behind(rank, &remote);
                let popb = remote.destination.is_none();
                self.operations.push(Open {
                    rank,
                    command,
                    transition: index,
                    remote,
                    value: None,
                    popa: false,
                    popb,
                    behind,
                });
            }
        }
        for register in &transition.dead {
            self.registers[rank][register.0] = 0;
        }
        self.controls[rank] = transition.to;
        self.events.push(event);
        Some(())
    }

    /// Operations whose effect at the target must come before that of a new one.
    fn behind(&self, rank: usize, remote: &Remote) -> Vec<usize> {
        let order = self.program.queues[remote.queue].order;
        let fenced = self
            .fences
            .iter()
            .filter(|fence| {
                (fence.0, fence.1) == (rank, remote.queue) && fence.2.is_none_or(|to| to == remote.target)
            })
            .map(|fence| fence.3)
            .max()
            .unwrap_or(0);
        let earlier = |(index, open): &(usize, &Open)| {
            let same_target = open.remote.target == remote.target;
            let kept = same_target && (remote.after_earlier || *index < fenced);
            // At the target, atomics and writes keep their order; a read overtakes, but not a fence.
            let queued = match order {
                Order::Ordered => remote.kind != RemoteKind::Read,
                Order::PerTarget => remote.kind != RemoteKind::Read && same_target,
                Order::Unordered => false,
            };
            (open.rank, open.remote.queue) == (rank, remote.queue) && (queued || kept)
        };
        self.operations
            .iter()
            .enumerate()
            .filter(earlier)
            .map(|(index, _)| index)
            .collect()
    }

    /// The operation, if it is the next of its queue.
    fn next(&self, command: usize, done: impl Fn(&Open) -> bool) -> Option<usize> {
        let at = self.operations.iter().position(|open| open.command == command)?;
        self.first(at, done).then_some(at)
    }

    /// Whether all operations that the queue of one has before it are done.
    fn first(&self, at: usize, done: impl Fn(&Open) -> bool) -> bool {
        let open = &self.operations[at];
        self.operations[..at].iter().all(|earlier| {
            let same = (earlier.rank, earlier.remote.queue) == (open.rank, open.remote.queue);
            let ordered = match self.program.queues[open.remote.queue].order {
                Order::Ordered => true,
                Order::PerTarget => earlier.remote.target == open.remote.target,
                Order::Unordered => false,
            };
            !(same && ordered) || done(earlier)
        })
    }

    fn popa(&mut self, command: usize) -> Option<()> {
        let at = self.next(command, |open| open.popa)?;
        let open = &self.operations[at];
        let atomic = open.remote.kind != RemoteKind::Read && open.remote.kind != RemoteKind::Write;
        let kept = open.remote.kind == RemoteKind::Write
            || open
                .behind
                .iter()
                .all(|&other| self.operations[other].at_target());
        if open.popa || !kept {
            return None;
        }
        let (rank, cell) = open.remote.source;
        let old = self.cells[rank][cell];
        if let Some(left) = open.remote.kind.leaves(old, self.program.domain) {
            self.cells[rank][cell] = left;
        }
        self.events.push(Event {
            kind: Kind::Popa,
            rank: open.rank,
            command,
            transition: open.transition,
            address: Some((rank, cell)),
            writes: atomic,
            value: Some(old),
            barrier: None,
        });
        let open = &mut self.operations[at];
        (open.popa, open.value) = (true, Some(old));
        Some(())
    }

    fn popb(&mut self, command: usize) -> Option<()> {
        let at = self.next(command, |open| open.popb)?;
        let open = &self.operations[at];
        let kept = open.remote.kind != RemoteKind::Write
            || open
                .behind
                .iter()
                .all(|&other| self.operations[other].at_target());
        let (rank, cell) = open.remote.destination?;
        if open.popb || !kept {
            return None;
        }
        let value = open.value?;
        self.cells[rank][cell] = value;
        self.events.push(Event {
            kind: Kind::Popb,
            rank: open.rank,
            command,
            transition: open.transition,
            address: Some((rank, cell)),
            writes: true,
            value: Some(value),
            barrier: None,
        });
        self.operations[at].popb = true;
        Some(())
    }
}
