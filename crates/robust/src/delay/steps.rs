//! What a command does to a state.

use super::Delay;
use super::accesses::Access;
use super::layout::{FENCED, LATE_READ, LATE_WRITTEN, Layout, POPA, POPB, READ, TARGET, WRITTEN};
use super::offers::{Late, Offer};
use crate::issue::{Issued, Remote, RemoteKind};

impl Delay {
    /// The state after a command that is possible.
    pub(super) fn step(&self, state: &[u32], rank: usize, offer: &Offer, late: Late, next: &mut Vec<u32>) {
        next.clear();
        next.extend_from_slice(state);
        self.go(next, rank, offer.transition);
        let delaying = Layout::delayed(state).is_some();
        if delaying {
            self.record(next, rank, offer, late);
        }
        match &offer.issued {
            Issued::Assign { into, value } => next[self.layout.register(rank, *into)] = *value,
            Issued::Load { into, cell } => {
                next[self.layout.register(rank, *into)] =
                    state[self.layout.value(self.layout.address(rank, *cell))];
            }
            Issued::Store { cell, value } => {
                next[self.layout.value(self.layout.address(rank, *cell))] = *value;
            }
            Issued::Remote(remote) => self.effect(next, remote, late),
            Issued::Fence { queue, target } if delaying => {
                let channels = match target {
                    Some(target) => {
                        let one = self.layout.channels.to(*queue, *target);
                        one..one + 1
                    }
                    None => self.layout.channels.of(*queue),
                };
                for channel in channels {
                    let word = &mut next[self.layout.channel(rank, channel)];
                    if *word & TARGET != 0 {
                        *word |= FENCED;
                    }
                }
            }
            _ => {}
        }
        self.bury(next, rank, offer.transition);
    }

    /// The state after an operation one of whose events is the delayed one.
    pub(super) fn delay(
        &self,
        state: &[u32],
        rank: usize,
        offer: &Offer,
        remote: &Remote,
        late: Late,
        next: &mut Vec<u32>,
    ) {
        next.clear();
        next.extend_from_slice(state);
        next.resize(self.layout.all_words(), 0);
        let [source, destination] = self.accesses(rank, &offer.issued);
        if let Some(event) = if late.popa { source } else { destination } {
            next[0] = Layout::event(event);
        }
        next[self.layout.after(rank)] = 1;
        self.go(next, rank, offer.transition);
        self.record(next, rank, offer, late);
        self.effect(next, remote, late);
        self.bury(next, rank, offer.transition);
    }

    /// The state after a barrier.
    pub(super) fn pass(&self, state: &[u32], transitions: &[usize], next: &mut Vec<u32>) {
        next.clear();
        next.extend_from_slice(state);
        for (rank, &transition) in transitions.iter().enumerate() {
            self.go(next, rank, transition);
            self.bury(next, rank, transition);
        }
        // The process of the delayed event is among them.
        if Layout::delayed(state).is_some() {
            for rank in 0..self.layout.ranks {
                next[self.layout.after(rank)] = 1;
            }
            self.forget(next);
        }
    }

    fn go(&self, next: &mut [u32], rank: usize, transition: usize) {
        next[self.layout.control(rank)] = self.program.codes[rank].transitions[transition].to as u32;
    }

    /// Registers and memory that nobody needs any more are forgotten.
    fn bury(&self, next: &mut [u32], rank: usize, transition: usize) {
        for &cell in &self.forgotten[rank][transition] {
            next[self.layout.value(self.layout.address(rank, cell))] = 0;
        }
        for register in &self.program.codes[rank].transitions[transition].dead {
            next[self.layout.register(rank, register.0)] = 0;
        }
    }

    /// An operation takes effect; what is written late is never seen, and any number stands for it. Only a last command
    /// that ends a poll asks for what was there before.
    fn effect(&self, next: &mut [u32], remote: &Remote, late: Late) {
        let value = |(rank, cell)| self.layout.value(self.layout.address(rank, cell));
        let old = next[value(remote.source)];
        let mut write = |at: (usize, usize), number: u32, late: bool| {
            if !late {
                next[value(at)] = number;
            } else if !self.polled[at.1] {
                next[value(at)] = 0;
            }
        };
        if let Some(left) = remote.kind.leaves(old, self.program.domain) {
            write(remote.source, left, late.popa);
        }
        if let Some(destination) = remote.destination {
            write(destination, old, late.popb);
        }
    }

    /// Whether a command that accesses this happens after the delayed event because of it.
    pub(super) fn after(&self, state: &[u32], access: Access) -> bool {
        let seen = state[self.layout.accessed(access.address)];
        seen & (WRITTEN | LATE_WRITTEN) != 0 || (access.writes && seen != 0)
    }

    /// What is known after a command: whether it happened after the delayed event, and what was delayed.
    fn record(&self, next: &mut [u32], rank: usize, offer: &Offer, late: Late) {
        let accesses = self.accesses(rank, &offer.issued);
        let own = self.layout.after(rank);
        if next[own] == 0 && !accesses.iter().flatten().any(|&access| self.after(next, access)) {
            return;
        }
        let new = next[own] == 0;
        next[own] = 1;
        let all = (0..self.layout.ranks).all(|rank| next[self.layout.after(rank)] != 0);
        for (access, late) in accesses.into_iter().zip([late.popa, late.popb]) {
            let Some(access) = access else { continue };
            if all && !late {
                continue;
            }
            let word = &mut next[self.layout.accessed(access.address)];
            let (read, written) = if late {
                (LATE_READ, LATE_WRITTEN)
            } else {
                (READ, WRITTEN)
            };
            // A write conflicts with all that a read does.
            if access.writes {
                *word = *word & !read | written;
            } else if *word & written == 0 {
                *word |= read;
            }
        }
        if let Issued::Remote(remote) = &offer.issued {
            let at_target = if remote.kind == RemoteKind::Write {
                late.popb
            } else {
                late.popa
            };
            let bits = |set: bool, bit: u32| if set { bit } else { 0 };
            let pops = bits(late.popa, POPA) | bits(late.popb, POPB);
            let channel = self.layout.channels.to(remote.queue, remote.target);
            next[self.layout.channel(rank, channel)] |= pops | bits(at_target, TARGET);
            if let Some(handle) = remote.handle {
                next[self.layout.handle(rank, handle)] |= pops;
            }
        }
        if all && new {
            self.forget(next);
        }
    }

    /// When every process happened after the delayed event, nobody asks any more for what was accessed in time.
    fn forget(&self, next: &mut [u32]) {
        for address in 0..self.layout.ranks * self.layout.cells {
            next[self.layout.accessed(address)] &= LATE_READ | LATE_WRITTEN;
        }
    }
}
