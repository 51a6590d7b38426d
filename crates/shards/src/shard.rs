//! Shard I of N.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The most shards of a run: a file each is open when they are merged, and an array of Slurm has as many tasks.
const MOST: u32 = 1000;

/// One of the shards of a run, counted from 1, as tasks of `sbatch --array=1-N` are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// Which one, from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many there are.
    #[must_use]
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether a piece, counted from 0, is in it. Neighbours go to different shards: they are often of like size.
    #[must_use]
    pub fn has(self, piece: usize) -> bool {
        piece % self.of as usize == self.number as usize - 1
    }

    /// Those of `all` that are in it, in order, with their numbers.
    pub fn of_all<T>(self, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = (usize, T)> {
        all.into_iter()
            .enumerate()
            .skip(self.number as usize - 1)
            .step_by(self.of as usize)
    }

    /// How many of `pieces` are in it.
    #[must_use]
    pub fn size(self, pieces: usize) -> usize {
        (pieces + (self.of - self.number) as usize) / self.of as usize
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("write I/N: shard I of N, with I from 1 to N and N at most {MOST}");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = |text: &str| text.parse().ok().filter(|_| digits(text)).ok_or_else(wrong);
        let (number, of): (u32, u32) = (parsed(number)?, parsed(of)?);
        match (1..=of).contains(&number) && of <= MOST {
            true => Ok(Self { number, of }),
            false => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_piece_is_in_one_shard_and_their_sizes_are_even(of in 1_u32..40, pieces in 0_usize..200) {
            let mut owners = vec![0; pieces];
            let mut sizes = Vec::new();
            for number in 1..=of {
                let shard = Shard { number, of };
                let mine: Vec<usize> = shard.of_all(0..pieces).map(|(piece, _)| piece).collect();
                prop_assert_eq!(mine.len(), shard.size(pieces));
                prop_assert_eq!(&mine, &(0..pieces).filter(|&piece| shard.has(piece)).collect::<Vec<_>>());
                sizes.push(mine.len());
                mine.iter().for_each(|&piece| owners[piece] += 1);
            }
            prop_assert!(owners.iter().all(|&owners| owners == 1));
            prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        assert_eq!("3/8".parse::<Shard>().unwrap().to_string(), "3/8");
        for wrong in [
            "", "3", "0/8", "9/8", "1/0", "-1/8", "+1/8", "1/+8", "a/b", "1/8/9", "1/1001", " 1/8",
        ] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
