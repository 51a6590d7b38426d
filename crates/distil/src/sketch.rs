//! A test as items, each of which stands in both variants or in one; and programs of it.

use crate::epochs;
use crate::item::{Group, Item, Variant};
use crate::reason::Reason;
use farside_findings::Api;
use farside_litmus::ast::{
    Access, Atomicity, Observable, Place, Process, Program, Queue, Rank, RegisterId, Statement,
    StatementKind, Variable, VariableId,
};

/// A test.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    api: Api,
    name: String,
    about: Vec<String>,
    /// The ranks of its processes.
    ranks: Vec<u32>,
    variables: Vec<Variable>,
    /// By process.
    registers: Vec<Vec<String>>,
    shown: Vec<Observable>,
    /// Process, and what it does; the processes of accesses only.
    lanes: Vec<(usize, Vec<Item>)>,
    /// The epochs that the operations of a process need, by item: those of the accesses.
    needs: Vec<epochs::Need>,
    /// The repair exposes memory for one access after the other.
    each_exposed: bool,
    /// The queues or contexts that have a number in the test; the default one is the first.
    queues: Vec<u32>,
    groups: u32,
}

impl Sketch {
    /// Processes of these ranks do nothing; those of `lanes` will.
    pub(crate) fn new(api: Api, ranks: Vec<u32>, lanes: &[u32]) -> Self {
        let registers = vec![Vec::new(); ranks.len()];
        let mut sketch = Self {
            api,
            name: String::new(),
            about: Vec::new(),
            ranks,
            variables: Vec::new(),
            registers,
            shown: Vec::new(),
            lanes: Vec::new(),
            needs: Vec::new(),
            each_exposed: false,
            queues: vec![0],
            groups: 0,
        };
        let own = |rank: &u32| (sketch.process(*rank).unwrap_or(0), Vec::new());
        sketch.lanes = lanes.iter().map(own).collect();
        sketch
    }

    pub(crate) fn tell(&mut self, name: &str, about: Vec<String>) {
        name.clone_into(&mut self.name);
        self.about = about;
    }

    pub(crate) fn api(&self) -> Api {
        self.api
    }

    pub(crate) fn ranks(&self) -> &[u32] {
        &self.ranks
    }

    /// The process of a rank.
    pub(crate) fn process(&self, rank: u32) -> Option<usize> {
        self.ranks.iter().position(|known| *known == rank)
    }

    /// The process of a lane.
    pub(crate) fn process_of(&self, lane: usize) -> usize {
        self.lanes[lane].0
    }

    pub(crate) fn lanes(&self) -> usize {
        self.lanes.len()
    }

    pub(crate) fn lane(&self, lane: usize) -> &[Item] {
        &self.lanes[lane].1
    }

    pub(crate) fn lane_mut(&mut self, lane: usize) -> &mut Vec<Item> {
        &mut self.lanes[lane].1
    }

    /// A new group.
    pub(crate) fn group(&mut self) -> u32 {
        self.groups += 1;
        self.groups
    }

    /// An operation of an access needs an epoch.
    pub(crate) fn need(&mut self, need: epochs::Need) {
        self.needs.push(need);
    }

    /// The repair exposes memory for each access, one after the other.
    pub(crate) fn expose_each(&mut self) {
        self.each_exposed = true;
    }

    /// The number of a queue or context in the test.
    pub(crate) fn queue(&mut self, queue: u32) -> Queue {
        let known = self.queues.iter().position(|known| *known == queue);
        let number = known.unwrap_or_else(|| {
            self.queues.push(queue);
            self.queues.len() - 1
        });
        Queue(number as u32)
    }

    /// All that have one.
    pub(crate) fn queues(&self) -> Vec<Queue> {
        (0..self.queues.len() as u32).map(Queue).collect()
    }

    /// A new variable.
    pub(crate) fn variable(&mut self, name: &str, process: usize, value: i64) -> Access {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Variable {
            name: name.to_owned(),
            owner: Rank(process as u32),
            value,
            place: Place::default(),
        });
        Access {
            variable: id,
            atomicity: self.accesses(),
        }
    }

    /// All variables.
    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// A new register.
    pub(crate) fn register(&mut self, name: &str, process: usize) -> RegisterId {
        let registers = &mut self.registers[process];
        registers.push(name.to_owned());
        RegisterId(registers.len() as u32 - 1)
    }

    /// It is part of every outcome.
    pub(crate) fn show(&mut self, what: Observable) {
        if !self.shown.contains(&what) {
            self.shown.push(what);
        }
    }

    fn accesses(&self) -> Atomicity {
        match self.api {
            Api::Mpi => Atomicity::Atomic,
            Api::Shmem | Api::Gaspi => Atomicity::NonAtomic,
        }
    }

    /// The groups that can be left out.
    pub(crate) fn removable(&self) -> Vec<Group> {
        let items = self.lanes.iter().flat_map(|(_, items)| items);
        let recorded = |group: &Group| matches!(group, Group::Order(_) | Group::Other(_));
        let mut groups: Vec<Group> = items.map(|item| item.group()).filter(recorded).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.reverse();
        groups
    }

    /// The same without a group.
    pub(crate) fn without(&self, gone: &dyn Fn(Group) -> bool) -> Self {
        let mut smaller = self.clone();
        for (_, items) in &mut smaller.lanes {
            items.retain(|item| !gone(item.group()));
        }
        smaller
    }

    /// The accesses and what orders them, and nothing besides.
    pub(crate) fn bare(&self) -> Self {
        let replaced = |group: Group| {
            let mut items = self.lanes.iter().flat_map(|(_, items)| items);
            items.any(|item| item.group() == group && item.only().is_some())
        };
        self.without(&|group| matches!(group, Group::Other(_)) && !replaced(group))
    }

    /// What each process does in a variant: those of the lanes, and what all do together in the others.
    pub(crate) fn statements(&self, variant: Variant) -> Result<Vec<Vec<StatementKind>>, Reason> {
        let mut processes = vec![Vec::new(); self.ranks.len()];
        for (process, items) in &self.lanes {
            let there = |item: &&Item| item.only().is_none_or(|only| only == variant);
            processes[*process] = items.iter().filter(there).cloned().collect();
        }
        let all_do = |kind: &StatementKind| matches!(kind, StatementKind::Barrier | StatementKind::Fence(_));
        let together: Vec<Item> = match self.lanes.first() {
            Some((process, _)) => processes[*process]
                .iter()
                .filter(|item: &&Item| all_do(item.kind()))
                .cloned()
                .collect(),
            None => Vec::new(),
        };
        for (process, items) in processes.iter_mut().enumerate() {
            if self.lanes.iter().all(|(own, _)| *own != process) {
                items.clone_from(&together);
            }
        }
        Ok(match self.api {
            Api::Mpi => epochs::around(
                processes,
                &self.needs,
                self.each_exposed && variant == Variant::Repaired,
            ),
            Api::Shmem | Api::Gaspi => processes
                .into_iter()
                .map(|items| items.into_iter().map(Item::into_kind).collect())
                .collect(),
        })
    }

    /// The program of a variant.
    pub(crate) fn program(&self, variant: Variant) -> Result<Program, Reason> {
        Ok(self.with(variant, self.accesses(), self.statements(variant)?))
    }

    /// A program with these statements.
    pub(crate) fn with(
        &self,
        variant: Variant,
        accesses: Atomicity,
        statements: Vec<Vec<StatementKind>>,
    ) -> Program {
        let statement = |kind| Statement {
            kind,
            place: Place::default(),
        };
        let processes = statements.into_iter().zip(&self.registers);
        let name = match variant {
            Variant::Broken => self.name.clone(),
            Variant::Repaired => format!("{}-repaired", self.name),
        };
        Program {
            name,
            about: self.about.clone(),
            accesses,
            variables: self.variables.clone(),
            processes: processes
                .map(|(kinds, registers)| Process {
                    registers: registers.clone(),
                    statements: kinds.into_iter().map(statement).collect(),
                })
                .collect(),
            locations: self.shown.clone(),
            filter: None,
            condition: None,
        }
    }
}
