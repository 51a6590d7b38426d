//! For how many rounds what was computed of one holds for all.
//!
//! Of a loop within another, the rounds are counted in the first round of the loops around it. What that count rests on
//! is asked of these loops' other rounds when the inner loop's rounds have been taken: a number that changes by steps
//! is least and greatest where the inner loop begins and ends, so that it is asked there.

use crate::ir::Predicate;
use std::ops::Sub;

/// Loops within each other whose rounds are taken together.
pub(super) const NESTED: usize = 3;

/// More rounds than any loop that ends.
const ENDLESS: u64 = 1 << 48;

/// A whole number that each round of each loop changes by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole {
    base: i128,
    steps: [i128; NESTED],
}

/// The number of rounds of a loop, counted from the next one, for which what was computed holds.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The loops around it whose rounds are taken, too.
    depth: usize,
    rounds: u64,
    /// What must hold in the rounds of those loops, too.
    demands: Vec<Demand>,
}

/// What must hold of a number in all rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    Within(Whole, i128, i128),
    /// A comparison with zero has the result that it has in the first rounds.
    Keeps(Predicate, Whole),
}

impl Whole {
    pub(super) fn new(base: i128, steps: [i128; NESTED]) -> Self {
        Self { base, steps }
    }

    /// What it is in the first rounds.
    pub(super) fn base(self) -> i128 {
        self.base
    }

    pub(super) fn steps(self) -> [i128; NESTED] {
        self.steps
    }

    fn in_round(mut self, depth: usize, round: u64) -> Self {
        self.base += std::mem::take(&mut self.steps[depth]) * i128::from(round);
        self
    }
}

impl Sub for Whole {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self.base -= other.base;
        self.steps
            .iter_mut()
            .zip(other.steps)
            .for_each(|(step, other)| *step -= other);
        self
    }
}

impl Bound {
    /// Nothing limits the rounds of a loop within so many others.
    pub(super) fn of_loop(depth: usize) -> Self {
        Self {
            depth,
            rounds: ENDLESS,
            demands: Vec::new(),
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    pub(super) fn is_endless(&self) -> bool {
        self.rounds >= ENDLESS
    }

    /// A number, which is between the least and the most in the first rounds, stays there.
    pub(super) fn stay_within(&mut self, whole: Whole, least: i128, most: i128) {
        self.demand(Demand::Within(whole, least, most));
    }

    /// A comparison of a number with zero keeps the result that it has in the first rounds.
    pub(super) fn keep(&mut self, predicate: Predicate, whole: Whole) {
        self.demand(Demand::Keeps(predicate, whole));
    }

    /// The rounds of a loop within are taken: what they rest on must hold in all rounds.
    pub(super) fn include(&mut self, inner: &Self) {
        for demand in &inner.demands {
            for round in [0, inner.rounds - 1] {
                match demand.in_round(inner.depth, round) {
                    Some(demand) => self.demand(demand),
                    None => self.limit(1),
                }
            }
        }
    }

    fn demand(&mut self, demand: Demand) {
        let steps = demand.whole().steps;
        self.limit(demand.rounds(self.depth, self.rounds));
        let is_new = self.demands.last() != Some(&demand);
        if steps[..self.depth].iter().any(|step| *step != 0) && is_new {
            self.demands.push(demand);
        }
    }

    /// Not beyond this many rounds.
    fn limit(&mut self, rounds: i128) {
        self.rounds = self.rounds.min(u64::try_from(rounds).unwrap_or(self.rounds));
    }
}

impl Demand {
    fn whole(&self) -> Whole {
        match self {
            Self::Within(whole, ..) | Self::Keeps(_, whole) => *whole,
        }
    }

    /// The rounds of a loop in which it holds, in the first rounds of all others; at most so many.
    fn rounds(&self, depth: usize, most_rounds: u64) -> i128 {
        let Whole { base, steps } = self.whole();
        let step = steps[depth];
        match *self {
            Self::Within(_, least, most) => match step {
                0 => i128::from(ENDLESS),
                1.. => (most - base) / step + 1,
                _ => (base - least) / -step + 1,
            },
            Self::Keeps(Predicate::Eq | Predicate::Ne, _) => match (base, step) {
                (_, 0) => i128::from(ENDLESS),
                (0, _) => 1,
                // They differ up to the round in which they meet, if they do.
                _ if base % step == 0 && -base / step > 0 => -base / step,
                _ => i128::from(ENDLESS),
            },
            // All others change once at most.
            Self::Keeps(predicate, _) => {
                let holds = |round: u64| holds(predicate, base + i128::from(round) * step);
                i128::from(first_change(most_rounds, holds))
            }
        }
    }

    /// What must hold in a round of a loop, in all rounds of the loops around it; `None` if that is not said of more
    /// than their first ones.
    fn in_round(self, depth: usize, round: u64) -> Option<Self> {
        let whole = self.whole();
        let then = whole.in_round(depth, round);
        match self {
            Self::Within(_, least, most) => Some(Self::Within(then, least, most)),
            // Numbers that differ without having met do so on the same side.
            Self::Keeps(Predicate::Eq | Predicate::Ne, _) if whole.base != 0 => {
                let side = match whole.base > 0 {
                    true => Predicate::Sgt,
                    false => Predicate::Slt,
                };
                holds(side, then.base).then_some(Self::Keeps(side, then))
            }
            Self::Keeps(predicate, _) => Some(Self::Keeps(predicate, then)),
        }
    }
}

/// Whether a difference compares so with zero.
fn holds(predicate: Predicate, difference: i128) -> bool {
    match predicate {
        Predicate::Eq => difference == 0,
        Predicate::Ne => difference != 0,
        Predicate::Ugt | Predicate::Sgt => difference > 0,
        Predicate::Uge | Predicate::Sge => difference >= 0,
        Predicate::Ult | Predicate::Slt => difference < 0,
        Predicate::Ule | Predicate::Sle => difference <= 0,
    }
}

/// The first round below `most` in which a condition that changes once at most is not as in round 0; `most` if there is
/// none.
fn first_change(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let now = holds(0);
    let (mut same, mut changed) = (0, most);
    while same + 1 < changed {
        let middle = same + (changed - same) / 2;
        if holds(middle) == now {
            same = middle;
        } else {
            changed = middle;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PREDICATES: [Predicate; 4] = [Predicate::Eq, Predicate::Ne, Predicate::Slt, Predicate::Sge];

    proptest! {
        /// What the first rounds of an outer loop show of an inner one holds in all rounds that the bounds allow.
        #[test]
        fn what_is_demanded_holds_in_all_rounds_of_both_loops(
            base in -12i128..13,
            outer in -5i128..6,
            inner in -5i128..6,
            range in prop::option::of((-20i128..-12, 13i128..21)),
            predicate in prop::sample::select(PREDICATES.to_vec()),
        ) {
            let whole = Whole { base, steps: [outer, inner, 0] };
            let (mut within, mut around) = (Bound::of_loop(1), Bound::of_loop(0));
            match range {
                Some((least, most)) => {
                    within.stay_within(whole, least, most);
                }
                None => within.keep(predicate, whole),
            }
            within.limit(9);
            around.include(&within);
            prop_assert!(within.rounds() >= 1 && around.rounds() >= 1);
            for round in 0..around.rounds().min(40) {
                for inner in 0..within.rounds() {
                    let then = whole.in_round(0, round).in_round(1, inner).base;
                    let is_kept = match range {
                        Some((least, most)) => (least..=most).contains(&then),
                        None => holds(predicate, then) == holds(predicate, base),
                    };
                    prop_assert!(is_kept, "round {round}, inner {inner}: {then}");
                }
            }
        }
    }

    #[test]
    fn a_rectangle_is_not_cut_and_a_triangle_is() {
        // The inner counter below a constant: no round of the outer loop changes that.
        let rectangle = Whole {
            base: -7,
            steps: [0, 1, 0],
        };
        // The inner counter below the outer one.
        let triangle = Whole {
            base: -7,
            steps: [-1, 1, 0],
        };
        for (whole, rounds, outer) in [(rectangle, 7, ENDLESS), (triangle, 7, ENDLESS)] {
            let (mut within, mut around) = (Bound::of_loop(1), Bound::of_loop(0));
            within.keep(Predicate::Slt, whole);
            around.include(&within);
            assert_eq!((within.rounds(), around.rounds()), (rounds, outer));
        }
        // After its rounds, the inner loop ends: in a triangle, only in the first round of the outer one.
        let mut around = Bound::of_loop(0);
        around.keep(Predicate::Slt, triangle.in_round(1, 7));
        assert_eq!(around.rounds(), 1);
    }
}
