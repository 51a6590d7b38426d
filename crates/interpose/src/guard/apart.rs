//! One instruction of the program, executed apart: a copy with a breakpoint after it, on a page of the thread's own.
//!
//! The processor's own way to trap after an instruction, its trap flag, is slow in a virtual machine: each such trap
//! goes to the machine's monitor, which takes more than ten times as long as a breakpoint. So what does the same at
//! another place is executed there. The flag remains for the others: branches, string instructions, operands that are
//! reached from the instruction's own address, if that is too far from the page.
//!
//! What this relies on: the page changes only in the handler of a fault of its thread, while no instruction is begun
//! there. One may be begun when a handler of the program interrupts it; within that, the flag is used.

use super::code;
use super::decode::{Effects, LONGEST};
use crate::memory::PAGE;
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering, compiler_fence};

/// The instruction of a breakpoint.
const BREAKPOINT: u8 = 0xcc;
/// How far below the program's own code pages may lie at most, so that what its instructions reach from their own
/// addresses is in reach from there as well.
const BELOW: usize = 1 << 26;

/// Pages of threads so far: each asks for a place of its own.
static PAGES: AtomicUsize = AtomicUsize::new(0);

/// A thread's page, and the instruction that it executes there.
pub(super) struct Apart {
    /// 0: it has none.
    page: Cell<usize>,
    begun: Cell<Option<Begun>>,
}

#[derive(Clone, Copy)]
struct Begun {
    pc: usize,
    next: usize,
    length: usize,
}

impl Apart {
    pub(super) const fn new() -> Self {
        Self {
            page: Cell::new(0),
            begun: Cell::new(None),
        }
    }

    /// Gives the calling thread its page, if the system allows one: near the program's own code, if there is room.
    pub(super) fn give_page(&self) {
        let code = code::lowest();
        let last = code.saturating_sub(BELOW).max(code / 2) / PAGE * PAGE;
        let wish = last.saturating_sub(PAGES.fetch_add(1, Ordering::Relaxed) * PAGE);
        // SAFETY: a new mapping touches no existing memory: the address is a wish.
        let page = unsafe {
            ::libc::mmap(
                wish as *mut _,
                PAGE,
                ::libc::PROT_READ | ::libc::PROT_WRITE | ::libc::PROT_EXEC,
                ::libc::MAP_PRIVATE | ::libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if page != ::libc::MAP_FAILED {
            self.page.set(page as usize);
        }
    }

    /// Takes it away: the thread ends.
    pub(super) fn take_page(&self) {
        let page = self.page.replace(0);
        if page != 0 {
            // SAFETY: a mapping of `give_page`, where the thread executes nothing: it is in no handler.
            unsafe { ::libc::munmap(page as *mut _, PAGE) };
        }
    }

    /// Where the thread, which is at `at`, executes the instruction at `pc`, which does this. `None`: where it is, by
    /// the trap flag.
    ///
    /// # Safety
    /// The instruction at `pc` is in code that is mapped, and the thread is in the handler of a fault.
    pub(super) unsafe fn begin(&self, at: usize, pc: usize, effects: &Effects) -> Option<usize> {
        let place = self.page.get();
        if self.begun.get().is_some() {
            return self.original(at).map(|_| place);
        }
        let elsewhere = effects.elsewhere().filter(|_| place != 0)?;
        let length = elsewhere.length();
        // SAFETY: by the contract.
        let original = unsafe { std::slice::from_raw_parts(pc as *const u8, length) };
        let code = elsewhere.code(original, place)?;
        // Before the page changes: a handler of the program that interrupts this leaves the page alone then.
        self.begun.set(Some(Begun {
            pc,
            next: effects.next(),
            length,
        }));
        compiler_fence(Ordering::SeqCst);
        // SAFETY: the page is the thread's own, which is about to execute nothing there, and longer than this.
        let to = unsafe { std::slice::from_raw_parts_mut(place as *mut u8, LONGEST + 1) };
        to[..length].copy_from_slice(&code[..length]);
        to[length] = BREAKPOINT;
        Some(place)
    }

    /// Where the instruction is in the program that a thread at `at` is about to execute apart, if it is.
    pub(super) fn original(&self, at: usize) -> Option<usize> {
        self.begun
            .get()
            .filter(|_| at == self.page.get())
            .map(|begun| begun.pc)
    }

    /// As `original`; and it is not executed apart.
    pub(super) fn give_up(&self, at: usize) -> Option<usize> {
        let pc = self.original(at)?;
        self.begun.set(None);
        Some(pc)
    }

    /// Where a thread at `at` goes on in the program, if that is after the breakpoint.
    pub(super) fn done(&self, at: usize) -> Option<usize> {
        let begun = self.begun.get()?;
        (at == self.page.get() + begun.length + 1).then(|| {
            self.begun.set(None);
            begun.next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode;
    use super::*;

    struct Zero;

    impl decode::Registers for Zero {
        fn general(&self, _: usize) -> u64 {
            0
        }

        fn flags(&self) -> u64 {
            0
        }

        fn fs(&self) -> u64 {
            0
        }
    }

    #[test]
    fn one_instruction_at_a_time() {
        let apart = Apart::new();
        // mov rax, [rdi + 8], and room for the longest.
        static CODE: [u8; 20] = {
            let mut code = [0x90; 20];
            [code[0], code[1], code[2], code[3]] = [0x48, 0x8b, 0x47, 0x08];
            code
        };
        let pc = CODE.as_ptr() as usize;
        // SAFETY: the constant holds the longest instruction.
        let effects = unsafe { decode::effects(pc, 0, &Zero) }.unwrap();
        // SAFETY: the instruction is there; nothing executes it.
        let begin = |at, pc| unsafe { apart.begin(at, pc, &effects) };
        assert_eq!(begin(pc, pc), None, "it has no page");
        apart.give_page();
        let place = begin(pc, pc).unwrap();
        // SAFETY: the page is longer.
        let copy = unsafe { std::slice::from_raw_parts(place as *const u8, 5) };
        assert_eq!(copy, [0x48, 0x8b, 0x47, 0x08, BREAKPOINT]);
        assert_eq!(apart.original(place), Some(pc));
        assert_eq!(apart.original(pc), None);
        // A handler of the program that interrupts it has the flag; the instruction itself, a second page.
        assert_eq!(begin(pc + 4, pc + 4), None);
        assert_eq!(begin(place, pc), Some(place));
        assert_eq!(apart.done(place + 4), None);
        assert_eq!(apart.done(place + 5), Some(pc + 4));
        assert_eq!((apart.done(place + 5), apart.original(place)), (None, None));
        assert_eq!(begin(pc, pc), Some(place));
        assert_eq!(apart.give_up(pc + 4), None);
        assert_eq!(apart.give_up(place), Some(pc));
        assert_eq!(apart.done(place + 5), None);
        apart.take_page();
    }
}
