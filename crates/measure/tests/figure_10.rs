//! Figure 10 of paper 002 says that Fence-Imm-RI beats the other three designs in a halo exchange with computation.

use farside::Fence;
use farside_measure::{Place, Plan, Study};
use farside_measurements::{Report, Verdict};
use std::time::Duration;

const STUDIES: [&str; 2] = ["halo, 4 neighbours", "halo, 8 neighbours"];

/// At each number of ranks of the run that is kept, by medians; and by more than the spread but beside Opt.
#[test]
fn ri_is_first_of_the_papers_designs_in_the_run_that_is_kept() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../bench/results/2026-11-22-fences/sim.json"
    );
    let text = std::fs::read_to_string(file).expect("the run is kept");
    let report: Report = serde_json::from_str(&text).expect("a report");
    let verdicts: Vec<Verdict> = STUDIES
        .iter()
        .flat_map(|study| Verdict::of(&report, study))
        .collect();
    // 8 to 64 ranks with 4 neighbours, 16 to 64 with 8.
    assert_eq!(verdicts.len(), 7);
    for verdict in &verdicts {
        assert!(verdict.holds(), "{verdict:?}");
        assert!(
            verdict.close.iter().all(|(_, other)| other == "fence-imm-opt"),
            "{verdict:?}"
        );
    }
    // Of all designs it is not: what the paper set aside is faster at each of them.
    for row in report
        .rows
        .iter()
        .filter(|row| STUDIES.contains(&row.study.as_str()))
    {
        if row.series == "fence-imm-ri" {
            let flush = report
                .row(&row.study, "fence-flush", row.x)
                .expect("all designs ran");
            assert!(flush.median < row.median, "{}, {} ranks", row.study, row.x);
        }
    }
}

/// The same of the designs as they are now, with few ranks and samples.
#[test]
fn ri_is_first_of_the_papers_designs_now() {
    let plan = Plan {
        studies: vec![Study::Halo],
        place: Place::named("sim", false, None).expect("the network of the paper"),
        ranks: vec![8, 16],
        fences: vec![Fence::Deferred, Fence::ImmNaive, Fence::ImmOpt, Fence::ImmRi],
        samples: 5,
        slow: Duration::ZERO,
    };
    let report = plan.run(|_| ()).expect("nobody dies");
    let verdicts: Vec<Verdict> = STUDIES
        .iter()
        .flat_map(|study| Verdict::of(&report, study))
        .collect();
    assert_eq!(verdicts.len(), 3);
    assert!(verdicts.iter().all(Verdict::holds), "{verdicts:?}");
}

/// A fence of neighbours without a neighbour is marked, and none with one.
#[test]
fn a_fence_without_neighbours_is_marked() {
    let plan = Plan {
        studies: vec![Study::Fence],
        place: Place::named("sim", false, None).expect("the network of the paper"),
        ranks: vec![2],
        fences: vec![Fence::Flush, Fence::Neighbour],
        samples: 1,
        slow: Duration::ZERO,
    };
    let report = plan.run(|_| ()).expect("nobody dies");
    let idle: Vec<(&str, &str)> = report
        .rows
        .iter()
        .filter(|row| row.idle)
        .map(|row| (row.study.as_str(), row.series.as_str()))
        .collect();
    assert_eq!(idle, [("fence, no put", "fence-neighbour")]);
}
