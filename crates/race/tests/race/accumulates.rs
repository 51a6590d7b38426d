//! Accumulates: which may meet, which are in order, and which values order what precedes (MPI-4.1 §12.7.1, §12.7.2,
//! §12.2.1).

use crate::script::{Script, WIN, at, private};
use farside_events::{AccumulateHints, AccumulateOp, AccumulateOps, AccumulateOrdering, WindowFlavor};

const REMOTE: &str = "remote-race";

/// Three ranks with a window that was made with these hints, in epochs of locks of all.
fn window_with(accumulates: AccumulateHints) -> Script {
    let mut s = Script::without_window(3);
    for rank in 0..3 {
        s.window(
            rank,
            WIN,
            WindowFlavor::Allocate,
            at(rank, 0),
            4096,
            1,
            accumulates,
        );
    }
    s.everyone_locks_all();
    s
}

#[test]
fn accumulates_of_one_origin_are_in_order_unless_that_was_given_up() {
    let run = |ordering, displacement| {
        let mut s = window_with(AccumulateHints { ops: None, ordering });
        s.accumulate(0, 1, 2, 0, AccumulateOp::Sum);
        s.accumulate(0, 2, 2, displacement, AccumulateOp::Replace);
        s.accumulate(0, 3, 2, 0, AccumulateOp::Max);
        s.finish().len()
    };
    assert_eq!(run(None, 0), 0);
    assert_eq!(run(Some(AccumulateOrdering::Strict), 0), 0);
    assert_eq!(run(Some(AccumulateOrdering::Relaxed), 0), 3);
    // Elements that do not coincide are in no order: the second against the first and the third.
    assert_eq!(run(None, 2), 2);
}

#[test]
fn accumulates_agree_or_not() {
    let run = |first: AccumulateOp, second: AccumulateOp, displacement: i64, ops: AccumulateOps| {
        let mut s = window_with(AccumulateHints {
            ops: Some(ops),
            ..AccumulateHints::default()
        });
        s.accumulate(0, 1, 2, 0, first);
        s.accumulate(1, 2, 2, displacement, second);
        s.finish()
            .iter()
            .map(|finding| finding.rule.id())
            .collect::<Vec<_>>()
    };
    use AccumulateOp::{NoOp, Replace, Sum};
    let (default, same) = (AccumulateOps::SameOpNoOp, AccumulateOps::SameOp);
    assert!(run(Sum, Sum, 0, default).is_empty());
    assert!(run(Sum, NoOp, 0, default).is_empty());
    assert_eq!(run(Sum, NoOp, 0, same), ["accumulate-mismatch"]);
    assert_eq!(run(Sum, Replace, 0, default), ["accumulate-mismatch"]);
    assert!(run(Sum, Replace, 0, AccumulateOps::Any).is_empty());
    assert_eq!(run(Sum, Sum, 2, default), ["accumulate-mismatch"]);
    assert!(run(Sum, Sum, 4, default).is_empty());
}

#[test]
fn a_flag_set_and_fetched_atomically_orders_what_precedes() {
    // Hoefler et al. 2014, Figure 8a with a payload.
    for (value, wanted) in [(1, 0), (0, 1)] {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        s.put(0, 1, private(0), 1, 64);
        s.flush(0, 1);
        s.accumulate(0, 3, 1, 0, AccumulateOp::Replace);
        s.fetch(1, 4, 1, 0, AccumulateOp::NoOp, value);
        s.load(1, 2, at(1, 64));
        let all: [(&str, &[u64]); 1] = [(REMOTE, &[1, 2])];
        s.expect(&all[..wanted]);
    }
}

#[test]
fn what_follows_a_flag_is_not_ordered_by_it() {
    let mut s = Script::new(2);
    s.everyone_locks_all();
    s.accumulate(0, 3, 1, 0, AccumulateOp::Replace);
    s.flush(0, 1);
    s.store(0, 1, at(0, 64));
    s.fetch(1, 4, 1, 0, AccumulateOp::NoOp, 1);
    s.get(1, 2, private(0), 0, 64);
    s.expect(&[(REMOTE, &[1, 2])]);
}

/// More often than it takes for records to be made younger instead of made anew.
const AGAIN_AND_AGAIN: usize = 3000;

#[test]
fn what_came_again_and_again_races_if_the_last_of_it_does() {
    let run = |completes: bool, meets: bool| {
        let mut s = Script::new(2);
        s.everyone_locks_all();
        for _ in 0..AGAIN_AND_AGAIN {
            s.accumulate(0, 1, 1, 0, AccumulateOp::Sum);
            s.flush(0, 1);
        }
        s.barrier();
        s.load(1, 2, at(1, 0));
        s.barrier();
        s.accumulate(0, 1, 1, 0, AccumulateOp::Sum);
        if completes {
            s.flush(0, 1);
        }
        if meets {
            s.barrier();
        }
        s.load(1, 3, at(1, 0));
        s
    };
    run(true, true).expect(&[]);
    run(false, true).expect(&[(REMOTE, &[1, 3])]);
    run(true, false).expect(&[(REMOTE, &[1, 3])]);
}

#[test]
fn what_another_process_did_again_and_again_is_still_compared() {
    let mut s = Script::new(3);
    s.everyone_locks_all();
    for _ in 0..AGAIN_AND_AGAIN {
        for rank in [0, 1] {
            s.accumulate(rank, 1 + u64::from(rank), 2, 0, AccumulateOp::Sum);
            s.flush(rank, 2);
        }
    }
    s.put(1, 3, private(0), 2, 0);
    s.expect(&[(REMOTE, &[1, 3])]);
}
