//! Communication calls: what they do at their origin, when they take effect, when they are complete.

use super::super::World;
use super::moves::{Choice, no_op_accumulate};
use super::{Issued, State, Told, Write};
use crate::mpi3::code::{Remote, Step};
use farside_litmus::ast::{Assertion, Operation, Rank};
use farside_models::mpi3::action::{Action, ActionKind, Half};
use farside_models::mpi3::rules::RuleName;
use farside_models::mpi3::validity::{Breach, fence_epoch, in_start_epoch};

impl State {
    /// A communication call: its action, its effects at the origin (§3.2.3), its virtual action (§3.2.2).
    pub(super) fn issue(&mut self, rank: Rank, remote: &Remote, step: &Step<'_>) {
        if let Some(breach) = no_op_accumulate(step) {
            self.fault(rank, step.number, breach);
            self.process(rank).halted = true;
            return;
        }
        let action = Action {
            target: Some(remote.target),
            ..self.blank(rank, remote.kind, Half::Whole)
        };
        let action = self.act(action, step.number);
        let mut operands = Vec::new();
        for &variable in &remote.reads {
            operands.push(self.value(variable));
            let effect = self.local(rank, ActionKind::Ll, variable, step.number);
            self.part_of(effect, action, remote.kind);
        }
        if let Some(variable) = remote.into {
            let effect = self.local(rank, ActionKind::Ls, variable, step.number);
            self.part_of(effect, action, remote.kind);
        }
        let vac = Action {
            process: remote.target,
            location: Some(remote.location),
            reads: remote.fetches(),
            writes: remote.writes(),
            operation: remote.operation,
            ..self.blank(rank, ActionKind::Vac, Half::Whole)
        };
        let vac = self.act(vac, step.number);
        self.part_of(vac, action, remote.kind);
        self.synchronise(action, vac, "§3.2.2");
        let history = &self.processes[rank.0 as usize].history;
        let by_start = in_start_epoch(history);
        let covered_by_lock = self
            .held
            .iter()
            .any(|held| held.rank == rank && held.target.is_none_or(|target| target == remote.target));
        let fence = fence_epoch(history).filter(|_| !by_start && !covered_by_lock);
        let start = by_start
            .then(|| self.pairs.get(&(remote.target, rank)))
            .flatten()
            .map(|pair| pair.started - 1);
        let post = start.and_then(|start| self.pairs.get(&(remote.target, rank))?.posts.get(start).copied());
        if let Some(post) = post {
            self.synchronise(post, vac, "§12.5.2");
        }
        self.told.push(Told::Issued { action });
        self.issued.push(Issued {
            origin: rank,
            number: step.number,
            remote: remote.clone(),
            action,
            vac,
            operands,
            effective: false,
            locally: false,
            remotely: false,
            fence,
            start,
            post,
            seen: Vec::new(),
        });
    }

    fn part_of(&mut self, effect: usize, action: usize, kind: ActionKind) {
        let effect = &mut self.execution.actions[effect];
        effect.of = Some(action);
        effect.effect_of = Some(kind);
    }

    /// Whether the operation can take effect now: its target exposes the window, and (26) holds.
    pub(super) fn may_take_effect(&self, world: &World<'_, '_>, index: usize) -> bool {
        let issued = &self.issued[index];
        let exposed = issued
            .fence
            .is_none_or(|fence| self.fences[fence].contains_key(&issued.remote.target));
        let earlier = self.issued[..index].iter().any(|earlier| {
            earlier.origin == issued.origin
                && !earlier.effective
                && earlier.remote.location == issued.remote.location
                && earlier.remote.kind.is_accumulate()
                && issued.remote.kind.is_accumulate()
        });
        exposed && !(earlier && world.model.rules().has(RuleName::R26))
    }

    /// The operation takes effect at its target.
    pub(super) fn effect(&mut self, index: usize, choice: Choice) {
        let issued = self.issued[index].clone();
        let (remote, vac) = (&issued.remote, issued.vac);
        self.issued[index].effective = true;
        self.took_effect.push(vac);
        if let Some(fence) = issued.fence {
            let arrival = self.fences[fence].get(&remote.target).cloned();
            if let Some(arrival) = arrival {
                if arrival.assertions.contains(&Assertion::NoPrecede) {
                    self.synchronise(arrival.start, vac, "§12.5.1");
                }
                if arrival.assertions.contains(&Assertion::NoPut) && remote.writes() {
                    self.fault(issued.origin, issued.number, Breach::NoPut);
                }
            }
        }
        let stored = if remote.kind == ActionKind::Rcg {
            self.read(vac, remote.location, choice)
        } else {
            self.value(remote.location)
        };
        self.told.push(Told::Effect {
            action: issued.action,
            value: stored,
        });
        if remote.kind.is_accumulate() && remote.fetches() {
            self.issued[index].seen = self.seen_by(index);
        }
        if let (Some(into), true) = (remote.into, remote.fetches()) {
            let effect = self
                .execution
                .actions
                .iter()
                .position(|action| action.kind == ActionKind::Ls && action.of == Some(issued.action));
            self.writes.push(Write {
                variable: into,
                action: effect,
                value: stored,
            });
        }
        if remote.writes() {
            self.writes.push(Write {
                variable: remote.location,
                action: Some(vac),
                value: remote.result(stored, &issued.operands),
            });
        }
    }

    /// The calls whose updates a fetch at this moment has seen: back to the last one that replaced the value (§3.5).
    fn seen_by(&self, index: usize) -> Vec<usize> {
        let location = self.issued[index].remote.location;
        let mut seen = Vec::new();
        for write in self
            .writes
            .iter()
            .rev()
            .filter(|write| write.variable == location)
        {
            let by = self.issued.iter().find(|other| Some(other.vac) == write.action);
            let Some(by) = by.filter(|by| by.remote.kind.is_accumulate()) else {
                break;
            };
            let swapped = by.remote.kind == ActionKind::Ras;
            if swapped && !self.changed(by) {
                continue;
            }
            seen.push(by.action);
            if swapped || by.remote.operation == Some(Operation::Replace) {
                break;
            }
        }
        seen
    }

    /// Whether a compare and swap found what it compares with.
    fn changed(&self, issued: &Issued) -> bool {
        self.told.iter().any(|told| {
            matches!(told, Told::Effect { action, value }
                if *action == issued.action && issued.operands.first() == Some(value))
        })
    }

    /// The operations that a synchronisation of `rank` completes: to this target, or to all. Those of epochs that start
    /// opened are for complete and wait alone.
    pub(super) fn covered(&self, rank: Rank, target: Option<Rank>) -> Vec<usize> {
        let covered = |issued: &Issued| {
            issued.origin == rank
                && issued.start.is_none()
                && target.is_none_or(|target| issued.remote.target == target)
        };
        (0..self.issued.len())
            .filter(|&index| covered(&self.issued[index]))
            .collect()
    }

    /// The operations of the epoch that start opened.
    pub(super) fn started(&self, rank: Rank) -> Vec<usize> {
        (0..self.issued.len())
            .filter(|&index| self.issued[index].origin == rank && self.issued[index].start.is_some())
            .collect()
    }

    /// Completes operations at their origin, at this action: what was fetched is there.
    pub(super) fn complete_locally(&mut self, operations: &[usize], end: usize) {
        for &index in operations {
            let issued = self.issued[index].clone();
            if std::mem::replace(&mut self.issued[index].locally, true) {
                continue;
            }
            if !issued.remote.writes() {
                self.synchronise(issued.vac, end, "§3.2.2");
            }
            for seen in issued.seen {
                self.synchronise(seen, end, "§3.5");
            }
            if let Some(post) = issued.post.filter(|_| issued.remote.fetches()) {
                self.synchronise(post, end, "§12.5.2");
            }
            if let (Some(into), true) = (issued.remote.into, issued.remote.fetches()) {
                let effect = self
                    .execution
                    .actions
                    .iter()
                    .position(|action| action.kind == ActionKind::Ls && action.of == Some(issued.action));
                let brought = self
                    .writes
                    .iter()
                    .find(|w| w.variable == into && w.action == effect);
                if let Some(brought) = brought {
                    self.told.push(Told::Fetched {
                        action: issued.action,
                        value: brought.value,
                    });
                }
            }
        }
    }
}
