//! Where a run takes its decisions from.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::cell::RefCell;
use std::rc::Rc;

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Which way a packet takes, from the shortest to the longest ([`Routing::Adaptive`](crate::Routing::Adaptive)).
    Path,
    /// Whether the origin buffer of an operation is read as soon as possible (0) or as late as allowed (1).
    Capture,
    /// Whether the adapter turns to an operation at once (0) or later
    /// ([`Network::hesitation`](crate::Network::hesitation)).
    Hesitation,
    /// Whether a packet is delayed: by 0 it is.
    Delay,
    /// How much a delayed packet is delayed, or an operation left alone, in steps from short to long.
    Amount,
    /// Whether a packet is lost: by 0 it is.
    Loss,
}

/// Takes the decisions of a run. It is called within calls of ranks, and must not call the fabric.
pub trait Choices {
    /// One of the numbers below `alternatives`, which is at least 2. A greater answer is taken as the greatest.
    fn choose(&mut self, choice: Choice, alternatives: u32) -> u32;
}

/// Random decisions from a seed: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The same seed, the same decisions.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }
}

impl Choices for Random {
    fn choose(&mut self, _: Choice, alternatives: u32) -> u32 {
        // The high half of a product: even enough for alternatives far below 2^32.
        ((u128::from(self.0.next_u64()) * u128::from(alternatives)) >> 64) as u32
    }
}

/// All runs, one after the other: decides as it is told as far as that goes, then always 0, and remembers.
///
/// ```
/// use farside_fabric_sim::{Choice, Choices, Script};
///
/// let mut script = Script::default();
/// let mut seen = Vec::new();
/// loop {
///     let first = script.choose(Choice::Path, 2);
///     seen.push((first, if first == 0 { script.choose(Choice::Path, 3) } else { 0 }));
///     if !script.advance() {
///         break;
///     }
/// }
/// assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 0)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Decisions, each with its number of alternatives.
    taken: Vec<(u32, u32)>,
    /// How many of them this run has asked for.
    asked: usize,
}

impl Script {
    /// The decisions of the run so far, or of the next run up to where it is open.
    pub fn decisions(&self) -> impl Iterator<Item = u32> + '_ {
        self.taken.iter().map(|(decision, _)| *decision)
    }

    /// Goes on to the next run in the order of decisions; `false` if there is none.
    pub fn advance(&mut self) -> bool {
        self.taken.truncate(self.asked);
        self.asked = 0;
        while let Some((decision, alternatives)) = self.taken.pop() {
            if decision + 1 < alternatives {
                self.taken.push((decision + 1, alternatives));
                return true;
            }
        }
        false
    }
}

impl Choices for Script {
    fn choose(&mut self, _: Choice, alternatives: u32) -> u32 {
        if self.asked == self.taken.len() {
            self.taken.push((0, alternatives));
        }
        let (decision, _) = self.taken[self.asked];
        self.asked += 1;
        decision
    }
}

/// Keeps a hand on the choices of a run.
impl<C: Choices> Choices for Rc<RefCell<C>> {
    fn choose(&mut self, choice: Choice, alternatives: u32) -> u32 {
        self.borrow_mut().choose(choice, alternatives)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded seeds stand for these decisions: the first outputs of SplitMix64, its authors' `splitmix64.c`.
    #[test]
    fn a_seed_stands_for_the_same_decisions_for_ever() {
        let mut random = Random::new(1_234_567);
        let expected: [u64; 5] = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        for word in expected {
            let high = (u128::from(word) * u128::from(u32::MAX)) >> 64;
            assert_eq!(u128::from(random.choose(Choice::Path, u32::MAX)), high);
        }
    }

    #[test]
    fn random_decisions_are_in_range_and_even() {
        let mut random = Random::new(3);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.choose(Choice::Path, 7) as usize] += 1;
        }
        // 10,000 each; the standard deviation is 93.
        assert!(
            counts.iter().all(|count| (9_500..10_500).contains(count)),
            "{counts:?}"
        );
    }
}
