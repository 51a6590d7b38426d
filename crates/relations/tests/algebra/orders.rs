//! The growing order against the closure of the edges added so far.

use crate::naive::{Table, closure, has_cycle, relation, sets, table, tables};
use farside_relations::{Order, Set};
use proptest::prelude::*;

/// Sizes up to the last one, with edges to try.
fn attempts() -> impl Strategy<Value = (usize, Vec<(usize, usize)>)> {
    prop_oneof![2..=10_usize, 62..=64_usize].prop_flat_map(|size| {
        let edges = prop::collection::vec((0..size, 0..size), 0..40);
        (Just(size), edges)
    })
}

fn check_rows(order: &Order, closed: &Table) -> Result<(), TestCaseError> {
    prop_assert_eq!(&table(&order.relation()), closed);
    prop_assert_eq!(order.size(), closed.len());
    for (a, row) in closed.iter().enumerate() {
        let after = (0..order.size()).filter(|&b| row[b]).collect::<Set>();
        let before = (0..order.size()).filter(|&b| closed[b][a]).collect::<Set>();
        prop_assert_eq!(order.after(a), after);
        prop_assert_eq!(order.rows()[a], after);
        prop_assert_eq!(order.before(a), before);
        prop_assert_eq!(
            order.unordered(a),
            (after | before | Set::one(a)).complement(order.size())
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn edges_one_by_one((size, edges) in attempts()) {
        let mut order = Order::new(size);
        let mut closed = vec![vec![false; size]; size];
        for (a, b) in edges {
            let before = order.clone();
            let mut with = closed.clone();
            with[a][b] = true;
            match order.add(a, b) {
                Ok(new) => {
                    prop_assert_eq!(new, !closed[a][b]);
                    prop_assert!(!has_cycle(&with));
                    closed = closure(&with);
                }
                Err(cycle) => {
                    prop_assert_eq!((cycle.earlier, cycle.later), (a, b));
                    prop_assert!(has_cycle(&with));
                    prop_assert_eq!(&order, &before);
                }
            }
            check_rows(&order, &closed)?;
        }
    }

    #[test]
    fn sets_before_sets(size in 1..=9_usize, edges in prop::collection::vec((sets(), sets()), 0..6)) {
        let mut order = Order::new(size);
        let mut closed = vec![vec![false; size]; size];
        // Few members, so that not every attempt is a cycle.
        let few = |set: Set, shift: u32| Set(set.0 & (set.0 >> shift) & Set::first(size).0);
        for (from, to) in edges {
            let (from, to) = (few(from, 20), few(to, 31));
            let before = order.clone();
            let mut with = closed.clone();
            for a in from {
                for b in to {
                    with[a][b] = true;
                }
            }
            match order.add_all(from, to) {
                Ok(new) => {
                    prop_assert_eq!(new, with != closed);
                    prop_assert!(!has_cycle(&with));
                    closed = closure(&with);
                }
                Err(cycle) => {
                    prop_assert!(has_cycle(&with));
                    prop_assert!(from.has(cycle.earlier) && to.has(cycle.later));
                    prop_assert!(cycle.earlier == cycle.later || closed[cycle.later][cycle.earlier]);
                    prop_assert_eq!(&order, &before);
                }
            }
            check_rows(&order, &closed)?;
        }
    }

    #[test]
    fn a_relation_at_once(a in tables()) {
        match Order::from_relation(&relation(&a)) {
            Ok(order) => {
                prop_assert!(!has_cycle(&a));
                check_rows(&order, &closure(&a))?;
                let line = order.line();
                prop_assert_eq!(line.iter().copied().collect::<Set>(), Set::first(a.len()));
                prop_assert_eq!(line.len(), a.len());
                for (at, &later) in line.iter().enumerate() {
                    prop_assert!(line[..=at].iter().all(|&earlier| !a[later][earlier]));
                }
                let mut again = order.clone();
                prop_assert_eq!(again.add_relation(&relation(&a)), Ok(false));
            }
            Err(_) => prop_assert!(has_cycle(&a)),
        }
    }

    /// A copy into an order of another size is the same as a new copy.
    #[test]
    fn copies_are_equal(a in tables(), b in tables()) {
        let (Ok(first), Ok(mut second)) = (Order::from_relation(&relation(&a)), Order::from_relation(&relation(&b)))
        else {
            return Ok(());
        };
        second.clone_from(&first);
        prop_assert_eq!(&second, &first);
        check_rows(&second, &closure(&a))?;
    }
}

#[test]
fn a_cycle_is_shown_by_its_edge() {
    let mut order = Order::new(3);
    assert_eq!(order.add(0, 1), Ok(true));
    assert_eq!(order.add(1, 2), Ok(true));
    assert_eq!(order.add(0, 2), Ok(false));
    assert_eq!(
        order.add(2, 0).expect_err("a cycle").to_string(),
        "2 cannot come before 0"
    );
    assert_eq!(
        order.add(1, 1).expect_err("a cycle").to_string(),
        "1 cannot come before 1"
    );
}
