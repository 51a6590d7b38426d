//! C and C++ programs as programs of the calculus, for `farside robust`.
//!
//! Promise: [`extract`] follows each rank of a program with calls of OpenSHMEM, GASPI or one-sided MPI. What is known
//! once rank and number of ranks are is computed; communication, accesses to memory that is communicated, and
//! conditions on what was read there are left, as a program in the language of `.pgas` files. The [`Extract`] holds two
//! programs: if the one [with all ways](Extract::all_ways) is robust, so is the C program; if the one [with certain
//! ways](Extract::certain_ways) is not robust, neither is the C program. Where nothing was lost they are one.
//! `docs/design/robust-of-c.md` says why.
//!
//! Limits: a program is followed with the arguments that the question has, and without input. Bytes that no access
//! takes apart are one location. What memory held that was allocated and never written is taken to be zeros.
#![forbid(unsafe_code)]

mod call_text;
mod communicator;
mod contexts;
mod declare;
mod detail;
mod expression;
mod graph;
mod idle;
mod knowledge;
mod liveness;
mod machine;
mod message;
mod names;
mod program;
mod progress;
mod request;
mod source;
mod state;
mod tables;
mod value;
mod words;

pub use contexts::ContextNames;
pub use detail::Detail;
use farside_lint::ir::Module;
use farside_pgas::ast::{Api, Program};
use graph::{Graph, Next};
use knowledge::Knowledge;
use program::Ways;
use source::Lines;
use std::path::PathBuf;
use tables::Tables;
use value::Cause;
pub use words::{Reach, WindowNames};

/// Attempts to follow a program; each learns something from the one before it.
const MOST_ATTEMPTS: usize = 400;

/// A C program, and how it is to be followed.
pub struct Question<'q> {
    /// Its code, with all that is linked with it.
    pub module: &'q Module,
    /// The source files whose lines are places, by their whole paths; the first one has `main`.
    pub files: &'q [SourceFile],
    /// Their texts, one after the other.
    pub text: &'q str,
    /// Number of processes, at least 1.
    pub ranks: u32,
    /// What the program is started with, after its name.
    pub arguments: &'q [String],
    /// Added to each value, so that so negative ones can be followed.
    pub bias: u32,
    /// How much is told apart.
    pub detail: Detail,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The file.
    pub path: PathBuf,
    /// Where its text begins.
    pub start: usize,
}

/// Why an answer about the calculus may be none about the C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The number of the source file.
    pub file: usize,
    /// The line in it; 0 if there is none.
    pub line: u32,
    /// What is not known.
    pub text: String,
    /// What comes after it is not followed at all.
    pub lost: bool,
}

/// What was made of a program.
#[derive(Clone, Debug)]
pub struct Extract {
    all_ways: Program,
    certain_ways: Program,
    with_locks: Option<Program>,
    locks: Vec<String>,
    notes: Vec<Note>,
    is_cut: bool,
}

impl Extract {
    /// The program that does all that the C program may do, unless a [note](Self::notes) says that something is lost.
    #[must_use]
    pub fn all_ways(&self) -> &Program {
        &self.all_ways
    }

    /// The program that does only what the C program may do.
    #[must_use]
    pub fn certain_ways(&self) -> &Program {
        &self.certain_ways
    }

    /// The program with certain ways that goes on at locks, if there are any: a lock is a cell in it, by which more is
    /// ordered than a library need order. A computation of it is one of the C program; so is a cycle of which no access
    /// is to a [lock](Self::is_lock).
    #[must_use]
    pub fn with_locks(&self) -> Option<&Program> {
        self.with_locks.as_ref()
    }

    /// Whether a cell of the program of the calculus stands for a lock, or is next to one.
    #[must_use]
    pub fn is_lock(&self, cell: &str) -> bool {
        let variable = cell.split_once('[').map_or(cell, |(variable, _)| variable);
        self.locks.iter().any(|lock| lock == variable)
    }

    /// Where exactness is lost; none if both programs are the C program.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether there was more to tell apart than the [`Detail`] allows.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether nothing of the C program was left out.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.notes.iter().any(|note| note.lost)
    }
}

/// Whether a program of the calculus that was made of one with MPI waits for messages somewhere.
#[must_use]
pub fn waits_for_messages(program: &Program) -> bool {
    let is_queue = |name: &str| name == declare::MESSAGES;
    program.declarations.iter().any(|one| is_queue(&one.name.text))
}

/// Follows a program.
#[must_use]
pub fn extract(question: &Question<'_>) -> Extract {
    let lines = Lines::of(question.files, question.text);
    let mut tables = Tables::default();
    let mut knowledge = Knowledge::new(i64::from(question.bias), question.detail);
    let mut graphs = Vec::new();
    for attempt in 0..MOST_ATTEMPTS {
        knowledge.begin_attempt();
        graphs = (0..question.ranks)
            .map(|rank| {
                let ranks = (rank, question.ranks);
                machine::follow(
                    question.module,
                    &lines,
                    &mut tables,
                    &mut knowledge,
                    api_of(question.module),
                    question.arguments,
                    ranks,
                )
            })
            .collect();
        learn(&graphs, &mut knowledge);
        let grown = tables.take_grown();
        if !knowledge.take_changed() && !grown {
            break;
        }
        if attempt + 1 == MOST_ATTEMPTS {
            let note = tables.note(
                0,
                "it is not known after many attempts which values decide".to_owned(),
            );
            graphs
                .iter_mut()
                .for_each(|graph| graph.push(0, graph::Step::Lost(note)));
        }
    }
    if idle::is_idle(question.module, &graphs) {
        let text = "as it is started, the program comes to none of its one-sided operations; --args gives it arguments";
        let note = tables.note(0, text.to_owned());
        graphs
            .iter_mut()
            .for_each(|graph| graph.push(0, graph::Step::Less(note)));
    }
    finish(question, &lines, &graphs, &tables, &mut knowledge)
}

/// The table of whose calls a program makes; none for MPI. One that makes those of two libraries is followed up to the
/// first of the other one.
fn api_of(module: &Module) -> Option<Api> {
    let calls = |start: &str| {
        module
            .functions
            .iter()
            .any(|function| function.name.starts_with(start))
    };
    if calls("shmem_") {
        Some(Api::Shmem)
    } else if calls("gaspi_") {
        Some(Api::Gaspi17)
    } else {
        None
    }
}

/// What conditions that are left depend on is followed from now on.
fn learn(graphs: &[Graph], knowledge: &mut Knowledge) {
    for graph in graphs {
        for node in graph.reachable() {
            if let Next::Either(_, Cause::Memory(span), _) = graph.next(node) {
                knowledge.follow(*span);
            }
        }
    }
}

fn finish(
    question: &Question<'_>,
    lines: &Lines<'_>,
    graphs: &[Graph],
    tables: &Tables,
    knowledge: &mut Knowledge,
) -> Extract {
    let mut notes: Vec<(tables::NoteId, bool)> = graphs.iter().flat_map(program::notes).collect();
    notes.sort_unstable();
    notes.dedup();
    let notes = notes
        .into_iter()
        .map(|(note, lost)| {
            let (line, text) = tables.note_text(note);
            let (file, line) = lines.in_file(line);
            Note {
                file,
                line,
                text: text.to_owned(),
                lost,
            }
        })
        .collect();
    let first = question.files.first().and_then(|file| file.path.file_stem());
    let stem = first.unwrap_or_default().to_string_lossy();
    let name: String = stem
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '-' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let mut declarations = declare::memory(question.module, tables, knowledge);
    declarations.extend(declare::windows(tables, knowledge, question.ranks));
    let locks: Vec<String> = knowledge
        .locks()
        .map(|lock| declare::variable(tables, lock))
        .collect();
    let made = |ways| {
        let about = Vec::new();
        program::program(
            &name,
            about,
            api_of(question.module),
            declarations.clone(),
            graphs,
            ways,
        )
    };
    Extract {
        all_ways: made(Ways::All),
        certain_ways: made(Ways::Certain),
        with_locks: (!locks.is_empty()).then(|| made(Ways::Locked)),
        locks,
        notes,
        is_cut: knowledge.is_cut(),
    }
}
