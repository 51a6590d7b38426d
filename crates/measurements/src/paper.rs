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

/// The order of the paper's designs in a figure, the fastest first, and where the paper says so. Designs that the text does not
/// compare stand in no order here.
#[must_use]
pub fn order(study: &str) -> Option<(&'static str, &'static [&'static str])> {
    Some(match study {
        "fence, no put" => (
            "Fig. 7, §4.2.3",
            &["fence-def", "fence-imm-opt", "fence-imm-ri", "fence-imm-naive"],
        ),
        "fence, one put of 16 bytes" => (
            "Fig. 8, §4.2.4",
            &["fence-def", "fence-imm-ri", "fence-imm-opt", "fence-imm-naive"],
        ),
        "fence, puts of 16 bytes to 8 neighbours" => {
            ("Fig. 9, §4.2.4", &["fence-def", "fence-imm-ri", "fence-imm-opt"])
        }
        "halo, 4 neighbours" => ("Fig. 10 (a), §4.2.5", &["fence-imm-ri", "fence-def"]),
        "halo, 8 neighbours" => ("Fig. 10 (b), §4.2.5", &["fence-imm-ri", "fence-def"]),
        _ => return None,
    })
}
