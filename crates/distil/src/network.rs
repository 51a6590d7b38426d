//! A test in the words of networks: puts, gets, atomics, loads, stores, flushes and barriers.
//!
//! How an interface is made of these: a call that completes operations is a flush of each target concerned; one that
//! completes them at their origin is a flush of what was got, and nothing for what was put, whose source networks read
//! when they like. What orders processes is a barrier, whoever else would have waited. Locks, starts and posts are
//! nothing.

use crate::item::Variant;
use crate::reason::Reason;
use crate::sketch::Sketch;
use farside_findings::Api;
use farside_litmus::ast::{Access, Atomicity, Place, Program, Rank, StatementKind, Variable, VariableId};

/// Both variants of a sketch.
pub(crate) fn lowered(sketch: &Sketch) -> Result<[Program; 2], Reason> {
    Ok([lower(sketch, Variant::Broken)?, lower(sketch, Variant::Repaired)?])
}

fn lower(sketch: &Sketch, variant: Variant) -> Result<Program, Reason> {
    let statements = sketch.statements(variant)?;
    let mut variables = sketch.variables().to_vec();
    let mut lanes = Vec::new();
    for (process, kinds) in statements.into_iter().enumerate() {
        let mut lane = Lane {
            api: sketch.api(),
            process: Rank(process as u32),
            variables: &mut variables,
            kinds: Vec::new(),
            open: Vec::new(),
        };
        for kind in kinds {
            lane.add(kind)?;
        }
        lanes.push(lane.kinds);
    }
    level(&mut lanes);
    end(&mut lanes);
    let mut program = sketch.with(variant, Atomicity::Atomic, lanes);
    program.variables = variables;
    program.name += "-network";
    Ok(program)
}

/// All processes come to as many barriers. Those that lack some make no access after them that matters.
fn level(lanes: &mut [Vec<StatementKind>]) {
    let is_barrier = |kind: &&StatementKind| **kind == StatementKind::Barrier;
    let count = |lane: &[StatementKind]| lane.iter().filter(is_barrier).count();
    let most = lanes.iter().map(|lane| count(lane)).max().unwrap_or(0);
    for lane in lanes {
        let lacks = most - count(lane);
        lane.extend(std::iter::repeat_n(StatementKind::Barrier, lacks));
    }
}

/// What completes and orders nothing that comes later is left out.
fn end(lanes: &mut [Vec<StatementKind>]) {
    loop {
        for lane in &mut *lanes {
            while matches!(lane.last(), Some(StatementKind::Flush(_))) {
                lane.pop();
            }
        }
        if lanes
            .iter()
            .any(|lane| lane.last() != Some(&StatementKind::Barrier))
        {
            return;
        }
        for lane in &mut *lanes {
            lane.pop();
        }
    }
}

/// A process that is being put into other words.
struct Lane<'v> {
    api: Api,
    process: Rank,
    variables: &'v mut Vec<Variable>,
    kinds: Vec<StatementKind>,
    /// Targets of operations that are not complete, and whether something is got from them.
    open: Vec<(Rank, bool)>,
}

impl Lane<'_> {
    fn add(&mut self, kind: StatementKind) -> Result<(), Reason> {
        match kind {
            StatementKind::On { operation, .. } => return self.add(*operation),
            StatementKind::Load { .. } | StatementKind::Store { .. } => self.kinds.push(kind),
            StatementKind::Put { target, .. } => self.issue(kind, target, false),
            StatementKind::Get { target, .. } => self.issue(kind, target, true),
            StatementKind::GetNotify { into, target, .. } => {
                self.issue(StatementKind::Get { into, target }, target, true);
                self.flush(Some(self.owner(target.variable)), false);
            }
            StatementKind::Rga { target, .. } | StatementKind::Cas { target, .. } => {
                self.issue(kind, target, true);
                // Done at return.
                self.flush(Some(self.owner(target.variable)), false);
            }
            StatementKind::Accumulate { target, operand, .. } => {
                let into = self.result();
                self.fetch(into, target, operand);
            }
            StatementKind::GetAccumulate {
                into,
                target,
                operand,
                ..
            }
            | StatementKind::FetchAndOp {
                into,
                target,
                operand,
                ..
            } => self.fetch(into, target, operand),
            StatementKind::CompareAndSwap {
                into,
                target,
                compare,
                swap,
            } => {
                let cas = StatementKind::Cas {
                    into,
                    target,
                    compare,
                    swap,
                };
                self.issue(cas, target, true);
            }
            StatementKind::Flush(rank) | StatementKind::Unlock(rank) => self.flush(Some(rank), false),
            StatementKind::FlushLocal(rank) => self.flush(Some(rank), true),
            StatementKind::FlushAll | StatementKind::UnlockAll => self.flush(None, false),
            StatementKind::FlushLocalAll => self.flush(None, true),
            StatementKind::WaitQueue(_) => self.flush(None, self.api == Api::Gaspi),
            // Nothing was done that all could wait for.
            StatementKind::Fence(_) if self.kinds.is_empty() => {}
            StatementKind::Fence(assertions) => {
                self.flush(None, false);
                self.kinds
                    .extend(assertions.is_empty().then_some(StatementKind::Barrier));
            }
            StatementKind::Complete => {
                self.flush(None, false);
                self.kinds.push(StatementKind::Barrier);
            }
            StatementKind::Notify(_) => {
                if self.api == Api::Gaspi {
                    self.flush(None, false);
                }
                self.kinds.push(StatementKind::Barrier);
            }
            StatementKind::Await(flag) if self.is_return(flag) => {}
            StatementKind::Await(_)
            | StatementKind::Barrier
            | StatementKind::Wait
            | StatementKind::Send(_)
            | StatementKind::Receive(_) => self.kinds.push(StatementKind::Barrier),
            StatementKind::LockShared(_)
            | StatementKind::LockExclusive(_)
            | StatementKind::LockAll
            | StatementKind::Start(_)
            | StatementKind::Post(_)
            | StatementKind::Sync => {}
            _ => return Err(Reason::NoNetwork),
        }
        Ok(())
    }

    fn owner(&self, variable: VariableId) -> Rank {
        let variable = self.variables.get(variable.0 as usize);
        variable.map_or(self.process, |variable| variable.owner)
    }

    /// Whether a flag says that a call has returned.
    fn is_return(&self, flag: VariableId) -> bool {
        let variable = self.variables.get(flag.0 as usize);
        variable.is_some_and(|variable| variable.name.starts_with('B'))
    }

    fn issue(&mut self, kind: StatementKind, target: Access, gets: bool) {
        let owner = self.owner(target.variable);
        self.open.push((owner, gets));
        self.kinds.push(kind);
    }

    /// What comes of an operation that nobody asks for.
    fn result(&mut self) -> Access {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Variable {
            name: format!("T{}", id.0),
            owner: self.process,
            value: 0,
            place: Place::default(),
        });
        Access {
            variable: id,
            atomicity: Atomicity::Atomic,
        }
    }

    /// Any operator is as good as a sum: one that only reads has an operand of 0.
    fn fetch(&mut self, into: Access, target: Access, operand: Access) {
        let rga = StatementKind::Rga {
            into,
            target,
            operand,
        };
        self.issue(rga, target, true);
    }

    /// Completes what is open at a target, or at all; where it is local, what is got only.
    fn flush(&mut self, target: Option<Rank>, local: bool) {
        let is_done =
            |(rank, gets): (Rank, bool)| target.is_none_or(|target| target == rank) && (gets || !local);
        let mut done: Vec<Rank> = Vec::new();
        self.open.retain(|open| {
            let complete = is_done(*open);
            if complete && !done.contains(&open.0) {
                done.push(open.0);
            }
            !complete
        });
        self.kinds.extend(done.into_iter().map(StatementKind::Flush));
    }
}
