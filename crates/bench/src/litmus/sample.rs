//! Many times of different programs: where they lie, and how far the slow ones are.

use serde::Serialize;

/// Times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(super) struct Sample {
    pub(super) count: usize,
    pub(super) mean: f64,
    pub(super) median: f64,
    /// 99 of 100 are not above it.
    pub(super) p99: f64,
    pub(super) worst: f64,
}

impl Sample {
    /// The sample of `values`; `None` if there are none.
    pub(super) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let worst = *sorted.last()?;
        let count = sorted.len();
        // The smallest value that this share does not exceed.
        let quantile = |parts: usize, of: usize| sorted[(count * parts).div_ceil(of).max(1) - 1];
        Some(Self {
            count,
            mean: sorted.iter().sum::<f64>() / count as f64,
            median: quantile(1, 2),
            p99: quantile(99, 100),
            worst,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_few_and_many() {
        let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let sample = Sample::of(&hundred).unwrap();
        assert_eq!(
            (sample.median, sample.p99, sample.worst, sample.mean),
            (50.0, 99.0, 100.0, 50.5)
        );
        let one = Sample::of(&[3.0]).unwrap();
        assert_eq!((one.count, one.median, one.p99, one.worst), (1, 3.0, 3.0, 3.0));
        assert_eq!(Sample::of(&[]), None);
    }
}
