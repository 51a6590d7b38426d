//! The real call stack, by the unwinder of the GCC runtime (which Rust programs link, too).

use std::ffi::c_void;

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
}

/// `_URC_NO_REASON`: go on.
const GO_ON: i32 = 0;
/// `_URC_END_OF_STACK`: enough.
const STOP: i32 = 5;

/// The return addresses of the stack from the frame that returns to `start` outwards, at most `limit`. Empty if
/// the unwinder does not come across it.
pub(super) fn from(start: u64, limit: usize) -> Vec<u64> {
    let mut frames = all();
    match frames.iter().position(|&pc| pc == start) {
        Some(position) => {
            frames.drain(..position);
            frames.truncate(limit);
            frames
        }
        None => Vec::new(),
    }
}

/// All return addresses, innermost (ours) first.
pub(super) fn all() -> Vec<u64> {
    extern "C" fn visit(context: *mut Context, list: *mut c_void) -> i32 {
        // SAFETY: The unwinder passes its context and our argument.
        let (pc, list) = unsafe { (_Unwind_GetIP(context) as u64, &mut *list.cast::<Vec<u64>>()) };
        if pc == 0 || list.len() >= MOST {
            return STOP;
        }
        list.push(pc);
        GO_ON
    }
    let mut frames: Vec<u64> = Vec::with_capacity(64);
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
