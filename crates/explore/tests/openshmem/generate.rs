//! Random OpenSHMEM programs: 2 to 3 PEs, few operations, all that orders them.
//!
//! A program is made as a sequence of pieces (an access, a flag that is set and awaited, a barrier), so that many have no
//! race; then some statements are dropped or swapped. No flag is set twice, so none is lost, and whether a program ends
//! does not hang on its schedule.

use farside_litmus::ast::{
    Access, Atomicity, Expression, Notification, Place, Process, Program, Queue, Rank, RegisterId, Statement,
    StatementKind, Variable, VariableId,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The default context.
pub(crate) const DEFAULT: Queue = Queue(0);

/// A random program, and what its words stand for.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) program: Program,
    /// By variable: what it is.
    pub(crate) roles: Vec<Role>,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Symmetric memory that all may access.
    Data,
    /// A flag for atomic_set, or a word for signals.
    Flag,
    /// What a call takes with it or brings in registers: no memory of the program.
    Value,
    /// Says to the model that a blocking get has returned.
    Returned,
}

struct Writer {
    random: SplitMix64,
    ranks: u32,
    processes: Vec<Process>,
    variables: Vec<Variable>,
    roles: Vec<Role>,
    contexts: u32,
}

/// How many data variables a PE has.
const DATA: u32 = 2;

/// The program of a seed, with so many pieces at most.
pub(crate) fn generate(seed: u64, most: u32) -> Case {
    let mut random = SplitMix64::seed_from_u64(seed);
    let ranks = if random.next_u64().is_multiple_of(3) { 3 } else { 2 };
    let mut writer = Writer {
        random,
        ranks,
        processes: vec![Process::default(); ranks as usize],
        variables: Vec::new(),
        roles: Vec::new(),
        contexts: 1,
    };
    if writer.below(5) < 2 {
        writer.contexts = 2;
    }
    for rank in 0..ranks {
        for number in 0..DATA {
            writer.variable(&format!("x{rank}{number}"), rank, Role::Data);
        }
    }
    for _ in 0..2 + writer.below(most - 1) {
        writer.piece();
    }
    if writer.below(4) == 0 {
        writer.disturb();
    }
    Case {
        program: Program {
            name: format!("shmem{seed}"),
            about: Vec::new(),
            accesses: Atomicity::NonAtomic,
            variables: writer.variables,
            processes: writer.processes,
            locations: Vec::new(),
            filter: None,
            condition: None,
        },
        roles: writer.roles,
    }
}

impl Writer {
    fn below(&mut self, bound: u32) -> u32 {
        (self.random.next_u64() % u64::from(bound)) as u32
    }

    fn variable(&mut self, name: &str, owner: u32, role: Role) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Variable {
            name: name.to_owned(),
            owner: Rank(owner),
            value: match role {
                Role::Flag | Role::Returned => 0,
                Role::Data | Role::Value => 1,
            },
            place: Place::default(),
        });
        self.roles.push(role);
        id
    }

    /// A value of a call's own.
    fn value(&mut self, rank: u32) -> Access {
        let name = format!("v{}", self.variables.len());
        access(self.variable(&name, rank, Role::Value))
    }

    fn data(&mut self, owner: u32) -> Access {
        access(VariableId(owner * DATA + self.below(DATA)))
    }

    fn rank(&mut self) -> u32 {
        self.below(self.ranks)
    }

    fn add(&mut self, rank: u32, kind: StatementKind) {
        self.processes[rank as usize].statements.push(Statement {
            kind,
            place: Place::default(),
        });
    }

    /// Adds an operation, on some context.
    fn issue(&mut self, rank: u32, operation: StatementKind) {
        let queue = self.context();
        self.issue_on(rank, queue, operation);
    }

    fn context(&mut self) -> Queue {
        Queue(self.below(self.contexts))
    }

    fn issue_on(&mut self, rank: u32, queue: Queue, operation: StatementKind) {
        let kind = match (queue, &operation) {
            // The model takes atomics for those of GASPI, which have no queue, unless it is named.
            (DEFAULT, StatementKind::Rga { .. } | StatementKind::Cas { .. }) | (Queue(1..), _) => {
                StatementKind::On {
                    queue,
                    operation: Box::new(operation),
                }
            }
            _ => operation,
        };
        self.add(rank, kind);
    }

    fn quiet(&mut self, rank: u32) {
        let context = self.context();
        self.add(rank, StatementKind::WaitQueue(context));
    }

    fn fence(&mut self, rank: u32) {
        let [into, target, compare, swap] = [(); 4].map(|()| self.value(rank));
        self.issue(
            rank,
            StatementKind::Cas {
                into,
                target,
                compare,
                swap,
            },
        );
    }

    /// The source of a put to a variable: another one of this PE's memory, or a value that was copied out.
    fn source(&mut self, rank: u32, target: Access) -> Access {
        let from = self.data(rank);
        match self.below(2) {
            0 if from != target => from,
            _ => self.value(rank),
        }
    }

    fn piece(&mut self) {
        let [rank, other] = [self.rank(), self.rank()];
        match self.below(20) {
            0..=2 => {
                let from = self.data(rank);
                let registers = &mut self.processes[rank as usize].registers;
                let into = RegisterId(registers.len() as u32);
                registers.push(format!("r{}", into.0));
                self.add(rank, StatementKind::Load { into, from });
            }
            3 | 4 => {
                let into = self.data(rank);
                let value = Expression::Number(i64::from(2 + self.below(8)));
                self.add(rank, StatementKind::Store { into, value });
            }
            5..=7 => {
                let target = self.data(other);
                let from = self.source(rank, target);
                self.issue(rank, StatementKind::Put { target, from });
            }
            8 => {
                let (into, target) = (self.data(rank), self.data(other));
                if into != target {
                    self.issue(rank, StatementKind::Get { into, target });
                }
            }
            9 | 10 => {
                // A blocking get into memory, or into a register.
                let (into, target) = match self.below(2) {
                    0 => (self.data(rank), self.data(other)),
                    _ => (self.value(rank), self.data(other)),
                };
                if into == target {
                    return;
                }
                let name = format!("b{}", self.variables.len());
                let flag = self.variable(&name, rank, Role::Returned);
                self.issue(rank, StatementKind::GetNotify { into, target, flag });
                self.add(rank, StatementKind::Await(flag));
            }
            11 | 12 => {
                let (into, operand, target) = (self.value(rank), self.value(rank), self.data(other));
                self.issue(
                    rank,
                    StatementKind::Rga {
                        into,
                        target,
                        operand,
                    },
                );
            }
            13 => self.quiet(rank),
            14 => self.fence(rank),
            15 | 16 => self.message(rank, other),
            17 | 18 => {
                let completes = self.below(2) == 0;
                for rank in 0..self.ranks {
                    if completes {
                        self.add(rank, StatementKind::WaitQueue(DEFAULT));
                    }
                    self.add(rank, StatementKind::Barrier);
                }
            }
            _ => {
                // Release, set, wait: as programs do it.
                let target = self.data(other);
                let from = self.source(rank, target);
                self.issue(rank, StatementKind::Put { target, from });
                match self.below(2) {
                    0 => self.quiet(rank),
                    _ => self.fence(rank),
                }
                self.message(rank, other);
            }
        }
    }

    /// A flag is set at another PE, by itself or as a signal after data, and awaited there.
    fn message(&mut self, rank: u32, other: u32) {
        let name = format!("f{}", self.variables.len());
        let flag = self.variable(&name, other, Role::Flag);
        let notification = Notification { flag, value: 1 };
        let target = self.data(other);
        let kind = match self.below(2) {
            0 => StatementKind::Notify(notification),
            _ => StatementKind::PutNotify {
                from: self.source(rank, target),
                target,
                notification,
            },
        };
        self.issue(rank, kind);
        self.add(other, StatementKind::Await(flag));
    }

    /// Drops a statement, or swaps two.
    fn disturb(&mut self) {
        let rank = self.rank() as usize;
        let length = self.processes[rank].statements.len() as u32;
        if length < 2 {
            return;
        }
        let at = self.below(length - 1) as usize;
        let swaps = self.below(2) == 0;
        let returned = |statement: &Statement, roles: &[Role]| match call(&statement.kind).1 {
            StatementKind::Await(flag) => roles[flag.0 as usize] == Role::Returned,
            StatementKind::GetNotify { .. } | StatementKind::Barrier => true,
            _ => false,
        };
        let statements = &mut self.processes[rank].statements;
        if returned(&statements[at], &self.roles) || returned(&statements[at + 1], &self.roles) {
            return;
        }
        match swaps {
            true => statements.swap(at, at + 1),
            false => {
                statements.remove(at);
            }
        }
    }
}

fn access(variable: VariableId) -> Access {
    Access {
        variable,
        atomicity: Atomicity::NonAtomic,
    }
}

/// The context of a statement, and what it does.
pub(crate) fn call(kind: &StatementKind) -> (Queue, &StatementKind) {
    match kind {
        StatementKind::On { queue, operation } => (*queue, operation),
        kind => (DEFAULT, kind),
    }
}

/// The program in words, with what its words stand for in OpenSHMEM.
pub(crate) fn describe(case: &Case) -> String {
    let program = &case.program;
    let mut text = String::new();
    for (rank, process) in (0..).zip(&program.processes) {
        text += &format!("PE {rank}\n");
        for (number, statement) in process.statements.iter().enumerate() {
            let words = match &statement.kind {
                StatementKind::WaitQueue(queue) => format!("quiet({})", queue.0),
                kind if matches!(call(kind).1, StatementKind::Cas { .. }) => {
                    format!("fence({})", call(kind).0.0)
                }
                kind => farside_litmus::print_statement(program, Rank(rank), kind),
            };
            text += &format!("  {number}: {words}\n");
        }
    }
    text
}

/// Number of programs, as `FARSIDE_RANDOM_PROGRAMS` says.
pub(crate) fn programs(usually: u64) -> u64 {
    std::env::var("FARSIDE_RANDOM_PROGRAMS")
        .map_or(usually, |word| word.parse().expect("a number of programs"))
}
