//! Whether the designs of the paper stand in the paper's order in a run.

use crate::paper::{Order, is_of};
use crate::{Report, Row};

/// What a run says of the order of a figure, at one number of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Number of ranks.
    pub ranks: u64,
    /// Pairs that stand the other way round by their medians: what is faster in the paper, and what is faster here.
    pub reversed: Vec<(String, String)>,
    /// Pairs of which the spreads overlap, whichever way their medians stand.
    pub close: Vec<(String, String)>,
}

impl Verdict {
    /// For each number of ranks that the paper has and this run too, and at which two designs can be compared. Nothing
    /// for a run on another network than the paper's, or of what the paper does not order.
    #[must_use]
    pub fn of(report: &Report, study: &str) -> Vec<Self> {
        let Some(order) = Order::of(study).filter(|_| is_of(&report.place)) else {
            return Vec::new();
        };
        let mut places: Vec<u64> = report.of(study).map(|row| row.x).filter(|&x| x <= 64).collect();
        places.sort_unstable();
        places.dedup();
        let at = |ranks| {
            let row = |design| report.row(study, design, ranks);
            let rows: Vec<(&Row, &Row)> = order
                .pairs()
                .filter_map(|(fast, slow)| row(fast).zip(row(slow)))
                .collect();
            let names = |pairs: &mut dyn Iterator<Item = &(&Row, &Row)>| {
                pairs
                    .map(|(fast, slow)| (fast.series.clone(), slow.series.clone()))
                    .collect()
            };
            (!rows.is_empty()).then(|| Self {
                ranks,
                reversed: names(&mut rows.iter().filter(|(fast, slow)| fast.median >= slow.median)),
                close: names(
                    &mut rows
                        .iter()
                        .filter(|(fast, slow)| fast.low <= slow.high && slow.low <= fast.high),
                ),
            })
        };
        places.into_iter().filter_map(at).collect()
    }

    /// Whether all designs stand as in the paper, by their medians.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.reversed.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(place: &str, times: &[(&str, [f64; 3])]) -> Report {
        let row = |&(series, samples): &(&str, [f64; 3])| {
            Row::new("halo, 4 neighbours", series, 16, 16, samples.to_vec())
        };
        Report {
            place: place.to_owned(),
            rows: times.iter().map(row).collect(),
            ..Report::default()
        }
    }

    #[test]
    fn one_design_before_all_others_leaves_these_in_any_order() {
        let mut times = [
            ("fence-imm-ri", [1.0, 2.0, 3.0]),
            ("fence-imm-opt", [2.5, 4.0, 5.0]),
            ("fence-imm-naive", [9.0; 3]),
            ("fence-def", [6.0; 3]),
        ];
        let place = "sim:infiniband_2009";
        let pair = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        let [verdict] = &Verdict::of(&report(place, &times), "halo, 4 neighbours")[..] else {
            panic!("one number of ranks");
        };
        assert!(verdict.holds());
        assert_eq!(verdict.close, [pair("fence-imm-ri", "fence-imm-opt")]);
        times[3].1 = [1.0; 3];
        let verdicts = Verdict::of(&report(place, &times), "halo, 4 neighbours");
        assert_eq!(verdicts[0].reversed, [pair("fence-imm-ri", "fence-def")]);
        assert_eq!(Verdict::of(&report("shm", &times), "halo, 4 neighbours"), []);
    }
}
