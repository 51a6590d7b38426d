//! What random programs are made with.

use crate::case::{Case, Role};
use farside_litmus::ast::{
    Access, Atomicity, Place, Process, Program, Queue, Rank, RegisterId, Statement, StatementKind, Variable,
    VariableId,
};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A program that grows.
pub(crate) struct Writer {
    random: SplitMix64,
    ranks: u32,
    processes: Vec<Process>,
    variables: Vec<Variable>,
    roles: Vec<Role>,
    queues: u32,
}

/// How many data variables a process has.
const DATA: u32 = 2;

impl Writer {
    /// 2 or 3 processes with their data, and one or two contexts or queues.
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = SplitMix64::seed_from_u64(seed);
        let ranks = if random.next_u64().is_multiple_of(3) { 3 } else { 2 };
        let mut writer = Self {
            random,
            ranks,
            processes: vec![Process::default(); ranks as usize],
            variables: Vec::new(),
            roles: Vec::new(),
            queues: 1,
        };
        if writer.below(5) < 2 {
            writer.queues = 2;
        }
        for rank in 0..ranks {
            for number in 0..DATA {
                writer.variable(&format!("x{rank}{number}"), rank, Role::Data);
            }
        }
        writer
    }

    /// The program.
    pub(crate) fn finish(self, name: &str) -> Case {
        Case {
            program: Program {
                name: name.to_owned(),
                about: Vec::new(),
                accesses: Atomicity::NonAtomic,
                variables: self.variables,
                processes: self.processes,
                locations: Vec::new(),
                filter: None,
                condition: None,
            },
            roles: self.roles,
        }
    }

    /// How many processes there are.
    pub(crate) fn ranks(&self) -> u32 {
        self.ranks
    }

    /// How many variables there are.
    pub(crate) fn count(&self) -> usize {
        self.variables.len()
    }

    /// A new register of a process.
    pub(crate) fn register(&mut self, rank: u32) -> RegisterId {
        let registers = &mut self.processes[rank as usize].registers;
        let id = RegisterId(registers.len() as u32);
        registers.push(format!("r{}", id.0));
        id
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        (self.random.next_u64() % u64::from(bound)) as u32
    }

    pub(crate) fn variable(&mut self, name: &str, owner: u32, role: Role) -> VariableId {
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
    pub(crate) fn value(&mut self, rank: u32) -> Access {
        let name = format!("v{}", self.variables.len());
        access(self.variable(&name, rank, Role::Value))
    }

    pub(crate) fn data(&mut self, owner: u32) -> Access {
        access(VariableId(owner * DATA + self.below(DATA)))
    }

    pub(crate) fn rank(&mut self) -> u32 {
        self.below(self.ranks)
    }

    pub(crate) fn add(&mut self, rank: u32, kind: StatementKind) {
        self.processes[rank as usize].statements.push(Statement {
            kind,
            place: Place::default(),
        });
    }

    pub(crate) fn queue(&mut self) -> Queue {
        Queue(self.below(self.queues))
    }

    /// Drops a statement, or swaps two; those that are `pinned` stay.
    pub(crate) fn disturb(&mut self, pinned: impl Fn(&Statement, &[Role]) -> bool) {
        let rank = self.rank() as usize;
        let length = self.processes[rank].statements.len() as u32;
        if length < 2 {
            return;
        }
        let at = self.below(length - 1) as usize;
        let swaps = self.below(2) == 0;
        let statements = &mut self.processes[rank].statements;
        if pinned(&statements[at], &self.roles) || pinned(&statements[at + 1], &self.roles) {
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
