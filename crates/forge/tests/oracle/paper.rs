//! The tests that the paper prints are members.

use farside_forge::{Definition, PivotRule, Test, Walk, canonical, table};
use std::ops::ControlFlow;

/// The generated tests that the paper prints, with a pivot that the paper names or that their size allows.
const PRINTED: [(&str, &str, PivotRule); 5] = [
    (
        "Fig6",
        include_str!("../../../../litmus-tests/papers/Fig6.litmus"),
        PivotRule::Ir,
    ),
    (
        "Fig7left",
        include_str!("../../../../litmus-tests/papers/Fig7left.litmus"),
        PivotRule::CasF,
    ),
    (
        "Fig7right",
        include_str!("../../../../litmus-tests/papers/Fig7right.litmus"),
        PivotRule::Ga,
    ),
    (
        "Fig8",
        include_str!("../../../../litmus-tests/papers/Fig8.litmus"),
        PivotRule::Ir,
    ),
    (
        "Fig9",
        include_str!("../../../../litmus-tests/papers/Fig9.litmus"),
        PivotRule::Ir,
    ),
];

#[test]
fn printed_tests_are_members() {
    for (name, text, rule) in PRINTED {
        let program = farside_litmus::parse(text).unwrap();
        let wanted = canonical::canonical(&Test::of_program(&program).unwrap());
        let processes = wanted.processes.len() as u8;
        let definition = Definition::new(processes, table::bounds(processes));
        let mut rules = Vec::new();
        let _ = Walk::new(&definition).all(&mut |test, pivots| match *test == wanted {
            true => {
                rules.extend(pivots.iter());
                ControlFlow::Break(())
            }
            false => ControlFlow::Continue(()),
        });
        eprintln!("{name} {rules:?}");
        assert!(rules.contains(&rule), "{name}: {rules:?}");
    }
}
