//! What a thread is doing to a closed page right now.

use super::pages::Pages;
use std::cell::Cell;

/// Runs of pages that one instruction opens at most; further ones stay open until the next call of the library.
const MOST: usize = 8;

/// Why the processor traps after the next instruction of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    /// It does not.
    None = 0,
    /// To close pages after one instruction of the program.
    Program,
    /// As `Program`, after a string instruction as a whole.
    Repeating,
    /// As `Program`, after a call, if that does not lead into a system library.
    Calling,
    /// To close pages when the thread is back in the program.
    System,
}

/// A thread's own state; all zero in a new thread. A handler may interrupt another one, hence the cells.
#[repr(C)]
pub(crate) struct Local {
    opened: [Cell<(usize, usize)>; MOST],
    count: Cell<u8>,
    step: Cell<Step>,
    /// It runs the handler of a fault.
    pub(super) handling: Cell<bool>,
    /// Instructions that it may go on for.
    pub(super) left: Cell<u32>,
    /// Calls of the library that it is in.
    pub(super) inside: Cell<u32>,
    /// The instruction for which pages were opened.
    pub(super) pc: Cell<usize>,
    /// When it began to look at this access.
    pub(super) since: Cell<u64>,
    /// Where it last met a page that nobody guards any more.
    pub(super) stray: Cell<usize>,
    /// Its stack for handlers of signals; 0: it has none of ours.
    pub(super) stack: Cell<usize>,
    /// The stack for signals that the program asked for, while it has ours: address, length, flags.
    pub(super) programs_stack: Cell<(usize, usize, i32)>,
}

impl Local {
    pub(super) fn step(&self) -> Step {
        self.step.get()
    }

    /// The processor traps after the next instruction, for this reason.
    pub(super) fn begin(&self, step: Step, pc: usize, left: u32) {
        self.step.set(step);
        self.pc.set(pc);
        self.left.set(left);
    }

    /// Nothing is to be done at the next trap, and nothing closed.
    pub(super) fn forget(&self) {
        self.step.set(Step::None);
        self.count.set(0);
    }

    /// Pages are open for the time of the step. `false`: there are too many.
    pub(super) fn opened(&self, pages: &Pages) -> bool {
        let count = self.count.get();
        if let Some(last) = usize::from(count).checked_sub(1).map(|index| &self.opened[index])
            && last.get().1 == pages.start
        {
            last.set((last.get().0, pages.end));
            return true;
        }
        let Some(place) = self.opened.get(usize::from(count)) else {
            return false;
        };
        place.set((pages.start, pages.end));
        self.count.set(count + 1);
        true
    }

    /// Ends the step; gives the pages to close.
    pub(super) fn end(&self) -> impl Iterator<Item = Pages> + '_ {
        self.step.set(Step::None);
        let count = usize::from(self.count.replace(0));
        self.opened[..count].iter().map(|run| run.get().0..run.get().1)
    }
}
