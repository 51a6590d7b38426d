//! The search: conflicts found one by one, and what hits them all.

use super::guarantee::{Guarantee, Guarantees};
use crate::Limits;
use crate::allowed::Allowed;
use farside_litmus::ast::Program;
use farside_litmus::log::State;
use farside_models::{Model, parse_model};

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Observation<'p> {
    /// The test.
    pub program: &'p Program,
    /// Every state that was seen.
    pub states: Vec<State>,
}

/// Guarantees that together forbid something that was seen; without any one of them, the others do not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The guarantees.
    pub guarantees: Guarantees,
    /// Index of the observation.
    pub observation: usize,
    /// What was seen.
    pub state: State,
}

/// What the search found.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// The strongest models that allow everything seen and give up the least, each as its guarantees. Empty only if
    /// something was seen that no model of the family allows.
    pub strongest: Vec<Guarantees>,
    /// Other strongest models that give up more, as they come from the conflicts; they were not tried.
    pub costlier: usize,
    /// Why the missing guarantees are missing.
    pub conflicts: Vec<Conflict>,
    /// What was seen though even the model without any guarantee of the space forbids it: (observation, state).
    pub unexplained: Vec<(usize, State)>,
    /// Tests that the engine had no answer for under some model.
    pub unanswered: usize,
}

/// Most models of equal cost that are tried and named.
const MOST_STRONGEST: usize = 8;
/// Most ways to hit all conflicts that are kept; beyond, the costliest are dropped.
const MOST_HITTING: usize = 20_000;

/// Searches the sets between `given` and `given` with `space`, which say which guarantees are not in question and which
/// are.
#[must_use]
pub fn fit(observations: &[Observation<'_>], given: Guarantees, space: Guarantees, limits: &Limits) -> Fit {
    let mut search = Search {
        observations,
        given,
        space: Guarantees(space.0 & !given.0),
        limits,
        hitting: vec![Guarantees::default()],
        fit: Fit::default(),
    };
    let mut tried: Vec<Guarantees> = Vec::new();
    // The cheapest come first; a conflict that is found may make them dearer.
    while let Some(&missing) = search.hitting.iter().find(|missing| !tried.contains(missing)) {
        let least = search.hitting[0].worth();
        if missing.worth() > least || tried.len() == MOST_STRONGEST {
            break;
        }
        if search.survives(missing) {
            tried.push(missing);
        }
        // A way that does not hit a conflict which was found later is no way.
        tried.retain(|missing| search.hitting.contains(missing));
    }
    search.fit.strongest = tried.iter().map(|missing| search.model(*missing)).collect();
    search.fit.costlier = search.hitting.len() - tried.len();
    search.fit
}

impl Fit {
    /// How many of the observed tests would show it if the network lacked the guarantee: tests that could have had
    /// another outcome, then.
    #[must_use]
    pub fn evidence(
        observations: &[Observation<'_>],
        model: Guarantees,
        guarantee: Guarantee,
        limits: &Limits,
    ) -> usize {
        let (Some(with), Some(without)) = (shipped(model), shipped(model.without(guarantee))) else {
            return 0;
        };
        let telling = observations.iter().filter(|observation| {
            let number =
                |model| Allowed::of(observation.program, model, limits).map(|allowed| allowed.number());
            matches!((number(&with), number(&without)), (Ok(with), Ok(without)) if without > with)
        });
        telling.count()
    }
}

struct Search<'a> {
    observations: &'a [Observation<'a>],
    given: Guarantees,
    space: Guarantees,
    limits: &'a Limits,
    /// The least sets that have one of each conflict, cheapest first.
    hitting: Vec<Guarantees>,
    fit: Fit,
}

impl Search<'_> {
    fn model(&self, missing: Guarantees) -> Guarantees {
        Guarantees(self.given.0 | self.space.0 & !missing.0)
    }

    /// Whether the model that lacks these allows everything. If not, what it forbids has become conflicts.
    fn survives(&mut self, missing: Guarantees) -> bool {
        let mut missing = missing;
        let mut survives = true;
        for index in 0..self.observations.len() {
            while let Some(state) = self.refused(index, self.model(missing)) {
                survives = false;
                self.learn(index, state, missing);
                let Some(&next) = self.hitting.first() else { break };
                missing = next;
            }
        }
        survives
    }

    /// A state of a test that the model forbids.
    fn refused(&mut self, index: usize, model: Guarantees) -> Option<State> {
        let observation = &self.observations[index];
        let Ok(allowed) = Allowed::of(observation.program, &shipped(model)?, self.limits) else {
            self.fit.unanswered += 1;
            return None;
        };
        let unexplained = &self.fit.unexplained;
        let open = observation.states.iter().filter(|state| {
            !unexplained
                .iter()
                .any(|(of, known)| *of == index && known == *state)
        });
        open.into_iter().find(|state| !admits(&allowed, state)).cloned()
    }

    /// The conflict that a state shows, which the model without `missing` forbids.
    fn learn(&mut self, index: usize, state: State, missing: Guarantees) {
        let program = self.observations[index].program;
        let forbidden = |model: Guarantees| {
            let allowed = shipped(model).and_then(|model| Allowed::of(program, &model, self.limits).ok());
            allowed.is_some_and(|allowed| !admits(&allowed, &state))
        };
        let mut left = Guarantees(self.space.0 & !missing.0);
        let mut order: Vec<Guarantee> = left.iter().collect();
        // The dear ones go first, so that a conflict is of cheap ones where it can be.
        order.sort_by_key(|guarantee| std::cmp::Reverse(guarantee.weight()));
        for guarantee in order {
            let fewer = left.without(guarantee);
            if forbidden(Guarantees(self.given.0 | fewer.0)) {
                left = fewer;
            }
        }
        if left.0 == 0 {
            self.fit.unexplained.push((index, state));
            return;
        }
        self.fit.conflicts.push(Conflict {
            guarantees: left,
            observation: index,
            state,
        });
        self.hit(left);
    }

    /// The least sets that hit the new conflict as well (Berge's algorithm).
    fn hit(&mut self, conflict: Guarantees) {
        let (hit, missed): (Vec<_>, Vec<_>) = std::mem::take(&mut self.hitting)
            .into_iter()
            .partition(|set| set.0 & conflict.0 != 0);
        let mut all = hit;
        for set in missed {
            for bit in (0..32).filter(|bit| conflict.0 & 1 << bit != 0) {
                all.push(Guarantees(set.0 | 1 << bit));
            }
        }
        all.sort_by_key(|set| set.0.count_ones());
        let mut least: Vec<Guarantees> = Vec::new();
        for set in all {
            if !least.iter().any(|smaller| smaller.0 & set.0 == smaller.0) {
                least.push(set);
            }
        }
        least.sort_by_key(|set| (set.worth(), set.0));
        least.truncate(MOST_HITTING);
        self.hitting = least;
    }
}

/// A state with other names than the test has is no state of it, and refused.
fn admits(allowed: &Allowed, state: &State) -> bool {
    allowed
        .values(state)
        .is_some_and(|values| allowed.admits(&values))
}

fn shipped(model: Guarantees) -> Option<Model> {
    parse_model(&model.text("fitted", "a point of the lattice"), &|_| None).ok()
}
