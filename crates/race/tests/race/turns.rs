//! What a thread does again, by turns too, is judged as if it were done from another place each time.

use crate::script::{Script, at, private};
use farside_events::{AccessKind, AccessRun, Assertions, EventKind, StackId};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Fields in the window that the places in the code work on by turns.
const FIELDS: u64 = 3;
/// Bytes of a field.
const FIELD: u64 = 256;
/// A turn has its own lines, if it shall be unlike the others.
const LINES: u64 = 1000;

/// What happens in the order of the run.
#[derive(Clone, Debug)]
enum Step {
    /// Rank 0 goes through a field by a stride, from one of a few places in its code.
    Pass {
        place: u64,
        field: u64,
        stride: i64,
        stores: bool,
    },
    /// Rank 1 puts to a place of a field of rank 0.
    Put { field: u64, offset: i64 },
    /// Both meet.
    Fence,
}

fn step() -> impl Strategy<Value = Step> {
    let pass = (
        0..2u64,
        0..FIELDS,
        prop::sample::select(vec![8i64, 16, 24]),
        any::<bool>(),
    )
        .prop_map(|(place, field, stride, stores)| Step::Pass {
            place,
            field,
            stride,
            stores,
        });
    let put = (0..FIELDS, 0..FIELD as i64 / 8).prop_map(|(field, word)| Step::Put {
        field,
        offset: 8 * word,
    });
    prop_oneof![4 => pass, 1 => put, 3 => Just(Step::Fence)]
}

/// The rules and places of what is found; turns have lines of their own, or the same.
fn found(steps: &[Step], own_lines: bool) -> BTreeSet<(&'static str, Vec<u64>)> {
    let mut script = Script::new(2);
    script.fence(1, Assertions::default());
    for (turn, step) in (1u64..).zip(steps) {
        match step {
            Step::Pass {
                place,
                field,
                stride,
                stores,
            } => {
                let line = 10 + place + if own_lines { turn * LINES } else { 0 };
                let kind = if *stores {
                    AccessKind::Store
                } else {
                    AccessKind::Load
                };
                let mut run = AccessRun::single(kind, at(0, field * FIELD), 8, line, StackId(line));
                (run.inner_count, run.inner_stride) = (8, *stride);
                script.kind(0, 0, EventKind::Accesses(vec![run]));
            }
            Step::Put { field, offset } => script.put(1, 20, private(0), 0, (field * FIELD) as i64 + offset),
            Step::Fence => script.fence(2, Assertions::default()),
        }
    }
    script.fence(3, Assertions::default());
    let place = |line: u64| line % LINES;
    let findings = script.finish().into_iter();
    findings
        .map(|finding| {
            let mut lines: Vec<u64> = finding
                .parties
                .iter()
                .map(|party| place(party.site.stack.0))
                .collect();
            lines.sort_unstable();
            (finding.rule.id(), lines)
        })
        .collect()
}

/// A program with two fields that it reads and writes by turns, and a put into the one that is being read.
#[test]
fn a_put_in_a_later_turn_is_found() {
    let pass = |place, field, stores| Step::Pass {
        place,
        field,
        stride: 16,
        stores,
    };
    let mut steps = Vec::new();
    for turn in 0..6 {
        steps.extend([pass(0, turn % 2, false), pass(1, (turn + 1) % 2, true)]);
        // What nobody touches in this turn.
        steps.push(Step::Put { field: 2, offset: 0 });
        steps.push(Step::Fence);
    }
    assert_eq!(found(&steps, false), BTreeSet::new());
    steps.extend([pass(0, 0, false), Step::Put { field: 0, offset: 32 }]);
    assert_eq!(
        found(&steps, false),
        BTreeSet::from([("remote-race", vec![10, 20])])
    );
}

proptest! {
    #[test]
    fn turns_are_judged_as_if_each_had_its_own_places(steps in prop::collection::vec(step(), 1..40)) {
        prop_assert_eq!(found(&steps, false), found(&steps, true));
    }
}
