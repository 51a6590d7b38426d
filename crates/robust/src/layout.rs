//! Where everything of a state stands in a row of numbers.

use farside_pgas::ast::Order;
use farside_pgas::calculus::{Command, Program};

/// Offsets into a state.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) ranks: usize,
    registers: usize,
    cells: usize,
    handles: usize,
    /// First channel of each queue, and how many it has: one a target, or one for all.
    channels: Vec<(usize, usize)>,
    channels_of_rank: usize,
    /// Words of a rank.
    stride: usize,
}

impl Layout {
    pub(crate) fn new(program: &Program) -> Self {
        // An unordered queue without fences needs no record of targets: only a wait looks at it.
        let fenced = program
            .codes
            .iter()
            .flat_map(|code| &code.transitions)
            .any(|transition| match &transition.command {
                Command::Fence { .. } => true,
                Command::Transfer(transfer) => transfer.after_earlier,
                _ => false,
            });
        let ranks = program.ranks as usize;
        let mut channels = Vec::new();
        let mut next = 0;
        for queue in &program.queues {
            let count = match queue.order {
                Order::Ordered => 1,
                Order::PerTarget => ranks,
                Order::Unordered => {
                    if fenced {
                        ranks
                    } else {
                        1
                    }
                }
            };
            channels.push((next, count));
            next += count;
        }
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
            channels,
            channels_of_rank: next,
            stride: 3 + registers + cells + handles + next,
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
        let (first, count) = self.channels[queue];
        self.channel_base(rank) + first + if count == 1 { 0 } else { target }
    }

    /// All channels of a queue.
    pub(crate) fn channels_of(&self, rank: usize, queue: usize) -> std::ops::Range<usize> {
        let (first, count) = self.channels[queue];
        let base = self.channel_base(rank) + first;
        base..base + count
    }

    /// All channels of a rank.
    pub(crate) fn all_channels(&self, rank: usize) -> std::ops::Range<usize> {
        self.channel_base(rank)..self.channel_base(rank) + self.channels_of_rank
    }

    /// A number for memory of a rank that no other memory has.
    pub(crate) fn address(&self, rank: usize, cell: usize) -> u32 {
        (rank * self.cells + cell) as u32
    }
}
