//! The strongest model that allows what was seen, and what says so.

use crate::batch::Fate;
use crate::settings::Case;
use farside_conformance::{Fitted, Kept, Lacking, Seen, Strongest};
use farside_explore::Limits;
use farside_explore::fit::{Fit, Guarantee, Guarantees, Observation, fit};

/// Steps of one question: tests are small, and a question that takes longer is left open.
const LIMITS: Limits = Limits { steps: 50_000_000 };

/// Searches for the strongest models that allow what a target showed.
#[must_use]
pub fn search(results: &[(&Case, Fate)], target: &str) -> Fitted {
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
