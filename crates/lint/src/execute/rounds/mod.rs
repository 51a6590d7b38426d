//! Rounds of a loop taken together: what many of them do is said at once.
//!
//! A loop that has gone round often is asked what its next round does, over values that are functions of the round's
//! number ([`mod@line`]). If all its addresses and conditions are such functions, so many rounds are skipped as take
//! the same way: their loads and stores are announced as runs with strides, counters get the values that they have
//! then (by closed form), stores of known values are done, and whatever else they would have computed is marked as not
//! computed ([`UNCOMPUTED`]).
//!
//! Promise: accesses are exactly those of the rounds skipped: of memory that operations are concerned with, and of no
//! other. A condition on a value that was not computed, and an access to where such a value says, ends certainty.
//! Limits: no loop within the loop, no condition on what is loaded from addresses that change, no MPI call, at most
//! 4096 instructions a round. Source: induction variables by closed form, as in Bachmann, Wang and Zima 1994 (chains of
//! recurrences), of which only the linear ones are followed.
//!
//! How it is found: the round is executed once with all values as they are, which gives a guess of each step. The guess
//! is then proved by executing the round over lines: a value that the round does not carry on by its step is no line,
//! until all others do.

mod line;
mod round;

use crate::execute::Job;
use crate::layout::SHARED;
use crate::site::At;
use crate::value::{Scalar, UNCOMPUTED, Value};
use farside_events::{AccessKind, AccessRun};
use line::{Bound, ENDLESS, Line};
use round::{Access, Carried, Circle, Round};
use std::ops::Range;

/// Bytes of known values that a loop's stores are followed for.
const STORED: u64 = 1 << 20;
/// Bytes between the first and last access of an instruction.
const FAR: u64 = 1 << 40;

impl Job<'_> {
    /// Skips rounds of the loop whose branch at the end of the block at hand is about to stay by going to `to`; whether
    /// it did. The thread is then at the same branch, and stays again.
    pub(super) fn skip_rounds(&mut self, at: At, to: u32) -> bool {
        let together = self.budget.shortcuts().together;
        let Some(frame) = self.processes.frame(at).filter(|_| together) else {
            return false;
        };
        let circle = Circle {
            function: frame.function(),
            from: frame.block(),
            to,
        };
        let mut stacks = std::mem::take(&mut self.stacks);
        let round = self.proved_round(&mut stacks, at, circle);
        self.stacks = stacks;
        let Some(mut round) = round else {
            return false;
        };
        let Some(spans) = spans(&mut round) else {
            return false;
        };
        self.take_rounds(at, &round, &spans);
        true
    }

    /// What each of the next rounds does.
    fn proved_round(&mut self, stacks: &mut crate::stacks::Stacks, at: At, circle: Circle) -> Option<Round> {
        let first = round::follow(self, stacks, at, circle, &Carried::default())?;
        self.budget.spend(first.length);
        let mut carried = self.guess(at, &first)?;
        // Each time, one guess less is left.
        for _ in 0..=first.registers.len() + first.cells.len() {
            let round = round::follow(self, stacks, at, circle, &carried)?;
            self.budget.spend(round.length);
            if !refuted(&mut carried, &round) {
                return Some(round);
            }
        }
        None
    }

    /// The steps of what goes from round to round, as the first one shows them.
    fn guess(&self, at: At, first: &Round) -> Option<Carried> {
        let frame = self.processes.frame(at)?;
        let mut carried = Carried::default();
        for register in &first.carried {
            if let (Some(end), Some(Value::Scalar(start))) =
                (first.registers.get(register), frame.register(*register))
            {
                let line = end.and_then(|end| Line::through(*start, end));
                carried.registers.insert(*register, line);
            }
        }
        for (address, cell) in first.cells.iter().filter(|(_, cell)| cell.is_written) {
            let start = self.memory(at.rank, *address).load(*address, cell.size);
            let line = cell.value.and_then(|end| Line::through(start, end));
            carried.cells.insert(*address, line);
        }
        Some(carried)
    }

    /// Does what the rounds do; `spans` are the ranges that the accesses cover.
    fn take_rounds(&mut self, at: At, round: &Round, spans: &[Range<u64>]) {
        let rounds = round.bound.0;
        for (access, span) in round.accesses.iter().zip(spans) {
            let tracked = self.memory(at.rank, span.start).tracked(span.clone());
            for rounds in rounds_within(access, rounds, &tracked) {
                let run = run(access, rounds);
                self.events.access(at, run);
            }
        }
        for (function, block) in &round.entered {
            self.notes.enter(*function, *block);
        }
        let last = rounds - 1;
        for (access, span) in round.accesses.iter().zip(spans) {
            if access.kind == AccessKind::Store && !access.is_cell {
                self.store_rounds(at.rank, rounds, access, span);
            }
        }
        let value = |line: Option<Line>| {
            line.map_or(
                Scalar {
                    bits: 0,
                    symbol: UNCOMPUTED,
                },
                |line| line.at(last),
            )
        };
        for (address, cell) in round.cells.iter().filter(|(_, cell)| cell.is_written) {
            let (address, value) = (*address, value(cell.value));
            self.memory_mut(at.rank, address).store(address, cell.size, value);
        }
        let frame = self.frame(at);
        for (register, line) in &round.registers {
            frame.set(*register, Value::Scalar(value(*line)));
        }
    }

    fn store_rounds(&mut self, rank: u32, rounds: u64, access: &Access, span: &Range<u64>) {
        let known = access
            .value
            .filter(|_| rounds.saturating_mul(access.size) <= STORED);
        let memory = self.memory_mut(rank, span.start);
        match known {
            Some(value) => {
                for round in 0..rounds {
                    memory.store(access.address.at(round).bits, access.size, value.at(round));
                }
                self.budget.spend(rounds / 16);
            }
            None => memory.forget(span.start, span.end - span.start),
        }
    }
}

/// Whether some value is not carried on as it was guessed; it is no line then.
fn refuted(carried: &mut Carried, round: &Round) -> bool {
    let mut wrong = false;
    let is_wrong = |guess: &mut Option<Line>, end: Option<Line>| {
        let wrong = guess.is_some_and(|line| !end.is_some_and(|end| line.goes_on(end)));
        if wrong {
            *guess = None;
        }
        wrong
    };
    for (register, guess) in &mut carried.registers {
        if let Some(end) = round.registers.get(register) {
            wrong |= is_wrong(guess, *end);
        }
    }
    for (address, guess) in &mut carried.cells {
        // Where there is no cell, it is not the same variable in each round, after all.
        let end = round.cells.get(address).and_then(|cell| cell.value);
        wrong |= is_wrong(guess, end);
    }
    wrong
}

/// The ranges that the accesses cover, in all rounds together; stores that meet others are marked as unknown. `None` if
/// the loop does not end, or if variables lie where other instructions store.
fn spans(round: &mut Round) -> Option<Vec<Range<u64>>> {
    let Bound(rounds) = round.bound;
    if rounds >= ENDLESS {
        return None;
    }
    let last = i128::from(rounds - 1);
    let mut spans = Vec::with_capacity(round.accesses.len());
    for access in &round.accesses {
        let (base, step) = whole(access);
        let (start, end) = (base.min(base + last * step), base.max(base + last * step));
        let (start, end) = (start as u64, (end as u64).checked_add(access.size)?);
        if end - start > FAR || (start < SHARED) != (end <= SHARED) {
            return None;
        }
        spans.push(start..end);
    }
    let meet = |a: &Range<u64>, b: &Range<u64>| a.start < b.end && b.start < a.end;
    let stores: Vec<usize> = (0..spans.len())
        .filter(|index| round.accesses[*index].kind == AccessKind::Store && !round.accesses[*index].is_cell)
        .collect();
    for &store in &stores {
        let cells = round.cells.iter();
        if cells
            .map(|(at, cell)| *at..*at + cell.size)
            .any(|cell| meet(&cell, &spans[store]))
        {
            return None;
        }
        let others = stores.iter().filter(|other| **other != store);
        if others
            .into_iter()
            .any(|other| meet(&spans[store], &spans[*other]))
        {
            round.accesses[store].value = None;
        }
    }
    Some(spans)
}

/// The first address of an access, and its step.
fn whole(access: &Access) -> (i128, i128) {
    let Line { base, step, .. } = access.address;
    (i128::from(base), i128::from(step as i64))
}

/// In which of so many rounds an access meets one of some ranges, which are apart and ascend; these are apart then,
/// too.
fn rounds_within(access: &Access, rounds: u64, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let (base, step) = whole(access);
    let mut within: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        // The lowest and the highest address with which it does.
        let (low, high) = (
            i128::from(range.start) - i128::from(access.size) + 1,
            i128::from(range.end) - 1,
        );
        let (first, last) = match step {
            0 if base < low || high < base => continue,
            0 => (0, i128::from(rounds) - 1),
            1.. => (-(base - low).div_euclid(step), (high - base).div_euclid(step)),
            _ => (-(high - base).div_euclid(-step), (base - low).div_euclid(-step)),
        };
        let first = first.max(0) as u64;
        let end = (last + 1).clamp(0, i128::from(rounds)) as u64;
        if first < end {
            within.push(first..end);
        }
    }
    within.sort_by_key(|rounds| rounds.start);
    within.dedup_by(|next, rounds| {
        let goes_on = next.start <= rounds.end;
        if goes_on {
            rounds.end = rounds.end.max(next.end);
        }
        goes_on
    });
    within
}

/// The accesses of an instruction in some rounds.
fn run(access: &Access, rounds: Range<u64>) -> AccessRun {
    let single = AccessRun::single(
        access.kind,
        access.address.at(rounds.start).bits,
        access.size,
        u64::from(access.place),
        access.stack,
    );
    let count = rounds.end - rounds.start;
    if access.address.fixed().is_some() {
        return AccessRun {
            repeats: count - 1,
            ..single
        };
    }
    AccessRun {
        inner_count: count,
        inner_stride: access.address.step as i64,
        ..single
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Scalar;
    use farside_events::StackId;
    use proptest::prelude::*;

    proptest! {
        /// The rounds in which an access meets a range are those in which it does.
        #[test]
        fn rounds_are_within_a_range_that_their_access_meets(
            base in 200u64..400,
            step in -9i64..10,
            size in 1u64..9,
            rounds in 1u64..20,
            ranges in prop::collection::vec((1u64..60, 1u64..60), 0..5),
        ) {
            let address = Line { step: step as u64, ..Line::constant(Scalar::known(base), 64).unwrap() };
            let (kind, stack, place) = (AccessKind::Load, StackId::UNKNOWN, 1);
            let access = Access { kind, address, size, place, stack, value: None, is_cell: false };
            let mut next = 150;
            let ranges: Vec<Range<u64>> = ranges
                .into_iter()
                .map(|(gap, length)| {
                    let start = next + gap;
                    next = start + length;
                    start..next
                })
                .collect();
            let meets = |round: &u64| {
                let at = base.wrapping_add_signed(step * *round as i64);
                ranges.iter().any(|range| at < range.end && range.start < at + size)
            };
            let expected: Vec<u64> = (0..rounds).filter(meets).collect();
            let within = rounds_within(&access, rounds, &ranges);
            prop_assert!(within.windows(2).all(|pair| pair[0].end < pair[1].start));
            prop_assert_eq!(within.into_iter().flatten().collect::<Vec<u64>>(), expected);
        }
    }
}
