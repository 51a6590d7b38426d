//! Executions in the graph language of Graphviz, for who wants to lay them out otherwise: `dot -Tpdf`.
//!
//! Promise: a graph an explanation, a cluster a process, edges coloured by relation and labelled with the rule.

use crate::kit::dot::quoted;
use crate::verdicts::picture::Kind;
use crate::verdicts::svg::outcome_words;
use farside_verdicts::{Edge, Execution, Explanation, Report};
use std::fmt::Write as _;

/// All explanations of a report, a graph each.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for test in &report.tests {
        for judgement in &test.judgements {
            for explanation in &judgement.explanations {
                let name = format!(
                    "{} under {}: {}",
                    test.name,
                    judgement.model,
                    outcome_words(explanation)
                );
                // Writing to a string cannot fail.
                let _ = graph(&mut text, &name, explanation);
            }
        }
    }
    text
}

fn graph(text: &mut String, name: &str, explanation: &Explanation) -> std::fmt::Result {
    writeln!(text, "digraph {} {{", quoted(name))?;
    writeln!(text, "  label={}; labelloc=t; rankdir=TB;", quoted(name))?;
    writeln!(text, "  node [shape=box, fontname=monospace, fontsize=11];")?;
    writeln!(text, "  edge [fontname=monospace, fontsize=10];")?;
    if let Some(execution) = &explanation.execution {
        clusters(text, execution)?;
        for one in &execution.edges {
            if !explanation
                .cycle
                .iter()
                .any(|on| (on.from, on.to) == (one.from, one.to))
            {
                edge(text, one, false)?;
            }
        }
        for one in &explanation.cycle {
            edge(text, one, true)?;
        }
    }
    writeln!(text, "}}")
}

fn clusters(text: &mut String, execution: &Execution) -> std::fmt::Result {
    let mut processes: Vec<Option<u32>> = execution.actions.iter().map(|action| action.process).collect();
    processes.sort_unstable();
    processes.dedup();
    for process in processes {
        let (id, head) = match process {
            None => ("cluster_first".to_owned(), "first values".to_owned()),
            Some(rank) => (format!("cluster_{rank}"), format!("P{rank}")),
        };
        writeln!(text, "  subgraph {id} {{ label={}; color=gray;", quoted(&head))?;
        for (index, action) in execution.actions.iter().enumerate() {
            if action.process == process {
                let words = [
                    action.source.as_str(),
                    &format!("{}: {}", action.kind, action.text),
                ];
                let lines: Vec<&str> = words.into_iter().filter(|line| !line.is_empty()).collect();
                writeln!(text, "    a{index} [label={}];", quoted(&lines.join("\n")))?;
            }
        }
        writeln!(text, "  }}")?;
    }
    Ok(())
}

fn edge(text: &mut String, edge: &Edge, on_cycle: bool) -> std::fmt::Result {
    let kind = Kind::of(&edge.relation);
    let (colour, style) = match kind {
        Kind::HappensBefore => ("#2456c4", "solid"),
        Kind::ReadsFrom => ("#14703c", "dashed"),
        Kind::Consistency => ("#a24b00", "dashed"),
        Kind::Synchronisation => ("#6d3bd1", "dotted"),
        Kind::ProgramOrder | Kind::Other | Kind::Cycle => ("#8893a5", "solid"),
    };
    let (colour, width) = if on_cycle { ("#d11f2f", 2.5) } else { (colour, 1.0) };
    let label = [edge.relation.as_str(), &edge.rule].join(" ");
    writeln!(
        text,
        "  a{} -> a{} [label={}, color={colour:?}, fontcolor={colour:?}, style={style}, penwidth={width}];",
        edge.from,
        edge.to,
        quoted(label.trim_end())
    )
}
