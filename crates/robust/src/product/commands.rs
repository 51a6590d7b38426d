//! The steps of one process: rules of Table 2 with their marks.

use super::channel::{pack, unpack};
use super::marks::Access;
use super::{PARTS, Product};
use crate::issue::{Issued, Remote, RemoteKind, ends_poll, issue};
use crate::system::{Step, Visitor, Wrong, mistake};
use farside_pgas::ast::Completion;
use farside_pgas::calculus::Command;

impl Product<'_> {
    pub(super) fn steps_of(&self, rank: usize, state: &[u32], visitor: &mut impl Visitor) {
        let code = &self.program.codes[self.program.code_of_rank[rank]];
        for &index in self.transitions(rank, state) {
            let transition = &code.transitions[index];
            let registers =
                |register: farside_pgas::calculus::Register| state[self.layout.register(rank, register.0)];
            let issued = match issue(self.program, rank, &transition.command, &registers) {
                Ok(issued) => issued,
                Err(undefined) => {
                    if self.nothing_delayed(state) {
                        visitor.wrong(rank, index, mistake(undefined));
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
                    let value = state[self.layout.cell(rank, cell)];
                    if !ends_poll(self.program, rank, &transition.command, &registers, value) {
                        continue;
                    }
                    next[self.layout.register(rank, into)] = value;
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

    /// Whether a wait is possible.
    pub(super) fn waited(
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

    /// Registers that nobody needs any more are forgotten.
    pub(super) fn bury(&self, next: &mut [u32], rank: usize, index: usize) {
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
        let order = self.program.queues[remote.queue].order;
        let (mut least_pa, mut least_pb, mut floor) = (0, 0, fence);
        if remote.after_earlier {
            floor = floor.max(max_target);
        }
        for word in self.layout.in_order(rank, order, remote.queue, remote.target) {
            let [pa, pb, target, _] = unpack(state[word]);
            (least_pa, least_pb) = (least_pa.max(pa), least_pb.max(pb));
            // At the target, atomics and writes keep their order; a read overtakes, but not a fence.
            if remote.kind != RemoteKind::Read {
                floor = floor.max(target);
            }
        }
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
}
