//! From statements to actions (paper, Table 3).

mod queues;

use super::accessed::accessed;
use super::action::{Action, ActionKind, Executed, Parts, Path, ReadWrite};
use super::control::{Step, Unfit};
use super::value::{self, Source, Term};
use farside_litmus::ast::{
    Access, Atomicity, BinaryOperator, Expression, Operation, Place, Program, Queue, Rank, StatementKind,
    VariableId,
};

/// Registers that may be computed on a path.
const MOST_ASSIGNED: usize = 256;

/// What the read-write of an rga or cas is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadWrites {
    /// One action, atomic if marked so.
    Marked,
    /// One action, atomic whatever accesses are.
    Atomic,
    /// Two actions.
    Split,
}

/// How statements are read under a model.
#[derive(Debug)]
pub(super) struct Reading<'p> {
    pub(super) program: &'p Program,
    /// What unmarked and marked accesses are.
    pub(super) atomicity: [Atomicity; 2],
    /// What read-writes are.
    pub(super) read_writes: ReadWrites,
    pub(super) observed: Vec<VariableId>,
}

/// A path being built.
pub(super) struct Translation<'t, 'p> {
    reading: &'t Reading<'p>,
    pub(super) path: Path,
    /// Of the process at hand: what its registers hold.
    registers: Vec<Term>,
    rank: Rank,
    ordinal: usize,
    place: Place,
    /// What the statement at hand is handed to.
    queue: Option<Queue>,
    /// The program says so.
    is_handed: bool,
    /// Barriers that the process has come to.
    barriers: usize,
}

impl<'t, 'p> Translation<'t, 'p> {
    pub(super) fn new(reading: &'t Reading<'p>) -> Self {
        Self {
            reading,
            path: Path {
                actions: Vec::with_capacity(24),
                written: Vec::with_capacity(24),
                statements: Vec::with_capacity(12),
                assigned: Vec::new(),
                branches: Vec::new(),
                registers: Vec::with_capacity(reading.program.processes.len()),
            },
            registers: Vec::new(),
            rank: Rank(0),
            ordinal: 0,
            place: Place::default(),
            queue: None,
            is_handed: false,
            barriers: 0,
        }
    }

    /// First values of the variables that the path accesses or that are observed.
    pub(super) fn first_values<'s>(&mut self, steps: impl Iterator<Item = &'s [Step<'p>]>)
    where
        'p: 's,
    {
        let variables = &self.reading.program.variables;
        let mut used = vec![false; variables.len()];
        for variable in &self.reading.observed {
            used[variable.0 as usize] = true;
        }
        for step in steps.flatten() {
            if let Step::Simple { statement, .. } = step {
                accessed(&statement.kind, &mut |variable, _| {
                    used[variable.0 as usize] = true
                });
            }
        }
        for ((index, variable), _) in (0..).zip(variables).zip(used).filter(|&(_, used)| used) {
            self.path.actions.push(Action {
                kind: ActionKind::FirstValue,
                atomicity: Atomicity::Atomic,
                source: variable.owner,
                destination: variable.owner,
                reads: None,
                writes: Some(VariableId(index)),
                statement: None,
            });
            self.path
                .written
                .push(Some(Source::Term(Term::Number(variable.value))));
        }
    }

    pub(super) fn process(&mut self, rank: Rank, steps: &[Step<'p>]) -> Result<(), Unfit> {
        self.rank = rank;
        self.ordinal = 0;
        self.barriers = 0;
        let registers = self.reading.program.processes[rank.0 as usize].registers.len();
        self.registers = vec![Term::Number(0); registers];
        for step in steps {
            match step {
                Step::Branch { condition, holds } => {
                    let term = self.term(condition);
                    self.path.branches.push((term, *holds));
                }
                Step::Simple { statement, succeeds } => {
                    self.place = statement.place.clone();
                    let (kind, queue) = match &statement.kind {
                        StatementKind::On { queue, operation } => (&**operation, *queue),
                        kind => (kind, Queue(0)),
                    };
                    self.queue = Some(queue);
                    self.is_handed = matches!(statement.kind, StatementKind::On { .. });
                    if !self.statement(kind, *succeeds)? {
                        return Err(Unfit::NoSuchStatement {
                            rank,
                            statement: Box::new((*statement).clone()),
                        });
                    }
                    self.ordinal += 1;
                }
            }
        }
        let registers = std::mem::take(&mut self.registers);
        self.path.registers.push(registers);
        Ok(())
    }

    /// Table 3, and what queues add. Whether there is such a statement.
    fn statement(&mut self, kind: &StatementKind, succeeds: Option<bool>) -> Result<bool, Unfit> {
        match kind {
            StatementKind::Assign { into, value } => {
                let term = match self.term(value) {
                    term @ (Term::Number(_) | Term::Read(_) | Term::Assigned(_)) => term,
                    term => {
                        if self.path.assigned.len() == MOST_ASSIGNED {
                            return Err(Unfit::TooManyWays);
                        }
                        self.path.assigned.push(term);
                        Term::Assigned(self.path.assigned.len() - 1)
                    }
                };
                self.registers[into.0 as usize] = term;
            }
            StatementKind::Load { into, from } => {
                let l = self.local_read(*from);
                self.registers[into.0 as usize] = Term::Read(l);
                self.execute(Parts::Local(l));
            }
            StatementKind::Store { into, value } => {
                let source = Source::Term(self.term(value));
                let l = self.writer(ActionKind::LocalWrite, *into, source);
                self.execute(Parts::Local(l));
            }
            StatementKind::Get { into, target } => {
                let er = self.reader(*target);
                let ew = self.writer(ActionKind::ExternalWrite, *into, Source::Copy(er));
                self.execute(Parts::Get { er, ew });
            }
            StatementKind::Put { target, from } => {
                let er = self.reader(*from);
                let ew = self.writer(ActionKind::ExternalWrite, *target, Source::Copy(er));
                self.execute(Parts::Put { er, ew });
            }
            StatementKind::Rga {
                into,
                target,
                operand,
            } => {
                self.rga(*into, *target, *operand, Operation::Sum);
            }
            StatementKind::GetAccumulate {
                into,
                target,
                operand,
                operation,
            }
            | StatementKind::FetchAndOp {
                into,
                target,
                operand,
                operation,
            } => self.rga(*into, *target, *operand, *operation),
            StatementKind::Cas {
                into,
                target,
                compare,
                swap,
            }
            | StatementKind::CompareAndSwap {
                into,
                target,
                compare,
                swap,
            } => self.cas(*into, *target, [*compare, *swap], succeeds),
            StatementKind::Flush(destination) => self.flush(*destination),
            StatementKind::FlushAll => {
                for (rank, _) in (0..).zip(&self.reading.program.processes) {
                    self.flush(Rank(rank));
                }
            }
            kind => return Ok(self.queues(kind)),
        }
        Ok(true)
    }

    fn rga(&mut self, into: Access, target: Access, operand: Access, operation: Operation) {
        let er = self.reader(operand);
        let erw = self.read_write(target, |stored| Source::Operation {
            operation,
            stored,
            operand: er,
        });
        let ew = self.writer(ActionKind::ExternalWrite, into, Source::Copy(erw.read));
        self.execute(Parts::Rga { er, erw, ew });
    }

    fn cas(&mut self, into: Access, target: Access, operands: [Access; 2], succeeds: Option<bool>) {
        let [er1, er2] = operands.map(|operand| self.reader(operand));
        let erw = self.read_write(target, |stored| Source::CompareAndSwap {
            stored,
            compare: er1,
            swap: er2,
        });
        let ew = self.writer(ActionKind::ExternalWrite, into, Source::Copy(erw.read));
        if let Some(succeeds) = succeeds {
            let equal = Term::Binary(
                BinaryOperator::Equal,
                Box::new(Term::Read(er1)),
                Box::new(Term::Read(erw.read)),
            );
            self.path.branches.push((equal, succeeds));
        }
        self.execute(Parts::Cas {
            er1,
            er2,
            erw,
            ew,
            succeeds,
        });
    }

    fn read_write(&mut self, target: Access, source: impl Fn(usize) -> Source) -> ReadWrite {
        let next = self.path.actions.len();
        if self.reading.read_writes == ReadWrites::Split {
            let read = self.reader(target);
            let write = self.writer(ActionKind::ExternalWrite, target, source(read));
            return ReadWrite { read, write };
        }
        let variable = Some(target.variable);
        self.action(
            ActionKind::ExternalReadWrite,
            target,
            variable,
            variable,
            Some(source(next)),
        );
        if self.reading.read_writes == ReadWrites::Atomic {
            self.path.actions[next].atomicity = Atomicity::Atomic;
        }
        ReadWrite {
            read: next,
            write: next,
        }
    }

    fn local_read(&mut self, access: Access) -> usize {
        self.action(ActionKind::LocalRead, access, Some(access.variable), None, None)
    }

    fn reader(&mut self, access: Access) -> usize {
        self.action(
            ActionKind::ExternalRead,
            access,
            Some(access.variable),
            None,
            None,
        )
    }

    fn writer(&mut self, kind: ActionKind, access: Access, source: Source) -> usize {
        self.action(kind, access, None, Some(access.variable), Some(source))
    }

    fn action(
        &mut self,
        kind: ActionKind,
        access: Access,
        reads: Option<VariableId>,
        writes: Option<VariableId>,
        source: Option<Source>,
    ) -> usize {
        let marked = access.atomicity != self.reading.program.accesses;
        self.path.actions.push(Action {
            kind,
            atomicity: self.reading.atomicity[usize::from(marked)],
            source: self.rank,
            destination: self.reading.program.variables[access.variable.0 as usize].owner,
            reads,
            writes,
            statement: Some(self.path.statements.len()),
        });
        self.path.written.push(source);
        self.path.actions.len() - 1
    }

    fn flush(&mut self, destination: Rank) {
        let flush = self.without_memory(ActionKind::Flush, destination);
        self.execute(Parts::Flush(flush));
    }

    fn without_memory(&mut self, kind: ActionKind, destination: Rank) -> usize {
        self.path.actions.push(Action {
            kind,
            atomicity: Atomicity::Atomic,
            source: self.rank,
            destination,
            reads: None,
            writes: None,
            statement: Some(self.path.statements.len()),
        });
        self.path.written.push(None);
        self.path.actions.len() - 1
    }

    fn execute(&mut self, parts: Parts) {
        self.path.statements.push(Executed {
            rank: self.rank,
            ordinal: self.ordinal,
            place: self.place.clone(),
            queue: self.queue.filter(|_| self.is_queued(parts)),
            parts,
        });
    }

    /// Whether such a statement is handed to a queue, or waits for one.
    fn is_queued(&self, parts: Parts) -> bool {
        match parts {
            Parts::Put { .. }
            | Parts::Get { .. }
            | Parts::Notify(_)
            | Parts::PutNotify { .. }
            | Parts::GetNotify { .. } => true,
            Parts::Local(action) => self.path.actions[action].kind == ActionKind::QueueWait,
            // GASPI's atomics have no queue; an interface that has contexts says which.
            Parts::Rga { .. } | Parts::Cas { .. } => self.is_handed,
            Parts::Flush(_) | Parts::Barrier { .. } => false,
        }
    }

    /// The expression with registers replaced by what they hold.
    fn term(&self, expression: &Expression) -> Term {
        match expression {
            Expression::Number(number) => Term::Number(*number),
            Expression::Register(register) => self.registers[register.0 as usize].clone(),
            Expression::Negative(inner) => match self.term(inner) {
                Term::Number(number) => Term::Number(number.wrapping_neg()),
                term => Term::Negative(Box::new(term)),
            },
            Expression::Not(inner) => match self.term(inner) {
                Term::Number(number) => Term::Number(i64::from(number == 0)),
                term => Term::Not(Box::new(term)),
            },
            Expression::Binary(operator, left, right) => match (self.term(left), self.term(right)) {
                (Term::Number(left), Term::Number(right)) => {
                    Term::Number(value::binary(*operator, left, right))
                }
                (left, right) => Term::Binary(*operator, Box::new(left), Box::new(right)),
            },
        }
    }
}
