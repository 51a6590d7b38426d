//! Computations in the graph language of Graphviz, for who wants to lay them out otherwise: `dot -Tpdf`.
//!
//! Promise: a graph a program that is not robust, a cluster a process; the cycle in red, commands and their effects
//! tied by dashed lines.

use crate::kit::dot::quoted;
use crate::robustness::text::heading;
use crate::robustness::words;
use farside_robustness::{Judgement, Report, Violation};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// All computations of a report, a graph each.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    for judgement in &report.programs {
        if let Some(violation) = &judgement.violation {
            // Writing to a string cannot fail.
            let _ = graph(&mut text, judgement, violation);
        }
    }
    text
}

fn graph(text: &mut String, judgement: &Judgement, violation: &Violation) -> std::fmt::Result {
    let name = quoted(&heading(judgement));
    writeln!(text, "digraph {name} {{\n  label={name}; labelloc=t; rankdir=TB;")?;
    writeln!(text, "  node [shape=box, fontname=monospace, fontsize=11];")?;
    writeln!(text, "  edge [fontname=monospace, fontsize=10];")?;
    let mut processes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (index, event) in violation.events.iter().enumerate() {
        processes.entry(event.rank).or_default().push(index);
    }
    for (rank, events) in &processes {
        writeln!(
            text,
            "  subgraph cluster_{rank} {{ label=\"P{rank}\"; color=gray;"
        )?;
        for &index in events {
            let event = &violation.events[index];
            let mut label = format!("{}: {}", index + 1, words::without_rank(event));
            // A command says once what it is.
            if !violation.events[..index]
                .iter()
                .any(|earlier| earlier.command == event.command)
            {
                label += "\n";
                label += &words::shortened(&event.source.text, 40);
            }
            let marked = violation.cycle.iter().any(|edge| edge.from == index);
            let color = if marked { ", color=\"#d11f2f\"" } else { "" };
            writeln!(text, "    e{index} [label={}{color}];", quoted(&label))?;
        }
        for pair in events.windows(2) {
            writeln!(text, "    e{} -> e{} [style=invis];", pair[0], pair[1])?;
        }
        writeln!(text, "  }}")?;
    }
    let mut last: BTreeMap<u32, usize> = BTreeMap::new();
    for (index, event) in violation.events.iter().enumerate() {
        if let Some(before) = last.insert(event.command, index) {
            writeln!(
                text,
                "  e{before} -> e{index} [dir=none, style=dashed, color=\"#7f8da0\", constraint=false];"
            )?;
        }
    }
    for edge in &violation.cycle {
        writeln!(
            text,
            "  e{} -> e{} [label={}, color=\"#d11f2f\", fontcolor=\"#d11f2f\", penwidth=2.5, constraint=false];",
            edge.from,
            edge.to,
            quoted(edge.relation.sign())
        )?;
    }
    writeln!(text, "}}")
}
