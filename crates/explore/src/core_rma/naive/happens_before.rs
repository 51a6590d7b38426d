//! Happens-before as the least relation that the rules demand.
#![allow(
    clippy::needless_range_loop,
    reason = "the rules are about pairs of actions: loops over both indices read as they do"
)]

use super::relational::{Matrix, Meaning, Relations, closed};
use farside_models::core_rma::rules::{ORDERING, ga_atomic, r1, r2, ws_apart};
use farside_models::core_rma::{ActionKind, CoreModel, Path, Rule, Switch};

/// What rules demand whatever is read from where; first values are before everything.
pub(in crate::core_rma) fn demanded_by_program(path: &Path, model: &CoreModel) -> Matrix {
    let size = path.actions.len();
    let first = |action: usize| path.actions[action].kind == ActionKind::FirstValue;
    let mut demanded = vec![vec![false; size]; size];
    for a in 0..size {
        for b in 0..size {
            demanded[a][b] = (first(a) && !first(b))
                || ORDERING
                    .iter()
                    .any(|&(rule, demands)| model.has(rule) && demands(path, model.switches, a, b));
        }
    }
    demanded
}

/// The least happens-before with this reads-from and these orders of writes; none if it has a cycle.
pub(in crate::core_rma) fn least(
    path: &Path,
    model: &CoreModel,
    demanded: &Matrix,
    reads_from: &[Option<usize>],
    orders: &[Vec<usize>],
) -> Option<Matrix> {
    let size = path.actions.len();
    let rf = |w: usize, r: usize| reads_from[r] == Some(w);
    let mut hb = demanded.clone();
    for a in 0..size {
        for b in 0..size {
            hb[a][b] |= model.has(Rule::R2) && r2(path, rf, a, b);
        }
    }
    for order in orders {
        for (index, &earlier) in order.iter().enumerate() {
            for &later in &order[index + 1..] {
                hb[earlier][later] = true;
                for p in path.split().filter(|p| p.write == earlier) {
                    for q in path.split().filter(|q| q.write == later) {
                        hb[p.write][q.read] |= ws_apart(path, p, q);
                    }
                }
            }
        }
    }
    loop {
        hb = closed(hb);
        if (0..size).any(|a| hb[a][a]) {
            return None;
        }
        let mut more = hb.clone();
        for a in 0..size {
            for b in 0..size {
                more[a][b] |= model.has(Rule::R1) && r1(path, rf, |x, y| hb[x][y], a, b);
                more[a][b] |= model.switches.has(Switch::GaAtomic) && ga_atomic(path, |x, y| hb[x][y], a, b);
            }
        }
        for order in &model.orders {
            let relations = Relations::new(path, model, reads_from, &hb);
            if let Meaning::Relation(relation) = relations.meaning(&order.expression) {
                for a in 0..size {
                    for b in 0..size {
                        more[a][b] |= relation[a][b];
                    }
                }
            }
        }
        if more == hb {
            return Some(hb);
        }
        hb = more;
    }
}
