//! A collective operation under way: recursive doubling, taken up again by each call until it is done (GASPI 17.1 §11).
//!
//! Of the members, as many as a power of two exchange values in rounds. Those beyond give theirs to one of the first
//! before, and get the result after. A barrier is the same without a value.
//!
//! Promise: all members get the same bytes, also of sums of floating-point numbers: of two values that of the lower
//! member comes first. What a member sends is copied in its first call.
//!
//! Limits: an operation goes on only while its members call it.

use crate::abi::{Datatype, Outcome, Reduction, SegmentId};
use crate::net::{Net, Step};
use farside_fabric::Rank;

/// Makes one value of two: of the lower member, and of the higher one.
pub(crate) type Combine<'a> = dyn FnMut(&[u8], &[u8]) -> Outcome<Vec<u8>> + 'a;

/// For operations without values.
pub(crate) fn keep(left: &[u8], _: &[u8]) -> Outcome<Vec<u8>> {
    Ok(left.to_vec())
}

/// Steps have this many parts at most.
const PARTS: u32 = 1 << 16;

/// Which operation, with what must be the same in the call that takes it up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Barrier,
    Commit,
    Allreduce(Reduction, Datatype, usize),
    /// Elements, and the bytes of each.
    User(usize, usize),
    /// A segment, its length, and where it is if it is the program's memory.
    Create(SegmentId, u64, usize),
}

/// Who takes part, and the place of this rank among them.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    ranks: Vec<Rank>,
    own: usize,
}

impl Members {
    /// `None`: this rank is not one of them.
    pub(crate) fn new(ranks: &[Rank], own: Rank) -> Option<Self> {
        let own = ranks.binary_search(&own).ok()?;
        Some(Self {
            ranks: ranks.to_vec(),
            own,
        })
    }
}

/// What a member does, in order. Members are named by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Send { to: usize, round: u32 },
    Combine { from: usize, round: u32 },
    Replace { from: usize, round: u32 },
}

/// The round in which results go to the members beyond.
const LAST: u32 = 255;

/// What the member at `own` of `number` does.
fn actions(own: usize, number: usize) -> Vec<Action> {
    let core = match number.is_power_of_two() {
        true => number,
        false => number.next_power_of_two() / 2,
    };
    if own >= core {
        let partner = own - core;
        return vec![
            Action::Send {
                to: partner,
                round: 0,
            },
            Action::Replace {
                from: partner,
                round: LAST,
            },
        ];
    }
    let mut actions = Vec::new();
    let beyond = own + core;
    if beyond < number {
        actions.push(Action::Combine {
            from: beyond,
            round: 0,
        });
    }
    for bit in 0..core.trailing_zeros() {
        let (other, round) = (own ^ (1 << bit), bit + 1);
        actions.push(Action::Send { to: other, round });
        actions.push(Action::Combine { from: other, round });
    }
    if beyond < number {
        actions.push(Action::Send {
            to: beyond,
            round: LAST,
        });
    }
    actions
}

/// An operation that has begun.
pub(crate) struct Running {
    kind: Kind,
    /// The context of the group, and the number of the operation in it.
    name: (u64, u64),
    members: Members,
    actions: Vec<Action>,
    next: usize,
    value: Vec<u8>,
    /// Of the value that arrives now.
    parts: u32,
    received: Vec<u8>,
}

impl Running {
    pub(crate) fn new(kind: Kind, name: (u64, u64), members: Members, value: &[u8]) -> Self {
        Self {
            kind,
            name,
            actions: actions(members.own, members.ranks.len()),
            members,
            next: 0,
            value: value.to_vec(),
            parts: 0,
            received: Vec::new(),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// The result, when it is done.
    pub(crate) fn into_value(self) -> Vec<u8> {
        self.value
    }

    fn step(&self, round: u32, part: u32) -> Step {
        Step::new(self.name.0, self.name.1, round * PARTS + part)
    }

    /// Goes on as far as what has arrived allows; true: it is done.
    pub(crate) fn advance(&mut self, net: &Net, combine: &mut Combine<'_>) -> Outcome<bool> {
        while let Some(&action) = self.actions.get(self.next) {
            match action {
                Action::Send { to, round } => self.send(net, to, round)?,
                Action::Combine { from, round } => {
                    if !self.has_received(net, from, round) {
                        return Ok(false);
                    }
                    // Should the function of the program fail, what was received is still here.
                    self.value = match from < self.members.own {
                        true => combine(&self.received, &self.value)?,
                        false => combine(&self.value, &self.received)?,
                    };
                }
                Action::Replace { from, round } => {
                    if !self.has_received(net, from, round) {
                        return Ok(false);
                    }
                    self.value = std::mem::take(&mut self.received);
                }
            }
            self.next += 1;
            self.parts = 0;
            self.received.clear();
        }
        Ok(true)
    }

    fn send(&self, net: &Net, to: usize, round: u32) -> Outcome {
        let target = self.members.ranks[to];
        if self.value.is_empty() {
            return net.send_step(target, self.step(round, 0), &[]);
        }
        let mut parts = (0..).zip(self.value.chunks(net.longest()));
        let send = |(part, bytes): (u32, &[u8])| net.send_step(target, self.step(round, part), bytes);
        parts.try_for_each(send)
    }

    /// Whether all parts are here.
    fn has_received(&mut self, net: &Net, from: usize, round: u32) -> bool {
        let wanted = (self.value.len().div_ceil(net.longest()) as u32).max(1);
        while self.parts < wanted {
            let step = self.step(round, self.parts);
            let Some(part) = net.take_step(self.members.ranks[from], step) else {
                return false;
            };
            self.received.extend_from_slice(&part);
            self.parts += 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// All members hear of all, whatever their number, and each message that is sent is taken.
    #[test]
    fn every_member_hears_of_all() {
        for number in 1..=17 {
            let scripts: Vec<_> = (0..number).map(|own| actions(own, number)).collect();
            let mut next = vec![0; number];
            let mut heard: Vec<u64> = (0..number).map(|own| 1 << own).collect();
            let mut mail = HashMap::new();
            let mut moved = true;
            while std::mem::take(&mut moved) {
                for own in 0..number {
                    while let Some(&action) = scripts[own].get(next[own]) {
                        match action {
                            Action::Send { to, round } => {
                                assert!(mail.insert((own, to, round), heard[own]).is_none());
                            }
                            Action::Combine { from, round } | Action::Replace { from, round } => {
                                let Some(value) = mail.remove(&(from, own, round)) else {
                                    break;
                                };
                                if let Action::Combine { .. } = action {
                                    // A sum counts each member once.
                                    assert_eq!(heard[own] & value, 0, "{number} members");
                                }
                                heard[own] |= value;
                            }
                        }
                        next[own] += 1;
                        moved = true;
                    }
                }
            }
            assert!(mail.is_empty());
            assert_eq!(heard, vec![(1 << number) - 1; number], "{number} members");
        }
    }
}
