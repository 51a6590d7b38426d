//! Which accesses of one process Table 1 lets come in which order.
//!
//! Promise: two accesses that [`Orders`] says are in order are so in every computation, by waits, fences and the order
//! of queues alone.

use super::access::{Access, Moment};
use super::flow::Flow;
use super::form::{Bounds, Form};
use super::numbers::Numbers;
use farside_pgas::ast::{Completion, Direction, Order};
use farside_pgas::calculus::{Command, Expression, Program};
use std::collections::BTreeSet;

/// The order of accesses of one process.
pub(super) struct Orders<'p> {
    program: &'p Program,
    flows: &'p [Flow<'p>],
    bounds: Bounds,
}

/// An operation of a step.
struct Operation {
    target: Form,
    queue: Numbers,
    handle: Option<Numbers>,
    /// Of its queue.
    order: Option<Order>,
    /// When it takes effect at the target.
    effect: Moment,
    atomic: bool,
    after_earlier: bool,
}

impl<'p> Orders<'p> {
    pub(super) fn new(program: &'p Program, flows: &'p [Flow<'p>], bounds: Bounds) -> Self {
        Self {
            program,
            flows,
            bounds,
        }
    }

    /// The steps that issue an operation.
    pub(super) fn operations(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.flows.len()).flat_map(move |flow| {
            let steps = 0..self.flows[flow].code().transitions.len();
            steps
                .filter(move |&step| self.operation(flow, step).is_some())
                .map(move |step| (flow, step))
        })
    }

    /// The steps of a process that may come between a step of it that issues an operation and a moment of that.
    pub(super) fn overlapping(&self, flow: usize, step: usize, moment: Moment) -> BTreeSet<usize> {
        let Some(operation) = self.operation(flow, step) else {
            return BTreeSet::new();
        };
        let waits = |other| self.waits_for(flow, other, &operation, moment);
        self.flows[flow].steps_after(step, waits)
    }

    /// Whether queues and fences let an access of an operation come only before one of a later step of its process.
    pub(super) fn goes_first(&self, access: &Access, later: &Access) -> bool {
        let ((flow, step), (_, after)) = (access.at(), later.at());
        let operations = self.operation(flow, step);
        let Some((operation, other)) = operations.zip(self.operation(flow, after)) else {
            return false;
        };
        let unfenced = self.flows[flow].steps_after(step, |step| self.fences(flow, step, &operation));
        let fenced = !unfenced.contains(&after);
        operation.goes_first(access.moment(), &other, later.moment(), fenced)
    }

    /// Whether an access comes before another one of its process, which is of a step that is done once, however often
    /// it is done itself.
    pub(super) fn comes_before(&self, first: &Access, then: &Access) -> bool {
        let ((flow, step), (of, last)) = (first.at(), then.at());
        if flow != of || self.flows[flow].steps_after(last, |_| false).contains(&step) {
            return false;
        }
        if step == last {
            return first.moment() < then.moment();
        }
        first.moment() == Moment::Issue
            || !self.overlapping(flow, step, first.moment()).contains(&last)
            || self.goes_first(first, then)
    }

    /// The operation of a step, if it issues one.
    fn operation(&self, flow: usize, step: usize) -> Option<Operation> {
        let (role, code) = (self.flows[flow].role(), self.flows[flow].code());
        let registers = self.flows[flow].before(step)?;
        let numbers =
            |expression: &Expression, count| Numbers::of(expression, registers, role, self.bounds, count);
        let (queues, handles) = (self.program.queues.len(), self.program.handles.len());
        let order = |queue: Numbers| {
            let (low, high) = queue.range().into_inner();
            let of = (usize::try_from(low).ok()?)..=usize::try_from(high).ok()?;
            let of = self.program.queues.get(of)?;
            let order = of.first()?.order;
            of.iter().all(|queue| queue.order == order).then_some(order)
        };
        let (rank, queue, handle, effect, atomic, after_earlier) = match &code.transitions[step].command {
            Command::Transfer(transfer) => (
                &transfer.rank,
                numbers(&transfer.queue, queues),
                &transfer.handle,
                match transfer.direction {
                    Direction::Write => Moment::B,
                    Direction::Read => Moment::A,
                },
                false,
                transfer.after_earlier,
            ),
            Command::Atomic(atomic) => (
                &atomic.rank,
                numbers(&atomic.queue, queues),
                &atomic.handle,
                Moment::A,
                true,
                false,
            ),
            _ => return None,
        };
        Some(Operation {
            target: Form::of(rank, registers, role, self.bounds),
            queue,
            handle: handle.as_ref().map(|handle| numbers(handle, handles)),
            order: order(queue),
            effect,
            atomic,
            after_earlier,
        })
    }

    /// Whether a step waits until an operation of its process has come to a moment.
    fn waits_for(&self, flow: usize, step: usize, operation: &Operation, moment: Moment) -> bool {
        let (role, code) = (self.flows[flow].role(), self.flows[flow].code());
        let Command::Wait {
            queues,
            handles,
            completion,
        } = &code.transitions[step].command
        else {
            return false;
        };
        let Some(registers) = self.flows[flow].before(step) else {
            return false;
        };
        if *completion == Completion::Local && moment == Moment::B {
            return false;
        }
        let names = |named: &[Expression], count: usize, wanted: Numbers| {
            let named: Vec<Numbers> = named
                .iter()
                .map(|expression| Numbers::of(expression, registers, role, self.bounds, count))
                .collect();
            let each = |number| named.iter().any(|one| one.one() == Some(number));
            wanted.range().all(each) || named.iter().any(|one| one.is_same(wanted))
        };
        names(queues, self.program.queues.len(), operation.queue)
            || operation
                .handle
                .is_some_and(|handle| names(handles, self.program.handles.len(), handle))
    }

    /// Whether a step is a fence that orders an operation of its process before later ones to the same target.
    fn fences(&self, flow: usize, step: usize, operation: &Operation) -> bool {
        let (role, code) = (self.flows[flow].role(), self.flows[flow].code());
        let (Command::Fence { queue, rank }, Some(registers)) =
            (&code.transitions[step].command, self.flows[flow].before(step))
        else {
            return false;
        };
        let queue = Numbers::of(queue, registers, role, self.bounds, self.program.queues.len());
        queue.is_same(operation.queue)
            && rank
                .as_ref()
                .is_none_or(|rank| Form::of(rank, registers, role, self.bounds).is_same(operation.target))
    }
}

impl Operation {
    /// Whether Table 1 lets a moment of this operation come only before a moment of a later one of the same process;
    /// `fenced`: a fence that orders this operation is between them, whatever the way.
    fn goes_first(&self, moment: Moment, later: &Self, other: Moment, fenced: bool) -> bool {
        if !self.queue.is_same(later.queue) {
            return false;
        }
        let one_target = self.target.is_same(later.target);
        let in_line = match self.order {
            Some(Order::Ordered) => true,
            Some(Order::PerTarget) => one_target,
            Some(Order::Unordered) | None => false,
        };
        // First in, first out, in either stage.
        let by_queue = in_line && (moment == Moment::A || other == Moment::B);
        // What takes effect later, takes effect after what took effect before.
        let effects = one_target && (fenced || later.after_earlier) || in_line && later.atomic;
        let by_effect = effects && moment <= self.effect && other >= later.effect;
        by_queue || by_effect
    }
}
