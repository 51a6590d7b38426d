//! Loads and stores of all rounds: what they cover, and how they are announced.

use super::bound::NESTED;
use super::line::Line;
use crate::ir::PlaceId;
use crate::layout::SHARED;
use farside_events::{AccessKind, AccessRun, StackId};
use std::ops::Range;

/// Bytes between the first and last access of an instruction.
const FAR: u64 = 1 << 40;
/// More pieces of what stores cover are taken as one.
const PIECES: u64 = 4096;
/// So many times, what goes over the same addresses again and again is announced each time, as rounds that are followed
/// one by one announce it.
const AGAIN: u64 = 4;

/// A load or store of each round.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) kind: AccessKind,
    pub(super) address: Line,
    pub(super) size: u64,
    pub(super) place: PlaceId,
    pub(super) stack: StackId,
    /// What a store to an address that is not the same in each round leaves there.
    pub(super) value: Option<Line>,
    pub(super) is_cell: bool,
    /// The rounds of each loop, from the outermost on, in which it is made.
    counts: [u64; NESTED],
}

/// A loop whose rounds make an access at other addresses: so many, so far from each other.
#[derive(Clone, Copy, Debug)]
struct Stride {
    count: u64,
    step: i64,
}

impl Access {
    /// A load or store of one round, that leaves no known value.
    pub(super) fn single(
        kind: AccessKind,
        (address, size): (Line, u64),
        (place, stack): (PlaceId, StackId),
        is_cell: bool,
    ) -> Self {
        Self {
            kind,
            address,
            size,
            place,
            stack,
            value: None,
            is_cell,
            counts: [1; NESTED],
        }
    }

    /// It is made in so many rounds of a loop.
    pub(super) fn repeat(&mut self, depth: usize, rounds: u64) {
        self.counts[depth] = rounds;
    }

    /// Whether it is one of the same instruction, called from the same places.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (self.kind, self.size, self.place, self.stack, self.is_cell)
            == (other.kind, other.size, other.place, other.stack, other.is_cell)
    }

    /// How often it is made.
    pub(super) fn times(&self) -> u64 {
        self.counts
            .iter()
            .fold(1, |times, count| times.saturating_mul(*count))
    }

    /// The numbers of the rounds, from the outermost loop on, of each time.
    pub(super) fn each_time(&self, mut does: impl FnMut([u64; NESTED])) {
        let mut rounds = [0; NESTED];
        loop {
            does(rounds);
            let mut next = None;
            for depth in (0..NESTED).rev() {
                if rounds[depth] + 1 < self.counts[depth] {
                    next = Some(depth);
                    break;
                }
                rounds[depth] = 0;
            }
            let Some(depth) = next else { return };
            rounds[depth] += 1;
        }
    }

    /// The loops whose rounds make it at other addresses, from the outermost on.
    fn strides(&self) -> Vec<Stride> {
        let each = self.counts.iter().zip(self.address.steps);
        each.map(|(count, step)| Stride {
            count: *count,
            step: step as i64,
        })
        .filter(|stride| stride.count > 1 && stride.step != 0)
        .collect()
    }

    /// The addresses that it covers; `None` if they are none of one memory.
    fn span(&self) -> Option<Range<u64>> {
        let base = i128::from(self.address.base);
        let (mut start, mut end) = (base, base);
        for Stride { count, step } in self.strides() {
            let far = i128::from(count - 1) * i128::from(step);
            start += far.min(0);
            end += far.max(0);
        }
        let (start, end) = (u64::try_from(start).ok()?, u64::try_from(end).ok()?);
        let end = end.checked_add(self.size)?;
        (end - start <= FAR && (start < SHARED) == (end <= SHARED)).then_some(start..end)
    }

    /// What it covers, in pieces between which it covers nothing, if they are not many.
    pub(super) fn pieces(&self, span: &Range<u64>) -> Vec<Range<u64>> {
        let strides = self.strides();
        let Some((row, around)) = strides.split_last() else {
            return vec![span.clone()];
        };
        let many = around
            .iter()
            .fold(1u64, |many, stride| many.saturating_mul(stride.count));
        if around.is_empty() || many > PIECES {
            return vec![span.clone()];
        }
        let far = (row.count as i64 - 1) * row.step;
        let piece = |base: u64| {
            base.wrapping_add_signed(far.min(0))..base.wrapping_add_signed(far.max(0)) + self.size
        };
        bases(self.address.base, around).into_iter().map(piece).collect()
    }

    /// What it does to memory that is tracked: ranges of its span, which are apart and ascend.
    pub(super) fn runs(&self, span: &Range<u64>, tracked: &[Range<u64>]) -> Vec<AccessRun> {
        let Some(first) = tracked.first() else {
            return Vec::new();
        };
        let strides = self.strides();
        let (around, inner) = strides.split_at(strides.len().saturating_sub(2));
        let is_whole = first.start <= span.start && span.end <= first.end;
        let (outer, row) = match *inner {
            [] => (None, None),
            [row] => (None, Some(row)),
            [outer, row, ..] => (Some(outer), Some(row)),
        };
        let times = self.times();
        // How often each place is met.
        let placed = strides
            .iter()
            .fold(1u64, |many, stride| many.saturating_mul(stride.count));
        let again = times / placed;
        let single = AccessRun {
            repeats: if strides.is_empty() { again - 1 } else { 0 },
            ..AccessRun::single(
                self.kind,
                self.address.base,
                self.size,
                u64::from(self.place),
                self.stack,
            )
        };
        let mut runs: Vec<AccessRun> = Vec::new();
        for base in bases(self.address.base, around) {
            let run = AccessRun {
                base,
                ..single.clone()
            };
            let Some(row) = row else {
                runs.push(run);
                continue;
            };
            let run = AccessRun {
                inner_stride: row.step,
                ..run
            };
            match outer.filter(|_| is_whole) {
                Some(outer) => runs.push(AccessRun {
                    inner_count: row.count,
                    outer_count: outer.count,
                    outer_stride: outer.step,
                    ..run
                }),
                None => {
                    for base in bases(base, outer.as_slice()) {
                        for rounds in rounds_within(base, row, self.size, tracked) {
                            let base = base.wrapping_add_signed(row.step * rounds.start as i64);
                            runs.push(AccessRun {
                                base,
                                inner_count: rounds.end - rounds.start,
                                ..run.clone()
                            });
                        }
                    }
                }
            }
        }
        if !strides.is_empty() && again > 1 {
            let once = runs.clone();
            for _ in 2..again.min(AGAIN) {
                runs.extend_from_slice(&once);
            }
            runs.extend(once.into_iter().map(|run| AccessRun {
                repeats: again - again.min(AGAIN),
                ..run
            }));
        }
        runs
    }
}

/// Where the rounds of some loops begin, whose innermost one begins here in the first round of all.
fn bases(base: u64, loops: &[Stride]) -> Vec<u64> {
    loops.iter().fold(vec![base], |bases, stride| {
        let each = |base: u64| {
            (0..stride.count as i64).map(move |round| base.wrapping_add_signed(stride.step * round))
        };
        bases.into_iter().flat_map(each).collect()
    })
}

/// An access, and one that follows in the next rounds of a loop, as one; `None` if it does not go on.
pub(super) fn joined(access: &Access, then: &Access, depth: usize) -> Option<Access> {
    let (count, more) = (access.counts[depth], then.counts[depth]);
    let step = match (count, more) {
        (1, 1) if access.is_cell => 0,
        (1, 1) => return None,
        (1, _) => then.address.steps[depth],
        (_, 1) => access.address.steps[depth],
        _ => Some(access.address.steps[depth]).filter(|step| *step == then.address.steps[depth])?,
    };
    let mut whole = access.clone();
    whole.counts[depth] = count + more;
    whole.address.steps[depth] = step;
    let mut end = whole.address;
    end.base = end.base.wrapping_add(step.wrapping_mul(count));
    let mut next = then.address;
    next.steps[depth] = step;
    let mut counts = then.counts;
    counts[depth] += count;
    let of_known = access.address.symbol == 0 && then.address.symbol == 0;
    if !of_known || end != next || counts != whole.counts {
        return None;
    }
    whole.value = access
        .value
        .zip(then.value)
        .and_then(|(value, after)| gone_on(value, count, after, more, depth));
    Some(whole)
}

/// The value of so many rounds of a loop and that of further ones, if it is one line.
fn gone_on(value: Line, count: u64, after: Line, more: u64, depth: usize) -> Option<Line> {
    let mut whole = value;
    whole.steps[depth] = match (count, more) {
        (1, 1) => return None,
        (1, _) => after.steps[depth],
        _ => value.steps[depth],
    };
    let mut next = whole.in_round(depth, count);
    next.steps[depth] = match more {
        1 => 0,
        _ => whole.steps[depth],
    };
    let known = value.symbol == 0 && after.symbol == 0;
    let same = next == after || next.is_fixed() && after.is_fixed() && next.base == after.base;
    (known && same).then_some(whole)
}

/// The ranges that the accesses cover, in all rounds together; stores that meet others are marked as unknown. `None` if
/// variables lie where other instructions store.
pub(super) fn spans(accesses: &mut [Access], variables: &[Range<u64>]) -> Option<Vec<Range<u64>>> {
    let spans: Option<Vec<Range<u64>>> = accesses.iter().map(Access::span).collect();
    let spans = spans?;
    let meet = |a: &Range<u64>, b: &Range<u64>| a.start < b.end && b.start < a.end;
    let stores: Vec<usize> = (0..spans.len())
        .filter(|index| accesses[*index].kind == AccessKind::Store && !accesses[*index].is_cell)
        .collect();
    for &store in &stores {
        if variables.iter().any(|variable| meet(variable, &spans[store])) {
            return None;
        }
        let others = stores.iter().filter(|other| **other != store);
        if others
            .into_iter()
            .any(|other| meet(&spans[store], &spans[*other]))
        {
            accesses[store].value = None;
        }
    }
    Some(spans)
}

/// In which rounds an access meets one of some ranges, which are apart and ascend; these are apart then, too.
fn rounds_within(base: u64, row: Stride, size: u64, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
    let (base, step, rounds) = (i128::from(base), i128::from(row.step), i128::from(row.count));
    let mut within: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        // The lowest and the highest address with which it does.
        let (low, high) = (
            i128::from(range.start) - i128::from(size) + 1,
            i128::from(range.end) - 1,
        );
        let (first, last) = match step {
            1.. => (-(base - low).div_euclid(step), (high - base).div_euclid(step)),
            _ => (-(high - base).div_euclid(-step), (base - low).div_euclid(-step)),
        };
        let first = first.max(0) as u64;
        let end = (last + 1).clamp(0, rounds) as u64;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Scalar;
    use proptest::prelude::*;

    fn store(base: u64, steps: [i64; NESTED], counts: [u64; NESTED]) -> Access {
        let address = Line {
            steps: steps.map(|step| step as u64),
            ..Line::constant(Scalar::known(base), 64).unwrap()
        };
        Access {
            kind: AccessKind::Store,
            address,
            size: 4,
            place: 1,
            stack: StackId::UNKNOWN,
            value: None,
            is_cell: false,
            counts,
        }
    }

    /// The addresses of all rounds, sorted.
    fn addresses(access: &Access) -> Vec<u64> {
        let mut addresses = Vec::new();
        access.each_time(|rounds| {
            let each = rounds.iter().enumerate();
            let address = each.fold(access.address, |line, (depth, round)| {
                line.in_round(depth, *round)
            });
            addresses.push(address.base);
        });
        addresses.sort_unstable();
        addresses
    }

    fn announced(runs: &[AccessRun]) -> Vec<u64> {
        let mut addresses = Vec::new();
        for run in runs {
            for (outer, inner) in (0..run.outer_count as i64)
                .flat_map(|outer| (0..run.inner_count as i64).map(move |inner| (outer, inner)))
            {
                let offset = outer * run.outer_stride + inner * run.inner_stride;
                let address = run.base.wrapping_add_signed(offset);
                addresses.extend(std::iter::repeat_n(address, run.repeats as usize + 1));
            }
        }
        addresses.sort_unstable();
        addresses
    }

    proptest! {
        /// The rounds in which an access meets a range are those in which it does.
        #[test]
        fn what_is_announced_are_the_accesses_that_meet_a_range(
            base in 400u64..600,
            steps in prop::array::uniform3(-9i64..10),
            counts in prop::array::uniform3(1u64..7),
            ranges in prop::collection::vec((1u64..90, 1u64..90), 0..5),
        ) {
            let access = store(base, steps, counts);
            let mut next = 200;
            let ranges: Vec<Range<u64>> = ranges
                .into_iter()
                .map(|(gap, length)| {
                    let start = next + gap;
                    next = start + length;
                    start..next
                })
                .collect();
            let span = access.span().unwrap();
            let all = addresses(&access);
            prop_assert_eq!((all[0], all[all.len() - 1] + 4), (span.start, span.end));
            let tracked: Vec<Range<u64>> =
                ranges.iter().filter(|range| range.start < span.end && span.start < range.end).cloned().collect();
            let meets = |at: &u64| ranges.iter().any(|range| *at < range.end && range.start < at + 4);
            let expected: Vec<u64> = all.iter().copied().filter(meets).collect();
            prop_assert_eq!(announced(&access.runs(&span, &tracked)), expected);
            for at in all {
                prop_assert!(access.pieces(&span).iter().any(|piece| piece.start <= at && at + 4 <= piece.end));
            }
        }

        /// What is joined makes the accesses of both.
        #[test]
        fn what_goes_on_makes_the_accesses_of_both(
            step in -9i64..10,
            (count, more) in (1u64..5, 1u64..5),
            off in prop::sample::select(vec![0i64, 0, 0, 4]),
            outer in (1u64..4, -9i64..10),
        ) {
            let of = |count, base: i64| {
                let inner = if count == 1 { 0 } else { step };
                store(base as u64, [outer.1, inner, 0], [outer.0, count, 1])
            };
            let (first, then) = (of(count, 500), of(more, 500 + step * count as i64 + off));
            let whole = joined(&first, &then, 1);
            prop_assert_eq!(whole.is_some(), off == 0 && (count, more) != (1, 1));
            if let Some(whole) = whole {
                let mut both = addresses(&first);
                both.extend(addresses(&then));
                both.sort_unstable();
                prop_assert_eq!(addresses(&whole), both);
            }
        }
    }
}
