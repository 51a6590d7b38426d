//! Edges of happens-before that do not depend on what is read from where.

use super::scene::Scene;
use farside_models::core_rma::{Parts, ReadWrite, Rule, Switch};
use farside_relations::{Cycle, Order, Relation, Set};

/// Adds edges, each to all that happen together with its ends.
pub(super) fn add_relation(scene: &Scene<'_>, order: &mut Order, relation: &Relation) -> Result<(), Cycle> {
    for (a, &row) in relation.rows().iter().enumerate() {
        let missing = row - order.after(a);
        if !missing.is_empty() {
            put(scene, order, a, missing)?;
        }
    }
    Ok(())
}

/// Puts `a` before all of `later`; before or after one action of an rga is before or after all, from outside it.
pub(super) fn put(scene: &Scene<'_>, order: &mut Order, a: usize, later: Set) -> Result<(), Cycle> {
    let together = scene.together[a];
    order.add_all(Set::one(a), later & together)?;
    let outside = later - together;
    let to = outside.members().fold(outside, |to, b| to | scene.together[b]);
    order.add_all(together, to)?;
    Ok(())
}

/// What a rule that orders by the program alone demands.
pub(super) fn of_rule(scene: &Scene<'_>, rule: Rule) -> Relation {
    let mut relation = Relation::new(scene.size);
    match rule {
        Rule::Pg => {
            for statement in &scene.path.statements {
                if let Parts::Get { er, ew }
                | Parts::Put { er, ew }
                | Parts::GetNotify { er, ew, .. }
                | Parts::PutNotify { er, ew, .. } = statement.parts
                {
                    relation.insert(er, ew);
                }
            }
        }
        Rule::Ga => {
            for statement in &scene.path.statements {
                if let Parts::Rga { er, erw, ew } = statement.parts {
                    chain(&mut relation, er, erw, ew);
                }
            }
        }
        Rule::CasF | Rule::CasT => {
            for statement in &scene.path.statements {
                if let Parts::Cas {
                    er1,
                    er2,
                    erw,
                    ew,
                    succeeds,
                } = statement.parts
                    && succeeds != Some(rule == Rule::CasF)
                {
                    chain(&mut relation, er1, erw, ew);
                    chain(&mut relation, er2, erw, ew);
                }
            }
        }
        Rule::F1 => {
            let locals = by_processor(scene);
            for f in flushes(scene) {
                relation |= Relation::product(scene.size, Set::one(f), locals & later(scene, f));
            }
        }
        Rule::F2 => {
            for f in flushes(scene) {
                let before = towards(scene, f) & earlier(scene, f);
                relation |= Relation::product(scene.size, before, Set::one(f));
            }
        }
        Rule::F3 => {
            for f in flushes(scene) {
                let after = towards(scene, f) & later(scene, f);
                relation |= Relation::product(scene.size, Set::one(f), after);
            }
        }
        Rule::Ir => in_order_routing(scene, &mut relation),
        Rule::Lo => {
            for l in by_processor(scene) {
                for a in later(scene, l) {
                    relation.insert(l, a);
                }
            }
        }
        Rule::R1 | Rule::R2 | Rule::NoC | Rule::C | Rule::Ws => {}
    }
    relation
}

fn chain(relation: &mut Relation, er: usize, erw: ReadWrite, ew: usize) {
    relation.insert(er, erw.read);
    if erw.is_split() {
        relation.insert(erw.read, erw.write);
    }
    relation.insert(erw.write, ew);
}

fn in_order_routing(scene: &Scene<'_>, relation: &mut Relation) {
    let actions = &scene.path.actions;
    let to_itself = scene.model.switches.has(Switch::IrSelf);
    let mut routed = Set::EMPTY;
    for statement in &scene.path.statements {
        for action in remote(statement.parts).into_iter().flatten() {
            if to_itself || actions[action].destination != actions[action].source {
                routed.insert(action);
            }
        }
    }
    for e in routed {
        for next in routed & later(scene, e) {
            if actions[e].destination == actions[next].destination {
                relation.insert(e, next);
            }
        }
    }
}

fn remote(parts: Parts) -> [Option<usize>; 2] {
    match parts {
        Parts::Get { er, .. } | Parts::GetNotify { er, .. } => [Some(er), None],
        Parts::Put { ew, .. } => [Some(ew), None],
        Parts::PutNotify { ew, nw, .. } => [Some(ew), Some(nw)],
        Parts::Notify(nw) => [Some(nw), None],
        Parts::Rga { erw, .. } | Parts::Cas { erw, .. } => [Some(erw.read), Some(erw.write)],
        Parts::Local(_) | Parts::Flush(_) | Parts::Barrier { .. } => [None, None],
    }
}

fn flushes<'a>(scene: &'a Scene<'_>) -> impl Iterator<Item = usize> + 'a {
    scene
        .path
        .statements
        .iter()
        .filter_map(|statement| match statement.parts {
            Parts::Flush(f) => Some(f),
            _ => None,
        })
}

/// External actions of all statements whose remote action has the destination of this flush.
fn towards(scene: &Scene<'_>, f: usize) -> Set {
    let actions = &scene.path.actions;
    let mut set = Set::EMPTY;
    for statement in &scene.path.statements {
        let [first, _] = remote(statement.parts);
        if first.is_some_and(|first| actions[first].destination == actions[f].destination) {
            set |= match statement.parts {
                Parts::Get { er, ew } | Parts::Put { er, ew } => Set::from_iter([er, ew]),
                Parts::GetNotify { er, ew, nw } | Parts::PutNotify { er, ew, nw } => {
                    Set::from_iter([er, ew, nw])
                }
                Parts::Notify(nw) => Set::one(nw),
                Parts::Rga { er, erw, ew } => Set::from_iter([er, erw.read, erw.write, ew]),
                Parts::Cas {
                    er1, er2, erw, ew, ..
                } => Set::from_iter([er1, er2, erw.read, erw.write, ew]),
                Parts::Local(_) | Parts::Flush(_) | Parts::Barrier { .. } => Set::EMPTY,
            };
        }
    }
    set
}

/// Actions of the processor itself.
fn by_processor(scene: &Scene<'_>) -> Set {
    let mut set = Set::EMPTY;
    for statement in &scene.path.statements {
        match statement.parts {
            Parts::Local(l) => {
                set.insert(l);
            }
            Parts::Barrier { enter, leave, .. } => {
                set.insert(enter);
                set.insert(leave);
            }
            Parts::Put { er, .. } if scene.model.switches.has(Switch::PutReadsAtOnce) => {
                set.insert(er);
            }
            _ => {}
        }
    }
    set
}

/// Later actions of the same process.
pub(super) fn later(scene: &Scene<'_>, action: usize) -> Set {
    same_process(scene, action) - Set::first(action + 1)
}

fn earlier(scene: &Scene<'_>, action: usize) -> Set {
    same_process(scene, action) & Set::first(action)
}

fn same_process(scene: &Scene<'_>, action: usize) -> Set {
    if scene.first_values.has(action) {
        return Set::EMPTY;
    }
    let actions = &scene.path.actions;
    let same = (0..scene.size).filter(|&other| actions[other].source == actions[action].source);
    Set::from_iter(same) - scene.first_values
}
