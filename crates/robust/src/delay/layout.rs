//! Where everything of a state stands in a row of numbers.
//!
//! First a number that names the delayed event, or 0; then the processes, a block each: control state, registers,
//! memory. When something is delayed, a second block each follows: whether the process happened after the delayed
//! event, its channels, its handles, and what is known of the accesses to each cell of its memory.

use super::accesses::Access;
use crate::channels::Channels;
use farside_pgas::calculus::Program;

/// In the number of a channel or a handle: some popa is delayed.
pub(super) const POPA: u32 = 1;
/// Some popb is delayed.
pub(super) const POPB: u32 = 2;
/// Some effect at the target is delayed.
pub(super) const TARGET: u32 = 4;
/// Some effect at the target of an operation before the last fence is delayed.
pub(super) const FENCED: u32 = 8;

/// In the number of a cell: it was read after the delayed event, in time.
pub(super) const READ: u32 = 1;
/// It was written so.
pub(super) const WRITTEN: u32 = 2;
/// It was read by an event that is delayed.
pub(super) const LATE_READ: u32 = 4;
/// It was written so.
pub(super) const LATE_WRITTEN: u32 = 8;

/// Offsets into a state.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) ranks: usize,
    registers: usize,
    pub(super) cells: usize,
    handles: usize,
    pub(super) channels: Channels,
    /// Words of a process.
    pub(super) block: usize,
    /// More of them after the delayed event.
    pub(super) more: usize,
}

impl Layout {
    pub(super) fn new(program: &Program) -> Self {
        let (registers, cells, handles) = (
            program.registers.len(),
            program.cells.len(),
            program.handles.len(),
        );
        let channels = Channels::new(program);
        Self {
            ranks: program.ranks as usize,
            registers,
            cells,
            handles,
            block: 1 + registers + cells,
            more: 1 + channels.count() + handles + cells,
            channels,
        }
    }

    /// Words before anything is delayed.
    pub(super) fn words(&self) -> usize {
        1 + self.ranks * self.block
    }

    /// Words after it.
    pub(super) fn all_words(&self) -> usize {
        self.words() + self.ranks * self.more
    }

    pub(super) fn control(&self, rank: usize) -> usize {
        1 + rank * self.block
    }

    pub(super) fn register(&self, rank: usize, register: usize) -> usize {
        self.control(rank) + 1 + register
    }

    /// The value at an address.
    pub(super) fn value(&self, address: usize) -> usize {
        self.control(address / self.cells) + 1 + self.registers + address % self.cells
    }

    pub(super) fn address(&self, rank: usize, cell: usize) -> usize {
        rank * self.cells + cell
    }

    /// Whether the process happened after the delayed event.
    pub(super) fn after(&self, rank: usize) -> usize {
        self.words() + rank * self.more
    }

    pub(super) fn channel(&self, rank: usize, channel: usize) -> usize {
        self.after(rank) + 1 + channel
    }

    pub(super) fn handle(&self, rank: usize, handle: usize) -> usize {
        self.after(rank) + 1 + self.channels.count() + handle
    }

    /// What is known of the accesses to an address.
    pub(super) fn accessed(&self, address: usize) -> usize {
        self.handle(address / self.cells, self.handles) + address % self.cells
    }

    /// The delayed event, as the first number of a state.
    pub(super) fn event(access: Access) -> u32 {
        1 + 2 * access.address as u32 + u32::from(access.writes)
    }

    /// The delayed event of a state.
    pub(super) fn delayed(state: &[u32]) -> Option<Access> {
        state[0].checked_sub(1).map(|event| Access {
            address: event as usize / 2,
            writes: event % 2 == 1,
        })
    }
}
