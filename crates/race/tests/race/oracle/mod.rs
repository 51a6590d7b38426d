//! The detector against an independent oracle: random programs of 3 ranks with two threads each.
//!
//! The oracle knows nothing of clocks, interval maps, pruning or forgetting. It writes down the graph of the run: a
//! node for every action and every completion, an edge for every order that the standard gives, and asks for paths. Two
//! conflicting accesses race unless a path leads from the completion of the first to the start of the second (Hoefler
//! et al. 2014, §3.3.2). It compares every pair, byte by byte. Every program is judged three times, also with detectors
//! that forget at every access whatever they can, runs excepted and included.

mod graph;
mod judge;
mod program;

use farside_built::cases;
use farside_events::OperationKind;
use farside_race::Forgetting;
use judge::judge;
use program::{Action, Kind, Shape, action};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Pairs of lines.
pub(crate) type Races = BTreeSet<(u64, u64)>;

fn agree(actions: &[Action], kind: Kind) -> Result<(), TestCaseError> {
    for forgetting in [Forgetting::WhenGrown, Forgetting::OfAllButRuns, Forgetting::OfAll] {
        let (detected, expected) = judge(actions, kind, forgetting);
        prop_assert_eq!(detected, expected, "{:?}", forgetting);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(800)) })]

    #[test]
    fn passive_target_programs(actions in prop::collection::vec(action(Kind::Passive), 1..30)) {
        agree(&actions, Kind::Passive)?;
    }

    #[test]
    fn programs_with_windows_of_groups(actions in prop::collection::vec(action(Kind::Groups), 1..40)) {
        agree(&actions, Kind::Groups)?;
    }

    #[test]
    fn fence_programs(actions in prop::collection::vec(action(Kind::Fence), 1..30)) {
        agree(&actions, Kind::Fence)?;
    }
}

/// Found by the random programs: the second operation was taken for the first, which has a request of its own.
#[test]
fn an_operation_without_a_request_is_not_taken_for_one_with() {
    let operation = |request, kind, thread, offset, line| Action::Operation {
        actor: (2, thread),
        kind,
        target: 0,
        offset,
        origin: 0,
        request,
        line,
        win: 0,
    };
    let actions = [
        operation(true, OperationKind::Accumulate, 1, 0, 12),
        operation(false, OperationKind::Accumulate, 1, 0, 12),
        Action::WaitRequest { actor: (2, 0) },
        Action::Access {
            actor: (0, 0),
            store: false,
            owner_window: false,
            offset: 0,
            line: 1,
            shape: Shape::One,
        },
        operation(false, OperationKind::Get, 0, 4, 10),
    ];
    agree(&actions, Kind::Passive).expect("both say the same");
}

/// Found by the random programs: what another thread has completed, without a word to this one, was open for it
/// although it flushed itself.
#[test]
fn a_thread_that_flushes_needs_no_word_from_one_that_completed() {
    let get = |request| Action::Operation {
        actor: (0, 0),
        kind: OperationKind::Get,
        target: 0,
        offset: 0,
        origin: 2,
        request,
        line: 10,
        win: 0,
    };
    let flush = |thread, local| Action::Flush {
        actor: (0, thread),
        target: 0,
        local,
        win: 0,
    };
    let store = Action::Access {
        actor: (0, 0),
        store: true,
        owner_window: false,
        offset: 0,
        line: 1,
        shape: Shape::One,
    };
    let told = Action::Threads {
        from: (0, 0),
        to: (0, 1),
    };
    for (request, other) in [
        (true, Action::WaitRequest { actor: (0, 1) }),
        (false, flush(1, false)),
        (false, flush(1, true)),
    ] {
        for local in [false, true] {
            let actions = [
                get(request),
                told.clone(),
                other.clone(),
                flush(0, local),
                store.clone(),
            ];
            agree(&actions, Kind::Passive).expect("both say the same");
            let (races, _) = judge(&actions, Kind::Passive, Forgetting::WhenGrown);
            assert!(races.is_empty(), "{races:?}");
        }
    }
}
