//! Writes of flags that nothing which waits for them can come before.
//!
//! Promise: if [`Awaits::orders`] says so, then in no computation, of any number of ranks from `least` on, the second
//! access comes before the first where both are of one location.
//!
//! A load waits for a value (`docs/design/polls.md`). If the location does not have that value at first, and but for
//! stores of its own process that come after the load, one operation of one process writes it, and once, then the load
//! comes after that operation's effect. So does all that its process can only do after the load; and what the other
//! process did before that effect comes before all of that. The same holds of each process that raises a counter of
//! which a load waits for as much as all add (`counts`).

use super::access::{Access, Accesses, Moment};
use super::counts::Counts;
use super::flow::Flow;
use super::form::Role;
use super::order::Orders;
use farside_pgas::calculus::Command;
use std::collections::BTreeSet;

/// A flag that one process writes each location of.
pub(super) struct Flag {
    load: usize,
    writers: Vec<usize>,
    first: i64,
}

impl Flag {
    /// The access that waits for it.
    pub(super) fn load(&self) -> usize {
        self.load
    }

    /// The accesses that write it: one for each location.
    pub(super) fn writers(&self) -> &[usize] {
        &self.writers
    }

    /// What is there at first.
    pub(super) fn first(&self) -> i64 {
        self.first
    }
}

/// Pairs of a write and of accesses that come after it.
#[derive(Default)]
pub(super) struct Awaits {
    after: BTreeSet<(usize, usize)>,
    once: Vec<usize>,
    counted: Vec<usize>,
    flags: Vec<Flag>,
}

/// What loads wait for, and of whom.
struct Search<'s, 'p> {
    flows: &'s [Flow<'p>],
    accesses: &'s Accesses<'p>,
    orders: &'s Orders<'p>,
}

impl Awaits {
    /// Finds them. `at_first` says of a load what is there at first, if that is known, and whether it may be what the
    /// load waits for.
    pub(super) fn new<'p>(
        flows: &[Flow<'p>],
        accesses: &Accesses<'p>,
        at_first: &dyn Fn(&Access) -> (Option<i64>, bool),
        orders: &Orders<'p>,
        counts: &Counts<'_, 'p>,
    ) -> Self {
        let search = Search {
            flows,
            accesses,
            orders,
        };
        let mut awaits = Self::default();
        for (load, access) in accesses.all().iter().enumerate() {
            let (number, step) = access.at();
            let command = &flows[number].code().transitions[step].command;
            if !matches!(command, Command::Load { until: Some(_), .. }) {
                continue;
            }
            let writers = search.writers(load);
            let (first, ends_at_first) = at_first(access);
            if !ends_at_first && search.is_once(&writers) {
                awaits.once.push(load);
                for &writer in &writers {
                    let anywhere = writers.len() == 1 && search.is_one(writer) && search.is_one(load);
                    if accesses.is_by_one(writer) && accesses.is_one_cell(writer, load) {
                        awaits.after.extend(search.pairs(writer, load, anywhere));
                    }
                }
            } else if let Some(first) = first
                && !writers.is_empty()
                && counts.all_of(load, &writers, first)
            {
                awaits.counted.push(load);
                for &writer in &writers {
                    let anywhere = search.is_one(load) && counts.is_by_all(writer);
                    awaits.after.extend(search.pairs(writer, load, anywhere));
                }
            } else if let Some(first) = first
                && search.has_one_writer_each(load, &writers)
            {
                awaits.flags.push(Flag { load, writers, first });
            }
        }
        awaits
    }

    /// The loads that wait for a write that is done once.
    pub(super) fn once(&self) -> &[usize] {
        &self.once
    }

    /// The loads that wait for as much as all processes add.
    pub(super) fn counted(&self) -> &[usize] {
        &self.counted
    }

    /// The other flags.
    pub(super) fn flags(&self) -> &[Flag] {
        &self.flags
    }

    /// Whether the first access comes before the second in each computation, where they are of one location.
    pub(super) fn orders(&self, first: usize, second: usize) -> bool {
        self.after.contains(&(first, second))
    }
}

impl Search<'_, '_> {
    /// Whether an access cannot be done by the process of a load but after that.
    fn is_after(&self, load: usize, other: usize) -> bool {
        let all = self.accesses.all();
        let ((number, step), (of, other)) = (all[load].at(), all[other].at());
        let before = || self.flows[number].steps_from(0, |passed| passed == step);
        of == number && (other == step || !before().contains(&other))
    }

    /// Whether an access is a store of the process that waits, of its own memory, after the load.
    fn is_own_after(&self, load: usize, other: usize) -> bool {
        let all = self.accesses.all();
        all[other].moment() == Moment::Issue
            && !self.accesses.may_meet(load, other, false)
            && self.is_after(load, other)
    }

    /// What writes the location of a load, but for stores of its own process after it.
    fn writers(&self, load: usize) -> Vec<usize> {
        let all = self.accesses.all();
        let meets =
            |other| self.accesses.may_meet(load, other, true) || self.accesses.may_meet(load, other, false);
        let writers = (0..all.len()).filter(|&other| all[other].writes() && meets(other));
        writers.filter(|&other| !self.is_own_after(load, other)).collect()
    }

    /// Whether each location has one of these writers, which writes it once.
    fn is_once(&self, writers: &[usize]) -> bool {
        let once = |writer: usize| {
            let (flow, step) = self.accesses.all()[writer].at();
            !self.flows[flow].steps_after(step, |_| false).contains(&step)
        };
        !writers.is_empty() && writers.iter().all(|&writer| once(writer)) && self.is_apart(writers)
    }

    /// Whether no location has two of these writers, or two processes that write it.
    fn is_apart(&self, writers: &[usize]) -> bool {
        writers.iter().all(|&writer| {
            writers.iter().all(|&other| {
                !self.accesses.may_meet(writer, other, false)
                    && (writer == other || !self.accesses.may_meet(writer, other, true))
            })
        })
    }

    /// Whether each location that a load waits for is written by one process, and by nothing else.
    fn has_one_writer_each(&self, load: usize, writers: &[usize]) -> bool {
        let all = self.accesses.all();
        let own = |other: usize| all[other].writes() && self.is_own_after(load, other);
        let of_one =
            |writer: usize| self.accesses.is_by_one(writer) && self.accesses.is_one_cell(writer, load);
        let meets_own = (0..all.len()).any(|other| own(other) && self.accesses.may_meet(load, other, true));
        !writers.is_empty()
            && writers.iter().all(|&writer| of_one(writer))
            && self.is_apart(writers)
            && !meets_own
    }

    /// Whether an access is of one process.
    fn is_one(&self, access: usize) -> bool {
        self.flows[self.accesses.all()[access].at().0].role() != Role::Middle
    }

    /// What comes before a write that a load waits for, with all that comes after the load: of the memory of the
    /// process that waits, or anywhere.
    fn pairs(&self, writer: usize, load: usize, anywhere: bool) -> Vec<(usize, usize)> {
        let all = self.accesses.all();
        let before: Vec<usize> = (0..all.len())
            .filter(|&first| all[first].at().0 == all[writer].at().0)
            .filter(|&first| anywhere || self.accesses.is_one_owner(first, writer))
            .filter(|&first| first == writer || self.orders.comes_before(&all[first], &all[writer]))
            .collect();
        let after = (0..all.len()).filter(|&other| self.is_after(load, other));
        after
            .filter(|&other| anywhere || self.accesses.is_own(other))
            .flat_map(|other| before.iter().map(move |&first| (first, other)))
            .collect()
    }
}
