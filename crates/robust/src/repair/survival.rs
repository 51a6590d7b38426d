//! Whether a violating computation is still one when something is put into the program.
//!
//! Promise: [`Course::survives`] says "yes" only if the computation, with inserted commands taken as late as possible,
//! is one of the changed program and has a happens-before cycle: both are seen by replaying it. "No" may be wrong,
//! which costs the search time and nothing else.
//!
//! What is put into one gap is looked at in one program with all of it, in which some do nothing.

use crate::{Action, Event, Kind, cycle, replay};
use farside_pgas::calculus::{Command, Expression, Program, Transition};
use farside_pgas::change::INSERTED;
use std::collections::VecDeque;
use std::ops::Range;

/// A computation without what was inserted, in terms of the text.
pub(super) struct Course {
    steps: Vec<Step>,
}

enum Step {
    /// Commands that happen together: of all processes for a barrier, else one.
    Commands(Vec<Taken>),
    Popa(usize),
    Popb(usize),
}

struct Taken {
    rank: usize,
    command: usize,
    /// Where it stands.
    place: usize,
    /// What it does, but for queues and handles, whose numbers change.
    what: Command,
}

impl Course {
    pub(super) fn new(program: &Program, events: &[Event]) -> Self {
        let mut steps: Vec<Step> = Vec::new();
        let mut barrier = None;
        for event in events {
            match event.kind {
                Kind::Popa => steps.push(Step::Popa(event.command)),
                Kind::Popb => steps.push(Step::Popb(event.command)),
                _ => {
                    let code = &program.codes[program.code_of_rank[event.rank]];
                    let transition = &code.transitions[event.transition];
                    if is_inserted(transition) {
                        continue;
                    }
                    let taken = Taken {
                        rank: event.rank,
                        command: event.command,
                        place: transition.origin.place.0.start,
                        what: unqueued(&transition.command),
                    };
                    match steps.last_mut() {
                        Some(Step::Commands(together)) if barrier.is_some() && barrier == event.barrier => {
                            together.push(taken);
                        }
                        _ => steps.push(Step::Commands(vec![taken])),
                    }
                    barrier = event.barrier;
                }
            }
        }
        Self { steps }
    }

    /// Whether a statement is executed.
    pub(super) fn has(&self, statement: usize) -> bool {
        self.steps.iter().any(|step| {
            matches!(step, Step::Commands(together) if together.iter().any(|taken| taken.place == statement))
        })
    }

    pub(super) fn survives(&self, program: &Program) -> bool {
        let mut guide = Guide {
            program,
            controls: vec![0; program.ranks as usize],
            actions: Vec::new(),
            // Numbers of inserted commands begin after all others.
            next: self.steps.iter().map(Step::largest).max().unwrap_or(0) + 1,
        };
        guide.follow(&self.steps).is_some()
            && replay(program, &guide.actions).is_some_and(|events| cycle(&events).is_some())
    }

    /// Which inserted waits and fences of a program with many may break the computation when each is looked at alone,
    /// beside those before the first of them; by number. What all of some do not break, none of them does.
    pub(super) fn broken_by(&self, row: &Program, first: usize, numbers: Range<usize>) -> Vec<usize> {
        let is_here = |transition: &Transition| {
            let number = transition.origin.place.0.start.checked_sub(INSERTED);
            number.is_none_or(|number| number < first || numbers.contains(&number))
        };
        if numbers.is_empty() || self.survives(&only(row, &is_here)) {
            return Vec::new();
        }
        if numbers.len() == 1 {
            return vec![numbers.start];
        }
        let middle = numbers.start + numbers.len() / 2;
        let mut broken = self.broken_by(row, first, numbers.start..middle);
        broken.extend(self.broken_by(row, first, middle..numbers.end));
        broken
    }
}

/// The program in which other commands than these do nothing.
fn only(program: &Program, kept: &dyn Fn(&Transition) -> bool) -> Program {
    let mut program = program.clone();
    for transition in program.codes.iter_mut().flat_map(|code| &mut code.transitions) {
        if !kept(transition) {
            transition.command = Command::Assume {
                condition: Expression::Constant(1),
                asserted: false,
            };
        }
    }
    program
}

impl Step {
    fn largest(&self) -> usize {
        match self {
            Self::Commands(together) => together.iter().map(|taken| taken.command).max().unwrap_or(0),
            Self::Popa(command) | Self::Popb(command) => *command,
        }
    }
}

/// Finds the computation in the changed program.
struct Guide<'p> {
    program: &'p Program,
    controls: Vec<usize>,
    actions: Vec<Action>,
    next: usize,
}

impl Guide<'_> {
    fn follow(&mut self, steps: &[Step]) -> Option<()> {
        for step in steps {
            match step {
                Step::Popa(command) => self.actions.push(Action::Popa { command: *command }),
                Step::Popb(command) => self.actions.push(Action::Popb { command: *command }),
                Step::Commands(together) => {
                    let mut last = Vec::new();
                    for taken in together {
                        let wanted = |transition: &Transition| {
                            transition.origin.place.0.start == taken.place
                                && unqueued(&transition.command) == taken.what
                        };
                        last.push((taken, self.reach(taken.rank, &wanted)?));
                    }
                    for (taken, transition) in last {
                        self.take(taken.rank, transition, taken.command);
                    }
                }
            }
        }
        Some(())
    }

    /// Takes inserted commands up to a transition that is wanted.
    fn reach(&mut self, rank: usize, wanted: &dyn Fn(&Transition) -> bool) -> Option<usize> {
        loop {
            let path = self.path(rank, wanted)?;
            let [before @ .., last] = path.as_slice() else {
                return None;
            };
            let Some(&first) = before.first() else {
                return Some(*last);
            };
            if self.transition(rank, first).command == Command::Barrier {
                self.meet(rank, first)?;
            } else {
                self.step(rank, first);
            }
        }
    }

    /// An inserted barrier: all processes must be able to come to it now.
    fn meet(&mut self, rank: usize, first: usize) -> Option<()> {
        let place = self.transition(rank, first).origin.place.0.start;
        let here = |transition: &Transition| {
            transition.command == Command::Barrier && transition.origin.place.0.start == place
        };
        let mut last = Vec::new();
        for other in 0..self.controls.len() {
            let path = self.path(other, &here)?;
            let (&at, before) = path.split_last()?;
            for &transition in before {
                if self.transition(other, transition).command == Command::Barrier {
                    return None;
                }
                self.step(other, transition);
            }
            last.push((other, at));
        }
        for (other, transition) in last {
            self.step(other, transition);
        }
        Some(())
    }

    /// The shortest way of inserted commands to a transition that is wanted, that one included.
    fn path(&self, rank: usize, wanted: &dyn Fn(&Transition) -> bool) -> Option<Vec<usize>> {
        let code = &self.program.codes[self.program.code_of_rank[rank]];
        let mut before: Vec<Option<(usize, usize)>> = vec![None; code.states];
        let mut queue = VecDeque::from([self.controls[rank]]);
        let mut seen = vec![false; code.states];
        seen[self.controls[rank]] = true;
        while let Some(state) = queue.pop_front() {
            let first = code
                .transitions
                .partition_point(|transition| transition.from < state);
            for (index, transition) in code.transitions.iter().enumerate().skip(first) {
                if transition.from != state {
                    break;
                }
                if wanted(transition) {
                    let mut path = vec![index];
                    let mut at = state;
                    while let Some((state, index)) = before[at] {
                        path.push(index);
                        at = state;
                    }
                    path.reverse();
                    return Some(path);
                }
                if is_inserted(transition) && !seen[transition.to] {
                    seen[transition.to] = true;
                    before[transition.to] = Some((state, index));
                    queue.push_back(transition.to);
                }
            }
        }
        None
    }

    fn transition(&self, rank: usize, index: usize) -> &Transition {
        &self.program.codes[self.program.code_of_rank[rank]].transitions[index]
    }

    fn step(&mut self, rank: usize, transition: usize) {
        let command = self.next;
        self.next += 1;
        self.take(rank, transition, command);
    }

    fn take(&mut self, rank: usize, transition: usize, command: usize) {
        self.controls[rank] = self.transition(rank, transition).to;
        self.actions.push(Action::Command {
            rank,
            transition,
            command,
        });
    }
}

fn is_inserted(transition: &Transition) -> bool {
    transition.origin.place.0.start >= INSERTED
}

/// The command without queues and handles.
fn unqueued(command: &Command) -> Command {
    const NONE: Expression = Expression::Constant(0);
    let mut command = command.clone();
    match &mut command {
        Command::Transfer(transfer) => (transfer.queue, transfer.handle) = (NONE, None),
        Command::Atomic(atomic) => (atomic.queue, atomic.handle) = (NONE, None),
        Command::Wait { queues, handles, .. } => {
            queues.clear();
            handles.clear();
        }
        Command::Fence { queue, .. } => *queue = NONE,
        _ => {}
    }
    command
}
