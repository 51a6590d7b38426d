//! What a thread is doing to a closed page right now.

use super::apart::Apart;
use super::pages::Pages;
use std::cell::Cell;

/// Runs of pages that one instruction opens at most; further ones stay open until the next call of the library.
const MOST: usize = 8;
/// Instructions that a thread may be followed for in a system library.
const IN_A_LIBRARY: u32 = 1 << 16;
/// Instructions of the program between a call and its entry to a library.
const AFTER_A_CALL: u32 = 6;

/// Why the processor traps after the next instruction of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It does not.
    None,
    /// To close pages after one instruction of the program.
    Program,
    /// As `Program`, after a string instruction as a whole.
    Repeating,
    /// As `Program`, after a call, if that does not lead into a system library.
    Calling,
    /// To close pages when the thread is back in the program.
    System,
}

/// What comes after a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Another one.
    Trap,
    /// The end of the step: its pages are closed.
    Close,
    /// Nothing: what is open stays open, and further accesses are not seen for now.
    LeaveOpen,
    /// Nothing was to be done.
    Nothing,
}

thread_local! {
    /// A constant, without a destructor: what is preloaded has such values in each thread from its start, so that a
    /// handler may use them.
    static LOCAL: Local = const { Local::new() };
}

/// Does something with the calling thread's own state.
pub(super) fn with<T>(work: impl FnOnce(&Local) -> T) -> T {
    LOCAL.with(work)
}

/// Some runs of pages.
struct Runs {
    runs: [Cell<(usize, usize)>; MOST],
    count: Cell<u8>,
}

impl Runs {
    const fn new() -> Self {
        Self {
            runs: [const { Cell::new((0, 0)) }; MOST],
            count: Cell::new(0),
        }
    }

    /// `false`: there are too many.
    fn add(&self, pages: &Pages) -> bool {
        let count = self.count.get();
        if let Some(last) = usize::from(count).checked_sub(1).map(|index| &self.runs[index])
            && last.get().1 == pages.start
        {
            last.set((last.get().0, pages.end));
            return true;
        }
        let Some(place) = self.runs.get(usize::from(count)) else {
            return false;
        };
        place.set((pages.start, pages.end));
        self.count.set(count + 1);
        true
    }

    /// All of them, which are gone from here then.
    fn take(&self) -> impl Iterator<Item = Pages> + '_ {
        let count = usize::from(self.count.replace(0));
        self.runs[..count].iter().map(|run| run.get().0..run.get().1)
    }
}

/// A thread's own state. A handler may interrupt another one, hence the cells.
pub(super) struct Local {
    /// Open for the time of a step.
    opened: Runs,
    /// Open until a function of the C library returns.
    held: Runs,
    step: Cell<Step>,
    /// It runs the handler of a fault.
    handling: Cell<bool>,
    /// It does something of ours that is not followed.
    unfollowed: Cell<bool>,
    /// It has opened pages meanwhile.
    owes: Cell<bool>,
    /// Instructions that it may go on for.
    left: Cell<u32>,
    /// Calls of the library that it is in.
    inside: Cell<u32>,
    /// The instruction for which pages were opened.
    pc: Cell<usize>,
    /// When it began to look at this access.
    since: Cell<u64>,
    /// Where it last met a page that nobody guards any more.
    stray: Cell<usize>,
    /// Its vector of thread-local values, as far as that is known to be left out.
    vector: Cell<usize>,
    apart: Apart,
}

impl Local {
    const fn new() -> Self {
        Self {
            opened: Runs::new(),
            held: Runs::new(),
            step: Cell::new(Step::None),
            handling: Cell::new(false),
            unfollowed: Cell::new(false),
            owes: Cell::new(false),
            left: Cell::new(0),
            inside: Cell::new(0),
            pc: Cell::new(0),
            since: Cell::new(0),
            stray: Cell::new(0),
            vector: Cell::new(0),
            apart: Apart::new(),
        }
    }

    /// Where it executes single instructions.
    pub(super) fn apart(&self) -> &Apart {
        &self.apart
    }

    /// It goes into a call of the library, whose end closes what is open.
    pub(super) fn go_in(&self) {
        self.held.take().for_each(drop);
        self.inside.set(self.inside.get() + 1);
    }

    /// It comes out of a call of the library.
    pub(super) fn come_out(&self) {
        self.inside.set(self.inside.get() - 1);
    }

    /// Its vector of thread-local values is there; whether it was elsewhere.
    pub(super) fn moves_vector(&self, to: usize) -> bool {
        self.vector.replace(to) != to
    }

    /// Whether it is in a call of the library.
    pub(super) fn is_inside(&self) -> bool {
        self.inside.get() > 0
    }

    /// Whether it runs the handler of a fault.
    pub(super) fn is_handling(&self) -> bool {
        self.handling.get()
    }

    /// It looks at an access, from now on; gives what `look` gives.
    pub(super) fn handle<T>(&self, now: u64, look: impl FnOnce() -> T) -> T {
        self.since.set(now);
        self.handling.set(true);
        let seen = look();
        self.handling.set(false);
        seen
    }

    /// It does something of ours that is long, and opens what it needs: it is not followed meanwhile.
    pub(super) fn pause(&self) {
        self.unfollowed.set(true);
    }

    /// That is over: whether it is to be followed from here on, so that what is open is closed in the end.
    pub(super) fn resume(&self, now: u64) -> bool {
        self.unfollowed.set(false);
        if self.owes.take() && !self.is_stepped() {
            self.looks_from(now);
            self.begin(Step::System, 0);
        }
        self.is_stepped()
    }

    /// A page was opened meanwhile, and is to be closed in the end.
    pub(super) fn closes_later(&self) {
        self.owes.set(true);
    }

    /// Whether it does something of ours that is not followed.
    pub(super) fn is_unfollowed(&self) -> bool {
        self.unfollowed.get()
    }

    /// It is about to be stepped through a library that is not the program's, from now on.
    pub(super) fn looks_from(&self, now: u64) {
        self.since.set(now);
    }

    /// How many more instructions it may be stepped for.
    pub(super) fn steps_left(&self) -> u32 {
        self.left.get()
    }

    /// When it began to look at the access of the step in progress.
    pub(super) fn since(&self) -> u64 {
        self.since.get()
    }

    /// It meets a page that nobody guards any more. `false`: it has just done so, at the same address.
    pub(super) fn strays(&self, address: usize) -> bool {
        self.stray.replace(address) != address
    }

    /// Whether the step in progress, if there is one, is of this instruction.
    pub(super) fn is_at(&self, pc: usize) -> bool {
        self.step.get() != Step::None && self.pc.get() == pc
    }

    /// Whether a step is in progress.
    pub(super) fn is_stepped(&self) -> bool {
        self.step.get() != Step::None
    }

    /// The processor traps after the next instruction, which is at `pc`, for this reason.
    pub(super) fn begin(&self, step: Step, pc: usize) {
        self.step.set(step);
        self.pc.set(pc);
        self.left.set(match step {
            Step::System => IN_A_LIBRARY,
            Step::Calling => AFTER_A_CALL,
            Step::None | Step::Program | Step::Repeating => 1,
        });
    }

    /// Whether it has made a call, and is not in a system library yet.
    pub(super) fn is_after_a_call(&self) -> bool {
        self.step.get() == Step::Calling
    }

    /// The instruction of the step that is under way is at `pc` now.
    pub(super) fn goes_on_at(&self, pc: usize) {
        self.pc.set(pc);
    }

    /// The processor has trapped before the instruction at `pc`, which is a system library's or ours if `in_system`.
    pub(super) fn trapped(&self, pc: usize, in_system: impl FnOnce() -> bool) -> Next {
        let step = self.step.get();
        if step == Step::None || self.is_unfollowed() {
            return Next::Nothing;
        }
        if self.is_inside() {
            // The end of that call closes what is open.
            self.forget();
            return Next::Nothing;
        }
        if step == Step::Repeating && pc == self.pc.get() {
            return Next::Trap;
        }
        let left = self.left.get() - 1;
        match (step, in_system()) {
            // It waits there.
            (Step::System, true) if left == 0 => {
                self.forget();
                Next::LeaveOpen
            }
            (Step::System, true) | (Step::Calling, false) if left > 0 => {
                self.left.set(left);
                Next::Trap
            }
            (Step::Calling | Step::Program | Step::Repeating, true) => {
                self.begin(Step::System, self.pc.get());
                Next::Trap
            }
            _ => Next::Close,
        }
    }

    /// Nothing is to be done at the next trap, and nothing closed.
    pub(super) fn forget(&self) {
        self.step.set(Step::None);
        self.opened.take().for_each(drop);
    }

    /// Pages are open for the time of the step. `false`: there are too many.
    pub(super) fn opened(&self, pages: &Pages) -> bool {
        self.opened.add(pages)
    }

    /// Pages are open until the function of the C library returns that the thread is in. `false`: there are too many.
    pub(super) fn holds(&self, pages: &Pages) -> bool {
        self.held.add(pages)
    }

    /// That function has returned; gives the pages to close.
    pub(super) fn let_go(&self) -> impl Iterator<Item = Pages> + '_ {
        self.held.take()
    }

    /// Ends the step; gives the pages to close.
    pub(super) fn end(&self) -> impl Iterator<Item = Pages> + '_ {
        self.step.set(Step::None);
        self.opened.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_followed_goes_on_to_be_afterwards() {
        let local = Local::new();
        local.pause();
        assert!(!local.resume(1));
        // What was opened meanwhile is closed when the thread is back in the program.
        local.pause();
        assert!(local.opened(&(1..2)) && local.opened(&(5..6)));
        local.closes_later();
        assert_eq!(local.trapped(10, || true), Next::Nothing);
        assert!(local.resume(1));
        assert_eq!(local.trapped(11, || true), Next::Trap);
        local.pause();
        assert_eq!(local.trapped(12, || true), Next::Nothing);
        assert!(local.resume(1));
        assert_eq!(local.trapped(13, || false), Next::Close);
        assert_eq!(local.end().collect::<Vec<_>>(), [1..2, 5..6]);
    }

    #[test]
    fn one_instruction_of_the_program_is_one_step() {
        let local = Local::new();
        local.begin(Step::Program, 10);
        assert!(local.opened(&(1..2)) && local.opened(&(2..4)) && local.opened(&(9..10)));
        assert!(local.is_at(10) && !local.is_at(11));
        assert_eq!(local.trapped(12, || false), Next::Close);
        assert_eq!(local.end().collect::<Vec<_>>(), [1..4, 9..10]);
        assert_eq!(local.trapped(14, || false), Next::Nothing);
    }

    #[test]
    fn a_library_is_followed_until_it_returns() {
        let local = Local::new();
        local.begin(Step::Calling, 10);
        assert_eq!(local.trapped(20, || false), Next::Trap);
        assert_eq!(local.trapped(100, || true), Next::Trap);
        assert_eq!(local.trapped(101, || true), Next::Trap);
        assert_eq!(local.trapped(14, || false), Next::Close);
        local.end().for_each(drop);
        local.begin(Step::System, 10);
        let mut next = Next::Trap;
        for _ in 0..IN_A_LIBRARY {
            assert_eq!(next, Next::Trap);
            next = local.trapped(100, || true);
        }
        assert_eq!(next, Next::LeaveOpen);
    }

    #[test]
    fn what_is_held_is_no_part_of_a_step() {
        let local = Local::new();
        local.begin(Step::Program, 10);
        assert!(local.opened(&(1..2)) && local.opened(&(8..9)));
        assert!(local.holds(&(4..6)) && local.holds(&(6..7)) && local.holds(&(9..10)));
        assert_eq!(local.end().collect::<Vec<_>>(), [1..2, 8..9]);
        assert_eq!(local.let_go().collect::<Vec<_>>(), [4..7, 9..10]);
        assert!((0..MOST).all(|page| local.holds(&(2 * page..2 * page + 1))));
        assert!(!local.holds(&(100..101)));
        local.go_in();
        assert_eq!(local.let_go().count(), 0);
    }

    #[test]
    fn a_call_of_the_library_takes_over() {
        let local = Local::new();
        local.begin(Step::System, 10);
        local.opened(&(1..2));
        local.go_in();
        assert_eq!(local.trapped(100, || true), Next::Nothing);
        local.come_out();
        assert_eq!(local.end().count(), 0);
    }

    #[test]
    fn a_string_instruction_traps_after_each_round() {
        let local = Local::new();
        local.begin(Step::Repeating, 10);
        assert_eq!(local.trapped(10, || false), Next::Trap);
        assert_eq!(local.trapped(12, || false), Next::Close);
    }
}
