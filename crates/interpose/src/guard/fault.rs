//! Faults of closed pages, and the trap after the instruction that was let pass.

use super::code::{self, Owner};
use super::decode::{self, Effects, Registers};
use super::local::{self, Local, Next, Step};
use super::{budget, pages, signals};
use crate::memory::{self, PAGE_SHIFT};
use crate::{recorder, stacks};
use std::ffi::{c_int, c_void};

/// The flag of the processor that asks for a trap after each instruction.
const TRAP: i64 = 1 << 8;
/// `SEGV_ACCERR` of `<signal.h>`: the page is there, and may not be accessed so.
const NOT_ALLOWED: c_int = 2;
/// `TRAP_TRACE`, and what a processor of Intel or AMD says of a step as well.
const STEPPED: [c_int; 2] = [2, 1];
/// System calls before which stepping ends: they may block the signal of a trap, or begin another thread or process
/// that would be stepped as well. (By number: `rt_sigprocmask`, `clone`, `fork`, `vfork`, `execve`, `clone3`.)
const NOT_STEPPED: [u64; 6] = [14, 56, 57, 58, 59, 435];
/// After so many instructions of a library it is asked whether there is time for more.
const LOOKS_AFTER: u32 = 64;
/// The instruction of a system call.
const SYSTEM_CALL: [u8; 2] = [0x0f, 0x05];

/// The registers of the instruction that was interrupted.
struct Frame<'a>(&'a mut ::libc::ucontext_t);

impl Frame<'_> {
    fn register(&self, index: c_int) -> u64 {
        self.0.uc_mcontext.gregs[index as usize].cast_unsigned()
    }

    fn pc(&self) -> usize {
        self.register(::libc::REG_RIP) as usize
    }

    /// The thread goes on there.
    fn go_to(&mut self, pc: usize) {
        self.0.uc_mcontext.gregs[::libc::REG_RIP as usize] = (pc as u64).cast_signed();
    }

    /// Whether a system call comes now that must not be stepped over.
    fn must_not_be_stepped(&self) -> bool {
        // SAFETY: the instruction that comes next is in mapped code, and each of those with this first byte has
        // another.
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

/// The handler of `SIGSEGV`.
pub(super) unsafe extern "C" fn on_fault(signal: c_int, info: *mut ::libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives a valid description.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // SAFETY: likewise; nobody else has it.
    let mut frame = Frame(unsafe { &mut *context.cast::<::libc::ucontext_t>() });
    let is_ours =
        code == NOT_ALLOWED && code::without_errno(|| local::with(|local| pass(local, &mut frame, address)));
    if !is_ours {
        if let Some(pc) = local::with(|local| local.apart().give_up(frame.pc())) {
            // The program's handler sees its own instruction, which is tried again there.
            frame.go_to(pc);
            frame.trap(true);
        }
        // SAFETY: as the kernel called this handler.
        unsafe { signals::previous(signal, info, context) };
    }
}

/// Sees to an access of a closed page; `false`: it is none.
fn pass(local: &Local, frame: &mut Frame<'_>, address: usize) -> bool {
    let page = address >> PAGE_SHIFT;
    if !recorder::active() {
        // A forked child, or recording has stopped since.
        let ours = memory::was_ever_watched(address, 1);
        if ours {
            pages::open_one(page);
        }
        return ours;
    }
    let at = frame.pc();
    let pc = local.apart().original(at).unwrap_or(at);
    let owner = code::owner(pc);
    let in_own_code = owner == Owner::Own || local.is_handling();
    if in_own_code || owner == Owner::System {
        if !memory::was_ever_watched(address, 1) {
            return false;
        }
        pages::open_one(page);
        if super::may_hold() && !local.is_inside() && !local.is_handling() {
            super::held(local, &(page..page + 1));
            budget::closed(1, farside_spool::now());
            return true;
        }
        let may_close = !local.is_inside() && signals::has_stack();
        let closes = may_close && local.opened(&(page..page + 1));
        if may_close && !closes {
            budget::left_open();
        }
        if closes && local.is_unfollowed() {
            local.closes_later();
        } else if closes && !local.is_stepped() && !local.is_handling() {
            local.looks_from(farside_spool::now());
            if budget::allows_all() {
                local.begin(Step::System, pc);
                frame.trap(true);
            } else {
                budget::left_open();
                budget::spent(local.since(), false);
                local.forget();
            }
        }
        return true;
    }
    if !local.handle(farside_spool::now(), || pages::is_guarded(page)) {
        // Another thread may have ended the watch meanwhile; then the access succeeds the next time.
        let may_pass = memory::was_ever_watched(address, 1) && local.strays(address);
        if may_pass {
            pages::open_one(page);
        }
        return may_pass;
    }
    local.strays(0);
    if local.is_at(pc) {
        // Another page of the same instruction.
        pages::open_one(page);
        let _ = local.opened(&(page..page + 1));
        return true;
    }
    let (effects, all_close_again) = local.handle(farside_spool::now(), || {
        // SAFETY: the program was about to execute it.
        let effects = unsafe { decode::effects(pc, address, frame) };
        // Open before it is told, which may need memory of the same page.
        let all_close_again = open(local, page, effects.as_ref());
        match &effects {
            Some(effects) if owner == Owner::Program => {
                // The unwinder meets the instruction where the program has it.
                frame.go_to(pc);
                tell(effects, pc, frame);
            }
            Some(_) => {}
            None => budget::partly_seen(),
        }
        (effects, all_close_again)
    });
    if !all_close_again || !budget::allows_all() {
        budget::left_open();
        budget::spent(local.since(), false);
        local.forget();
        frame.go_to(local.apart().give_up(at).unwrap_or(at));
        return true;
    }
    let step = match &effects {
        Some(effects) if effects.repeats() => Step::Repeating,
        Some(effects) if effects.calls() => Step::Calling,
        _ => Step::Program,
    };
    local.begin(step, pc);
    let apart = effects.as_ref().and_then(|effects| {
        // SAFETY: the program was about to execute it, and this is the handler of that.
        unsafe { local.apart().begin(at, pc, effects) }
    });
    frame.trap(apart.is_none());
    frame.go_to(apart.unwrap_or(at));
    true
}

/// Opens the page of a fault, and those that the instruction accesses. `false`: not all will be closed after it.
fn open(local: &Local, page: usize, effects: Option<&Effects>) -> bool {
    let mut all_close_again = true;
    let mut open = |run: &pages::Pages| {
        pages::open(run, |opened| all_close_again &= local.opened(&opened));
    };
    open(&(page..page + 1));
    for access in effects.into_iter().flat_map(Effects::accesses) {
        open(&pages::of(access.bytes().start, access.bytes().len()));
    }
    all_close_again
}

/// The program is about to make these accesses, by the instruction at `pc`.
fn tell(effects: &Effects, pc: usize, frame: &Frame<'_>) {
    let stack_pointer = frame.register(::libc::REG_RSP) as usize;
    if effects.is_partly_known() {
        budget::partly_seen();
    }
    for access in effects.accesses() {
        let bytes = access.bytes();
        memory::guarded_access(
            access.kind(),
            effects.is_atomic(),
            (bytes.start, bytes.len()),
            effects.next(),
            || stacks::callers(pc, stack_pointer),
        );
    }
}

/// The calling thread, in code of ours, is followed from here on.
pub(super) fn follow() {
    // SAFETY: the handler of the trap is ours by now, and clears the flag when it is done; the stack is as it was.
    unsafe {
        std::arch::asm!("pushfq", "or dword ptr [rsp], {trap}", "popfq", "nop", trap = const TRAP);
    }
}

/// How long a trap by the flag takes here, in nanoseconds: beside a breakpoint's time, much in a virtual machine.
pub(super) fn time_of_a_trap() -> u64 {
    let one = || {
        let since = farside_spool::now();
        follow();
        farside_spool::now().saturating_sub(since)
    };
    (0..5).map(|_| one()).min().unwrap_or(0)
}

/// The handler of `SIGTRAP`.
pub(super) unsafe extern "C" fn on_trap(signal: c_int, info: *mut ::libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel gives a valid description.
    let code = unsafe { (*info).si_code };
    // SAFETY: as for `code`; nobody else has it.
    let mut frame = Frame(unsafe { &mut *context.cast::<::libc::ucontext_t>() });
    let next = local::with(|local| local.apart().done(frame.pc()));
    if let Some(next) = next {
        frame.go_to(next);
    } else if !STEPPED.contains(&code) {
        // SAFETY: as the kernel called this handler.
        return unsafe { signals::previous(signal, info, context) };
    }
    // A thread that was created while its creator was stepped begins with the flag, and nothing to do.
    code::without_errno(|| local::with(|local| after(local, &mut frame, next.is_none())));
}

/// A thread has been stepped: closes what was opened for it, unless it must be stepped further.
fn after(local: &Local, frame: &mut Frame<'_>, by_flag: bool) {
    let pc = frame.pc();
    let in_system = || matches!(code::owner(pc), Owner::System | Owner::Own);
    let next = match local.trapped(pc, in_system) {
        Next::Trap if frame.must_not_be_stepped() => {
            local.forget();
            Next::LeaveOpen
        }
        Next::Trap
            if local.steps_left().is_multiple_of(LOOKS_AFTER) && !budget::allows_more(local.since()) =>
        {
            local.forget();
            budget::spent(local.since(), true);
            Next::LeaveOpen
        }
        next => next,
    };
    frame.trap(next == Next::Trap);
    match next {
        Next::Close => {
            local.end().for_each(|run| pages::close(&run));
            budget::spent(local.since(), by_flag);
        }
        Next::LeaveOpen => budget::left_open(),
        // After a call for which the stack was opened: the function may be of the program, and access what is open.
        Next::Trap if local.is_after_a_call() && code::owner(pc) == Owner::Program => {
            see_open(local, frame, pc);
        }
        Next::Trap | Next::Nothing => {}
    }
}

/// The program is about to execute the instruction at `pc`, which does not fault where pages are open.
fn see_open(local: &Local, frame: &Frame<'_>, pc: usize) {
    local.goes_on_at(pc);
    local.handle(local.since(), || {
        // SAFETY: the program is about to execute it.
        match unsafe { decode::effects(pc, 0, frame) } {
            Some(effects) => tell(&effects, pc, frame),
            None => budget::partly_seen(),
        }
    });
}
