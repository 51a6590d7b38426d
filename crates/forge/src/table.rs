//! Table 6 of the paper, to be printed beside what is generated here.

use crate::definition::{Bounds, PivotRule};

/// A row of Table 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The pivot.
    pub rule: PivotRule,
    /// Processes.
    pub processes: u8,
    /// The bound on actions.
    pub size: u8,
    /// Tests that the paper generated.
    pub tests: u32,
    /// Mean milliseconds that its solver took for a test.
    pub milliseconds: u32,
    /// Expected outputs of all tests together.
    pub outputs: u32,
}

const fn row(rule: PivotRule, processes: u8, figures: [u32; 4]) -> Row {
    let [size, tests, milliseconds, outputs] = figures;
    Row {
        rule,
        processes,
        size: size as u8,
        tests,
        milliseconds,
        outputs,
    }
}

/// Table 6. Its sums are 7,441 tests and 19,937 outputs.
pub const TABLE_6: [Row; 24] = [
    row(PivotRule::R1, 1, [8, 863, 20, 1492]),
    row(PivotRule::R1, 2, [9, 1040, 25, 3616]),
    row(PivotRule::R2, 1, [7, 419, 15, 532]),
    row(PivotRule::R2, 2, [8, 684, 22, 1514]),
    row(PivotRule::F1, 1, [9, 326, 34, 338]),
    row(PivotRule::F1, 2, [10, 172, 49, 452]),
    row(PivotRule::F2, 1, [9, 350, 35, 374]),
    row(PivotRule::F2, 2, [10, 188, 47, 492]),
    row(PivotRule::F3, 1, [10, 810, 49, 1320]),
    row(PivotRule::F3, 2, [11, 200, 52, 356]),
    row(PivotRule::Ir, 1, [10, 104, 55, 104]),
    row(PivotRule::Ir, 2, [11, 127, 120, 368]),
    row(PivotRule::Ga, 1, [10, 299, 27, 1091]),
    row(PivotRule::Ga, 2, [11, 48, 84, 624]),
    row(PivotRule::Pg, 1, [8, 164, 15, 276]),
    row(PivotRule::Pg, 2, [10, 260, 27, 1024]),
    row(PivotRule::CasF, 1, [10, 12, 36, 12]),
    row(PivotRule::CasF, 2, [12, 48, 75, 288]),
    row(PivotRule::CasT, 1, [10, 12, 36, 12]),
    row(PivotRule::CasT, 2, [12, 48, 75, 288]),
    row(PivotRule::Lo, 1, [7, 146, 21, 250]),
    row(PivotRule::Lo, 2, [8, 362, 19, 1004]),
    row(PivotRule::Ws, 1, [9, 282, 34, 934]),
    row(PivotRule::Ws, 2, [10, 477, 47, 3176]),
];

/// The paper's row of a rule and number of processes; none for three and more.
#[must_use]
pub fn row_of(rule: PivotRule, processes: u8) -> Option<&'static Row> {
    TABLE_6
        .iter()
        .find(|row| row.rule == rule && row.processes == processes)
}

/// The bounds of Table 6 for tests of so many processes; none of a rule for three and more.
#[must_use]
pub fn bounds(processes: u8) -> Bounds {
    let mut bounds = Bounds::default();
    for row in TABLE_6.iter().filter(|row| row.processes == processes) {
        bounds.set(row.rule, row.size);
    }
    bounds
}

#[cfg(test)]
mod tests {
    use super::TABLE_6;

    #[test]
    fn the_rows_add_up_to_the_printed_sums() {
        assert_eq!(TABLE_6.iter().map(|row| row.tests).sum::<u32>(), 7441);
        assert_eq!(TABLE_6.iter().map(|row| row.outputs).sum::<u32>(), 19937);
        let two = TABLE_6.iter().filter(|row| row.processes == 2);
        assert_eq!(two.map(|row| row.tests).sum::<u32>(), 3654);
    }
}
