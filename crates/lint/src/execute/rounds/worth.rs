//! Of which loops it is worth to ask what their rounds do together.
//!
//! To know it takes longer than to follow a few rounds. A loop that was asked for little, as one of four rounds that is
//! entered for each element of a field, is asked less and less often.

use crate::ir::BlockId;
use rustc_hash::FxHashMap as HashMap;

/// What is skipped must be so many times as long as what it takes to know.
const WORTH: u64 = 4;
/// A loop is asked at least once in two to the power of this.
const SELDOM: u32 = 8;

/// What was gained of each loop, by its function and the block of its branch.
#[derive(Debug, Default)]
pub(crate) struct Worth {
    loops: HashMap<(u32, BlockId), Asked>,
}

/// What was gained of a loop.
#[derive(Debug, Default)]
struct Asked {
    /// How often in a row it was not worth it.
    in_vain: u32,
    /// How often it is not asked.
    pause: u32,
}

impl Worth {
    /// Whether a loop is to be asked now.
    pub(super) fn asks(&mut self, circle: (u32, BlockId)) -> bool {
        match self.loops.get_mut(&circle) {
            Some(Asked { pause, .. }) if *pause > 0 => {
                *pause -= 1;
                false
            }
            _ => true,
        }
    }

    /// It took so many instructions to know that so many can be skipped.
    pub(super) fn learn(&mut self, circle: (u32, BlockId), took: u64, skipped: u64) {
        let asked = self.loops.entry(circle).or_default();
        asked.in_vain = match skipped >= WORTH * took.max(1) {
            true => 0,
            false => (asked.in_vain + 1).min(SELDOM),
        };
        asked.pause = (1 << asked.in_vain) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_that_gives_little_is_asked_less_and_less_often_and_never_forgotten() {
        let mut worth = Worth::default();
        let (circle, other) = ((1, 2), (1, 3));
        let mut asked = Vec::new();
        for nth in 0..2000u32 {
            if worth.asks(circle) {
                asked.push(nth);
                worth.learn(circle, 100, 60);
            }
            assert!(worth.asks(other));
        }
        assert_eq!(asked[..5], [0, 2, 6, 14, 30]);
        assert!(asked.windows(2).all(|pair| pair[1] - pair[0] <= 1 << SELDOM));
        assert!(asked.len() > 10);
        worth.learn(circle, 100, 400);
        assert!(worth.asks(circle) && worth.asks(circle));
    }
}
