//! What paper 002 prints: Table 1, and in words the order of the designs in its figures.

/// Table 1, column Barrier: ranks, microseconds. The only figures to which constants of the simulation are fitted.
pub const BARRIER: [(u32, f64); 6] = [
    (2, 3.66),
    (4, 10.79),
    (8, 18.65),
    (16, 27.21),
    (32, 37.89),
    (64, 44.13),
];

/// Table 1, column Allreduce, 256 bytes.
pub const ALLREDUCE: [(u32, f64); 6] = [
    (2, 7.75),
    (4, 13.78),
    (8, 20.9),
    (16, 30.34),
    (32, 43.15),
    (64, 51.9),
];

/// Table 1, column Reduce_Scatter, 256 bytes.
pub const REDUCE_SCATTER: [(u32, f64); 6] = [
    (2, 6.84),
    (4, 11.27),
    (8, 16.26),
    (16, 21.99),
    (32, 29.19),
    (64, 33.18),
];

/// Whether a run was on the network of the paper, one rank a node: only beside such a run stands what the paper prints.
#[must_use]
pub fn is_of(place: &str) -> bool {
    place == "sim:infiniband_2009"
}

/// Microseconds that Table 1 has for a collective call.
#[must_use]
pub fn table_1(collective: &str, ranks: u32) -> Option<f64> {
    let column = match collective {
        "barrier" => &BARRIER,
        "allreduce" => &ALLREDUCE,
        "reduce-scatter" => &REDUCE_SCATTER,
        _ => return None,
    };
    column
        .iter()
        .find(|(row, _)| *row == ranks)
        .map(|(_, time)| *time)
}

/// The order of the paper's designs in a figure, as far as its text says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Where the paper says so.
    pub source: &'static str,
    /// The fastest first: each design of a level is faster than all of the next ones. Those of one level the text does
    /// not compare.
    pub levels: &'static [&'static [&'static str]],
}

impl Order {
    /// Of a study; `None` if the paper says nothing.
    #[must_use]
    pub fn of(study: &str) -> Option<Self> {
        let (source, levels): (_, &[&[&str]]) = match study {
            "fence, no put" => (
                "Fig. 7, §4.2.3",
                &[
                    &["fence-def"],
                    &["fence-imm-opt"],
                    &["fence-imm-ri"],
                    &["fence-imm-naive"],
                ],
            ),
            "fence, one put of 16 bytes" => (
                "Fig. 8, §4.2.4",
                &[
                    &["fence-def"],
                    &["fence-imm-ri"],
                    &["fence-imm-opt"],
                    &["fence-imm-naive"],
                ],
            ),
            "fence, puts of 16 bytes to 8 neighbours" => (
                "Fig. 9, §4.2.4",
                &[&["fence-def"], &["fence-imm-ri"], &["fence-imm-opt"]],
            ),
            "halo, 4 neighbours" => ("Fig. 10 (a), §4.2.5", RI_BEFORE_ALL),
            "halo, 8 neighbours" => ("Fig. 10 (b), §4.2.5", RI_BEFORE_ALL),
            _ => return None,
        };
        Some(Self { source, levels })
    }

    /// Pairs of a design and one that is slower.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let levels = self.levels;
        levels.iter().zip(1..).flat_map(move |(faster, next)| {
            let slower = levels[next..].iter().flat_map(|level| level.iter());
            slower.flat_map(move |slow| faster.iter().map(move |fast| (*fast, *slow)))
        })
    }
}

/// "Our new Fence-Imm-RI scheme outperforms all the other schemes": how these stand among one another is not said.
const RI_BEFORE_ALL: &[&[&str]] = &[
    &["fence-imm-ri"],
    &["fence-imm-opt", "fence-imm-naive", "fence-def"],
];
