//! The real call stack, by the unwinder of the GCC runtime (which Rust programs link, too).

use crate::machine;
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
    fn _Unwind_GetGR(context: *mut Context, register: i32) -> usize;
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
    /// Where it lies; `None` where that is not known: the frame was not entered by a call (a signal handler's caller),
    /// or see [`machine::return_slot`].
    slot: Option<usize>,
    /// Where the frame that returns here ends, and the frame that it returns to has the end of its stack.
    canonical: usize,
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
        self.slot.map_or(machine::FRAMES_WITHOUT_SLOT_STAY, there)
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
        let (stack_pointer, canonical) = (pair[0].canonical, pair[1].canonical);
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
    /// What the walk has found, and the frame pointer of the frame before.
    struct Walk {
        frames: Vec<Return>,
        frame_pointer: usize,
    }

    extern "C" fn visit(context: *mut Context, walk: *mut c_void) -> i32 {
        // SAFETY: The unwinder passes its context and our argument, and a context has this register.
        let (pc, canonical, frame_pointer, walk) = unsafe {
            let pc = _Unwind_GetIP(context) as u64;
            let frame_pointer = machine::FRAME_POINTER.map_or(0, |register| _Unwind_GetGR(context, register));
            (
                pc,
                _Unwind_GetCFA(context),
                frame_pointer,
                &mut *walk.cast::<Walk>(),
            )
        };
        if pc == 0 || walk.frames.len() >= MOST {
            return STOP;
        }
        let below = std::mem::replace(&mut walk.frame_pointer, frame_pointer);
        walk.frames.push(Return {
            pc,
            // SAFETY: a frame of the calling thread, below which there are frames of ours.
            slot: unsafe { machine::return_slot(below, canonical, pc) },
            canonical,
        });
        GO_ON
    }
    let mut walk = Walk {
        frames: Vec::with_capacity(64),
        frame_pointer: 0,
    };
    // SAFETY: `visit` has the type that the unwinder asks for, and the walk outlives the call.
    unsafe { _Unwind_Backtrace(visit, (&raw mut walk).cast()) };
    walk.frames
}
