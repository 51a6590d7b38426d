//! The order that a path has: what the program alone demands, and what follows from what is read from where (R1, R2,
//! and WS where only one direction is left).

use super::edges::{add_relation, of_rule, put};
use super::relational::Relations;
use super::scene::Scene;
use farside_models::core_rma::expression::Ordering;
use farside_models::core_rma::{Parts, Rule};
use farside_relations::{Cycle, MAX, Order, Set};

/// The order that the program alone demands.
pub(super) fn by_program(scene: &Scene<'_>) -> Result<Order, Cycle> {
    let mut order = Order::new(scene.size);
    order.add_all(scene.first_values, scene.first_values.complement(scene.size))?;
    for rule in [
        Rule::Pg,
        Rule::Ga,
        Rule::CasF,
        Rule::CasT,
        Rule::F1,
        Rule::F2,
        Rule::F3,
        Rule::Ir,
        Rule::Lo,
    ] {
        if scene.has(rule) {
            add_relation(scene, &mut order, &of_rule(scene, rule))?;
        }
    }
    let meets = || {
        let mut statements = scene.path.statements.iter();
        statements.any(|statement| matches!(statement.parts, Parts::Barrier { .. }))
    };
    let further = |further: &&Ordering| !further.dynamic && (!further.is_of_barriers() || meets());
    if scene.model.orders.iter().any(|order| further(&order)) {
        let relations = Relations::new(scene, None);
        for further in scene.model.orders.iter().filter(further) {
            add_relation(scene, &mut order, &relations.relation(&further.expression))?;
        }
    }
    Ok(order)
}

/// Puts all of `earlier` before `b`.
fn put_before(scene: &Scene<'_>, order: &mut Order, earlier: Set, b: usize) -> Result<(), Cycle> {
    earlier
        .members()
        .try_for_each(|a| put(scene, order, a, Set::one(b)))
}

/// Adds what R1 and WS demand of the `decided` reads, until nothing is missing. Reads and writes considered are atomic.
pub(super) fn saturate(
    scene: &Scene<'_>,
    order: &mut Order,
    reads_from: &[Option<u8>; MAX],
    decided: Set,
) -> Result<(), Cycle> {
    let r1 = scene.has(Rule::R1);
    let ws = scene.has(Rule::Ws);
    loop {
        let mut changed = false;
        for r in decided & scene.atomic {
            let Some(w) = reads_from[r].map(usize::from) else {
                continue;
            };
            if !r1 || !scene.is_atomic(w) {
                continue;
            }
            let others = (scene.writers[r] & scene.atomic) - Set::one(r) - Set::one(w);
            let after = (order.after(w) & others) - order.after(r);
            if !after.is_empty() {
                put(scene, order, r, after)?;
                changed = true;
            }
            // A write before the read cannot stand between: WS must put it before the write that is read.
            let ahead = (order.before(r) & others) - order.before(w);
            if ws && !ahead.is_empty() {
                put_before(scene, order, ahead, w)?;
                changed = true;
            }
        }
        if ws {
            for (p, q) in pairs_apart(scene) {
                if order.has(p[1], q[1]) && !order.has(p[1], q[0]) {
                    put(scene, order, p[1], Set::one(q[0]))?;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// The same with further orders that depend on rf and hb; all reads are decided.
pub(super) fn saturate_with_orders(
    scene: &Scene<'_>,
    order: &mut Order,
    reads_from: &[Option<u8>; MAX],
    decided: Set,
) -> Result<(), Cycle> {
    loop {
        saturate(scene, order, reads_from, decided)?;
        let dynamic = || scene.model.orders.iter().filter(|further| further.dynamic);
        if dynamic().next().is_none() {
            return Ok(());
        }
        let before = order.clone();
        let relations = Relations::new(scene, Some((reads_from, &before)));
        for further in dynamic() {
            add_relation(scene, order, &relations.relation(&further.expression))?;
        }
        if *order == before {
            return Ok(());
        }
    }
}

/// Split read-writes of the same variable, in both directions.
pub(super) fn pairs_apart<'s>(scene: &'s Scene<'_>) -> impl Iterator<Item = ([usize; 2], [usize; 2])> + 's {
    let pairs = &scene.pairs;
    pairs.iter().flat_map(move |&p| {
        pairs
            .iter()
            .filter(move |q| q[1] != p[1] && scene.writers[p[1]].has(q[1]))
            .map(move |&q| (p, q))
    })
}
