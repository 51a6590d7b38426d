//! `--fit`: the strongest model that allows what was seen, and what says so.

use super::batch::Fate;
use super::case::Case;
use farside_explore::Limits;
use farside_explore::fit::{Fit, Guarantee, Guarantees, Observation, fit};
use serde::Serialize;

/// Steps of one question: tests are small, and a question that takes longer is left open.
const LIMITS: Limits = Limits { steps: 50_000_000 };

/// What a search found, in words.
#[derive(Serialize)]
pub(super) struct Fitted {
    /// Tests that were looked at.
    pub(super) tests: usize,
    /// The strongest models; the first one is written.
    pub(super) strongest: Vec<Strongest>,
    /// Others that give up more.
    pub(super) costlier: usize,
    /// Outcomes that no model of the family allows.
    pub(super) unexplained: Vec<Seen>,
    /// Questions without an answer.
    pub(super) unanswered: usize,
    /// The model file of the first one; empty if there is none.
    pub(super) model: String,
}

/// A strongest model.
#[derive(Serialize)]
pub(super) struct Strongest {
    /// What it guarantees.
    pub(super) guarantees: Vec<Kept>,
    /// What stock coreRMA has beyond it, and the outcome that takes it away.
    pub(super) lacks: Vec<Lacking>,
    /// What it has beyond stock coreRMA.
    pub(super) adds: Vec<String>,
}

/// A guarantee that nothing seen contradicts.
#[derive(Serialize)]
pub(super) struct Kept {
    pub(super) guarantee: String,
    /// Tests that could have shown its absence.
    pub(super) telling_tests: usize,
}

/// A guarantee that is not given.
#[derive(Serialize)]
pub(super) struct Lacking {
    pub(super) guarantee: String,
    /// What shows it.
    pub(super) seen: Seen,
    /// The guarantees that forbid this together.
    pub(super) together: Vec<String>,
}

/// An outcome of a test.
#[derive(Clone, Serialize)]
pub(super) struct Seen {
    pub(super) test: String,
    pub(super) outcome: String,
}

/// Searches.
pub(super) fn search(results: &[(&Case, Fate)], target: &str) -> Fitted {
    let observations: Vec<Observation<'_>> = results
        .iter()
        .filter_map(|(case, fate)| match fate {
            Fate::Ran(entry) => Some(Observation {
                program: &case.program,
                states: entry.states.keys().cloned().collect(),
            }),
            _ => None,
        })
        .collect();
    let found = fit(&observations, Guarantees::default(), Guarantees::all(), &LIMITS);
    let about = format!("the strongest model that allows what {target} showed");
    Fitted {
        tests: observations.len(),
        strongest: found
            .strongest
            .iter()
            .enumerate()
            // What others of the same strength would have shown is not counted: it takes as long as the search.
            .map(|(place, model)| strongest(&observations, &found, *model, place == 0))
            .collect(),
        costlier: found.costlier,
        unexplained: found
            .unexplained
            .iter()
            .map(|(index, state)| seen(&observations, *index, state))
            .collect(),
        unanswered: found.unanswered,
        model: found.strongest.first().map_or_else(String::new, |model| {
            model.text(&format!("fitted-{}", target.replace(':', "-")), &about)
        }),
    }
}

fn strongest(observations: &[Observation<'_>], found: &Fit, model: Guarantees, count: bool) -> Strongest {
    let kept = |guarantee: Guarantee| Kept {
        guarantee: guarantee.to_string(),
        telling_tests: match count {
            true => Fit::evidence(observations, model, guarantee, &LIMITS),
            false => 0,
        },
    };
    let lacking = Guarantee::ALL
        .into_iter()
        .filter(|guarantee| !model.has(*guarantee));
    let lacks = lacking.filter_map(|guarantee| {
        // The conflict that this guarantee alone decides: all its others are kept.
        let conflict = found.conflicts.iter().find(|conflict| {
            let mut others = conflict.guarantees.iter().filter(|other| *other != guarantee);
            conflict.guarantees.has(guarantee) && others.all(|other| model.has(other))
        })?;
        Some(Lacking {
            guarantee: guarantee.to_string(),
            seen: seen(observations, conflict.observation, &conflict.state),
            together: conflict
                .guarantees
                .iter()
                .map(|guarantee| guarantee.to_string())
                .collect(),
        })
    });
    Strongest {
        guarantees: model.iter().map(kept).collect(),
        lacks: lacks.collect(),
        adds: model
            .iter()
            .filter(|guarantee| !guarantee.is_stock())
            .map(|guarantee| guarantee.to_string())
            .collect(),
    }
}

fn seen(observations: &[Observation<'_>], index: usize, state: &impl ToString) -> Seen {
    Seen {
        test: observations[index].program.name.clone(),
        outcome: state.to_string(),
    }
}
