//! What a process can still access: an over-approximation from its control state, with no look at values.

use super::specialise::range;
use farside_pgas::ast::Direction;
use farside_pgas::calculus::{Automaton, Command, Expression, Program};

/// Most memory for the sets of a program.
const MOST_WORDS: usize = 1 << 23;

/// An access to an address, which is a number for a cell of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) address: usize,
    pub(super) writes: bool,
}

/// A set of accesses. Addresses that are equal modulo `width` are taken for one, so that sets stay small.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accesses {
    width: usize,
    /// Those that are read or written, then those that are written.
    words: Vec<u64>,
}

impl Accesses {
    pub(super) fn empty(width: usize) -> Self {
        Self {
            width,
            words: vec![0; 2 * width.div_ceil(64)],
        }
    }

    pub(super) fn insert(&mut self, access: Access) {
        let (at, half) = (access.address % self.width, self.words.len() / 2);
        self.words[at / 64] |= 1 << (at % 64);
        if access.writes {
            self.words[half + at / 64] |= 1 << (at % 64);
        }
    }

    /// Adds all of another set; whether any was new.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let mut new = false;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            new |= *other & !*word != 0;
            *word |= other;
        }
        new
    }

    /// Whether some access conflicts with this one.
    pub(super) fn conflicts(&self, access: Access) -> bool {
        let (at, half) = (access.address % self.width, self.words.len() / 2);
        let words = if access.writes { 0 } else { half };
        self.words[words + at / 64] >> (at % 64) & 1 == 1
    }

    /// Whether some access conflicts with one of another set.
    pub(super) fn meets(&self, other: &Self) -> bool {
        let half = self.words.len() / 2;
        (0..half).any(|at| {
            self.words[at] & other.words[half + at] != 0 || self.words[half + at] & other.words[at] != 0
        })
    }
}

/// The future accesses of each process from each control state.
#[derive(Clone, Debug)]
pub(super) struct Futures {
    pub(super) width: usize,
    /// Until its next barrier, by rank and control state.
    near: Vec<Vec<Accesses>>,
    /// For ever.
    far: Vec<Vec<Accesses>>,
}

impl Futures {
    /// Of a program that is [specialised](super::specialise::specialise).
    pub(super) fn new(program: &Program) -> Self {
        let states: usize = program.codes.iter().map(|code| code.states).sum();
        let addresses = program.ranks as usize * program.cells.len();
        let width = addresses
            .min((64 * MOST_WORDS / (4 * states.max(1))).max(64))
            .max(1);
        let of = |across: bool| {
            (0..program.ranks as usize)
                .map(|rank| of_code(program, rank, &program.codes[rank], width, across))
                .collect()
        };
        Self {
            width,
            near: of(false),
            far: of(true),
        }
    }

    /// The accesses of a process before it passes a barrier.
    pub(super) fn near(&self, rank: usize, control: usize) -> &Accesses {
        &self.near[rank][control]
    }

    /// All its accesses.
    pub(super) fn far(&self, rank: usize, control: usize) -> &Accesses {
        &self.far[rank][control]
    }
}

fn of_code(program: &Program, rank: usize, code: &Automaton, width: usize, across: bool) -> Vec<Accesses> {
    let mut sets = vec![Accesses::empty(width); code.states];
    let mut before = vec![Vec::new(); code.states];
    for transition in &code.transitions {
        accesses(program, rank, &transition.command, &mut |access| {
            sets[transition.from].insert(access);
        });
        if across || transition.command != Command::Barrier {
            before[transition.to].push(transition.from);
        }
    }
    let mut changed: Vec<usize> = (0..code.states).collect();
    while let Some(state) = changed.pop() {
        let set = sets[state].clone();
        for &from in &before[state] {
            if sets[from].extend(&set) {
                changed.push(from);
            }
        }
    }
    sets
}

/// The accesses that a command can have.
fn accesses(program: &Program, rank: usize, command: &Command, found: &mut impl FnMut(Access)) {
    let cells = program.cells.len();
    let within = |expression: &Expression, count: usize| {
        let (least, most) = range(expression, program.domain);
        let least = usize::try_from(least.max(0)).unwrap_or(count).min(count);
        let behind = usize::try_from(most.saturating_add(1).max(0))
            .unwrap_or(count)
            .min(count);
        least..behind.max(least)
    };
    let mut all = |ranks: std::ops::Range<usize>, address: &Expression, writes| {
        for rank in ranks {
            for cell in within(address, cells) {
                found(Access {
                    address: rank * cells + cell,
                    writes,
                });
            }
        }
    };
    let own = rank..rank + 1;
    match command {
        Command::Load { address, .. } => all(own, address, false),
        Command::Store { address, .. } => all(own, address, true),
        Command::Transfer(transfer) => {
            let reads = transfer.direction == Direction::Read;
            all(own, &transfer.local, reads);
            all(
                within(&transfer.rank, program.ranks as usize),
                &transfer.remote,
                !reads,
            );
        }
        Command::Atomic(atomic) => {
            if let Some(local) = &atomic.local {
                all(own, local, true);
            }
            all(within(&atomic.rank, program.ranks as usize), &atomic.remote, true);
        }
        Command::Assign { .. }
        | Command::Assume { .. }
        | Command::Barrier
        | Command::Wait { .. }
        | Command::Fence { .. } => {}
    }
}
