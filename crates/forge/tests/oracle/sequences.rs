//! Tests by brute force: every sequence of statements over a fixed set of variables, filtered; of all renamings the
//! least.

use crate::instances::is_pivot;
use farside_forge::{Definition, Kind, PivotRule, Reads, Step, Test, VariableName};
use std::collections::BTreeSet;

/// All tests of a definition with one rule, in the least form of [`least`].
pub(crate) fn all(definition: &Definition, rule: PivotRule) -> BTreeSet<Test> {
    let bound = usize::from(definition.bounds.of(rule).unwrap());
    let processes = usize::from(definition.processes);
    let mut tests = BTreeSet::new();
    let start = Test {
        processes: vec![Vec::new(); processes],
    };
    extend(&start, 0, bound, definition, &mut |test| {
        let least = least(test);
        if !tests.contains(&least) && is_pivot(&least, rule, definition) {
            tests.insert(least);
        }
    });
    tests
}

/// The least of all forms of a test under renaming.
pub(crate) fn least(test: &Test) -> Test {
    let ranks: Vec<u8> = (0..test.processes.len() as u8).collect();
    let variables = test.variables();
    let mut names: Vec<Vec<(VariableName, VariableName)>> = vec![Vec::new()];
    for owner in ranks.iter().copied() {
        let owned: Vec<VariableName> = variables.iter().copied().filter(|v| v.owner() == owner).collect();
        let orders = permutations(&(0..owned.len() as u8).collect::<Vec<_>>());
        names = names
            .iter()
            .flat_map(|names| {
                orders.iter().map(|order| {
                    let new = order.iter().map(|&index| VariableName::new(owner, index));
                    [names.clone(), owned.iter().copied().zip(new).collect()].concat()
                })
            })
            .collect();
    }
    let mut least: Option<Test> = None;
    for order in permutations(&ranks) {
        let rank = |old: u8| order[usize::from(old)];
        for names in &names {
            let mut renamed = vec![Vec::new(); ranks.len()];
            for (old, steps) in (0..).zip(&test.processes) {
                renamed[usize::from(rank(old))] = steps
                    .iter()
                    .map(|step| {
                        let variables: Vec<VariableName> = step
                            .variables()
                            .iter()
                            .map(|old| {
                                let new = names.iter().find(|(name, _)| name == old).unwrap().1;
                                VariableName::new(rank(old.owner()), new.index())
                            })
                            .collect();
                        match step.kind {
                            Kind::Flush => Step::flush(rank(step.operands[0].owner())),
                            kind => Step::new(kind, &variables),
                        }
                    })
                    .collect();
            }
            let renamed = Test { processes: renamed };
            if least.as_ref().is_none_or(|least| renamed < *least) {
                least = Some(renamed);
            }
        }
    }
    least.unwrap()
}

fn permutations(items: &[u8]) -> Vec<Vec<u8>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, &item) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(index);
        all.extend(
            permutations(&rest)
                .into_iter()
                .map(|rest| [vec![item], rest].concat()),
        );
    }
    all
}

/// Every test that adds statements to this one, process by process.
fn extend(test: &Test, rank: usize, bound: usize, definition: &Definition, found: &mut dyn FnMut(&Test)) {
    if rank == test.processes.len() {
        if meets(test, definition) {
            found(test);
        }
        return;
    }
    extend(test, rank + 1, bound, definition, found);
    // More variables than this do not fit, whoever owns them.
    let most = bound as u8 / 2;
    let own: Vec<VariableName> = (0..most)
        .map(|index| VariableName::new(rank as u8, index))
        .collect();
    let targets: Vec<VariableName> = (0..definition.processes)
        .filter(|&owner| definition.self_targets || usize::from(owner) != rank)
        .flat_map(|owner| (0..most).map(move |index| VariableName::new(owner, index)))
        .collect();
    for kind in Kind::ALL {
        let mut steps: Vec<Vec<VariableName>> = vec![Vec::new()];
        for place in 0..kind.operands() {
            let options = if kind.target() == Some(place) {
                &targets
            } else {
                &own
            };
            steps = steps
                .iter()
                .flat_map(|step| options.iter().map(|&name| [step.clone(), vec![name]].concat()))
                .collect();
        }
        let steps: Vec<Step> = match kind {
            Kind::Flush => (0..definition.processes)
                .filter(|&target| definition.self_targets || usize::from(target) != rank)
                .map(Step::flush)
                .collect(),
            kind => steps.iter().map(|variables| Step::new(kind, variables)).collect(),
        };
        for step in steps {
            let mut longer = test.clone();
            longer.processes[rank].push(step);
            // Only to keep the search finite and short: each is a renaming of one whose variables appear in order.
            let in_order = (0..definition.processes).all(|owner| {
                let owned = longer.variables().into_iter().filter(|v| v.owner() == owner);
                owned
                    .enumerate()
                    .all(|(index, v)| usize::from(v.index()) == index)
            });
            if longer.size() <= bound && in_order {
                extend(&longer, rank, bound, definition, found);
            }
        }
    }
}

/// The conditions on a test besides the pivot.
fn meets(test: &Test, definition: &Definition) -> bool {
    let statements = || test.processes.iter().flatten();
    let variables = test.variables();
    let reads = variables.iter().all(|variable| {
        let reads = statements()
            .filter(|step| step.kind == Kind::Load && step.operands[0] == *variable)
            .count();
        let writers: usize = statements()
            .map(|step| {
                step.kind
                    .written()
                    .iter()
                    .filter(|&&place| step.operands[place] == *variable)
                    .count()
            })
            .sum();
        match definition.reads {
            Reads::AsManyAsWriters => reads == writers,
            Reads::AtLeast => reads >= writers,
        }
    });
    let present = (0..definition.processes).all(|rank| {
        let active = !test.processes[usize::from(rank)].is_empty();
        active || (definition.passive && variables.iter().any(|v| v.owner() == rank))
    });
    let few = definition
        .variables
        .is_none_or(|most| variables.len() <= usize::from(most));
    let mut group = BTreeSet::from([0]);
    for _ in 0..definition.processes {
        for (rank, steps) in (0_u8..).zip(&test.processes) {
            for variable in steps.iter().flat_map(Step::variables) {
                if group.contains(&rank) || group.contains(&variable.owner()) {
                    group.extend([rank, variable.owner()]);
                }
            }
        }
    }
    let interacting = !definition.interacting || group.len() == usize::from(definition.processes);
    reads && present && few && interacting
}
