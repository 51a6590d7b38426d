//! What is told: findings, each once, with a picture of what happened around them and advice.

mod advice;
mod explain;
mod instances;
mod moment;
mod parts;
mod tally;
mod timeline;
mod trail;

use crate::finding::{CallKind, Name, RawFinding, Site, What};
use crate::job::{Caller, Job, Sequence};
use crate::memory::Races;
use crate::order::{Edge, Fences, Known, Threads};
use crate::record::{Op, Record, Renewal};
use crate::windows::Windows;
use crate::{Options, Polling};
use advice::Advice;
use farside_clocks::{Component, VectorClock};
use farside_events::{Call, Rank};
use farside_findings::Rule;
use instances::Instances;
pub(crate) use moment::Moment;
pub(crate) use parts::{FoundAt, join};
use rustc_hash::FxHashSet as HashSet;
use std::rc::Rc;
use tally::Tally;
use timeline::Timeline;
use trail::{Meeting, Step, StepKind, Trail};

/// The findings so far, and what is kept of the run to explain them.
#[derive(Debug, Default)]
pub(crate) struct Report {
    options: Options,
    tally: Tally,
    timeline: Timeline,
    trail: Trail,
    advice: Advice,
    instances: Instances,
    /// The places of loads that poll, and of what they meet, where that is allowed.
    polled: HashSet<[Site; 2]>,
}

/// Who takes part in calls of a group.
#[derive(Clone, Copy)]
pub(crate) struct Groups<'a> {
    job: &'a Job,
    windows: &'a Windows,
}

impl<'a> Groups<'a> {
    pub(crate) fn new(job: &'a Job, windows: &'a Windows) -> Self {
        Self { job, windows }
    }

    /// Whether `rank` takes part in a meeting, as far as is known.
    fn meets(&self, meeting: &Meeting, rank: Rank) -> bool {
        let group = match meeting {
            Meeting::Collective(comm, _) => self.job.members(*comm).map(|members| &**members),
            Meeting::Fence { win, .. } | Meeting::Free(win) => self.windows.members(*win),
        };
        group.is_none_or(|group| group.contains(&rank))
    }
}

impl Report {
    /// Nothing is found yet.
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            tally: Tally::new(options.first),
            ..Self::default()
        }
    }

    /// Whether the run need not be judged any further.
    pub(crate) fn is_done(&self) -> bool {
        self.tally.is_done()
    }

    /// The findings so far.
    pub(crate) fn findings(&self) -> &[RawFinding] {
        self.tally.all()
    }

    /// What is found from now on belongs to this moment.
    pub(crate) fn begin(&mut self, now: Moment) {
        self.tally.begin(now);
    }

    /// All findings of one of several judges so far; `open` says of an instance that it is not known whether it is a
    /// race.
    pub(crate) fn parts(&self, open: impl Fn(&[Known; 2]) -> bool) -> Vec<FoundAt> {
        let found = self.tally.moments().enumerate();
        let found = found.filter(|(_, (_, finding))| !is_one_of(&self.polled, finding));
        let part = |(index, (moment, finding)): (usize, (Moment, &RawFinding))| {
            FoundAt::new(moment, finding.clone(), self.instances.each(index, &open))
        };
        found.map(part).collect()
    }

    /// All findings, at the end.
    pub(crate) fn into_findings(mut self) -> Vec<RawFinding> {
        let allowed = std::mem::take(&mut self.polled);
        let mut findings = self.tally.into_all();
        findings.retain(|finding| !is_one_of(&allowed, finding));
        findings
    }

    /// A thread, at `time` of its own, enters a call: gives the place of the call in the sequence.
    pub(crate) fn enter(
        &mut self,
        caller: &Caller,
        call: &Call,
        time: u64,
        (fences, groups): (&Fences, Groups<'_>),
        sequence: &mut Sequence,
    ) -> u64 {
        let mark = match call {
            Call::Completion { .. } | Call::ThreadWait { .. } => 0,
            _ => {
                let (name, target) = Name::of(call, groups.windows.interface_of(call));
                let target = target.filter(|_| matches!(name, Name::CallOf(..)));
                let mark = sequence.advance();
                self.timeline.call(mark, (name, target), caller.site());
                mark
            }
        };
        let kind = StepKind::of(call, |win| fences.called(win, caller.rank()));
        let place = (sequence.advance(), time);
        self.step(
            caller.component(),
            Step::new(place, caller.site(), CallKind::of(call), kind),
            groups,
        );
        mark
    }

    /// A thread, at `time` of its own, calls a one-sided operation.
    pub(crate) fn call(
        &mut self,
        caller: &Caller,
        call: CallKind,
        time: u64,
        groups: Groups<'_>,
        sequence: &mut Sequence,
    ) {
        let place = (sequence.advance(), time);
        let step = Step::new(place, caller.site(), call, StepKind::Operation);
        self.step(caller.component(), step, groups);
    }

    fn step(&mut self, component: Component, step: Step, groups: Groups<'_>) {
        self.trail.push(component, step);
        self.advice.step(component, step, groups);
    }

    /// An operation is issued.
    pub(crate) fn operation(&mut self, op: &Rc<Op>) {
        self.timeline.operation(op);
    }

    /// Orders reach the last event of a process.
    pub(crate) fn reach(&mut self, rank: Rank, edges: impl IntoIterator<Item = Edge>) {
        for (from, link) in edges {
            let here = (rank, self.timeline.latest(rank));
            self.timeline.edge(from, here, link);
        }
    }

    /// The last event of a process.
    pub(crate) fn latest(&self, rank: Rank) -> (Rank, u64) {
        (rank, self.timeline.latest(rank))
    }

    /// An access is made; `clock` is what is known before it.
    pub(crate) fn access(&mut self, record: &Record, clock: &VectorClock) {
        let place = (record.component(), record.site());
        self.advice.repeat(place, record.mark(), clock);
    }

    /// As [`Self::access`], for a side of an operation that another judge compares.
    pub(crate) fn elsewhere(&mut self, op: &Op, clock: &VectorClock) {
        let place = (op.issued().component, op.site());
        self.advice.repeat(place, op.mark().1, clock);
    }

    /// As [`Self::access`], for one without a new record.
    pub(crate) fn renewed(&mut self, access: &Renewal<'_>, clock: &VectorClock) {
        self.advice.repeat(access.place(), access.mark(), clock);
    }

    /// A misuse of one or more calls, told once for a set of places.
    pub(crate) fn misuse(&mut self, finding: RawFinding) {
        let Some(first) = finding.parties.first() else {
            return;
        };
        let second = finding.parties.get(1).unwrap_or(first);
        let sites = [first.site, second.site];
        if let Some(index) = self.tally.enter(finding.rule, sites) {
            self.tally.fill(index, finding);
        }
    }

    /// Races of an access to the memory of `owner`, which earlier ones do not precede.
    pub(crate) fn races(
        &mut self,
        owner: Rank,
        new: &Rc<Record>,
        races: &Races,
        (threads, groups): (&Threads, Groups<'_>),
    ) {
        for (range, old, kind) in races.against() {
            let rule = explain::rule_of(old, new, *kind);
            let sites = [old.site(), new.site()];
            if rule == Rule::Polling && self.options.polling == Polling::Allow {
                self.polled.insert(moment::sorted(sites));
                continue;
            }
            let entered = self.tally.enter(rule, sites);
            if groups.job.clock(old.rank()) != groups.job.clock(new.rank())
                && let Some(index) = entered.or_else(|| self.tally.index(rule, sites))
            {
                let of_old = (old.issued(), threads.clock(old.component()).clone());
                self.instances.add(
                    index,
                    self.tally.now(),
                    [of_old, (new.issued(), races.clock().clone())],
                );
            }
            let Some(index) = entered else {
                continue;
            };
            let op = new.operation().or(old.operation());
            let (window, bytes) = groups.windows.bytes(owner, range, op.map(|op| &**op));
            let wanted = self.tally.wants_timeline();
            let finding = RawFinding {
                rule,
                what: What::Race(explain::missing(old, races.clock())),
                parties: vec![old.party(), new.party()],
                window,
                bytes: Some(bytes),
                address: Some(range.start),
                suggestion: None,
                count: 1,
                timeline: wanted.then(|| self.timeline.excerpt(&[old, new])),
                scene: None,
                turned: None,
            };
            self.tally.fill(index, finding);
            let steps = |component| self.trail.of(component).collect();
            let interface = window.map(|win| groups.windows.interface(win));
            let interface = interface.unwrap_or_default();
            self.advice.follow(
                (index, rule, interface),
                [old, new],
                races.clock(),
                threads,
                steps,
                groups,
            );
        }
    }

    /// Takes back races of which `open` says that it is not known whether they are any; gives how many. After advice.
    pub(crate) fn leave_out(&mut self, open: impl Fn(&[Known; 2]) -> bool) -> u64 {
        let instances = std::mem::take(&mut self.instances);
        self.tally.leave_out(|index| instances.all(index, &open))
    }

    /// Writes the advice on races, now that everything is known.
    pub(crate) fn advise(&mut self) {
        std::mem::take(&mut self.advice).write(&mut self.tally);
    }
}

/// Whether a race of a load that may poll is of one of these pairs of places: before it came back, the load was like
/// any other.
fn is_one_of(polled: &HashSet<[Site; 2]>, finding: &RawFinding) -> bool {
    let may_poll = matches!(finding.rule, Rule::RemoteRace | Rule::SharedMemoryRace);
    may_poll
        && match finding.parties.as_slice() {
            [first, second] => polled.contains(&moment::sorted([first.site, second.site])),
            _ => false,
        }
}
