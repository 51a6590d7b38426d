//! The call that makes one access of a race come before the other.

use super::super::trail::{Meeting, Step, StepKind};
use super::{Race, Side};
use crate::finding::{Code, Note, RawSuggestion, Spot};
use crate::interface::Rules;
use crate::misuse::NOPRECEDE;
use crate::record::{AccessEpoch, Op, Record};
use farside_clocks::{Component, Epoch};
use farside_conflicts::Role;
use farside_events::{Interface, Rank};
use farside_findings::{Action, Rule};
use std::rc::Rc;

/// Makes the access `first` come before `second`.
pub(super) struct Repair<'r> {
    /// Whose calls repair it.
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
    pub(super) fn new(race: &'r Race, first: usize) -> Self {
        let sides = [&race.sides[first], &race.sides[1 - first]];
        let op = sides.iter().find_map(|side| side.record.operation());
        Self {
            interface: op.map_or(race.interface, |op| op.interface()),
            race,
            first: sides[0],
            second: sides[1],
            ordered: race.is_of_one_thread() || (race.ordered && first == 0),
        }
    }

    pub(super) fn suggestion(&self) -> RawSuggestion {
        if self.race.rule == Rule::Polling {
            return self.instead_of_polling();
        }
        let mut suggestion = self.order();
        suggestion.next_round = self.race.next_round(self.first, self.second);
        if self.race.rule == Rule::AccumulateMismatch {
            suggestion = suggestion.noting(Note::OneTypeAndOperator);
        }
        suggestion
    }

    fn order(&self) -> RawSuggestion {
        if let Some(fence) = self.fence_that_does_not_order() {
            return fence;
        }
        let Some(op) = self.first.record.operation() else {
            return self.order_only(self.first.record.spot());
        };
        let completion = self.completion();
        if let Some(done) = &completion
            && !self.ordered
            && self.is_in_time(done)
        {
            let Some(step) = done.step else {
                return self.order_only(self.first.record.spot());
            };
            let mut suggestion = self.order_only(step.spot());
            suggestion.otherwise = Some(Box::new(self.complete(op, completion)));
            return suggestion;
        }
        self.complete(op, completion)
    }

    /// The first is not complete in time.
    fn complete(&self, op: &Rc<Op>, completion: Option<Completion>) -> RawSuggestion {
        match op.epoch() {
            AccessEpoch::Start => self.end_of_epochs(op),
            AccessEpoch::Fence if !self.is_local_wait(op) => {
                self.between(vec![Code::Fence]).noting(Note::OnAllRanksOfWindow)
            }
            _ => self.completed(op, completion),
        }
    }

    /// The crate `farside` completes operations at their origin, and by requests, in every epoch.
    fn is_local_wait(&self, op: &Op) -> bool {
        self.interface.completes_at_origin_everywhere()
            && self.is_at_origin(op)
            && self.race.is_of_one_thread()
    }

    /// When the first was complete as far as the second needs it.
    fn completion(&self) -> Option<Completion> {
        let Epoch { component, time, .. } = self.first.record.completed()?;
        let mut steps = self.race.steps(component).iter();
        let step = steps.rfind(|step| step.time() < time && step.mark() > self.first.mark);
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
                step.mark() < next.mark()
            }
            (None, Some(_)) => false,
            // Another thread of one process: it may have waited for the second before it completed anything.
            (step, _) if self.is_of_one_process() && done.component != self.first.issued.component => {
                step.is_some_and(|step| step.mark() < self.second.mark)
            }
            _ => true,
        }
    }

    fn is_of_one_process(&self) -> bool {
        self.first.record.rank() == self.second.record.rank()
    }

    /// A fence lies between the two that need not order, as its assertion says. Where a closure is an epoch, that is
    /// how epochs begin, and nobody asserted it.
    fn fence_that_does_not_order(&self) -> Option<RawSuggestion> {
        if self.ordered || self.interface.ends_epochs_by_closures() {
            return None;
        }
        let fence = |step: &&Step| matches!(step.kind(), StepKind::Meeting(Meeting::Fence { .. }));
        let after = self.race.steps(self.first.issued.component).iter().filter(fence);
        let after = after.filter(|step| step.mark() > self.first.mark);
        let meetings: Vec<Meeting> = after.filter_map(Step::meeting).collect();
        let before = self.race.steps(self.second.issued.component).iter().filter(fence);
        before
            .filter(|step| step.mark() < self.second.mark)
            .find_map(|step| match step.kind() {
                StepKind::Meeting(meeting @ Meeting::Fence { assertions, .. })
                    if assertions.noprecede && meetings.iter().any(|other| other.is(&meeting)) =>
                {
                    let advice = RawSuggestion::without(assertions, NOPRECEDE, step.spot());
                    Some(advice.noting(Note::OnAllRanks))
                }
                _ => None,
            })
    }

    /// The first is complete, or needs no completion: it only has to come first.
    fn order_only(&self, after: Spot) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        let insert = |code, after| RawSuggestion::insert(code, Some(after), Some(second.spot()));
        let (from, to) = (first.rank(), second.rank());
        // Of one thread, it is the others' part of a collective call that may go on.
        if from == to && !self.race.is_of_one_thread() {
            return insert(Vec::new(), after).noting(Note::OrderThreads);
        }
        let of_fences = |record: &Record| {
            let op = record.operation();
            op.is_some_and(|op| op.epoch() == AccessEpoch::Fence)
        };
        if of_fences(first) || of_fences(second) {
            return insert(vec![Code::Fence], after).noting(Note::OnAllRanksOfWindow);
        }
        let note = match from == to {
            true => Note::OnAllRanks,
            false => Note::OnAllRanksOrMessage { from, to },
        };
        let barrier = |after| insert(vec![Code::Barrier], after).noting(note);
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
        let until = self.first.next.map_or(u64::MAX, |step| step.mark());
        let is_sync = |step: &&Step| {
            matches!(step.kind(), StepKind::Sync(_)) && (self.first.mark..until).contains(&step.mark())
        };
        let steps = self.race.steps(self.first.issued.component).iter();
        let shared = self.race.rule == Rule::SharedMemoryRace;
        steps.filter(|_| shared).find(is_sync).copied()
    }

    /// Completion of an operation under a lock, and order if that is missing, too.
    fn completed(&self, op: &Rc<Op>, completion: Option<Completion>) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        if self.interface.completes_by_flags() && !self.is_at_origin(op) {
            let target = op.target();
            let advice = RawSuggestion::insert(vec![Code::Notify(target)], Some(first.spot()), None);
            return advice.noting(Note::SeenBefore(target));
        }
        let call = self.completing_call(op);
        if !self.ordered {
            let (from, to) = (first.rank(), second.rank());
            if from == to {
                return self.between(vec![call]).noting(Note::AndOrderThreads);
            }
            return self
                .between(vec![call, Code::Barrier])
                .noting(Note::OnRankThenBarrierOrMessage { from, to });
        }
        let release = self.release();
        let (before, end) = match release {
            Some(step) => (Some(step.spot()), step.mark()),
            None if self.race.is_of_one_thread() => (Some(second.spot()), self.second.mark),
            None => (None, u64::MAX),
        };
        if let Some((weak, target)) = self.local_flush(op, end) {
            let channel = op.channel();
            let flush = |local| Code::Flush {
                target,
                local,
                channel,
            };
            return RawSuggestion {
                before,
                ..RawSuggestion::replace(flush(false), Some(flush(true)), weak.spot())
            };
        }
        let late = completion.and_then(|completion| completion.step);
        let late = late.filter(|_| !self.interface.completes_within_calls());
        if let (Some(release), Some(late)) = (release, late) {
            let own = self.race.steps(self.first.issued.component);
            let follows = own.iter().find(|step| step.mark() > release.mark());
            if follows.is_some_and(|step| step.mark() == late.mark())
                && let StepKind::Flush { target, local, .. } = late.kind()
            {
                return RawSuggestion {
                    action: Action::Move,
                    code: vec![Code::Flush {
                        target,
                        local,
                        channel: op.channel(),
                    }],
                    at: Some(late.spot()),
                    after: Some(first.spot()),
                    before,
                    ..RawSuggestion::default()
                };
            }
        }
        RawSuggestion::insert(vec![call], Some(first.spot()), before)
    }

    /// The last call by which the second learned of the thread of the first: completion must come before it.
    fn release(&self) -> Option<Step> {
        if self.race.is_of_one_thread() {
            return None;
        }
        let mut steps = self.race.steps(self.first.issued.component).iter();
        steps
            .rfind(|step| step.time() <= self.race.known && step.mark() > self.first.mark)
            .copied()
    }

    /// A flush that completes the first at its origin only, where its target is meant; and the target of the flush.
    fn local_flush(&self, op: &Op, end: u64) -> Option<(Step, Option<Rank>)> {
        if self.is_at_origin(op) {
            return None;
        }
        let steps = self.race.steps(self.first.issued.component).iter();
        steps
            .filter(|step| self.first.mark < step.mark() && step.mark() < end)
            .find_map(|step| match step.kind() {
                StepKind::Flush {
                    win,
                    target,
                    local: true,
                    ..
                } if win == op.win() && target.is_none_or(|target| target == op.target()) => {
                    Some((*step, target))
                }
                _ => None,
            })
    }

    /// What ends the access epoch of the first, and the exposure that it meets.
    fn end_of_epochs(&self, op: &Rc<Op>) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        let late = |component, wanted: StepKind, since: u64| {
            let mut steps = self.race.steps(component).iter();
            steps.find(|step| step.mark() > since && step.kind() == wanted)
        };
        let moved = |code, at| RawSuggestion {
            action: Action::Move,
            code: vec![code],
            at,
            before: Some(second.spot()),
            ..RawSuggestion::default()
        };
        let closures = self.interface.ends_epochs_by_closures();
        let after_second = |wanted| late(self.second.issued.component, wanted, self.second.mark);
        if self.race.is_of_one_thread() && first.role() == Role::Origin {
            return match after_second(StepKind::Complete(op.win())) {
                None if !closures => self.between(vec![Code::Complete]),
                at => moved(Code::Complete, at.map(Step::spot)),
            };
        }
        if second
            .operation()
            .is_some_and(|other| other.epoch() == AccessEpoch::Start)
        {
            if let Some(wait) = self.end_of_exposure_between(op) {
                return wait;
            }
            return self
                .between(vec![Code::CompleteAndStart])
                .noting(Note::AndExposureForEach);
        }
        if op.local().is_some() && second.rank() == op.target() {
            if let Some(test) = self.test_of_exposure(op) {
                return self.end_of_exposure(op).or_wait_at(Some(test));
            }
            return match after_second(StepKind::Wait(op.win())) {
                None if !closures => self.end_of_exposure(op),
                at => moved(Code::Wait, at.map(Step::spot)),
            };
        }
        self.between(vec![Code::CompleteAndWait])
    }

    /// The end of the exposure that an operation meets, which its target has not made. Where the target has an access
    /// epoch of its own meanwhile, others may wait for the end of that, so that it comes first.
    fn end_of_exposure(&self, op: &Op) -> RawSuggestion {
        let second = &self.second.record;
        let steps = self.race.steps(self.second.issued.component);
        let is_post = |step: &&Step| step.kind() == StepKind::Post(op.win());
        let mut posts = steps.iter().filter(is_post).map(Step::mark);
        let posted = posts.clone().rfind(|mark| *mark < self.second.mark);
        let again = posts.find(|mark| *mark > self.second.mark);
        let meanwhile = |step: &&Step| {
            step.kind() == StepKind::Complete(op.win())
                && posted.is_none_or(|posted| posted < step.mark())
                && again.is_none_or(|again| step.mark() < again)
        };
        let mut completes = steps.iter().filter(meanwhile);
        let above = completes.clone().rfind(|step| step.mark() < self.second.mark);
        match (above, completes.next()) {
            (Some(own), _) => RawSuggestion::insert(vec![Code::Wait], Some(own.spot()), Some(second.spot())),
            (None, Some(own)) => RawSuggestion::insert(vec![Code::Wait], Some(own.spot()), None),
            (None, None) => RawSuggestion::insert(vec![Code::Wait], None, Some(second.spot())),
        }
    }

    /// The last test of the second's thread by which it asked before the second whether that exposure is over: it said
    /// that it is not.
    fn test_of_exposure(&self, op: &Op) -> Option<Spot> {
        let steps = self.race.steps(self.second.issued.component).iter();
        let mut before = steps.rev().skip_while(|step| step.mark() >= self.second.mark);
        let last = before.find(|step| {
            let kind = step.kind();
            kind == StepKind::Post(op.win()) || kind == StepKind::Wait(op.win())
        })?;
        last.is_test().then(|| last.spot())
    }

    /// The end of the exposure that the first of two operations of a thread meets, where that thread has ended its
    /// access epoch before the second one, so that only the target has forgotten something: before it exposes its
    /// window again.
    fn end_of_exposure_between(&self, op: &Op) -> Option<RawSuggestion> {
        let between = self.first.mark..self.second.mark;
        let ends =
            |step: &Step| step.kind() == StepKind::Complete(op.win()) && between.contains(&step.mark());
        let own = self.race.steps(self.first.issued.component);
        if !self.race.is_of_one_thread() || !own.iter().any(ends) {
            return None;
        }
        let is_target = |step: &Step| step.site().rank == op.target();
        let mut others = self.race.steps.iter().map(|(_, steps)| steps);
        let steps = others.find(|steps| steps.first().is_some_and(is_target))?;
        let is_post =
            |step: &&Step| step.kind() == StepKind::Post(op.win()) && step.mark() < self.second.mark;
        let again = steps.iter().rfind(is_post)?;
        let mut before = steps.iter().filter(|step| step.mark() < again.mark());
        let ends_exposure =
            |step: &&Step| step.mark() > self.first.mark && step.kind() == StepKind::Wait(op.win());
        let end = before.clone().rfind(ends_exposure);
        if end.is_some_and(|step| !step.is_test()) {
            return None;
        }
        let is_end = |step: &&Step| step.kind() == StepKind::Complete(op.win());
        let after = before.rfind(is_end).map(Step::spot);
        let wait = RawSuggestion::insert(vec![Code::Wait], after, Some(again.spot()));
        Some(wait.or_wait_at(end.map(Step::spot)))
    }

    fn instead_of_polling(&self) -> RawSuggestion {
        let sides = [&self.first.record, &self.second.record];
        let load = sides.into_iter().find(|record| record.role() == Role::Local);
        let at = load.unwrap_or(&self.first.record).spot();
        RawSuggestion::replace(Code::AtomicRead, None, at).noting(Note::AtomicRead)
    }

    fn between(&self, code: Vec<Code>) -> RawSuggestion {
        let (first, second) = (&self.first.record, &self.second.record);
        RawSuggestion::insert(code, Some(first.spot()), Some(second.spot()))
    }

    /// Whether completion at the origin is all that the first needs.
    fn is_at_origin(&self, op: &Op) -> bool {
        self.first.record.role() == Role::Origin || op.only_reads()
    }

    /// The call that completes an operation as far as the access needs it.
    fn completing_call(&self, op: &Op) -> Code {
        let local = self.is_at_origin(op);
        match op.request() {
            Some(_) if local => Code::WaitForRequest,
            _ => Code::Flush {
                target: Some(op.target()),
                local,
                channel: op.channel(),
            },
        }
    }
}
