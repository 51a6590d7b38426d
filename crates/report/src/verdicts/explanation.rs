//! Executions and refusals as text.

use crate::kit::color::{BAD, Color, FAINT, GOOD};
use anstyle::Style;
use farside_verdicts::state_line;
use farside_verdicts::{Action, Edge, Execution, Explanation, Judgement, Test};
use std::fmt::Write as _;

/// All explanations of a test under a model.
#[must_use]
pub fn render(test: &Test, judgement: &Judgement, color: Color) -> String {
    let mut text = String::new();
    for explanation in &judgement.explanations {
        // Writing to a string cannot fail.
        let _ = one(&mut text, test, judgement, explanation, color);
    }
    text
}

fn one(
    text: &mut String,
    test: &Test,
    judgement: &Judgement,
    explanation: &Explanation,
    color: Color,
) -> std::fmt::Result {
    let state = state_line(&explanation.outcome);
    let (style, verdict) = match (explanation.allowed, state.is_empty()) {
        (true, true) => (Style::new().bold(), "an execution"),
        (true, false) => (GOOD, "allowed"),
        (false, _) => (BAD, "not allowed"),
    };
    let outcome = if state.is_empty() {
        state
    } else {
        format!("{state} ")
    };
    writeln!(
        text,
        "Explanation {} {}: {outcome}{}",
        test.name,
        judgement.model,
        color.paint(style, verdict)
    )?;
    if !explanation.reason.is_empty() {
        writeln!(text, "  {}", explanation.reason)?;
    }
    if let Some(execution) = &explanation.execution {
        if !explanation.cycle.is_empty() {
            cycle(text, execution, &explanation.cycle, color)?;
        }
        actions(text, execution, color)?;
        edges(text, execution, &explanation.cycle, color)?;
    }
    writeln!(text)
}

fn cycle(text: &mut String, execution: &Execution, cycle: &[Edge], color: Color) -> std::fmt::Result {
    writeln!(text, "  the cycle")?;
    let width = cycle
        .iter()
        .map(|edge| name(execution, edge.from).chars().count())
        .max()
        .unwrap_or(0);
    for edge in cycle {
        let arrow = color.paint(BAD, &relation(edge));
        writeln!(
            text,
            "    {:width$}  -- {arrow} -->  {}",
            name(execution, edge.from),
            name(execution, edge.to)
        )?;
    }
    Ok(())
}

fn actions(text: &mut String, execution: &Execution, color: Color) -> std::fmt::Result {
    writeln!(text, "  actions")?;
    let kinds = width(execution, |action| &action.kind);
    let texts = width(execution, |action| &action.text);
    for (index, action) in execution.actions.iter().enumerate() {
        let column = column(action);
        let source = color.paint(FAINT, &action.source);
        let line = format!(
            "    {:5}{column:7}{:kinds$}  {:texts$}  {source}",
            letter(index),
            action.kind,
            action.text
        );
        writeln!(text, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Edges, without those of first values and of program order, which are as expected.
fn edges(text: &mut String, execution: &Execution, cycle: &[Edge], color: Color) -> std::fmt::Result {
    let first = |index: usize| execution.actions.get(index).is_some_and(|a| a.process.is_none());
    let told: Vec<&Edge> = execution
        .edges
        .iter()
        .filter(|edge| edge.relation != "po" && (edge.relation == "rf" || !first(edge.from)))
        .collect();
    if told.is_empty() {
        return Ok(());
    }
    writeln!(
        text,
        "  edges (program order, and first values before all others, are not listed)"
    )?;
    for edge in told {
        let on_cycle = cycle.iter().any(|on| (on.from, on.to) == (edge.from, edge.to));
        let relation = relation(edge);
        let shown = if on_cycle {
            color.paint(BAD, &relation)
        } else {
            relation
        };
        writeln!(text, "    {} -> {}  {shown}", letter(edge.from), letter(edge.to))?;
    }
    Ok(())
}

fn relation(edge: &Edge) -> String {
    match edge.rule.as_str() {
        "" => edge.relation.clone(),
        rule if rule.starts_with('(') => format!("{} {rule}", edge.relation),
        rule => format!("{} ({rule})", edge.relation),
    }
}

fn name(execution: &Execution, index: usize) -> String {
    execution.actions.get(index).map_or_else(String::new, |action| {
        format!(
            "{} {} {} {}",
            letter(index),
            column(action),
            action.kind,
            action.text
        )
    })
}

fn column(action: &Action) -> String {
    action
        .process
        .map_or_else(|| "first".to_owned(), |rank| format!("P{rank}"))
}

fn width(execution: &Execution, part: fn(&Action) -> &String) -> usize {
    let widths = execution
        .actions
        .iter()
        .map(|action| part(action).chars().count());
    widths.max().unwrap_or(0)
}

/// `a` to `z`, then `a1`.
fn letter(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}
