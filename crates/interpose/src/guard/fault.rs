//! Faults of closed pages, and the trap after the instruction that was let pass.

use super::code::{self, Owner};
use super::decode::{self, Effects, Registers};
use super::local::{Local, Step};
use super::{budget, pages, signals};
use crate::memory::slots::slots;
use crate::memory::{self, PAGE_SHIFT};
use crate::recorder;
use std::ffi::{c_int, c_void};

/// The flag of the processor that asks for a trap after each instruction.
const TRAP: i64 = 1 << 8;
/// `SEGV_ACCERR` of `<signal.h>`: the page is there, and may not be accessed so.
const NOT_ALLOWED: c_int = 2;
/// `TRAP_TRACE`, and what a processor of Intel or AMD says of a step as well.
const STEPPED: [c_int; 2] = [2, 1];
/// Instructions that a thread may be followed for in a system library.
const MOST_STEPS: u32 = 1 << 16;
/// System calls before which stepping ends: they may block the signal of a trap, or begin another thread or process
/// that would be stepped as well. (By number: `rt_sigprocmask`, `clone`, `fork`, `vfork`, `execve`, `clone3`.)
const NOT_STEPPED: [u64; 6] = [14, 56, 57, 58, 59, 435];
/// The instruction of a system call.
const SYSTEM_CALL: [u8; 2] = [0x0f, 0x05];
/// Instructions of the program between a call and its entry to a library.
const STEPS_OF_A_CALL: u32 = 6;

/// The registers of the instruction that was interrupted.
struct Frame<'a>(&'a mut ::libc::ucontext_t);

impl Frame<'_> {
    fn register(&self, index: c_int) -> u64 {
        self.0.uc_mcontext.gregs[index as usize].cast_unsigned()
    }

    fn pc(&self) -> usize {
        self.register(::libc::REG_RIP) as usize
    }

    /// Whether a system call comes now that must not be stepped over.
    fn must_not_be_stepped(&self) -> bool {
        // SAFETY: the instruction that comes next is in mapped code, and each of those with this first byte has another.
        let is_call = unsafe {
            let at = self.pc() as *const u8;
            at.read() == SYSTEM_CALL[0] && at.add(1).read() == SYSTEM_CALL[1]
        };
        is_call && NOT_STEPPED.contains(&self.register(::libc::REG_RAX))
    }

    /// The processor traps after the next instruction, or not.
    fn trap(&mut self, traps: bool) {
        let flags = &mut self.0.uc_mcontext.gregs[::libc::REG_EFL as usize];
        if traps {
            *flags |= TRAP;
        } else {
            *flags &= !TRAP;
        }
    }
}

impl Registers for Frame<'_> {
    fn general(&self, number: usize) -> u64 {
        use ::libc::{
            REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RAX, REG_RBP, REG_RBX,
            REG_RCX, REG_RDI, REG_RDX, REG_RSI, REG_RSP,
        };
        const BY_NUMBER: [c_int; 16] = [
            REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10,
            REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
        ];
        self.register(BY_NUMBER[number & 15])
    }

    fn flags(&self) -> u64 {
        self.register(::libc::REG_EFL)
    }

    fn fs(&self) -> u64 {
        super::thread_pointer() as u64
    }
}

fn local<'a>() -> &'a Local {
    // SAFETY: the slots are this thread's, and live as long as it does.
    unsafe { &(*slots()).guard }
}

/// The handler of `SIGSEGV`.
pub(super) unsafe extern "C" fn on_fault(signal: c_int, info: *mut ::libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives a valid description.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // SAFETY: likewise; nobody else has it.
    let mut frame = Frame(unsafe { &mut *context.cast::<::libc::ucontext_t>() });
    let is_ours = code == NOT_ALLOWED && code::without_errno(|| pass(&mut frame, address));
    if !is_ours {
        // SAFETY: as the kernel called this handler.
        unsafe { signals::previous(signal, info, context) };
    }
}

/// Sees to an access of a closed page; `false`: it is none.
fn pass(frame: &mut Frame<'_>, address: usize) -> bool {
    let page = address >> PAGE_SHIFT;
    let local = local();
    if !recorder::active() {
        // A forked child, or recording has stopped since.
        let ours = memory::was_ever_watched(address);
        if ours {
            pages::open_one(page);
        }
        return ours;
    }
    let pc = frame.pc();
    let owner = code::owner(pc);
    let in_own_code = owner == Owner::Own || local.handling.get();
    if in_own_code || owner == Owner::System {
        if !memory::was_ever_watched(address) {
            return false;
        }
        pages::open_one(page);
        let stays_open = local.inside.get() > 0 || local.stack.get() == 0 || !local.opened(&(page..page + 1));
        if !stays_open && local.step() == Step::None && !local.handling.get() {
            local.begin(Step::System, pc, MOST_STEPS);
            frame.trap(true);
        }
        return true;
    }
    if !pages::is_guarded(page) {
        // Another thread may have ended the watch meanwhile; then the access succeeds the next time.
        if !memory::was_ever_watched(address) || local.stray.replace(address) == address {
            return false;
        }
        pages::open_one(page);
        return true;
    }
    local.stray.set(0);
    let is_again = local.step() != Step::None && local.pc.get() == pc;
    if is_again {
        // Another page of the same instruction.
        pages::open_one(page);
        let _ = local.opened(&(page..page + 1));
        return true;
    }
    local.since.set(farside_spool::now());
    local.handling.set(true);
    // SAFETY: the program was about to execute it.
    let effects = unsafe { decode::effects(pc, address, frame) };
    // Open before it is told, which may need memory of the same page.
    let mut all_closed_again = true;
    let mut open = |run: &pages::Pages| {
        pages::open(run, |opened| all_closed_again &= local.opened(&opened));
    };
    open(&(page..page + 1));
    if let Some(effects) = &effects {
        for access in effects.accesses() {
            open(&pages::of(access.bytes.start, access.bytes.len()));
        }
    }
    match &effects {
        Some(effects) if owner == Owner::Program => tell(effects),
        Some(_) => {}
        None => budget::partly_seen(),
    }
    local.handling.set(false);
    if !all_closed_again || !budget::allows_all() {
        budget::left_open();
        local.forget();
        return true;
    }
    let (step, left) = match effects {
        Some(Effects { repeats: true, .. }) => (Step::Repeating, u32::MAX),
        Some(Effects { calls: true, .. }) => (Step::Calling, STEPS_OF_A_CALL),
        _ => (Step::Program, 1),
    };
    local.begin(step, pc, left);
    frame.trap(true);
    true
}

/// The program is about to make these accesses.
fn tell(effects: &Effects) {
    if effects.is_partly_known {
        budget::partly_seen();
    }
    for access in effects.accesses() {
        let length = access.bytes.len();
        memory::guarded_access(
            access.kind,
            effects.is_atomic,
            access.bytes.start,
            length,
            effects.next,
        );
    }
}

/// The handler of `SIGTRAP`.
pub(super) unsafe extern "C" fn on_trap(signal: c_int, info: *mut ::libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives a valid description.
    let code = unsafe { (*info).si_code };
    let local = local();
    if !STEPPED.contains(&code) {
        // SAFETY: as the kernel called this handler.
        return unsafe { signals::previous(signal, info, context) };
    }
    // SAFETY: as for `code`; nobody else has it.
    let mut frame = Frame(unsafe { &mut *context.cast::<::libc::ucontext_t>() });
    // A thread that was created while its creator was stepped begins with the flag, and nothing to do.
    code::without_errno(|| {
        if goes_on(local, &frame) {
            return;
        }
        frame.trap(false);
        if local.step() != Step::None {
            local.end().for_each(|run| pages::close(&run));
            budget::spent(local.since.get());
        }
    });
}

/// Whether a thread that is at `pc` now must be stepped further.
fn goes_on(local: &Local, frame: &Frame<'_>) -> bool {
    let (step, pc) = (local.step(), frame.pc());
    if step == Step::None {
        return false;
    }
    if local.inside.get() > 0 {
        // The end of that call closes what is open.
        local.forget();
        return false;
    }
    if frame.must_not_be_stepped() {
        budget::left_open();
        local.forget();
        return false;
    }
    if step == Step::Repeating && pc == local.pc.get() {
        return true;
    }
    let left = local.left.get() - 1;
    match (step, matches!(code::owner(pc), Owner::System | Owner::Own)) {
        (Step::System, true) if left == 0 => {
            // It waits there; what is open stays so until the next call of the library ends.
            budget::left_open();
            local.forget();
            false
        }
        (Step::System, true) | (Step::Calling, false) if left > 0 => {
            local.left.set(left);
            true
        }
        (Step::System | Step::Calling | Step::Program | Step::Repeating, true) => {
            local.begin(Step::System, local.pc.get(), MOST_STEPS);
            true
        }
        _ => false,
    }
}
