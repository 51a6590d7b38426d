//! What a repair of an MPI program inserts, in the words of MPI.
//!
//! Promise: a statement that waits for queues or handles of a window becomes a flush of it for all targets, which waits
//! for no less; a barrier becomes that of all processes. What has no such words stays in those of the calculus.

use crate::declare::window_of;
use farside_pgas::ast::{Program, Statement, StatementKind, Target};
use std::collections::BTreeMap;

/// The variables that a program calls its windows by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WindowNames(BTreeMap<u32, Option<String>>);

impl WindowNames {
    /// Those that the calls in a text name, by which a program of the calculus was made.
    #[must_use]
    pub fn of(program: &Program, text: &str) -> Self {
        let mut names = Self::default();
        names.read(&program.body, text);
        names
    }

    fn read(&mut self, block: &[Statement], text: &str) {
        for Statement { kind, place } in block {
            match kind {
                StatementKind::Transfer { queue, .. } | StatementKind::Atomic { queue, .. } => {
                    let (Target::Name(queue) | Target::Element(queue, _)) = queue else {
                        continue;
                    };
                    if let Some(window) = window_of(&queue.text) {
                        let name = text.get(place.0.clone()).and_then(last_argument);
                        let known = self.0.entry(window).or_insert_with(|| name.clone());
                        // Two names: it cannot be told which one is there elsewhere.
                        if *known != name {
                            *known = None;
                        }
                    }
                }
                StatementKind::If { then, otherwise, .. } => {
                    self.read(then, text);
                    self.read(otherwise, text);
                }
                StatementKind::Rank { body, otherwise, .. } => {
                    self.read(body, text);
                    self.read(otherwise, text);
                }
                StatementKind::While { body, .. } | StatementKind::Loop(body) => self.read(body, text),
                StatementKind::Choice(ways) => ways.iter().for_each(|way| self.read(way, text)),
                _ => {}
            }
        }
    }

    /// A text with statements of the calculus in the words of MPI.
    #[must_use]
    pub fn in_mpi(&self, text: &str) -> String {
        let mut said = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("wait") {
            let (before, from) = rest.split_at(at);
            said.push_str(before);
            match self.flush(from) {
                Some((flush, length)) => {
                    said.push_str(&flush);
                    rest = &from[length..];
                }
                None => {
                    said.push_str("wait");
                    rest = &from["wait".len()..];
                }
            }
        }
        said.push_str(rest);
        said.replace("barrier // inserted", "MPI_Barrier(MPI_COMM_WORLD) // inserted")
            .replace("`barrier`", "`MPI_Barrier(MPI_COMM_WORLD)`")
    }

    /// The flush that a wait at the start of a text is, and how long the wait is there.
    fn flush(&self, text: &str) -> Option<(String, usize)> {
        let (call, what) = match text.strip_prefix("wait_local ") {
            Some(what) => ("MPI_Win_flush_local_all", what),
            None => ("MPI_Win_flush_all", text.strip_prefix("wait ")?),
        };
        let end = what
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(what.len());
        let window = window_of(&what[..end])?;
        let name = self.0.get(&window)?.as_ref()?;
        let index = match what[end..].strip_prefix('[') {
            Some(index) => index.find(']')? + 2,
            None => 0,
        };
        Some((format!("{call}({name})"), text.len() - what.len() + end + index))
    }
}

/// `win` of `MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);`
fn last_argument(call: &str) -> Option<String> {
    let inside = call.trim().trim_end_matches(';').trim().strip_suffix(')')?;
    let mut depth = 0_i32;
    let from = inside.char_indices().rev().find(|&(_, c)| {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })?;
    let name = inside[from.0 + 1..].trim();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_.->[]".contains(c);
    (!name.is_empty() && name.chars().all(is_plain)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use farside_pgas::parser::parse;

    #[test]
    fn waits_for_a_window_are_flushes_of_it() {
        let program = "program p\nranks 2\ndomain 2\nshared x\nqueue mpi_transfers_0 unordered\n\
                       queue mpi_transfers_1 unordered\nwrite(x, 1, x, mpi_transfers_0)\n";
        let program = parse(program).unwrap();
        // What stands at the place of the statement is the C text.
        let place = match &program.body[..] {
            [Statement { place, .. }] => place.0.clone(),
            other => panic!("{other:?}"),
        };
        let call = "MPI_Put(&x, f(1, 2), t, h->win[0]);";
        let text = format!("{}{call:<width$}", " ".repeat(place.start), width = place.len());
        let mut longer = program.clone();
        longer.body[0].place.0 = place.start..place.start + call.len();
        let names = WindowNames::of(&longer, &text);
        assert_eq!(
            names.in_mpi("insert `wait mpi_transfers_0` after\nwait_local mpi_writes_0[1] // inserted: wait"),
            "insert `MPI_Win_flush_all(h->win[0])` after\nMPI_Win_flush_local_all(h->win[0]) // inserted: wait"
        );
        // A window that no call names, and what is none.
        for same in ["wait mpi_transfers_1", "await x", "wait for mpi_transfers_0"] {
            assert_eq!(names.in_mpi(same), same);
        }
    }
}
