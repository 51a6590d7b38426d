//! One number from several, well spread: names that processes and threads compute alike, without talking to each other.
//!
//! The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014),
//! chained. Tables whose hash is asked for at each access have cheaper ones of their own.

/// Takes the words in one after the other, from `start`.
pub(crate) fn mix(start: u64, words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(start, |state, word| {
        let mixed = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_output_of_the_generator_is_that_of_its_authors() {
        assert_eq!(mix(1_234_567, [0]), 6_457_827_717_110_365_317);
        assert_eq!(mix(0, [3, 5]), mix(mix(0, [3]), [5]));
    }
}
