//! A violating computation of fewest events.
//!
//! What a search finds first is near, but not nearest: partial-order reduction lets processes go on that have no part
//! in the violation, and commands have between one event and three. Here states are looked at in the order of the
//! events that lead to them, and all steps are. By its proof, the procedure of `delay` has a violating computation of
//! fewest events among those that it finds.

use crate::answer::Limit;
use crate::computation::{actions, replay};
use crate::happens_before::cyclic;
use crate::moves::Move;
use crate::search::way;
use crate::states::States;
use crate::system::{NOWHERE, Step, System, Visitor, Wrong};
use farside_pgas::calculus::Program;

/// Leaves out of a violating computation what it does not need, one command at a time.
pub(crate) fn trim(program: &Program, mut path: Vec<Move>) -> Vec<Move> {
    let mut at = path.len();
    while at > 0 {
        at -= 1;
        let mut without = path.clone();
        without.remove(at);
        if replay(program, &actions(program, &without)).is_some_and(|events| cyclic(&events)) {
            path = without;
            at = at.min(path.len());
        }
    }
    path
}

struct Nearest<'s, S, W> {
    system: &'s S,
    /// The events of a step.
    events: W,
    states: States,
    parents: Vec<(u32, Step)>,
    /// Fewest events that lead to each state.
    distance: Vec<usize>,
    /// States by the events that lead to them; some are found nearer later.
    at_distance: Vec<Vec<u32>>,
    at: usize,
    /// More events than these are of no use.
    bound: usize,
    found: Option<(usize, Step)>,
    renamed: Vec<u32>,
}

impl<S: System, W: Fn(Step) -> usize> Visitor for Nearest<'_, S, W> {
    fn next(&mut self, state: &[u32], step: Step) -> bool {
        let distance = self.distance[self.at] + (self.events)(step);
        // A last command has one event at least.
        if distance + 1 >= self.bound {
            return true;
        }
        self.renamed.clear();
        self.renamed.extend_from_slice(state);
        let _ = self.system.rename(&mut self.renamed);
        let (number, new) = self.states.insert(&self.renamed);
        if new {
            self.parents.push((self.at as u32, step));
            self.distance.push(distance);
        } else if distance < self.distance[number] {
            self.parents[number] = (self.at as u32, step);
            self.distance[number] = distance;
        } else {
            return true;
        }
        self.at_distance
            .resize(self.at_distance.len().max(distance + 1), Vec::new());
        self.at_distance[distance].push(number as u32);
        true
    }

    fn violation(&mut self, last: Step) {
        let distance = self.distance[self.at] + (self.events)(last);
        if distance < self.bound {
            self.bound = distance;
            self.found = Some((self.at, last));
        }
    }

    fn wrong(&mut self, _: usize, _: usize, _: Wrong) {}
}

/// A path of fewest events, if one has fewer than `bound`.
///
/// # Errors
/// The limit that was reached before that was known.
pub(crate) fn shortest<S: System>(
    system: &S,
    events: impl Fn(Step) -> usize,
    bound: usize,
    limits: &crate::Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Move>>, Limit> {
    let mut nearest = Nearest {
        system,
        events,
        states: States::new(),
        parents: Vec::new(),
        distance: Vec::new(),
        at_distance: Vec::new(),
        at: 0,
        bound,
        found: None,
        renamed: Vec::new(),
    };
    let mut first = system.first();
    let _ = system.rename(&mut first);
    nearest.states.insert(&first);
    nearest.parents.push((0, NOWHERE));
    nearest.distance.push(0);
    nearest.at_distance.push(vec![0]);
    let (mut state, mut looked, mut distance) = (Vec::new(), 0_u64, 0);
    while distance < nearest.at_distance.len() && distance < nearest.bound {
        let Some(number) = nearest.at_distance[distance].pop() else {
            distance += 1;
            continue;
        };
        nearest.at = number as usize;
        if nearest.distance[nearest.at] < distance {
            continue;
        }
        looked += 1;
        if nearest.states.len() as u64 > limits.states {
            return Err(Limit::States);
        }
        if looked.is_multiple_of(256) {
            if nearest.states.memory() > limits.bytes {
                return Err(Limit::Memory);
            }
            if stop() {
                return Err(Limit::Time);
            }
        }
        nearest.states.get(nearest.at, &mut state);
        system.expand(&state, &mut nearest);
    }
    Ok(nearest
        .found
        .map(|(at, last)| way(system, &nearest.states, &nearest.parents, at, last)))
}
