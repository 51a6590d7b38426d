//! Relations as tables: the definitions, element by element.

use farside_relations::{Relation, Set};
use proptest::prelude::*;

/// `table[a][b]`: whether `a` is related to `b`.
pub(crate) type Table = Vec<Vec<bool>>;

pub(crate) fn table(relation: &Relation) -> Table {
    let row = |a| (0..relation.size()).map(|b| relation.has(a, b)).collect();
    (0..relation.size()).map(row).collect()
}

pub(crate) fn relation(table: &Table) -> Relation {
    let mut relation = Relation::new(table.len());
    for (a, row) in table.iter().enumerate() {
        for (b, related) in row.iter().enumerate() {
            if *related {
                relation.insert(a, b);
            }
        }
    }
    relation
}

/// The table of a property of two elements.
pub(crate) fn all_pairs(size: usize, holds: impl Fn(usize, usize) -> bool) -> Table {
    (0..size)
        .map(|a| (0..size).map(|b| holds(a, b)).collect())
        .collect()
}

pub(crate) fn compose(r: &Table, s: &Table) -> Table {
    let size = r.len();
    all_pairs(size, |a, c| (0..size).any(|b| r[a][b] && s[b][c]))
}

/// What can be reached from each element by one or more steps.
pub(crate) fn closure(r: &Table) -> Table {
    let size = r.len();
    let reach = |from: usize| {
        let mut reached = vec![false; size];
        let mut front = vec![from];
        while let Some(a) = front.pop() {
            for b in 0..size {
                if r[a][b] && !reached[b] {
                    reached[b] = true;
                    front.push(b);
                }
            }
        }
        reached
    };
    (0..size).map(reach).collect()
}

pub(crate) fn has_cycle(r: &Table) -> bool {
    let closed = closure(r);
    (0..r.len()).any(|a| closed[a][a])
}

/// Tables of all sizes; sparse ones, too, so that many have no cycle.
pub(crate) fn tables() -> impl Strategy<Value = Table> {
    (0..=12_usize, prop::sample::select(vec![0.05, 0.15, 0.4, 0.9]))
        .prop_flat_map(|(size, density)| {
            let row = prop::collection::vec(prop::bool::weighted(density), size);
            prop::collection::vec(row, size)
        })
        .boxed()
}

/// Two tables of the same size.
pub(crate) fn pairs() -> impl Strategy<Value = (Table, Table)> {
    (0..=10_usize).prop_flat_map(|size| {
        let table = || {
            let row = prop::collection::vec(prop::bool::weighted(0.2), size);
            prop::collection::vec(row, size)
        };
        (table(), table())
    })
}

/// A table of 60 to 64 elements with few edges: the last bits of a row.
pub(crate) fn wide_tables() -> impl Strategy<Value = Table> {
    (60..=64_usize).prop_flat_map(|size| {
        prop::collection::vec((0..size, 0..size), 0..80).prop_map(move |edges| {
            let mut table = vec![vec![false; size]; size];
            for (a, b) in edges {
                table[a][b] = true;
            }
            table
        })
    })
}

pub(crate) fn sets() -> impl Strategy<Value = Set> {
    any::<u64>().prop_map(Set)
}
