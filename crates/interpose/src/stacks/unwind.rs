//! The real call stack, by the unwinder of the GCC runtime (which Rust programs link, too).

use crate::memory::slots::slots;
use farside_events::StackFrame;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::Range;

/// Frames that are walked at most.
const MOST: usize = 4096;

#[repr(C)]
struct Context {
    _opaque: [u8; 0],
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut Context, *mut c_void) -> i32,
        argument: *mut c_void,
    ) -> i32;
    fn _Unwind_GetIP(context: *mut Context) -> usize;
    fn _Unwind_GetCFA(context: *mut Context) -> usize;
}

/// `_URC_NO_REASON`: go on.
const GO_ON: i32 = 0;
/// `_URC_END_OF_STACK`: enough.
const STOP: i32 = 5;

/// A return address, and where on the stack it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Return {
    /// The address.
    pc: u64,
    /// Where it lies; `None` for a frame that was not entered by a call (a signal handler's caller).
    slot: Option<usize>,
}

impl Return {
    /// The address.
    pub(super) fn pc(&self) -> u64 {
        self.pc
    }

    /// Whether the address still lies there, on this stack.
    fn is_on(&self, stack: &Range<usize>) -> bool {
        let there = |slot: usize| {
            // SAFETY: the word lies on the calling thread's stack, between its present top and its end.
            stack.contains(&slot) && unsafe { (slot as *const u64).read_volatile() } == self.pc
        };
        self.slot.is_none_or(there)
    }
}

/// Whether a stack that was seen before is that of the calling thread now, whose innermost frames end at `top`. The
/// word of a caller may lie in memory that a function left as it was, so that an older one is taken for it, if their
/// frames have the same size.
pub(super) fn is_present(returns: &[Return], top: usize) -> bool {
    let stack = top..own_stack().end;
    returns.iter().all(|frame| frame.is_on(&stack))
}

/// The calling thread's own stack; not one that the program switched to. Empty where it is not known.
#[inline]
pub(super) fn own_stack() -> Range<usize> {
    // SAFETY: The slots are this thread's.
    let (low, high) = unsafe { (*slots()).stack };
    if high == 0 { find_own_stack() } else { low..high }
}

#[cold]
fn find_own_stack() -> Range<usize> {
    let mut attributes = MaybeUninit::uninit();
    let (mut low, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call where it succeeds, and destroyed once.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) == 0 {
            libc::pthread_attr_getstack(attributes.as_ptr(), &mut low, &mut size);
            libc::pthread_attr_destroy(attributes.as_mut_ptr());
        }
    }
    let stack = low as usize..low as usize + size;
    // SAFETY: The slots are this thread's.
    unsafe { (*slots()).stack = (stack.start, stack.end) };
    stack
}

/// The return addresses of the stack from the frame that returns to `start` outwards, at most `limit`. Empty if
/// the unwinder does not come across it.
pub(super) fn from(start: u64, limit: usize) -> Vec<Return> {
    let mut frames = all();
    match frames.iter().position(|frame| frame.pc == start) {
        Some(position) => {
            frames.drain(..position);
            frames.truncate(limit);
            frames
        }
        None => Vec::new(),
    }
}

/// The frame that an address lies in, of the call that returns to `start` and its callers.
pub(super) fn frame_with(address: usize, start: u64) -> Option<StackFrame> {
    let frames = all();
    let first = frames.iter().position(|frame| frame.pc == start)?;
    frames[first..].windows(2).find_map(|pair| {
        // A call leaves its return address right below what was the top of the stack.
        let above = |frame: &Return| Some(frame.slot? + size_of::<u64>());
        let (stack_pointer, canonical) = (above(&pair[0])?, above(&pair[1])?);
        (stack_pointer..canonical)
            .contains(&address)
            .then_some(StackFrame {
                return_address: pair[0].pc,
                stack_pointer: stack_pointer as u64,
                canonical: canonical as u64,
            })
    })
}

/// All return addresses, innermost (ours) first.
pub(super) fn all() -> Vec<Return> {
    extern "C" fn visit(context: *mut Context, list: *mut c_void) -> i32 {
        // SAFETY: The unwinder passes its context and our argument.
        let (pc, frame, list) = unsafe {
            let pc = _Unwind_GetIP(context) as u64;
            (pc, _Unwind_GetCFA(context), &mut *list.cast::<Vec<Return>>())
        };
        if pc == 0 || list.len() >= MOST {
            return STOP;
        }
        // Where the function that was called here began its frame, right above the address that it returns to.
        let slot = frame.wrapping_sub(size_of::<u64>());
        // SAFETY: a word of the calling thread's stack, below which there are frames of ours.
        let called = frame != 0 && slot.is_multiple_of(8) && unsafe { *(slot as *const u64) } == pc;
        list.push(Return {
            pc,
            slot: called.then_some(slot),
        });
        GO_ON
    }
    let mut frames: Vec<Return> = Vec::with_capacity(64);
    // SAFETY: `visit` has the type that the unwinder asks for, and the list outlives the call.
    unsafe { _Unwind_Backtrace(visit, (&raw mut frames).cast()) };
    frames
}

/// About where the calling thread's stack ends.
#[inline(always)]
pub(super) fn stack_pointer() -> usize {
    let here: usize;
    // SAFETY: Copies a register.
    unsafe { std::arch::asm!("mov {}, rsp", out(reg) here, options(nomem, nostack, preserves_flags)) };
    here
}
