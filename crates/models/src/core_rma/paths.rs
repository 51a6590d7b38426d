//! The paths of a program: every combination of ways through its processes, as actions.

use super::action::{Parts, Path};
use super::control::{self, Unfit, Ways};
use super::translation::{ReadWrites, Reading, Translation};
use super::value::Term;
use super::{Completion, CoreModel, Switch};
use farside_litmus::ast::{Atomicity, Program, Rank, VariableId};

/// All paths of a program, one for each combination of ways through its processes.
#[derive(Debug)]
pub struct Paths<'p> {
    reading: Reading<'p>,
    ways: Ways<'p>,
    /// The next combination; none when all are done.
    next: Option<Vec<usize>>,
}

/// The paths of `program` under `model`. `observed` are variables whose final value is asked for.
///
/// # Errors
/// A statement that coreRMA does not have; too many ways through the program.
pub fn paths<'p>(
    program: &'p Program,
    model: &CoreModel,
    observed: &[VariableId],
) -> Result<Paths<'p>, Unfit> {
    let ways = control::ways(program, model)?;
    let some = ways.processes.iter().all(|ways| !ways.is_empty());
    let marked = match program.accesses {
        Atomicity::Atomic => Atomicity::NonAtomic,
        Atomicity::NonAtomic => Atomicity::Atomic,
    };
    Ok(Paths {
        reading: Reading {
            program,
            atomicity: [model.accesses.unwrap_or(program.accesses), marked],
            read_writes: match model.completion {
                _ if model.switches.has(Switch::RmwRemoteOnly) => ReadWrites::Split,
                Completion::Queues => ReadWrites::Atomic,
                Completion::Flushes => ReadWrites::Marked,
            },
            observed: observed.to_vec(),
        },
        next: some.then(|| vec![0; ways.processes.len()]),
        ways,
    })
}

impl Paths<'_> {
    /// Whether a loop ended at its bound on some way.
    #[must_use]
    pub fn bounded(&self) -> bool {
        self.ways.bounded
    }
}

impl Iterator for Paths<'_> {
    type Item = Result<Path, Unfit>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut choice = self.next.take()?;
        let path = self.translate(&choice);
        let more = choice.iter_mut().zip(&self.ways.processes).any(|(choice, ways)| {
            *choice += 1;
            if *choice == ways.len() {
                *choice = 0;
            }
            *choice != 0
        });
        self.next = more.then_some(choice);
        Some(path)
    }
}

impl Paths<'_> {
    fn translate(&self, choice: &[usize]) -> Result<Path, Unfit> {
        let steps = || {
            choice
                .iter()
                .zip(&self.ways.processes)
                .map(|(&choice, ways)| ways[choice].as_slice())
        };
        let mut translation = Translation::new(&self.reading);
        translation.first_values(steps());
        for (rank, steps) in (0..).zip(steps()) {
            translation.process(Rank(rank), steps)?;
        }
        let mut path = translation.path;
        let barriers = |rank: u32| {
            let of = path
                .statements
                .iter()
                .filter(|statement| statement.rank.0 == rank);
            of.filter(|statement| matches!(statement.parts, Parts::Barrier { .. }))
                .count()
        };
        if (0..).zip(choice).any(|(rank, _)| barriers(rank) != barriers(0)) {
            // Some process waits in a barrier for ever: no execution takes this path.
            path.branches.push((Term::Number(0), true));
        }
        if path.actions.len() > farside_relations::MAX {
            return Err(Unfit::TooManyActions {
                actions: path.actions.len(),
            });
        }
        Ok(path)
    }
}
