//! The channels of the queues: what a state remembers of the operations of a queue is a number for each channel.

use farside_pgas::ast::Order;
use farside_pgas::calculus::{Command, Program};
use std::ops::Range;

/// The channels of a process, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Channels {
    /// First channel of each queue, and how many it has: one a target, or one for all.
    of_queue: Vec<(usize, usize)>,
    count: usize,
}

impl Channels {
    pub(crate) fn new(program: &Program) -> Self {
        // Without fences, only a queue that is ordered per target needs a record of targets.
        let fenced = program
            .codes
            .iter()
            .flat_map(|code| &code.transitions)
            .any(|transition| match &transition.command {
                Command::Fence { .. } => true,
                Command::Transfer(transfer) => transfer.after_earlier,
                _ => false,
            });
        let mut of_queue = Vec::new();
        let mut next = 0;
        for queue in &program.queues {
            let count = match queue.order {
                Order::PerTarget => program.ranks as usize,
                Order::Ordered | Order::Unordered if fenced => program.ranks as usize,
                Order::Ordered | Order::Unordered => 1,
            };
            of_queue.push((next, count));
            next += count;
        }
        Self {
            of_queue,
            count: next,
        }
    }

    /// How many a process has.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The channel of a queue to a target.
    pub(crate) fn to(&self, queue: usize, target: usize) -> usize {
        let (first, count) = self.of_queue[queue];
        first + if count == 1 { 0 } else { target }
    }

    /// The channels whose operations are done in the order of issue with one of a queue to a target.
    pub(crate) fn in_order(&self, order: Order, queue: usize, target: usize) -> Range<usize> {
        match order {
            Order::Ordered => self.of(queue),
            Order::PerTarget => self.to(queue, target)..self.to(queue, target) + 1,
            Order::Unordered => 0..0,
        }
    }

    /// All channels of a queue.
    pub(crate) fn of(&self, queue: usize) -> Range<usize> {
        let (first, count) = self.of_queue[queue];
        first..first + count
    }

    /// The channels of the queues that have one for each of several targets.
    pub(crate) fn by_target(&self) -> impl Iterator<Item = Range<usize>> {
        self.of_queue
            .iter()
            .filter(|(_, count)| *count > 1)
            .map(|&(first, count)| first..first + count)
    }
}
