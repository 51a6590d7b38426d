//! What the processes can do in a state.

use super::Delay;
use super::accesses::Access;
use super::layout::{FENCED, LATE_READ, LATE_WRITTEN, Layout, POPA, POPB, TARGET};
use crate::issue::{Issued, Remote, RemoteKind, ends_poll, issue};
use crate::system::{Step, Visitor, Wrong, mistake};
use farside_pgas::ast::Completion;
use farside_pgas::calculus::Command;

/// A transition of a process with its command evaluated.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) transition: usize,
    pub(super) issued: Issued,
    /// Which of its events are delayed; none if it is not possible, whatever is there to read.
    pub(super) late: Option<Late>,
    /// It is a load that waits for another value than what is there.
    polls: bool,
}

impl Offer {
    /// Whether it waits for another value than what is there.
    pub(super) fn polls(&self) -> bool {
        self.polls
    }

    /// Which of its events are delayed; none if it is not possible now.
    pub(super) fn now(&self) -> Option<Late> {
        self.late.filter(|_| !self.polls)
    }
}

/// Which events of a command are delayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Late {
    pub(super) popa: bool,
    pub(super) popb: bool,
}

/// A process in a state.
#[derive(Clone, Debug)]
pub(super) struct Process {
    /// Barriers, assumptions that do not hold, and mistakes are not among them.
    pub(super) offers: Vec<Offer>,
    pub(super) at_barrier: bool,
}

impl Process {
    /// Whether it can do something alone.
    pub(super) fn moves(&self) -> bool {
        self.offers.iter().any(|offer| offer.now().is_some())
    }

    /// Whether it can do something alone, now or when others have written what it polls.
    pub(super) fn may_move(&self) -> bool {
        self.offers.iter().any(|offer| offer.late.is_some())
    }
}

/// Hears nothing but whether something goes wrong.
struct Alert(bool);

impl Visitor for Alert {
    fn next(&mut self, _: &[u32], _: Step) -> bool {
        false
    }

    fn violation(&mut self, _: Step) {}

    fn wrong(&mut self, _: usize, _: usize, _: Wrong) {
        self.0 = true;
    }
}

impl Delay {
    /// The accesses of a command: of load, store and popa, and of popb.
    pub(super) fn accesses(&self, rank: usize, issued: &Issued) -> [Option<Access>; 2] {
        let at = |(rank, cell): (usize, usize), writes| {
            Some(Access {
                address: self.layout.address(rank, cell),
                writes,
            })
        };
        match issued {
            Issued::Load { cell, .. } => [at((rank, *cell), false), None],
            Issued::Store { cell, .. } => [at((rank, *cell), true), None],
            Issued::Remote(remote) => [
                at(remote.source, matches!(remote.kind, RemoteKind::Atomic { .. })),
                remote.destination.and_then(|destination| at(destination, true)),
            ],
            _ => [None, None],
        }
    }

    /// All processes; failures go to the visitor.
    pub(super) fn processes(&self, state: &[u32], visitor: &mut impl Visitor) -> Vec<Process> {
        (0..self.layout.ranks)
            .map(|rank| self.process(state, rank, visitor))
            .collect()
    }

    /// All processes of a state with a delayed event, which has no failures of its own.
    pub(super) fn delayed_processes(&self, state: &[u32]) -> Vec<Process> {
        self.processes(state, &mut Alert(false))
    }

    fn process(&self, state: &[u32], rank: usize, visitor: &mut impl Visitor) -> Process {
        let control = state[self.layout.control(rank)] as usize;
        let in_order = Layout::delayed(state).is_none();
        let register =
            |register: farside_pgas::calculus::Register| state[self.layout.register(rank, register.0)];
        let mut offers = Vec::new();
        for &transition in self.outgoing.all(rank, control) {
            let command = &self.program.codes[rank].transitions[transition].command;
            match issue(&self.program, rank, command, &register) {
                Err(undefined) if in_order => self.wrong(rank, transition, mistake(undefined), visitor),
                Ok(Issued::Stuck)
                    if in_order && matches!(command, Command::Assume { asserted: true, .. }) =>
                {
                    self.wrong(rank, transition, Wrong::Assertion, visitor);
                }
                Err(_) | Ok(Issued::Stuck | Issued::Barrier) => {}
                Ok(issued) => {
                    if let (Issued::Remote(remote), true) = (&issued, in_order)
                        && let Some(value) = self.outside(state, remote)
                    {
                        self.wrong(rank, transition, Wrong::OutsideDomain(value), visitor);
                        continue;
                    }
                    let polls = matches!(issued, Issued::Load { cell, .. } if {
                        let value = state[self.layout.value(self.layout.address(rank, cell))];
                        !ends_poll(&self.program, rank, command, &register, value)
                    });
                    let late = if in_order {
                        Some(Late::default())
                    } else {
                        self.late(state, rank, &issued)
                    };
                    offers.push(Offer {
                        transition,
                        issued,
                        late,
                        polls,
                    });
                }
            }
        }
        Process {
            offers,
            at_barrier: self.outgoing.at_barrier(rank, control),
        }
    }

    /// The only step of a process, if it concerns nobody else, and nothing goes wrong with it.
    pub(super) fn quiet_offer(&self, state: &[u32], rank: usize) -> Option<(Offer, Late)> {
        let control = state[self.layout.control(rank)] as usize;
        if !self.quiet[rank][control] {
            return None;
        }
        let mut alert = Alert(false);
        let mut process = self.process(state, rank, &mut alert);
        let offer = process.offers.pop()?;
        let late = offer.now()?;
        (process.offers.is_empty() && !alert.0).then_some((offer, late))
    }

    /// What an operation would leave in memory, if the domain does not have it.
    fn outside(&self, state: &[u32], remote: &Remote) -> Option<i64> {
        let (owner, cell) = remote.source;
        let old = state[self.layout.value(self.layout.address(owner, cell))];
        remote.kind.outside(old, &self.program)
    }

    /// What goes wrong for a rank does for its images.
    fn wrong(&self, rank: usize, transition: usize, wrong: Wrong, visitor: &mut impl Visitor) {
        for image in self.symmetry.images(rank, self.layout.ranks) {
            visitor.wrong(image, transition, wrong);
        }
    }

    /// Which events of a command must be delayed; none if one must be that cannot, or if it waits for one that is.
    fn late(&self, state: &[u32], rank: usize, issued: &Issued) -> Option<Late> {
        let behind = |access: Access| {
            let seen = state[self.layout.accessed(access.address)];
            seen & LATE_WRITTEN != 0 || (access.writes && seen & LATE_READ != 0)
        };
        match issued {
            Issued::Remote(remote) => {
                let (mut late, [source, destination]) =
                    (self.queued(state, rank, remote), self.accesses(rank, issued));
                late.popa |= source.is_some_and(behind);
                late.popb |= late.popa || destination.is_some_and(behind);
                Some(late)
            }
            Issued::Wait {
                queues,
                handles,
                completion,
            } => {
                let awaited = match completion {
                    Completion::Local => POPA,
                    Completion::Full => POPA | POPB,
                };
                let channels = queues.iter().flat_map(|&queue| self.layout.channels.of(queue));
                let mut words = channels
                    .map(|channel| self.layout.channel(rank, channel))
                    .chain(handles.iter().map(|&handle| self.layout.handle(rank, handle)));
                words.all(|word| state[word] & awaited == 0).then(Late::default)
            }
            _ => {
                let [access, _] = self.accesses(rank, issued);
                (!access.is_some_and(behind)).then(Late::default)
            }
        }
    }

    /// Which events of an operation are delayed because one that its queue has before it is.
    pub(super) fn queued(&self, state: &[u32], rank: usize, remote: &Remote) -> Late {
        let order = self.program.queues[remote.queue].order;
        let channels = &self.layout.channels;
        let word = |channel| state[self.layout.channel(rank, channel)];
        let in_order = channels
            .in_order(order, remote.queue, remote.target)
            .fold(0, |bits, channel| bits | word(channel));
        let same_target = word(channels.to(remote.queue, remote.target));
        // At the target, atomics and writes keep their order; a read overtakes, but not a fence.
        let at_target = (remote.kind != RemoteKind::Read && in_order & TARGET != 0)
            || (remote.after_earlier && same_target & TARGET != 0)
            || same_target & FENCED != 0;
        let writes = remote.kind == RemoteKind::Write;
        let popa = in_order & POPA != 0 || (at_target && !writes);
        Late {
            popa,
            popb: popa || in_order & POPB != 0 || (at_target && writes),
        }
    }
}
