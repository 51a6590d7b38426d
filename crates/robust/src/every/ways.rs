//! Ways of happens-before that could close a cycle, over steps instead of events.
//!
//! A cycle visits processes: it comes to an access of a command by a conflict, goes on in program order, and leaves by
//! an access of another command, or of the same. If the access by which it leaves came later in time in each visit, the
//! cycle would go forward in time all around. So in one visit the access by which it comes was *late*: [`Late`] lists
//! those that Table 1 lets be. From there [`Ways::back`] looks for a way back, over any other visits.
//!
//! A cycle that visits a process twice can be made shorter, for of two commands of a process one comes first. So a
//! smallest one visits each process once, all its conflicts are of two processes; or it is of two commands of one
//! process, of which the later one accesses a location before the earlier one.
//!
//! An access is *settled* if it comes before each later access of another process to its location, and all earlier ones
//! come before it is issued. Settled accesses count as if they happened when they are issued: conflicts go forward in
//! that time, too. So the access by which the cycle comes in the visit above is not settled, and the one by which it
//! leaves is issued before it happens, or is of the same command.
//!
//! Where each operation is complete before its process comes to a barrier, all of a cycle lies between two barriers:
//! each event has a number of barriers before it, it does not fall along a conflict or in program order, and late
//! accesses have the number of their commands.

use super::access::{Accesses, Moment};
use super::awaits::Awaits;
use super::flow::Flow;
use super::form::Role;
use super::order::Orders;
use super::rounds::Rounds;
use std::collections::{BTreeSet, VecDeque};

/// An access that may come after one of a later command of its process, or after an earlier access of its own command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Late {
    access: usize,
    before: usize,
    /// They are of two commands of one process.
    of_one_process: bool,
}

impl Late {
    /// What comes late.
    pub(super) fn access(self) -> usize {
        self.access
    }

    /// What may come before it.
    pub(super) fn before(self) -> usize {
        self.before
    }
}

/// How steps follow one another, and which may happen between the same barriers.
pub(super) struct Ways<'p> {
    flows: &'p [Flow<'p>],
    accesses: &'p Accesses<'p>,
    awaits: &'p Awaits,
    orders: &'p Orders<'p>,
    /// By access: it comes before each later one of another process with its location, and what comes before it there
    /// does before it is issued.
    settled: Vec<bool>,
    /// By access: it happens before the next one of the same step of its process.
    in_own_order: Vec<bool>,
    /// Each operation is complete before its process comes to a barrier.
    closed: bool,
    /// For each flow and step, the steps of the same process that may come after it, up to the next barrier if
    /// operations are complete there.
    after: Vec<Vec<BTreeSet<usize>>>,
    /// Pairs of flow and the state that its process was in after the last barrier, that may be at once.
    together: BTreeSet<[(usize, usize); 2]>,
    /// For each flow and step, the states after barriers from which it may come before the next one.
    phases: Vec<Vec<BTreeSet<usize>>>,
    /// For each flow, the steps that may come after a barrier.
    after_barriers: Vec<BTreeSet<usize>>,
}

impl<'p> Ways<'p> {
    pub(super) fn new(
        flows: &'p [Flow<'p>],
        accesses: &'p Accesses<'p>,
        awaits: &'p Awaits,
        rounds: &Rounds<'_, 'p>,
        orders: &'p Orders<'p>,
    ) -> Self {
        let mut ways = Self {
            flows,
            accesses,
            awaits,
            orders,
            settled: Vec::new(),
            in_own_order: Vec::new(),
            closed: true,
            after: Vec::new(),
            together: BTreeSet::new(),
            phases: Vec::new(),
            after_barriers: Vec::new(),
        };
        ways.closed = orders.operations().all(|(flow, step)| {
            let within = orders.overlapping(flow, step, Moment::B);
            !within.iter().any(|&step| flows[flow].is_barrier(step))
        });
        for flow in flows {
            let steps = 0..flow.code().transitions.len();
            let stops = |step: usize| ways.closed && flow.is_barrier(step);
            ways.after
                .push(steps.map(|step| flow.steps_after(step, stops)).collect());
            let barriers = (0..flow.code().transitions.len()).filter(|&step| flow.is_barrier(step));
            let follow = |step: usize| flow.steps_after(step, |_| false);
            ways.after_barriers.push(barriers.flat_map(follow).collect());
        }
        ways.meet_at_barriers();
        let all = 0..accesses.all().len();
        ways.in_own_order = all.clone().map(|access| rounds.is_in_own_order(access)).collect();
        ways.settled = all
            .clone()
            .map(|access| all.clone().all(|other| ways.is_settled(access, other, rounds)))
            .collect();
        ways
    }

    /// Whether an access comes before each one of another step that is of its location and another process, or that
    /// comes before it is issued.
    fn is_settled(&self, access: usize, other: usize, rounds: &Rounds<'_, '_>) -> bool {
        let at = |access: usize| self.accesses.all()[access].at();
        !self.accesses.conflict(access, other, false)
            // Where operations are complete at barriers, what is of two phases is in order.
            || !self.at_once(at(access), at(other))
            || self.awaits.orders(access, other)
            || rounds.take_turns(access, other)
    }

    /// The accesses that come late and count as if they did not.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = usize> + '_ {
        let late: BTreeSet<usize> = self.late().into_iter().map(Late::access).collect();
        let is_met = |access: usize| {
            let mut others = 0..self.accesses.all().len();
            others.any(|other| self.accesses.conflict(access, other, false))
        };
        late.into_iter()
            .filter(move |&access| self.settled[access] && is_met(access))
    }

    /// Whether cycles lie between two barriers.
    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Finds out which parts of the codes between barriers may run at once.
    fn meet_at_barriers(&mut self) {
        let first = |flow: usize| (flow, 0);
        let mut open: Vec<[(usize, usize); 2]> = Vec::new();
        for one in 0..self.flows.len() {
            for other in 0..self.flows.len() {
                open.push([first(one), first(other)]);
            }
        }
        while let Some(pair) = open.pop() {
            if !self.together.insert(pair) {
                continue;
            }
            let next = |(flow, state): (usize, usize)| -> Vec<(usize, usize)> {
                let steps = self.flows[flow].next_barriers(state).into_iter();
                steps
                    .map(|step| (flow, self.flows[flow].code().transitions[step].to))
                    .collect()
            };
            let after = pair.map(next);
            for &one in &after[0] {
                for &other in &after[1] {
                    open.push([one, other]);
                }
            }
        }
        for (number, flow) in self.flows.iter().enumerate() {
            let mut phases = vec![BTreeSet::new(); flow.code().transitions.len()];
            let states: BTreeSet<usize> = self
                .together
                .iter()
                .flatten()
                .filter(|(of, _)| *of == number)
                .map(|&(_, state)| state)
                .collect();
            for state in states {
                for step in flow.steps_from(state, |step| flow.is_barrier(step)) {
                    phases[step].insert(state);
                }
            }
            self.phases.push(phases);
        }
    }

    /// Whether two steps may be between the same barriers, if that matters.
    fn at_once(&self, one: (usize, usize), other: (usize, usize)) -> bool {
        !self.closed
            || self.phases[one.0][one.1].iter().any(|&state| {
                let mut others = self.phases[other.0][other.1].iter();
                others.any(|&other_state| self.together.contains(&[(one.0, state), (other.0, other_state)]))
            })
    }

    /// The accesses that may come late, each with what may come before it.
    pub(super) fn late(&self) -> Vec<Late> {
        let mut found = Vec::new();
        for (flow, step) in self.orders.operations() {
            let own: Vec<usize> = self.accesses.of_step(flow, step).collect();
            let at = |index: usize| self.accesses.all()[index].moment();
            for &access in &own {
                let earlier = own.iter().filter(|&&before| at(before) < at(access));
                let late = |of_one_process| {
                    move |before| Late {
                        access,
                        before,
                        of_one_process,
                    }
                };
                found.extend(earlier.copied().map(late(false)));
                let overlapping = self.orders.overlapping(flow, step, at(access));
                for &later in &overlapping {
                    let before = self.accesses.of_step(flow, later);
                    let all = self.accesses.all();
                    for before in before {
                        let in_order = before == access && self.in_own_order[access];
                        let is_open = !in_order && !self.orders.goes_first(&all[access], &all[before]);
                        // What counts as if it took effect when it is issued may do so before the earlier one.
                        if is_open || self.settled[before] {
                            found.push(late(is_open)(before));
                        }
                    }
                }
                if overlapping
                    .iter()
                    .any(|&later| self.flows[flow].is_barrier(later))
                {
                    found.extend(self.beyond_barriers().map(late(false)));
                }
            }
        }
        found
    }

    /// All accesses after a barrier, of any process.
    fn beyond_barriers(&self) -> impl Iterator<Item = usize> + '_ {
        let flows = self.after_barriers.iter().enumerate();
        flows.flat_map(move |(flow, steps)| {
            steps
                .iter()
                .flat_map(move |&step| self.accesses.of_step(flow, step))
        })
    }

    /// A way from what may come before a late access to that access: the accesses at which it comes to a process, and
    /// at which it leaves it, in turns. Nothing if there is none.
    pub(super) fn back(&self, late: Late) -> Option<Vec<usize>> {
        let all = self.accesses.all();
        if late.of_one_process && self.accesses.conflict(late.before, late.access, true) {
            return Some(vec![late.before, late.access]);
        }
        if self.settled[late.access] {
            return None;
        }
        let alone = self.flows[all[late.access].at().0].role() != Role::Middle;
        // By which access each was reached; the first by itself.
        let mut from: Vec<Option<usize>> = vec![None; all.len()];
        from[late.before] = Some(late.before);
        let mut open = VecDeque::from([late.before]);
        while let Some(leaving) = open.pop_front() {
            let left = &all[leaving];
            for (coming, access) in all.iter().enumerate() {
                if !self.accesses.conflict(leaving, coming, false)
                    || !self.at_once(left.at(), access.at())
                    || self.awaits.orders(coming, leaving)
                {
                    continue;
                }
                if coming == late.access {
                    let mut way = vec![coming, leaving];
                    let mut at = leaving;
                    while let Some(before) = from[at].filter(|&before| before != at) {
                        way.push(before);
                        at = before;
                    }
                    way.reverse();
                    return Some(way);
                }
                // The process of the late access is visited once.
                let (flow, step) = access.at();
                if alone && flow == all[late.access].at().0 {
                    continue;
                }
                // Where the process may leave.
                let steps = std::iter::once(step).chain(self.after[flow][step].iter().copied());
                let mut next: Vec<usize> = steps.flat_map(|step| self.accesses.of_step(flow, step)).collect();
                let passes = |step: &usize| self.flows[flow].is_barrier(*step);
                if !self.closed && self.after[flow][step].iter().any(passes) {
                    next.extend(self.beyond_barriers());
                }
                for next in next {
                    if from[next].is_none() {
                        from[next] = Some(leaving);
                        open.push_back(next);
                    }
                }
            }
        }
        None
    }
}
