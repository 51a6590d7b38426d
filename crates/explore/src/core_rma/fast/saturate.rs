//! What follows from what is read from where: R1, R2, and WS where only one direction is left.

use super::edges::add_relation;
use super::relational::Relations;
use super::scene::Scene;
use farside_models::core_rma::Rule;
use farside_relations::{Cycle, MAX, Order, Set};

/// Puts `a` before all of `later`; before or after one action of an rga is before or after all, from outside it.
pub(super) fn put(scene: &Scene<'_>, order: &mut Order, a: usize, later: Set) -> Result<(), Cycle> {
    let together = scene.together[a];
    order.add_all(Set::one(a), later & together)?;
    let outside = later - together;
    let to = outside.members().fold(outside, |to, b| to | scene.together[b]);
    order.add_all(together, to)?;
    Ok(())
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
            let behind = (order.after(w) & others) - order.after(r);
            if !behind.is_empty() {
                put(scene, order, r, behind)?;
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
