//! In which order threads have their turns.
//!
//! Promise: each order is one that a job may have. Nobody is left out for good, so that a program that waits for
//! others comes on in each of them; and the same order gives the same simulation.

use crate::chance::below;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;

/// Instructions that a thread makes before the next one has its turn.
const TURN: u32 = 2000;
/// How many calls that others are told of a process makes in one turn, at most: some are slow, some fast.
const PACES: [u64; 4] = [1, 2, 6, 24];
/// A process is passed over once in so many rounds of turns.
const REST: u64 = 4;

/// In which order the threads of a job have their turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    /// By their ranks, each for a long time.
    Ranks,
    /// Drawn from this seed: who comes next, how long a turn is, and how fast a process is.
    Drawn(u64),
}

/// Whose turn it is, and how long it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    rank: u32,
    steps: u32,
    calls: Option<u32>,
}

impl Turn {
    /// Whose it is.
    pub(super) fn rank(self) -> u32 {
        self.rank
    }

    /// Instructions.
    pub(super) fn steps(self) -> u32 {
        self.steps
    }

    /// Whether it ends after so many calls that others are told of.
    pub(super) fn ends_after(self, calls: u64) -> bool {
        self.calls.is_some_and(|most| calls >= u64::from(most))
    }
}

/// The turns of a job.
#[derive(Debug)]
pub(super) struct Turns {
    size: u32,
    drawn: Option<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    random: SplitMix64,
    /// By rank.
    paces: Vec<u64>,
}

impl Turns {
    pub(super) fn new(size: u32, order: Order) -> Self {
        let drawn = match order {
            Order::Ranks => None,
            Order::Drawn(seed) => {
                let mut random = SplitMix64::seed_from_u64(seed);
                let paces = (0..size).map(|_| PACES[below(&mut random, 4) as usize]).collect();
                Some(Drawn { random, paces })
            }
        };
        Self { size, drawn }
    }

    /// The next round of turns. If `all`, each process has one.
    pub(super) fn round(&mut self, all: bool) -> Vec<Turn> {
        let Some(Drawn { random, paces }) = &mut self.drawn else {
            let turn = |rank| Turn {
                rank,
                steps: TURN,
                calls: None,
            };
            return (0..self.size).map(turn).collect();
        };
        let mut ranks: Vec<u32> = (0..self.size).collect();
        for last in (1..ranks.len()).rev() {
            ranks.swap(last, below(random, last as u64 + 1) as usize);
        }
        ranks.retain(|_| all || below(random, REST) > 0);
        let turn = |rank: u32| Turn {
            rank,
            steps: 1 + below(random, u64::from(TURN)) as u32,
            calls: Some(1 + below(random, paces[rank as usize]) as u32),
        };
        ranks.into_iter().map(turn).collect()
    }
}
