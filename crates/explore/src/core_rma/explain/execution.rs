//! Executions as they are shown.

use super::graph::{Graph, Labelled};
use crate::answer::{Edge, Execution, ShownAction};
use crate::core_rma::naive::{Candidate, values::Values};
use farside_litmus::ast::{Place, Program, Value};
use farside_models::core_rma::{ActionKind, CoreModel, Parts, Path, Rule};

/// The execution with this reads-from and happens-before.
pub(super) fn show(
    program: &Program,
    path: &Path,
    model: &CoreModel,
    reads_from: &[Option<usize>],
    graph: &Graph<'_>,
) -> Execution {
    let candidate = Candidate {
        path,
        model,
        reads_from,
        hb: &graph.hb,
    };
    let values = Values::new(&candidate);
    let actions = (0..path.actions.len())
        .map(|index| action(program, path, &values, index))
        .collect();
    let mut edges = Vec::new();
    for a in 1..path.actions.len() {
        if path.po(a - 1, a) {
            edges.push(edge(a - 1, a, "po", ""));
        }
    }
    for (r, w) in reads_from.iter().enumerate() {
        if let Some(w) = w {
            edges.push(edge(*w, r, "rf", ""));
        }
    }
    let mut shown = graph.shown();
    resolve(&mut shown, path, model, reads_from, graph);
    edges.extend(shown.iter().map(happens_before));
    edges.sort();
    Execution { actions, edges }
}

/// Of CAS-F and CAS-T, which order alike, leaves the one whose premise on values holds.
pub(super) fn resolve(
    edges: &mut [Labelled],
    path: &Path,
    model: &CoreModel,
    reads_from: &[Option<usize>],
    graph: &Graph<'_>,
) {
    let candidate = Candidate {
        path,
        model,
        reads_from,
        hb: &graph.hb,
    };
    let values = Values::new(&candidate);
    let [fails, succeeds] = [Rule::CasF.name(), Rule::CasT.name()];
    for edge in edges {
        if let Some(Parts::Cas { er1, erw, .. }) = path.parts(edge.from)
            && let (Some(Value::Known(compared)), Some(Value::Known(stored))) =
                (values.read(er1, 0), values.read(erw.read, 0))
        {
            let other = if compared == stored { fails } else { succeeds };
            edge.rules.retain(|rule| rule != other);
        }
    }
}

/// An edge of hb.
pub(super) fn happens_before(labelled: &Labelled) -> Edge {
    edge(labelled.from, labelled.to, "hb", &labelled.rules.join(", "))
}

fn edge(from: usize, to: usize, relation: &str, rule: &str) -> Edge {
    Edge {
        from,
        to,
        relation: relation.into(),
        rule: rule.into(),
    }
}

/// `read X, 0`, `write Y, 1`, `r-w Z, 0, 1`, `flush 1`; an open value is `?`.
fn action(program: &Program, path: &Path, values: &Values<'_>, index: usize) -> ShownAction {
    let action = &path.actions[index];
    let number = |value: Option<Value>| match value {
        Some(Value::Known(number)) => number.to_string(),
        Some(Value::Undefined) => "T".into(),
        None => "?".into(),
    };
    let name = action.variable().map_or("", |variable| {
        program.variables[variable.0 as usize].name.as_str()
    });
    let text = match (action.reads, action.writes) {
        (Some(_), Some(_)) => format!(
            "r-w {name}, {}, {}",
            number(values.read(index, 0)),
            number(values.written(index, 0))
        ),
        (Some(_), None) => format!("read {name}, {}", number(values.read(index, 0))),
        (None, Some(_)) => format!("write {name}, {}", number(values.written(index, 0))),
        (None, None) => match action.kind {
            ActionKind::QueueWait => path
                .queue(index)
                .map_or_else(String::new, |queue| format!("queue {}", queue.0)),
            ActionKind::Enter | ActionKind::Leave => {
                format!("barrier {}", path.barrier(index).map_or(1, |turn| turn + 1))
            }
            _ => format!("flush {}", action.destination.0),
        },
    };
    let statement = action.statement.map(|statement| &path.statements[statement]);
    let nonatomic = if action.is_atomic() { "" } else { ".n" };
    ShownAction {
        column: (action.kind != ActionKind::FirstValue).then_some(action.source),
        statement: statement.map(|statement| statement.ordinal),
        kind: format!("{}{nonatomic}", action.kind.name()),
        text,
        place: statement.map_or_else(Place::default, |statement| statement.place.clone()),
    }
}
