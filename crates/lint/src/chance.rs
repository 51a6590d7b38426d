//! What chance decides inside a call: whether a test says no although it could say yes, and which of several things
//! that are there a call takes.
//!
//! Promise: where processes have their turns by their ranks, a test says yes as soon as it can, and the first one is
//! taken; in an order that is drawn, both are drawn, from the same seed. Whatever is drawn may happen in a run: a test
//! has to say yes only if it is asked again and again (MPI-4.1 §3.7.3), and a call that waits for any of several may
//! take each that is there (MPI-4.1 §3.7.5; OpenSHMEM 1.5 §9.10; GASPI 17.1 §8.3.2).

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// A test says no once in so many times.
const NO: usize = 3;

/// What chance decides in one simulation.
#[derive(Debug, Default)]
pub(crate) struct Chance {
    random: Option<SplitMix64>,
    asked: bool,
}

impl Chance {
    /// Decides by numbers that are drawn from a seed.
    pub(crate) fn drawn(seed: u64) -> Self {
        Self {
            random: Some(SplitMix64::seed_from_u64(!seed)),
            asked: false,
        }
    }

    /// Whether anything was asked that could have gone another way.
    pub(crate) fn was_asked(&self) -> bool {
        self.asked
    }

    /// Whether a test says no that could say yes.
    pub(crate) fn refuses(&mut self) -> bool {
        self.asked = true;
        self.random.is_some() && self.below(NO) == 0
    }

    /// Which of so many is taken.
    pub(crate) fn one_of(&mut self, many: usize) -> usize {
        if many < 2 {
            return 0;
        }
        self.asked = true;
        self.below(many)
    }

    /// Those that are taken where a call takes any number of them, but one at least; all, unless it is drawn.
    pub(crate) fn some_of<T>(&mut self, all: Vec<T>) -> Vec<T> {
        let certain = self.one_of(all.len());
        if self.random.is_none() {
            return all;
        }
        let numbered = all.into_iter().enumerate();
        let taken = numbered.filter(|(nth, _)| *nth == certain || self.below(2) == 0);
        taken.map(|(_, one)| one).collect()
    }

    /// A number below `bound`; 0 unless it is drawn.
    fn below(&mut self, bound: usize) -> usize {
        let random = self.random.as_mut();
        random.map_or(0, |random| below(random, bound as u64) as usize)
    }
}

/// A number below `bound`.
pub(crate) fn below(random: &mut SplitMix64, bound: u64) -> u64 {
    random.next_u64() % bound
}
