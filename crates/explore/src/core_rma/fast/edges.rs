//! Edges of happens-before that do not depend on what is read from where.

use super::order::{Cycle, Order, Set, members, one};
use super::relational::Relations;
use super::saturate::put;
use super::scene::Scene;
use farside_models::core_rma::{Parts, ReadWrite, Rule, Switch};

/// Rows of edges; not closed.
pub(super) type Rows = [Set; 64];

/// The order that the program alone demands.
pub(super) fn by_program(scene: &Scene<'_>) -> Result<Order, Cycle> {
    let mut order = Order::new(scene.size);
    let all = full(scene.size);
    order.add_all(scene.first_values, all & !scene.first_values)?;
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
            add_rows(scene, &mut order, &of_rule(scene, rule))?;
        }
    }
    if scene.model.orders.iter().any(|further| !further.dynamic) {
        let relations = Relations::new(scene, None);
        for further in scene.model.orders.iter().filter(|further| !further.dynamic) {
            add_rows(scene, &mut order, &relations.relation(&further.expression))?;
        }
    }
    Ok(order)
}

/// Adds edges, each to all that happen together with its ends.
pub(super) fn add_rows(scene: &Scene<'_>, order: &mut Order, rows: &Rows) -> Result<(), Cycle> {
    for (a, &row) in rows.iter().enumerate().take(scene.size) {
        let missing = row & !order.after(a);
        if missing != 0 {
            put(scene, order, a, missing)?;
        }
    }
    Ok(())
}

/// The first `size` actions.
pub(super) fn full(size: usize) -> Set {
    if size == 64 { !0 } else { one(size) - 1 }
}

/// What a rule that orders by the program alone demands.
pub(super) fn of_rule(scene: &Scene<'_>, rule: Rule) -> Rows {
    let mut rows = [0; 64];
    match rule {
        Rule::Pg => {
            for statement in &scene.path.statements {
                if let Parts::Get { er, ew } | Parts::Put { er, ew } = statement.parts {
                    rows[er] |= one(ew);
                }
            }
        }
        Rule::Ga => {
            for statement in &scene.path.statements {
                if let Parts::Rga { er, erw, ew } = statement.parts {
                    chain(&mut rows, er, erw, ew);
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
                    chain(&mut rows, er1, erw, ew);
                    chain(&mut rows, er2, erw, ew);
                }
            }
        }
        Rule::F1 => {
            let locals = by_processor(scene);
            for f in flushes(scene) {
                rows[f] |= locals & later(scene, f);
            }
        }
        Rule::F2 => {
            for f in flushes(scene) {
                for e in members(towards(scene, f) & earlier(scene, f)) {
                    rows[e] |= one(f);
                }
            }
        }
        Rule::F3 => {
            for f in flushes(scene) {
                rows[f] |= towards(scene, f) & later(scene, f);
            }
        }
        Rule::Ir => in_order_routing(scene, &mut rows),
        Rule::Lo => {
            for l in members(by_processor(scene)) {
                rows[l] |= later(scene, l);
            }
        }
        Rule::R1 | Rule::R2 | Rule::NoC | Rule::C | Rule::Ws => {}
    }
    rows
}

fn chain(rows: &mut Rows, er: usize, erw: ReadWrite, ew: usize) {
    rows[er] |= one(erw.read);
    if erw.read != erw.write {
        rows[erw.read] |= one(erw.write);
    }
    rows[erw.write] |= one(ew);
}

fn in_order_routing(scene: &Scene<'_>, rows: &mut Rows) {
    let actions = &scene.path.actions;
    let to_itself = scene.model.switches.has(Switch::IrSelf);
    let mut routed = 0;
    for statement in &scene.path.statements {
        for action in remote(statement.parts).into_iter().flatten() {
            if to_itself || actions[action].destination != actions[action].source {
                routed |= one(action);
            }
        }
    }
    for e in members(routed) {
        for next in members(routed & later(scene, e)) {
            if actions[e].destination == actions[next].destination {
                rows[e] |= one(next);
            }
        }
    }
}

fn remote(parts: Parts) -> [Option<usize>; 2] {
    match parts {
        Parts::Get { er, .. } => [Some(er), None],
        Parts::Put { ew, .. } => [Some(ew), None],
        Parts::Rga { erw, .. } | Parts::Cas { erw, .. } => [Some(erw.read), Some(erw.write)],
        Parts::Local(_) | Parts::Flush(_) => [None, None],
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
    let mut set = 0;
    for statement in &scene.path.statements {
        let [first, _] = remote(statement.parts);
        if first.is_some_and(|first| actions[first].destination == actions[f].destination) {
            set |= match statement.parts {
                Parts::Get { er, ew } | Parts::Put { er, ew } => one(er) | one(ew),
                Parts::Rga { er, erw, ew } => one(er) | one(erw.read) | one(erw.write) | one(ew),
                Parts::Cas {
                    er1, er2, erw, ew, ..
                } => one(er1) | one(er2) | one(erw.read) | one(erw.write) | one(ew),
                Parts::Local(_) | Parts::Flush(_) => 0,
            };
        }
    }
    set
}

/// Actions of the processor itself.
fn by_processor(scene: &Scene<'_>) -> Set {
    let mut set = 0;
    for statement in &scene.path.statements {
        match statement.parts {
            Parts::Local(l) => set |= one(l),
            Parts::Put { er, .. } if scene.model.switches.has(Switch::PutReadsAtOnce) => set |= one(er),
            _ => {}
        }
    }
    set
}

/// Later actions of the same process.
pub(super) fn later(scene: &Scene<'_>, action: usize) -> Set {
    same_process(scene, action) & !(one(action) | (one(action) - 1))
}

fn earlier(scene: &Scene<'_>, action: usize) -> Set {
    same_process(scene, action) & (one(action) - 1)
}

fn same_process(scene: &Scene<'_>, action: usize) -> Set {
    let source = scene.path.actions[action].source;
    let mut set = 0;
    for (other, candidate) in scene.path.actions.iter().enumerate() {
        set |= Set::from(candidate.source == source) << other;
    }
    if scene.first_values & one(action) != 0 {
        return 0;
    }
    set & !scene.first_values
}
