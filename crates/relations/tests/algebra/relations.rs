//! Every operation on relations against its definition.

use crate::naive::{
    all_pairs, closure, compose, has_cycle, pairs, relation, sets, table, tables, wide_tables,
};
use farside_relations::{Relation, Set};
use proptest::prelude::*;

/// What must hold of the cycle that was found in `r`, if any.
fn check_cycle(r: &[Vec<bool>], found: Option<Vec<usize>>) -> Result<(), TestCaseError> {
    let Some(cycle) = found else {
        prop_assert!(!has_cycle(&r.to_vec()));
        return Ok(());
    };
    prop_assert!(!cycle.is_empty());
    for (at, &element) in cycle.iter().enumerate() {
        prop_assert!(r[element][cycle[(at + 1) % cycle.len()]], "{cycle:?}");
        prop_assert_eq!(cycle.iter().filter(|&&other| other == element).count(), 1);
    }
    prop_assert_eq!(cycle.iter().min(), cycle.first());
    // No closed chain of fewer steps: whatever is reached from an element in fewer steps is not it.
    for start in 0..r.len() {
        let mut front = vec![start];
        for _ in 1..cycle.len() {
            front = (0..r.len()).filter(|&b| front.iter().any(|&a| r[a][b])).collect();
            prop_assert!(!front.contains(&start), "{cycle:?} is not shortest");
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn binary_operations((a, b) in pairs()) {
        let (r, s, size) = (relation(&a), relation(&b), a.len());
        prop_assert_eq!(table(&r), a.clone());
        prop_assert_eq!(table(&(r | s)), all_pairs(size, |x, y| a[x][y] || b[x][y]));
        prop_assert_eq!(table(&(r & s)), all_pairs(size, |x, y| a[x][y] && b[x][y]));
        prop_assert_eq!(table(&(r - s)), all_pairs(size, |x, y| a[x][y] && !b[x][y]));
        prop_assert_eq!(table(&r.compose(&s)), compose(&a, &b));
        let mut united = r;
        united |= s;
        prop_assert_eq!(united, r | s);
    }

    #[test]
    fn unary_operations(a in tables()) {
        let (r, size) = (relation(&a), a.len());
        let closed = closure(&a);
        prop_assert_eq!(table(&r.inverse()), all_pairs(size, |x, y| a[y][x]));
        prop_assert_eq!(table(&r.closure()), closed.clone());
        prop_assert_eq!(table(&r.reflexive()), all_pairs(size, |x, y| x == y || a[x][y]));
        prop_assert_eq!(table(&r.reflexive_closure()), all_pairs(size, |x, y| x == y || closed[x][y]));
        prop_assert_eq!(r.domain(), (0..size).filter(|&x| a[x].contains(&true)).collect::<Set>());
        prop_assert_eq!(r.range(), (0..size).filter(|&y| (0..size).any(|x| a[x][y])).collect::<Set>());
        prop_assert_eq!(r.is_irreflexive(), (0..size).all(|x| !a[x][x]));
        prop_assert_eq!(r.is_transitive(), closed == a);
        prop_assert_eq!(r.is_acyclic(), !has_cycle(&a));
        prop_assert_eq!(r.len(), a.iter().flatten().filter(|related| **related).count());
        prop_assert_eq!(r.is_empty(), !a.iter().flatten().any(|related| *related));
        prop_assert_eq!(Relation::from_edges(size, r.edges()), r);
        for (x, row) in a.iter().enumerate() {
            prop_assert_eq!(r.successors(x), (0..size).filter(|&y| row[y]).collect::<Set>());
            prop_assert_eq!(r.predecessors(x), (0..size).filter(|&y| a[y][x]).collect::<Set>());
        }
        check_cycle(&a, r.find_cycle())?;
    }

    #[test]
    fn operations_with_sets(a in tables(), from in sets(), to in sets()) {
        let (r, size) = (relation(&a), a.len());
        prop_assert_eq!(table(&Relation::product(size, from, to)), all_pairs(size, |x, y| from.has(x) && to.has(y)));
        prop_assert_eq!(table(&Relation::identity_on(size, from)), all_pairs(size, |x, y| x == y && from.has(x)));
        prop_assert_eq!(table(&Relation::identity(size)), all_pairs(size, |x, y| x == y));
        prop_assert_eq!(table(&r.restrict(from, to)), all_pairs(size, |x, y| from.has(x) && a[x][y] && to.has(y)));
        let image = (0..size).filter(|&y| (0..size).any(|x| from.has(x) && a[x][y]));
        prop_assert_eq!(r.image(from), image.collect::<Set>());
    }

    #[test]
    fn a_reduction_is_the_least_relation_with_that_closure(a in tables()) {
        let r = relation(&a);
        let Some(reduced) = r.transitive_reduction() else {
            prop_assert!(has_cycle(&a));
            return Ok(());
        };
        prop_assert!(!has_cycle(&a));
        prop_assert_eq!(reduced.closure(), r.closure());
        for (from, to) in reduced.edges() {
            prop_assert!(r.has(from, to));
            let fewer = reduced - Relation::from_edges(r.size(), [(from, to)]);
            prop_assert_ne!(fewer.closure(), r.closure());
        }
    }

    #[test]
    fn the_last_bits_of_a_row_count(a in wide_tables()) {
        let r = relation(&a);
        prop_assert_eq!(table(&r.closure()), closure(&a));
        prop_assert_eq!(table(&r.inverse().inverse()), a.clone());
        prop_assert_eq!(r.is_acyclic(), !has_cycle(&a));
        check_cycle(&a, r.find_cycle())?;
    }

    #[test]
    fn a_path_is_a_shortest_one(a in tables(), from in 0..12_usize, to in 0..12_usize) {
        let r = relation(&a);
        let Some(path) = r.shortest_path(from, to) else {
            prop_assert!(!r.closure().has(from, to));
            return Ok(());
        };
        prop_assert_eq!(path.first(), Some(&from));
        for (at, &element) in path.iter().enumerate() {
            prop_assert!(r.has(element, path.get(at + 1).copied().unwrap_or(to)));
        }
        let mut steps = a.clone();
        for _ in 1..path.len() {
            prop_assert!(!steps[from][to]);
            steps = compose(&steps, &a);
        }
    }
}

#[test]
fn relations_of_different_size_make_one_of_the_greater() {
    let small = Relation::from_edges(2, [(0, 1), (1, 1)]);
    let great = Relation::from_edges(5, [(1, 1), (1, 4)]);
    for (r, s) in [(small, great), (great, small)] {
        assert_eq!((r | s).size(), 5);
        assert_eq!((r | s).edges().collect::<Vec<_>>(), [(0, 1), (1, 1), (1, 4)]);
        assert_eq!((r & s).edges().collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!((r & s).size(), 5);
    }
    assert_eq!((small - great).edges().collect::<Vec<_>>(), [(0, 1)]);
    assert_eq!((great - small).edges().collect::<Vec<_>>(), [(1, 4)]);
    assert_eq!(
        small.compose(&great).edges().collect::<Vec<_>>(),
        [(0, 1), (0, 4), (1, 1), (1, 4)]
    );
    assert_eq!(great.compose(&small).edges().collect::<Vec<_>>(), [(1, 1)]);
}

#[test]
fn a_path_from_nowhere_leads_nowhere() {
    let r = Relation::from_edges(3, [(0, 1), (1, 2)]);
    assert_eq!(r.shortest_path(0, 2), Some(vec![0, 1]));
    assert_eq!(r.shortest_path(7, 2), None);
    assert_eq!(r.shortest_path(700, 2), None);
    assert_eq!(r.shortest_path(0, 700), None);
}

#[test]
#[should_panic(expected = "not an element")]
fn an_edge_to_no_element_is_refused() {
    Relation::new(3).insert(0, 3);
}

#[test]
#[should_panic(expected = "at most 64")]
fn sixty_five_elements_are_refused() {
    let _ = Relation::new(65);
}
