//! Where everything of a state stands in a row of numbers.

use crate::channels::Channels;
use farside_pgas::ast::Order;
use farside_pgas::calculus::Program;

/// Offsets into a state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) ranks: usize,
    registers: usize,
    cells: usize,
    handles: usize,
    channels: Channels,
    /// Words of a rank.
    stride: usize,
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Self {
        let ranks = program.ranks as usize;
        let channels = Channels::new(program);
        let (registers, cells, handles) = (
            program.registers.len(),
            program.cells.len(),
            program.handles.len(),
        );
        Self {
            ranks,
            registers,
            cells,
            handles,
            stride: 3 + registers + cells + handles + channels.count(),
            channels,
        }
    }

    pub(crate) fn words(&self) -> usize {
        self.ranks * self.stride
    }

    pub(crate) fn control(&self, rank: usize) -> usize {
        rank * self.stride
    }

    /// Mark of the event where the cycle enters the rank.
    pub(crate) fn enter(&self, rank: usize) -> usize {
        rank * self.stride + 1
    }

    /// Mark of the event where the cycle leaves the rank.
    pub(crate) fn leave(&self, rank: usize) -> usize {
        rank * self.stride + 2
    }

    pub(crate) fn register(&self, rank: usize, register: usize) -> usize {
        rank * self.stride + 3 + register
    }

    pub(crate) fn cell(&self, rank: usize, cell: usize) -> usize {
        rank * self.stride + 3 + self.registers + cell
    }

    pub(crate) fn handle(&self, rank: usize, handle: usize) -> usize {
        rank * self.stride + 3 + self.registers + self.cells + handle
    }

    fn channel_base(&self, rank: usize) -> usize {
        rank * self.stride + 3 + self.registers + self.cells + self.handles
    }

    /// The channel of a queue to a target.
    pub(crate) fn channel(&self, rank: usize, queue: usize, target: usize) -> usize {
        self.channel_base(rank) + self.channels.to(queue, target)
    }

    /// The channels whose operations are done in the order of issue with one of a queue to a target.
    pub(crate) fn in_order(
        &self,
        rank: usize,
        order: Order,
        queue: usize,
        target: usize,
    ) -> std::ops::Range<usize> {
        let (base, of) = (
            self.channel_base(rank),
            self.channels.in_order(order, queue, target),
        );
        base + of.start..base + of.end
    }

    /// All channels of a queue.
    pub(crate) fn channels_of(&self, rank: usize, queue: usize) -> std::ops::Range<usize> {
        let (base, of) = (self.channel_base(rank), self.channels.of(queue));
        base + of.start..base + of.end
    }

    /// All channels of a rank.
    pub(crate) fn all_channels(&self, rank: usize) -> std::ops::Range<usize> {
        self.channel_base(rank)..self.channel_base(rank) + self.channels.count()
    }

    /// A number for memory of a rank that no other memory has.
    pub(crate) fn address(&self, rank: usize, cell: usize) -> u32 {
        (rank * self.cells + cell) as u32
    }
}
