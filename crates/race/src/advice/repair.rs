//! The call that makes one access of a race come before the other.

use super::{Race, Side};
use crate::Interface;
use crate::finding::{RawSuggestion, Spot};
use crate::misuse::assertions::NOPRECEDE;
use crate::record::{AccessEpoch, Op, Record};
use crate::trail::{Meeting, Step, StepKind};
use farside_clocks::{Component, Epoch};
use farside_conflicts::Role;
use farside_findings::{Action, Rule};
use std::rc::Rc;

/// Makes the access `first` come before `second`.
pub(super) struct Repair<'r> {
    interface: Interface,
    race: &'r Race,
    first: &'r Side,
    second: &'r Side,
    /// The second knew that the first was issued: by its own thread, or by a chain of synchronisation.
    ordered: bool,
}

/// When an operation became complete.
struct Completion {
    step: Option<Step>,
    component: Component,
}

impl<'r> Repair<'r> {
    pub(super) fn new(interface: Interface, race: &'r Race, first: usize) -> Self {
        Self {
            interface,
            race,
            first: &race.sides[first],
            second: &race.sides[1 - first],
            ordered: race.is_of_one_thread() || (race.ordered && first == 0),
        }
    }

    pub(super) fn suggestion(&self) -> RawSuggestion {
        let note = match self.race.rule {
            Rule::Polling => return self.instead_of_polling(),
            Rule::AccumulateMismatch => "or use one basic type and one operator",
            _ => "",
        };
        let mut suggestion = self.order();
        suggestion.next_round = self.race.next_round(self.first, self.second);
        if !note.is_empty() {
            if !suggestion.note.is_empty() {
                suggestion.note.push_str(", ");
            }
            suggestion.note.push_str(note);
        }
        suggestion
    }

    fn order(&self) -> RawSuggestion {
        if let Some(fence) = self.fence_that_does_not_order() {
            return fence;
        }
        let Some(op) = self.first.record.operation() else {
            return self.order_only(spot(&self.first.record));
        };
        let completion = self.completion();
        if let Some(done) = &completion
            && !self.ordered
            && self.is_in_time(done)
        {
            let Some(step) = done.step else {
                return self.order_only(spot(&self.first.record));
            };
            let mut suggestion = self.order_only(step.spot());
            suggestion.otherwise = Some(Box::new(self.complete(op, completion)));
            return suggestion;
        }
        self.complete(op, completion)
    }

    /// The first is not complete in time.
    fn complete(&self, op: &Rc<Op>, completion: Option<Completion>) -> RawSuggestion {
        match op.epoch {
            AccessEpoch::Start => self.end_of_epochs(op),
            AccessEpoch::Fence if !self.is_local_wait(op) => {
                self.between(self.interface.fence().into(), "on all ranks of the window")
            }
            _ => self.completed(op, completion),
        }
    }

    /// The crate `farside` completes operations at their origin, and by requests, in every epoch.
    fn is_local_wait(&self, op: &Op) -> bool {
        let at_origin = self.first.record.access.role == Role::Origin || op.only_reads;
        self.interface == Interface::Farside && at_origin && self.race.is_of_one_thread()
    }

    /// When the first was complete as far as the second needs it.
    fn completion(&self) -> Option<Completion> {
        let Epoch { component, time } = self.first.record.completed()?;
        let mut steps = self.race.steps(component).iter();
        let step = steps.rfind(|step| step.time < time && step.mark > self.first.mark);
        Some(Completion {
            step: step.copied(),
            component,
        })
    }

    /// Whether the completion came before the process of the first met that of the second again.
    fn is_in_time(&self, done: &Completion) -> bool {
        if done.component == self.second.issued.component {
            return false;
        }
        match (done.step, self.first.next) {
            (Some(step), Some(next)) if done.component == self.first.issued.component => {
                step.mark < next.mark
            }
            (None, Some(_)) => false,
            _ => true,
        }
    }

    /// A fence lies between the two that need not order, as its assertion says.
    fn fence_that_does_not_order(&self) -> Option<RawSuggestion> {
        if self.ordered {
            return None;
        }
        let fence = |step: &&Step| matches!(step.kind, StepKind::Meeting(Meeting::Fence { .. }));
        let after = self.race.steps(self.first.issued.component).iter().filter(fence);
        let after = after.filter(|step| step.mark > self.first.mark);
        let meetings: Vec<Meeting> = after.filter_map(Step::meeting).collect();
        let before = self.race.steps(self.second.issued.component).iter().filter(fence);
        before
            .filter(|step| step.mark < self.second.mark)
            .find_map(|step| match step.kind {
                StepKind::Meeting(meeting @ Meeting::Fence { assertions, .. })
                    if assertions.noprecede && meetings.iter().any(|other| other.is(&meeting)) =>
                {
                    Some(RawSuggestion::without(
                        assertions,
                        NOPRECEDE,
                        step.spot(),
                        "on all ranks",
                    ))
                }
                _ => None,
            })
    }

    /// The first is complete, or needs no completion: it only has to come first.
    fn order_only(&self, after: Spot) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        let before = spot(second);
        let (from, to) = (first.access.rank, second.access.rank);
        if from == to {
            return RawSuggestion::insert("", Some(after), Some(before), OF_THREADS);
        }
        let of_fences = |record: &Record| {
            record
                .operation()
                .is_some_and(|op| op.epoch == AccessEpoch::Fence)
        };
        if of_fences(first) || of_fences(second) {
            let fence = self.interface.fence();
            return RawSuggestion::insert(fence, Some(after), Some(before), "on all ranks of the window");
        }
        let note = format!("on all ranks, or a message from rank {} to rank {}", from.0, to.0);
        let barrier =
            |after| RawSuggestion::insert(self.interface.barrier(), Some(after), Some(before.clone()), &note);
        match self.sync_after() {
            Some(sync) => RawSuggestion {
                otherwise: Some(Box::new(barrier(after))),
                ..barrier(sync.spot())
            },
            None => barrier(after),
        }
    }

    /// `MPI_Win_sync` after an access to shared memory belongs before the barrier.
    fn sync_after(&self) -> Option<Step> {
        let until = self.first.next.map_or(u64::MAX, |step| step.mark);
        let is_sync = |step: &&Step| {
            matches!(step.kind, StepKind::Sync(_)) && (self.first.mark..until).contains(&step.mark)
        };
        let steps = self.race.steps(self.first.issued.component).iter();
        let shared = self.race.rule == Rule::SharedMemoryRace;
        steps.filter(|_| shared).find(is_sync).copied()
    }

    /// Completion of an operation under a lock, and order if that is missing, too.
    fn completed(&self, op: &Rc<Op>, completion: Option<Completion>) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        let call = self.completing_call(op);
        if !self.ordered {
            if first.access.rank == second.access.rank {
                return self.between(call, &format!("and {OF_THREADS}"));
            }
            let rank = first.access.rank.0;
            let note = format!(
                "on rank {rank}, the barrier on all ranks, or in its place a message from rank {rank} to rank {}",
                second.access.rank.0
            );
            return self.between(format!("{call}; {}", self.interface.barrier()), &note);
        }
        let release = self.release();
        let before = match release {
            Some(step) => Some(step.spot()),
            None if self.race.is_of_one_thread() => Some(spot(second)),
            None => None,
        };
        let end = match release {
            Some(step) => step.mark,
            None if self.race.is_of_one_thread() => self.second.mark,
            None => u64::MAX,
        };
        if let Some((weak, by)) = self.local_flush(op, end) {
            let mut replace = RawSuggestion::replace(&by.1, Some(by.0), weak.spot(), "");
            replace.before = before;
            return replace;
        }
        if let (Some(release), Some(late)) = (release, completion.and_then(|completion| completion.step)) {
            let own = self.race.steps(self.first.issued.component);
            let follows = own.iter().find(|step| step.mark > release.mark);
            if follows.is_some_and(|step| step.mark == late.mark)
                && let StepKind::Flush { target, local, .. } = late.kind
            {
                return RawSuggestion {
                    action: Action::Move,
                    call: self.interface.flush_of(target, local),
                    at: Some(late.spot()),
                    after: Some(spot(first)),
                    before,
                    ..RawSuggestion::default()
                };
            }
        }
        RawSuggestion::insert(&call, Some(spot(first)), before, "")
    }

    /// The last call by which the second learned of the thread of the first: completion must come before it.
    fn release(&self) -> Option<Step> {
        if self.race.is_of_one_thread() {
            return None;
        }
        let mut steps = self.race.steps(self.first.issued.component).iter();
        steps
            .rfind(|step| step.time <= self.race.known && step.mark > self.first.mark)
            .copied()
    }

    /// A flush that completes the first at its origin only, where its target is meant; and its code, old and new.
    fn local_flush(&self, op: &Op, end: u64) -> Option<(Step, (String, String))> {
        if self.first.record.access.role == Role::Origin || op.only_reads {
            return None;
        }
        let steps = self.race.steps(self.first.issued.component).iter();
        steps
            .filter(|step| self.first.mark < step.mark && step.mark < end)
            .find_map(|step| match step.kind {
                StepKind::Flush {
                    win,
                    target,
                    local: true,
                } if win == op.win && target.is_none_or(|target| target == op.target) => {
                    let code = |local| self.interface.flush_of(target, local);
                    Some((*step, (code(true), code(false))))
                }
                _ => None,
            })
    }

    /// What ends the access epoch of the first, and the exposure that it meets.
    fn end_of_epochs(&self, op: &Rc<Op>) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        let late = |component, wanted: fn(StepKind, &Op) -> bool, since: u64| {
            let steps: &[Step] = self.race.steps(component);
            steps
                .iter()
                .find(|step| step.mark > since && wanted(step.kind, op))
                .copied()
        };
        let moved = |call: &str, step: Option<Step>| RawSuggestion {
            action: Action::Move,
            call: call.to_owned(),
            at: step.map(|step| step.spot()),
            before: Some(spot(second)),
            ..RawSuggestion::default()
        };
        let closures = self.interface == Interface::Farside;
        let is_complete = |kind, op: &Op| kind == StepKind::Complete(op.win);
        if self.race.is_of_one_thread() && first.access.role == Role::Origin {
            let call = self.interface.complete();
            return match late(self.second.issued.component, is_complete, self.second.mark) {
                Some(step) => moved(call, Some(step)),
                None if closures => moved(call, None),
                None => self.between(call.into(), ""),
            };
        }
        if second
            .operation()
            .is_some_and(|other| other.epoch == AccessEpoch::Start)
        {
            return self.between(
                self.interface.complete_and_start().into(),
                "and an exposure epoch for each at the target",
            );
        }
        let is_wait = |kind, op: &Op| kind == StepKind::Wait(op.win);
        if op.local.get().is_some() && second.access.rank == op.target {
            let call = self.interface.wait_for_epoch();
            return match late(self.second.issued.component, is_wait, self.second.mark) {
                Some(step) => moved(call, Some(step)),
                None if closures => moved(call, None),
                None => RawSuggestion::insert(call, None, Some(spot(second)), ""),
            };
        }
        self.between(self.interface.complete_and_wait().into(), "")
    }

    fn instead_of_polling(&self) -> RawSuggestion {
        let (call, note) = self.interface.instead_of_polling();
        let sides = [&self.first.record, &self.second.record];
        let load = sides.into_iter().find(|record| record.access.role == Role::Local);
        RawSuggestion::replace(call, None, spot(load.unwrap_or(&self.first.record)), note)
    }

    fn between(&self, call: String, note: &str) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        RawSuggestion::insert(&call, Some(spot(first)), Some(spot(second)), note)
    }

    /// The call that completes an operation as far as the access needs it.
    fn completing_call(&self, op: &Op) -> String {
        let target = op.target.0;
        let at_origin = self.first.record.access.role == Role::Origin || op.only_reads;
        match op.request {
            Some(_) if at_origin => self.interface.wait().into(),
            None if at_origin => self.interface.flush_local(target),
            _ => self.interface.flush(target),
        }
    }
}

/// Of two threads of one process.
const OF_THREADS: &str = "order the two threads, by a barrier of threads or a lock";

/// Where an access is.
fn spot(record: &Record) -> Spot {
    Spot {
        site: record.site,
        name: record.name().to_owned(),
    }
}
