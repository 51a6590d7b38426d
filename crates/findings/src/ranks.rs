//! Sets of ranks, as ranges.
//!
//! Written as `0-3,8,12-15`, and `0-9996:4` for every fourth rank from 0 to 9996, as batch systems write their lists: a
//! job's ranks go to hosts in blocks, or in turn. So ten thousand ranks take a few characters.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Ranks so far apart from each other are a range from this many on; neighbours are from two on.
const APART: usize = 4;

/// A set of ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(into = "String", try_from = "String")]
pub struct Ranks(Vec<RankRange>);

/// Ranks at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// The lowest.
    pub first: u32,
    /// The highest.
    pub last: u32,
    /// From one to the next; 1 where there is only one.
    pub step: u32,
}

impl RankRange {
    /// How many there are.
    #[must_use]
    pub fn number(self) -> u64 {
        u64::from((self.last - self.first) / self.step) + 1
    }

    fn ranks(self) -> impl Iterator<Item = u32> {
        (self.first..=self.last).step_by(self.step as usize)
    }

    fn has(self, rank: u32) -> bool {
        (self.first..=self.last).contains(&rank) && (rank - self.first).is_multiple_of(self.step)
    }
}

impl Ranks {
    /// These ranks, in any order.
    pub fn of(ranks: impl IntoIterator<Item = u32>) -> Self {
        let sorted: Vec<u32> = ranks.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
        let mut ranges = Vec::new();
        let mut rest = &sorted[..];
        while let [first, ..] = *rest {
            let step = rest.get(1).map_or(1, |second| second - first);
            let equal = rest.windows(2).take_while(|pair| pair[1] - pair[0] == step);
            let length = match equal.count() + 1 {
                length if step == 1 || length >= APART => length,
                _ => 1,
            };
            let last = rest[length - 1];
            let step = if length == 1 { 1 } else { step };
            ranges.push(RankRange { first, last, step });
            rest = &rest[length..];
        }
        Self(ranges)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.0.iter().map(|range| range.number()).sum()
    }

    /// Whether this one is there.
    #[must_use]
    pub fn has(&self, rank: u32) -> bool {
        self.0.iter().any(|range| range.has(rank))
    }

    /// Whether one of them is in both.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        let common = |one: &RankRange, other: &RankRange| {
            let (few, many) = if one.number() < other.number() {
                (one, other)
            } else {
                (other, one)
            };
            one.first <= other.last && other.first <= one.last && few.ranks().any(|rank| many.has(rank))
        };
        self.0
            .iter()
            .any(|one| other.0.iter().any(|other| common(one, other)))
    }

    /// The ranges, by their first ranks.
    #[must_use]
    pub fn ranges(&self) -> &[RankRange] {
        &self.0
    }

    /// All of them, range by range.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|range| range.ranks())
    }
}

impl fmt::Display for RankRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { first, last, .. } if first == last => write!(f, "{first}"),
            Self { first, last, step: 1 } => write!(f, "{first}-{last}"),
            Self { first, last, step } => write!(f, "{first}-{last}:{step}"),
        }
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, range) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{range}")?;
        }
        Ok(())
    }
}

impl From<Ranks> for String {
    fn from(ranks: Ranks) -> Self {
        ranks.to_string()
    }
}

impl TryFrom<String> for Ranks {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let ranges = text.split(',').filter(|range| !range.is_empty());
        let read = |range: &str| read(range).ok_or_else(|| format!("{range:?} is no range of ranks"));
        Ok(Self(ranges.map(read).collect::<Result<_, _>>()?))
    }
}

/// `8`, `0-3`, `0-9996:4`.
fn read(text: &str) -> Option<RankRange> {
    let (ends, step) = match text.split_once(':') {
        Some((ends, step)) => (ends, step.parse().ok()?),
        None => (text, 1),
    };
    let (first, last) = ends.split_once('-').unwrap_or((ends, ends));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    let whole = last >= first && step > 0 && (last - first).is_multiple_of(step);
    whole.then_some(RankRange { first, last, step })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_written_as_ranges() {
        for (ranks, text) in [
            (vec![], ""),
            (vec![3], "3"),
            (vec![7, 0, 1, 2, 3, 3], "0-3,7"),
            (vec![u32::MAX, 0], "0,4294967295"),
            (vec![0, 2, 4], "0,2,4"),
            (vec![1, 5, 9, 13, 14, 15], "1-13:4,14-15"),
            ((0..10_000).collect(), "0-9999"),
            ((3..10_000).step_by(4).collect(), "3-9999:4"),
        ] {
            let of = Ranks::of(ranks.clone());
            assert_eq!(of.to_string(), text);
            assert_eq!(Ranks::try_from(text.to_owned()).unwrap(), of);
            assert_eq!(
                of.iter().collect::<BTreeSet<_>>(),
                ranks.iter().copied().collect()
            );
            assert!(ranks.iter().all(|&rank| of.has(rank)) && !of.has(77_777));
            assert_eq!(
                of.meets(&Ranks::of([3, 5])),
                ranks.contains(&3) || ranks.contains(&5)
            );
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["x", "3-1", "1-2-3", "0-9:0", "0-9:2", "-1", "1:", "4294967296"] {
            assert!(Ranks::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
