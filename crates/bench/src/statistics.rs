//! Medians and spread: what a handful of repetitions supports.

use serde::Serialize;

/// The middle of some measurements, and their extremes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// The median.
    pub(crate) median: f64,
    /// The smallest.
    pub(crate) min: f64,
    /// The largest.
    pub(crate) max: f64,
}

impl Summary {
    /// The summary of `values`; `None` if there are none.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let half = sorted.len() / 2;
        let median = if sorted.len() % 2 == 1 {
            sorted[half]
        } else {
            f64::midpoint(sorted[half - 1], sorted[half])
        };
        Some(Self { median, min, max })
    }

    /// Largest distance of a value from the median, in parts of the median.
    pub(crate) fn spread(self) -> f64 {
        (self.max - self.median).max(self.median - self.min) / self.median
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_odd_even_and_none() {
        let summary = Summary::of(&[3.0, 1.0, 2.0]).unwrap();
        assert_eq!((summary.min, summary.median, summary.max), (1.0, 2.0, 3.0));
        assert_eq!(Summary::of(&[4.0, 1.0, 2.0, 3.0]).unwrap().median, 2.5);
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn spread_is_the_farther_extreme() {
        let summary = Summary::of(&[8.0, 10.0, 11.0]).unwrap();
        assert!((summary.spread() - 0.2).abs() < 1e-12);
    }
}
