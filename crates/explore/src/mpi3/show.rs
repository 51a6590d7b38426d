//! An execution for people: actions with values, and the edges of its orders with their rules.

use super::findings::Spot;
use super::naive::{State, Told, World};
use super::{statement, text};
use crate::answer::{Edge, Execution, ShownAction};
use farside_litmus::ast::{Place, VariableId};
use farside_models::mpi3::action::{Action, ActionKind, Half};
use farside_models::mpi3::conflicts::races;
use std::collections::{BTreeMap, BTreeSet};

/// The execution that a schedule wrote down; `racing` are the statements of a race to be marked.
pub(super) fn execution(world: &World<'_, '_>, state: &State, racing: Option<[Spot; 2]>) -> Execution {
    let variables = &world.code.program.variables;
    let mut shown: Vec<ShownAction> = variables
        .iter()
        .map(|variable| ShownAction {
            column: None,
            statement: None,
            kind: "ls".to_owned(),
            text: format!("write {}, {}", variable.name, variable.value),
            place: variable.place.clone(),
        })
        .collect();
    // By the process where each happens; an operation's effect elsewhere comes where the schedule has it.
    let actions = &state.execution.actions;
    let mut order: Vec<usize> = (0..actions.len()).collect();
    order.sort_by_key(|&index| (actions[index].process, index));
    let mut place_of = BTreeMap::new();
    for index in order {
        place_of.insert(index, shown.len());
        shown.push(show(world, state, index));
    }
    let at = |action: usize| place_of[&action];
    let orders = state.execution.orders(world.model.rules());
    let mut edges = BTreeSet::new();
    let mut edge = |from: usize, to: usize, relation: &str, rule: &str| {
        edges.insert(Edge {
            from,
            to,
            relation: relation.to_owned(),
            rule: rule.to_owned(),
        });
    };
    for chain in &state.execution.program_order {
        for pair in chain.windows(2) {
            edge(at(pair[0]), at(pair[1]), "po", "");
        }
    }
    for &(from, to, rule) in &state.execution.synchronisation {
        edge(at(from), at(to), "so", rule);
    }
    let between = |from: usize, to: usize| {
        (0..actions.len()).any(|middle| {
            middle != from && middle != to && orders.co.has(from, middle) && orders.co.has(middle, to)
        })
    };
    for &(from, to, rule) in &orders.co_edges {
        if !between(from, to) {
            edge(at(from), at(to), "co", rule.name());
        }
    }
    for read in &state.reads {
        match read.from {
            Some(Some(write)) => edge(at(write), at(read.action), "rf", "(23)"),
            Some(None) => edge(read.variable.0 as usize, at(read.action), "rf", "(23)"),
            None => {}
        }
    }
    if let Some(spots) = racing {
        let spot = |action: usize| (actions[action].origin, state.numbers[action]);
        for race in races(&state.execution, &orders, world.model) {
            let mut pair = race.actions.map(spot);
            pair.sort_unstable();
            if pair == spots {
                edge(at(race.actions[0]), at(race.actions[1]), "race", "(22)");
            }
        }
    }
    Execution {
        actions: shown,
        edges: edges.into_iter().collect(),
    }
}

fn show(world: &World<'_, '_>, state: &State, index: usize) -> ShownAction {
    let action = &state.execution.actions[index];
    let spot = (action.origin, state.numbers[index]);
    let place = statement(world.code, spot).map_or_else(Place::default, |statement| statement.place.clone());
    let half = match action.half {
        Half::Whole => "",
        Half::Start => "_s",
        Half::End => "_e",
    };
    let whole = matches!(
        action.kind,
        ActionKind::Swa | ActionKind::Sco | ActionKind::Sfll | ActionKind::Sflla
    );
    let half = if whole { "" } else { half };
    ShownAction {
        column: Some(action.process),
        statement: Some(action.statement),
        kind: format!("{}{half}", action.kind.name()),
        text: words(world, state, index, action, spot),
        place,
    }
}

fn words(world: &World<'_, '_>, state: &State, index: usize, action: &Action, spot: Spot) -> String {
    let name = |variable: VariableId| &world.code.program.variables[variable.0 as usize].name;
    let Some(location) = action.location else {
        let written =
            statement(world.code, spot).map(|statement| text(world.code.program, spot.0, statement));
        return written.unwrap_or_default();
    };
    let wrote = state.writes.iter().find(|write| write.action == Some(index));
    let read = || {
        let read = state
            .reads
            .iter()
            .find(|read| read.action == index)
            .map(|read| read.value);
        read.or_else(|| fetched(state, index))
            .or_else(|| operand(state, index, location))
    };
    match (action.writes, wrote) {
        (true, Some(write)) => format!("write {}, {}", name(location), write.value),
        (true, None) => format!("write {}", name(location)),
        (false, _) => match read() {
            Some(value) => format!("read {}, {value}", name(location)),
            None => format!("read {}", name(location)),
        },
    }
}

/// What an operation found at its target.
fn fetched(state: &State, vac: usize) -> Option<i64> {
    let issued = state.issued.iter().find(|issued| issued.vac == vac)?;
    state.told.iter().find_map(|told| match told {
        Told::Effect { action, value } if *action == issued.action => Some(*value),
        _ => None,
    })
}

/// What an operation read at its origin.
fn operand(state: &State, effect: usize, location: VariableId) -> Option<i64> {
    let remote = state.execution.actions[effect].of?;
    let issued = state.issued.iter().find(|issued| issued.action == remote)?;
    let index = issued
        .remote
        .reads
        .iter()
        .position(|&variable| variable == location)?;
    issued.operands.get(index).copied()
}
