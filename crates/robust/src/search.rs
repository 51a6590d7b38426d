//! Breadth first through the product, so that what is found is shortest.

use crate::product::{Product, Step, Visitor, Wrong};
use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// How a search ended.
pub(crate) enum End {
    /// All states were seen.
    Exhausted,
    /// A closed cycle, and the way to it.
    Found(Vec<Step>),
    /// A limit.
    Stopped(crate::Limit),
}

/// What a search found.
pub(crate) struct Searched {
    pub(crate) end: End,
    pub(crate) states: u64,
    pub(crate) bytes: u64,
    pub(crate) wrong: BTreeSet<(usize, usize, Wrong)>,
}

struct Frontier<'p> {
    product: &'p Product<'p>,
    seen: HashSet<Box<[u8]>, BuildHasherDefault<Fast>>,
    states: Vec<Box<[u8]>>,
    /// Of each state, the one before and the step.
    parents: Vec<(u32, Step)>,
    parent: u32,
    found: Option<usize>,
    bytes: u64,
    wrong: BTreeSet<(usize, usize, Wrong)>,
    packed: Vec<u8>,
}

impl Visitor for Frontier<'_> {
    fn next(&mut self, state: &[u32], step: Step) {
        if self.product.hopeless(state) {
            return;
        }
        self.packed.clear();
        pack(state, &mut self.packed);
        if self.seen.contains(self.packed.as_slice()) {
            return;
        }
        let boxed: Box<[u8]> = self.packed.as_slice().into();
        // Two copies of the state, their headers, and what the table adds.
        self.bytes += 2 * boxed.len() as u64 + 80;
        if self.found.is_none() && self.product.accepts(state) {
            self.found = Some(self.states.len());
        }
        self.seen.insert(boxed.clone());
        self.states.push(boxed);
        self.parents.push((self.parent, step));
    }

    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong) {
        self.wrong.insert((rank, transition, wrong));
    }
}

/// Searches within limits; `stop` is asked now and then.
pub(crate) fn search(
    product: &Product<'_>,
    limits: &crate::Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Searched {
    let nowhere = Step {
        rank: 0,
        transition: 0,
        parts: (0, 0),
    };
    let mut frontier = Frontier {
        product,
        seen: HashSet::default(),
        states: Vec::new(),
        parents: Vec::new(),
        parent: 0,
        found: None,
        bytes: 0,
        wrong: BTreeSet::new(),
        packed: Vec::new(),
    };
    frontier.next(&product.first(), nowhere);
    let mut at = 0;
    let mut state = Vec::new();
    let end = loop {
        if let Some(found) = frontier.found {
            break End::Found(way(&frontier.parents, found));
        }
        if at == frontier.states.len() {
            break End::Exhausted;
        }
        if frontier.states.len() as u64 > limits.states || frontier.states.len() >= u32::MAX as usize {
            break End::Stopped(crate::Limit::States);
        }
        if frontier.bytes > limits.bytes {
            break End::Stopped(crate::Limit::Memory);
        }
        if at % 1024 == 0 && stop() {
            break End::Stopped(crate::Limit::Time);
        }
        unpack(&frontier.states[at], &mut state);
        frontier.parent = at as u32;
        product.steps(&state, &mut frontier);
        // A state is only needed until its steps are known.
        frontier.bytes -= frontier.states[at].len() as u64;
        frontier.states[at] = Box::default();
        at += 1;
    };
    Searched {
        end,
        states: frontier.parents.len() as u64,
        bytes: frontier.bytes,
        wrong: frontier.wrong,
    }
}

fn way(parents: &[(u32, Step)], found: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = found;
    while at != 0 {
        let (parent, step) = parents[at];
        steps.push(step);
        at = parent as usize;
    }
    steps.reverse();
    steps
}

/// Numbers are small: seven bits a byte.
fn pack(state: &[u32], into: &mut Vec<u8>) {
    for &word in state {
        let mut rest = word;
        while rest >= 0x80 {
            into.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        into.push(rest as u8);
    }
}

fn unpack(packed: &[u8], into: &mut Vec<u32>) {
    into.clear();
    let (mut word, mut shift) = (0, 0);
    for &byte in packed {
        word |= u32::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            into.push(word);
            (word, shift) = (0, 0);
        } else {
            shift += 7;
        }
    }
}

/// A quick hash of bytes; nobody chooses states to make it slow.
#[derive(Default)]
struct Fast(u64);

impl Hasher for Fast {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}
