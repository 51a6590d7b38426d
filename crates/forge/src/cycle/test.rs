//! A cycle as a litmus program.

use super::{Between, Completion, Cycle, Relation, is_operation, reads, writes};
use crate::Kind;
use crate::test::letters;
use farside_litmus::ast::{
    Access, Atomicity, Condition, Expression, Observable, Place, Process, Program, Proposition, Quantifier,
    Queue, Rank, RegisterId, Statement, StatementKind, Value, Variable, VariableId,
};

/// Where locations are that no process loads or stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Targets {
    /// All at one further process, which has no statements.
    #[default]
    One,
    /// Each at a process of its own.
    Apart,
}

/// What a get or an rga leaves where its result has not come.
const NOTHING: i64 = -1;

impl Cycle {
    /// The test that asks for the cycle: `exists` of the values that its Rf, Fr and Co edges demand.
    #[must_use]
    pub fn program(&self, targets: Targets) -> Program {
        let mut test = Builder::new(self, targets);
        for event in 0..self.events.len() {
            test.access(event);
            test.completion(event);
        }
        test.last_writes();
        test.finish()
    }

    /// Whether the places of its variables are not the same for every [`Targets`].
    #[must_use]
    pub fn has_targets_apart(&self) -> bool {
        let free = |location: &usize| matches!(self.owner(*location), Ok(None));
        (0..self.locations()).filter(free).count() > 1
    }

    /// The place of a write among those of its location, from 1: what it writes.
    fn value(&self, write: usize) -> i64 {
        let others = self
            .writes(self.events[write].location)
            .into_iter()
            .filter(|&other| other != write);
        let earlier = others.filter(|&other| match self.comes_before(write, other) {
            true => false,
            false => self.comes_before(other, write) || other < write,
        });
        1 + earlier.count() as i64
    }

    /// What a read must return for the edges beside it; none if they demand nothing.
    fn read(&self, read: usize) -> Option<i64> {
        let before = (read + self.events.len() - 1) % self.events.len();
        let relation = |edge: usize| match self.edges[edge].order {
            Between::Communication { relation, .. } => Some(relation),
            Between::Program { .. } => None,
        };
        if writes(self.events[read].kind) {
            // An rga reads what was there before it wrote.
            Some(self.value(read) - 1)
        } else if relation(before) == Some(Relation::Rf) {
            Some(self.value(before))
        } else if relation(read) == Some(Relation::Fr) {
            Some(self.value(self.next(read)) - 1)
        } else {
            None
        }
    }
}

struct Builder<'c> {
    cycle: &'c Cycle,
    processes: Vec<Process>,
    variables: Vec<Variable>,
    wanted: Vec<Proposition>,
}

impl<'c> Builder<'c> {
    fn new(cycle: &'c Cycle, targets: Targets) -> Self {
        let mut processes = vec![Process::default(); cycle.processes()];
        let mut variables = Vec::new();
        for location in 0..cycle.locations() {
            // A cycle that was made has one owner at most.
            let owner = cycle.owner(location).ok().flatten().unwrap_or_else(|| {
                let passive = processes.len() > cycle.processes();
                if targets == Targets::Apart || !passive {
                    processes.push(Process::default());
                }
                processes.len() - 1
            });
            let name = ["X", "Y", "Z", "U", "V", "W"].get(location);
            variables.push(Variable {
                name: name.map_or_else(|| format!("V{location}"), |&name| name.to_owned()),
                owner: rank(owner),
                value: 0,
                place: Place::default(),
            });
        }
        Self {
            cycle,
            processes,
            variables,
            wanted: Vec::new(),
        }
    }

    /// A variable that only one statement uses.
    fn variable(&mut self, letter: char, process: usize, value: i64) -> Access {
        let same = self
            .variables
            .iter()
            .filter(|variable| variable.name.starts_with(letter));
        let number = 1 + same.filter(|variable| variable.name.len() > 1).count();
        self.variables.push(Variable {
            name: format!("{letter}{number}"),
            owner: rank(process),
            value,
            place: Place::default(),
        });
        atomic(self.variables.len() - 1)
    }

    /// The statement of an event.
    fn access(&mut self, index: usize) {
        let event = self.cycle.events[index];
        let target = atomic(event.location);
        let wanted = reads(event.kind).then(|| self.cycle.read(index)).flatten();
        let kind = match event.kind {
            Kind::Load => {
                let registers: usize = self.processes.iter().map(|process| process.registers.len()).sum();
                let register = RegisterId(self.processes[event.process].registers.len() as u32);
                self.processes[event.process]
                    .registers
                    .push(letters('a', registers as u8));
                self.want(wanted, Observable::Register(rank(event.process), register));
                StatementKind::Load {
                    into: register,
                    from: target,
                }
            }
            Kind::Store => StatementKind::Store {
                into: target,
                value: Expression::Number(self.cycle.value(index)),
            },
            Kind::Put => {
                let from = self.variable('S', event.process, self.cycle.value(index));
                StatementKind::Put { target, from }
            }
            Kind::Get => {
                let into = self.variable('T', event.process, NOTHING);
                self.want(wanted, Observable::Variable(into.variable));
                StatementKind::Get { into, target }
            }
            // A cycle has no other kinds.
            Kind::Rga | Kind::Cas | Kind::Flush => {
                let into = self.variable('T', event.process, NOTHING);
                let operand = self.variable('S', event.process, 1);
                self.want(wanted, Observable::Variable(into.variable));
                StatementKind::Rga {
                    into,
                    target,
                    operand,
                }
            }
        };
        self.push(event.process, kind);
    }

    /// What stands between an event and the next one.
    fn completion(&mut self, index: usize) {
        let Between::Program {
            completion: Some(completion),
            ..
        } = self.cycle.edges[index].order
        else {
            return;
        };
        let [first, second] = [index, self.cycle.next(index)].map(|event| self.cycle.events[event]);
        // Of a load or a store and an operation, it is the operation's.
        let operation = if is_operation(first.kind) { first } else { second };
        let target = self.variables[operation.location].owner;
        self.push(
            first.process,
            match completion {
                Completion::Flush => StatementKind::Flush(target),
                Completion::FlushLocal => StatementKind::FlushLocal(target),
                Completion::Wait => StatementKind::WaitQueue(Queue(0)),
            },
        );
    }

    /// Two writes of a location: the last one is seen when all is done.
    fn last_writes(&mut self) {
        for location in 0..self.cycle.locations() {
            let writes = self.cycle.writes(location);
            if let [first, second] = writes[..]
                && (self.cycle.comes_before(first, second) || self.cycle.comes_before(second, first))
            {
                let last = self.cycle.value(first).max(self.cycle.value(second));
                self.want(Some(last), Observable::Variable(VariableId(location as u32)));
            }
        }
    }

    fn want(&mut self, value: Option<i64>, seen: Observable) {
        self.wanted
            .extend(value.map(|value| Proposition::Equal(seen, Value::Known(value))));
    }

    fn push(&mut self, process: usize, kind: StatementKind) {
        self.processes[process].statements.push(Statement {
            kind,
            place: Place::default(),
        });
    }

    fn finish(self) -> Program {
        let and = |left, right| Proposition::And(Box::new(left), Box::new(right));
        let proposition = self.wanted.into_iter().reduce(and);
        Program {
            name: self.cycle.to_string(),
            about: Vec::new(),
            accesses: Atomicity::Atomic,
            variables: self.variables,
            processes: self.processes,
            locations: Vec::new(),
            filter: None,
            condition: proposition.map(|proposition| Condition {
                quantifier: Quantifier::Exists,
                proposition,
            }),
        }
    }
}

fn rank(process: usize) -> Rank {
    Rank(process as u32)
}

fn atomic(variable: usize) -> Access {
    Access {
        variable: VariableId(variable as u32),
        atomicity: Atomicity::Atomic,
    }
}
