//! Writes of flags that nothing which waits for them can come before.
//!
//! Promise: if [`Awaits::orders`] says so, then in no computation, of any number of ranks from `least` on, the second
//! access comes before the first where both are of one location.
//!
//! A load waits for a value (`docs/design/polls.md`). If the location does not have that value at first, and but for
//! stores of its own process that come after the load, one operation of one process writes it, and once, then the load
//! comes after that operation's effect. So does all that its process can only do after the load; and what the other
//! process did before that effect comes before all of that.

use super::access::{Access, Accesses, Moment};
use super::flow::Flow;
use super::order::Orders;
use farside_pgas::calculus::Command;
use std::collections::BTreeSet;

/// Pairs of a write and of accesses that come after it.
pub(super) struct Awaits {
    after: BTreeSet<(usize, usize)>,
    loads: Vec<usize>,
}

impl Awaits {
    /// Finds them. `ends_at_first` says of a load whether what is there at first may be what it
    /// waits for.
    pub(super) fn new(
        flows: &[Flow<'_>],
        accesses: &Accesses<'_>,
        ends_at_first: &dyn Fn(&Access) -> bool,
        orders: &Orders<'_>,
    ) -> Self {
        let mut awaits = Self {
            after: BTreeSet::new(),
            loads: Vec::new(),
        };
        let all = accesses.all();
        for (load, access) in all.iter().enumerate() {
            let (number, step) = access.at();
            let flow = &flows[number];
            let command = &flow.code().transitions[step].command;
            if !matches!(command, Command::Load { until: Some(_), .. }) || ends_at_first(access) {
                continue;
            }
            // What cannot be done before the load.
            let before = flow.steps_from(0, |other| other == step);
            let is_after = |other: usize| {
                let (of, other) = all[other].at();
                of == number && (other == step || !before.contains(&other))
            };
            let writers: Vec<usize> = (0..all.len())
                .filter(|&other| {
                    let own = is_after(other)
                        && all[other].moment() == Moment::Issue
                        && !accesses.may_meet(load, other, false);
                    let meets = accesses.may_meet(load, other, true) || accesses.may_meet(load, other, false);
                    all[other].writes() && meets && !own
                })
                .collect();
            let once = |&writer: &usize| {
                let (flow, step) = all[writer].at();
                !flows[flow].steps_after(step, |_| false).contains(&step)
            };
            // Each location has one of them.
            let apart = |&writer: &usize| {
                writers.iter().all(|&other| {
                    !accesses.may_meet(writer, other, false)
                        && (writer == other || !accesses.may_meet(writer, other, true))
                })
            };
            if writers.is_empty() || !writers.iter().all(|writer| once(writer) && apart(writer)) {
                continue;
            }
            awaits.loads.push(load);
            for &writer in &writers {
                if !accesses.is_by_one(writer) || !accesses.is_one_cell(writer, load) {
                    continue;
                }
                // What is written to the process that waits, up to the flag.
                let before: Vec<usize> = (0..all.len())
                    .filter(|&first| {
                        all[first].at().0 == all[writer].at().0 && accesses.is_one_owner(first, writer)
                    })
                    .filter(|&first| first == writer || orders.comes_before(&all[first], &all[writer]))
                    .collect();
                for other in (0..all.len()).filter(|&other| is_after(other) && accesses.is_own(other)) {
                    awaits.after.extend(before.iter().map(|&first| (first, other)));
                }
            }
        }
        awaits
    }

    /// The loads that wait for such a write.
    pub(super) fn loads(&self) -> impl Iterator<Item = usize> + '_ {
        self.loads.iter().copied()
    }

    /// Whether the first access comes before the second in each computation, where they are of one location.
    pub(super) fn orders(&self, first: usize, second: usize) -> bool {
        self.after.contains(&(first, second))
    }
}
