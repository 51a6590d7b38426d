//! An execution action by action, in the order of its picture: from above, and in a row from the left.
//!
//! Promise: every action that the picture shows is a step, once. Limit: the order is that of the picture, and nothing
//! says that an execution went so; an edge that leads to an earlier step is named at the later one.

use crate::verdicts::picture::{Picture, picture};
use farside_verdicts::{Execution, Explanation};
use serde::Serialize;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Index of the action in the execution.
    pub action: usize,
    /// `P1: ew write X, 0`
    pub words: String,
    /// The statement that it belongs to; empty for first values.
    pub statement: String,
    /// The edges between it and earlier steps, each in words.
    pub edges: Vec<String>,
}

/// The steps of an explanation's execution; none if it has none.
#[must_use]
pub fn steps(explanation: &Explanation) -> Vec<Step> {
    let Some(execution) = &explanation.execution else {
        return Vec::new();
    };
    let picture = picture(execution, &explanation.cycle);
    let order = order(&picture);
    let step = |(number, &action): (usize, &usize)| step(execution, &picture, action, &order[..number]);
    order.iter().enumerate().map(step).collect()
}

/// Actions from above, and in a row from the left.
fn order(picture: &Picture) -> Vec<usize> {
    let mut boxes: Vec<_> = picture.boxes.iter().collect();
    boxes.sort_by(|a, b| {
        let down = a.area.y.total_cmp(&b.area.y);
        down.then(a.area.x.total_cmp(&b.area.x))
    });
    boxes.into_iter().map(|shown| shown.action()).collect()
}

fn step(execution: &Execution, picture: &Picture, action: usize, earlier: &[usize]) -> Step {
    let here = &execution.actions[action];
    let whose = here
        .process
        .map_or_else(|| "first value".to_owned(), |rank| format!("P{rank}"));
    let to_earlier = |ends: [usize; 2]| match ends {
        [from, to] if from == action => earlier.contains(&to),
        [from, to] => to == action && earlier.contains(&from),
    };
    let edges = picture
        .arrows
        .iter()
        .filter(|arrow| arrow.ends().is_some_and(to_earlier));
    Step {
        action,
        words: format!("{whose}: {} {}", here.kind, here.text),
        statement: here.source.clone(),
        edges: edges.map(|arrow| arrow.title.clone()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_verdicts::{Action, Edge};

    fn action(process: Option<u32>, text: &str) -> Action {
        Action {
            process,
            statement: process.map(|_| 0),
            kind: "r".to_owned(),
            text: text.to_owned(),
            source: String::new(),
        }
    }

    #[test]
    fn what_an_edge_leads_from_comes_first_and_is_named() {
        let edge = |from, to, relation: &str| Edge {
            from,
            to,
            relation: relation.to_owned(),
            rule: String::new(),
        };
        let execution = Execution {
            actions: vec![
                action(None, "write X, 0"),
                action(Some(0), "read X, 1"),
                action(Some(1), "write Y, 1"),
                action(Some(1), "write X, 1"),
            ],
            edges: vec![edge(3, 1, "rf")],
        };
        let explanation = Explanation {
            outcome: Vec::new(),
            allowed: true,
            reason: String::new(),
            execution: Some(execution),
            cycle: Vec::new(),
        };
        let steps = steps(&explanation);
        let order: Vec<usize> = steps.iter().map(|step| step.action).collect();
        assert_eq!(order, [2, 3, 1], "the first value has no box");
        let named: Vec<&str> = steps
            .iter()
            .flat_map(|step| &step.edges)
            .map(String::as_str)
            .collect();
        assert_eq!(named, ["P1: r write X, 1 \u{2192} P0: r read X, 1 (rf)"]);
        assert_eq!(steps[2].words, "P0: r read X, 1");
    }
}
