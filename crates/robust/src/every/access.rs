//! What the steps of a role access, when, and which accesses may be of one location.
//!
//! Promise: for every number of ranks from `least` on, two accesses of a computation that conflict are of steps that
//! [`Accesses::conflict`] says so of.

use super::flow::Flow;
use super::form::{Bounds, Form, Meeting, Role, meet};
use super::numbers::Numbers;
use farside_pgas::ast::Direction;
use farside_pgas::calculus::{Command, Expression, Program};

/// When an access happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Moment {
    /// With the step itself: a load or a store.
    Issue,
    /// At popa.
    A,
    /// At popb.
    B,
}

/// An access.
pub(super) struct Access {
    flow: usize,
    step: usize,
    moment: Moment,
    writes: bool,
    /// Whose memory.
    owner: Form,
    place: Numbers,
}

impl Access {
    /// Index of the flow and of the step of its code that does it.
    pub(super) fn at(&self) -> (usize, usize) {
        (self.flow, self.step)
    }

    pub(super) fn moment(&self) -> Moment {
        self.moment
    }

    pub(super) fn writes(&self) -> bool {
        self.writes
    }

    /// Whose memory it accesses.
    pub(super) fn owner(&self) -> Form {
        self.owner
    }

    /// The cells that it may access.
    pub(super) fn cells(&self) -> std::ops::RangeInclusive<i64> {
        self.place.range()
    }
}

/// All accesses of all roles.
pub(super) struct Accesses<'p> {
    program: &'p Program,
    bounds: Bounds,
    flows: &'p [Flow<'p>],
    all: Vec<Access>,
}

impl<'p> Accesses<'p> {
    pub(super) fn new(program: &'p Program, flows: &'p [Flow<'p>], bounds: Bounds) -> Self {
        let mut accesses = Self {
            program,
            bounds,
            flows,
            all: Vec::new(),
        };
        for (number, flow) in flows.iter().enumerate() {
            for step in 0..flow.code().transitions.len() {
                accesses.collect(number, step);
            }
        }
        accesses
    }

    /// For which processes and numbers of ranks.
    pub(super) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// All of them.
    pub(super) fn all(&self) -> &[Access] {
        &self.all
    }

    /// Those of a step.
    pub(super) fn of_step(&self, flow: usize, step: usize) -> impl Iterator<Item = usize> + '_ {
        let all = self.all.iter().enumerate();
        all.filter(move |(_, access)| (access.flow, access.step) == (flow, step))
            .map(|(index, _)| index)
    }

    fn collect(&mut self, flow: usize, step: usize) {
        let (role, code) = (self.flows[flow].role(), self.flows[flow].code());
        let Some(registers) = self.flows[flow].before(step) else {
            return;
        };
        let (bounds, cells) = (self.bounds, self.program.cells.len());
        let place = |address: &Expression| Numbers::of(address, registers, role, bounds, cells);
        let mine = Form::me(role);
        let target = |rank: &Expression| Form::of(rank, registers, role, bounds);
        let mut found = Vec::new();
        let mut add = |moment, writes, owner, place| {
            found.push(Access {
                flow,
                step,
                moment,
                writes,
                owner,
                place,
            });
        };
        match &code.transitions[step].command {
            Command::Load { address, .. } => add(Moment::Issue, false, mine, place(address)),
            Command::Store { address, .. } => add(Moment::Issue, true, mine, place(address)),
            Command::Transfer(transfer) => {
                let (local, remote) = (place(&transfer.local), place(&transfer.remote));
                let other = target(&transfer.rank);
                match transfer.direction {
                    Direction::Write => {
                        add(Moment::A, false, mine, local);
                        add(Moment::B, true, other, remote);
                    }
                    Direction::Read => {
                        add(Moment::A, false, other, remote);
                        add(Moment::B, true, mine, local);
                    }
                }
            }
            Command::Atomic(atomic) => {
                // It reads and writes at once.
                add(Moment::A, true, target(&atomic.rank), place(&atomic.remote));
                if let Some(local) = &atomic.local {
                    add(Moment::B, true, mine, place(local));
                }
            }
            Command::Assign { .. }
            | Command::Assume { .. }
            | Command::Barrier
            | Command::Wait { .. }
            | Command::Fence { .. } => {}
        }
        self.all.append(&mut found);
    }

    /// Whether two accesses may be of one location, of which one at least writes, done by the same process, or by two.
    pub(super) fn conflict(&self, one: usize, other: usize, by_one: bool) -> bool {
        (self.all[one].writes || self.all[other].writes) && self.may_meet(one, other, by_one)
    }

    /// Whether two accesses may be of one location, done by the same process, or by two.
    pub(super) fn may_meet(&self, one: usize, other: usize, by_one: bool) -> bool {
        let (one, other) = (&self.all[one], &self.all[other]);
        let (left, right) = (self.flows[one.flow].role(), self.flows[other.flow].role());
        if by_one && left != right || !by_one && left == right && left != Role::Middle {
            return false;
        }
        let owners = meet((one.owner, left), (other.owner, right), self.bounds);
        let places = one.place.meet(left, other.place, right, self.bounds);
        let least = self.bounds.least();
        let agree = |by: i64| match by_one {
            true => by == 0 || by.abs() >= least,
            false => by != 0,
        };
        match (owners, places) {
            (Meeting::Never, _) | (_, Meeting::Never) => false,
            (Meeting::Apart(one), Meeting::Apart(other)) => {
                (one == other || (one - other).abs() >= least) && (agree(one) || agree(other))
            }
            (Meeting::Apart(by), Meeting::Maybe) | (Meeting::Maybe, Meeting::Apart(by)) => agree(by),
            (Meeting::Maybe, Meeting::Maybe) => true,
        }
    }

    /// Whether an access is of the memory of the process that does it.
    pub(super) fn is_own(&self, access: usize) -> bool {
        let access = &self.all[access];
        access.owner.is_same(Form::me(self.flows[access.flow].role()))
    }

    /// Whether two accesses of a process are of the memory of the same process.
    pub(super) fn is_one_owner(&self, one: usize, other: usize) -> bool {
        self.all[one].owner.is_same(self.all[other].owner)
    }

    /// Whether each process is accessed by one other at most.
    pub(super) fn is_by_one(&self, access: usize) -> bool {
        let access = &self.all[access];
        let role = self.flows[access.flow].role();
        let owner = (access.owner, role);
        role != Role::Middle || matches!(meet(owner, owner, self.bounds), Meeting::Apart(0))
    }

    /// Whether two accesses are of one and the same cell, whatever process they are of.
    pub(super) fn is_one_cell(&self, one: usize, other: usize) -> bool {
        let cell = self.all[one].place.one();
        cell.is_some() && cell == self.all[other].place.one()
    }
}
