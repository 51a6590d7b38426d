//! Counters that are waited for until all have been there.
//!
//! Promise: if [`Counts::all_of`] gives the accesses that raise a counter, then in no computation, of any number of
//! ranks from `least` on, a load waits to the end before each process that one of them is of has raised it by each.
//!
//! A load waits for at least E. The counter begins with v, and is only raised, by atomic operations that each process
//! does at most once. If all of them together add no more than E - v, then E is not there before the last one.

use super::access::{Access, Accesses, Moment};
use super::flow::Flow;
use super::form::{Bounds, Form, Role};
use super::wanted::Wanted;
use farside_pgas::ast::AtomicOperation;
use farside_pgas::calculus::Command;

/// What is needed to count.
pub(super) struct Counts<'c, 'p> {
    flows: &'c [Flow<'p>],
    accesses: &'c Accesses<'p>,
    bounds: Bounds,
}

impl<'c, 'p> Counts<'c, 'p> {
    pub(super) fn new(flows: &'c [Flow<'p>], accesses: &'c Accesses<'p>, bounds: Bounds) -> Self {
        Self {
            flows,
            accesses,
            bounds,
        }
    }

    /// Whether the accesses that write what a load waits for raise a counter, and all of them have before the load is
    /// over. `first`: what the counter is at first.
    pub(super) fn all_of(&self, load: usize, writers: &[usize], first: i64) -> bool {
        let all = self.accesses.all();
        let flow = &self.flows[all[load].at().0];
        let Some((wanted, registers)) = Wanted::of(flow, &all[load]).zip(flow.before(all[load].at().1))
        else {
            return false;
        };
        let most = writers.iter().try_fold(Form::number(first), |most, &writer| {
            let added = self.most_added(&all[writer], writer)?;
            let is_counter = self.accesses.is_one_cell(writer, load);
            is_counter.then(|| most.and(added))
        });
        let least = Form::of(wanted.least(), registers, flow.role(), self.bounds);
        most.is_some_and(|most| {
            least
                .and(Form::number(wanted.more()))
                .is_never_below(most, self.bounds)
        })
    }

    /// Whether all processes of the role of an access raise one and the same counter by it.
    pub(super) fn is_by_all(&self, access: usize) -> bool {
        let role = self.flows[self.accesses.all()[access].at().0].role();
        role != Role::Middle || !self.accesses.is_by_one(access)
    }

    /// How much all processes together can add to one counter by an access.
    fn most_added(&self, access: &Access, index: usize) -> Option<Form> {
        let (number, step) = access.at();
        let flow = &self.flows[number];
        let Command::Atomic(atomic) = &flow.code().transitions[step].command else {
            return None;
        };
        let once = !flow.steps_after(step, |_| false).contains(&step);
        if access.moment() != Moment::A || atomic.operation != AtomicOperation::FetchAdd || !once {
            return None;
        }
        let added = Form::of(&atomic.operand, flow.before(step)?, flow.role(), self.bounds);
        let added = added.as_number().filter(|added| *added > 0)?;
        let processes = match self.accesses.is_by_one(index) {
            true => Form::number(1),
            false => Form::middle(self.bounds),
        };
        Some(processes.times(added))
    }
}
