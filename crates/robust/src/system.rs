//! What a search goes through: states that are rows of numbers, and the steps between them.

use farside_pgas::calculus::{Command, Program};

/// A step of a path; enough to repeat it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The process; [`BARRIER`] for a barrier.
    pub(crate) rank: u16,
    /// Index of its transition; for a barrier, a number for those of all processes.
    pub(crate) transition: u32,
    /// The parts of popa and popb.
    pub(crate) parts: (u8, u8),
}

/// The rank of a step of all processes.
pub(crate) const BARRIER: u16 = u16::MAX;

/// No step: how the first state is reached.
pub(crate) const NOWHERE: Step = Step {
    rank: 0,
    transition: 0,
    parts: (0, 0),
};

/// Something that goes wrong under sequential consistency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrong {
    Assertion,
    DivisionByZero,
    OutOfRange,
    /// It makes this value.
    OutsideDomain(i64),
}

/// What a visitor gets.
pub(crate) trait Visitor {
    /// A next state; whether its own steps are still to be looked at.
    fn next(&mut self, state: &[u32], step: Step) -> bool;
    /// A violation, closed by this step.
    fn violation(&mut self, last: Step);
    /// A failure of the transition of a rank, before anything was delayed.
    fn wrong(&mut self, rank: usize, transition: usize, wrong: Wrong);
}

/// Something to search.
pub(crate) trait System {
    /// The first state.
    fn first(&self) -> Vec<u32>;

    /// All steps from a state, or enough of them.
    fn expand(&self, state: &[u32], visitor: &mut impl Visitor);

    /// Takes steps that concern nobody but the process that does them, until there is none, and tells each of them.
    fn settle(&self, state: &mut Vec<u32>, taken: &mut dyn FnMut(Step));

    /// Renames processes, so that states that differ in names only are one. Gives the new name of each process, if any
    /// is new.
    fn rename(&self, state: &mut Vec<u32>) -> Option<Vec<usize>>;

    /// Number of processes.
    fn ranks(&self) -> usize;

    /// The control states of the processes.
    fn controls(&self, state: &[u32]) -> Vec<usize>;

    /// The transitions that leave control states.
    fn outgoing(&self) -> &Outgoing;
}

/// The transitions that leave each control state of each process.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    /// By code and control state: all, and the barriers among them.
    by_state: Vec<Vec<(Vec<usize>, Vec<usize>)>>,
    code_of_rank: Vec<usize>,
}

impl Outgoing {
    pub(crate) fn new(program: &Program) -> Self {
        let of_code = |code: &farside_pgas::calculus::Automaton| {
            let mut by_state = vec![(Vec::new(), Vec::new()); code.states];
            for (index, transition) in code.transitions.iter().enumerate() {
                by_state[transition.from].0.push(index);
                if transition.command == Command::Barrier {
                    by_state[transition.from].1.push(index);
                }
            }
            by_state
        };
        Self {
            by_state: program.codes.iter().map(of_code).collect(),
            code_of_rank: program.code_of_rank.clone(),
        }
    }

    /// All transitions.
    pub(crate) fn all(&self, rank: usize, control: usize) -> &[usize] {
        &self.by_state[self.code_of_rank[rank]][control].0
    }

    /// Whether a barrier is among them.
    pub(crate) fn at_barrier(&self, rank: usize, control: usize) -> bool {
        !self.by_state[self.code_of_rank[rank]][control].1.is_empty()
    }

    /// How many ways there are through a barrier from these control states.
    pub(crate) fn barriers(&self, controls: &[usize]) -> usize {
        self.choices(controls).map(<[usize]>::len).product()
    }

    /// The transition of each rank on one of them.
    pub(crate) fn barrier(&self, controls: &[usize], mut number: usize) -> Vec<usize> {
        self.choices(controls)
            .map(|choice| {
                let index = choice[number % choice.len()];
                number /= choice.len();
                index
            })
            .collect()
    }

    fn choices<'s>(&'s self, controls: &'s [usize]) -> impl Iterator<Item = &'s [usize]> {
        let of =
            |(rank, &control): (usize, &usize)| self.by_state[self.code_of_rank[rank]][control].1.as_slice();
        controls.iter().enumerate().map(of)
    }
}

/// Why a command cannot be issued, if it is the program's mistake.
pub(crate) fn mistake(undefined: farside_pgas::calculus::Undefined) -> Wrong {
    match undefined {
        farside_pgas::calculus::Undefined::DivisionByZero => Wrong::DivisionByZero,
        farside_pgas::calculus::Undefined::OutOfRange => Wrong::OutOfRange,
        farside_pgas::calculus::Undefined::OutsideDomain(value) => Wrong::OutsideDomain(value),
    }
}
